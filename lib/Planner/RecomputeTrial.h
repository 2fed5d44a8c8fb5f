//===- RecomputeTrial.h - some units as one kernel --------------*- C++ -*-===//

#ifndef FUSION_LIB_PLANNER_RECOMPUTETRIAL_H
#define FUSION_LIB_PLANNER_RECOMPUTETRIAL_H

#include "fusion/Planner/Partition.h"

namespace mlir::fusion {

/// A graph of some units of another one, to ask what one kernel of them would
/// do. Nothing of the other graph changes.
class RecomputeTrial {
public:
  /// Takes `units` of `whole`. The first `copied` of them are copies: only the
  /// others read them.
  RecomputeTrial(const UnitGraph &whole, ArrayRef<unsigned> units,
                 unsigned copied);

  /// Returns what one kernel of all units does; nothing where none can.
  std::optional<KernelWork> estimate(const PlannerOptions &options);

private:
  UnitGraph graph;
};

} // namespace mlir::fusion

#endif // FUSION_LIB_PLANNER_RECOMPUTETRIAL_H
