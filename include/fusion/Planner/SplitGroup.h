//===- SplitGroup.h - one group becomes several -----------------*- C++ -*-===//

#ifndef FUSION_PLANNER_SPLITGROUP_H
#define FUSION_PLANNER_SPLITGROUP_H

#include "fusion/Dialect/Fusion/IR/Fusion.h"
#include "fusion/Planner/Decisions.h"
#include "fusion/Planner/Partition.h"

namespace mlir::fusion {

/// What became of a group that was split.
struct SplitGroup {
  SmallVector<GroupOp> groups; ///< in order, two or more
  /// The pairs of ops that were together and no longer are; without reasons.
  SmallVector<RecordedDecision> apart;
};

/// Replaces `group`, which is no composite, by two or more: cut where the least
/// bytes cross from what comes first to the rest. Each side is fused as far as
/// is legal. Fails, and changes nothing, where the group is a single op.
FailureOr<SplitGroup> splitGroup(GroupOp group, const PlannerOptions &options);

} // namespace mlir::fusion

#endif // FUSION_PLANNER_SPLITGROUP_H
