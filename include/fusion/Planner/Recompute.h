//===- Recompute.h - values computed in several kernels ---------*- C++ -*-===//
//
// A value with several readers is written once and read by each, unless they
// share a kernel. Where it is made by few elementwise ops and reductions, a
// reader may make it for itself instead: that saves to read it, and where no
// reader is left, to write it, or the kernel that did. What is computed again
// are a reader's values from one other kernel, up to what that reads or writes
// anyway: never what was copied once, so that code grows by at most a constant
// for each edge of the graph.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_PLANNER_RECOMPUTE_H
#define FUSION_PLANNER_RECOMPUTE_H

#include "fusion/Planner/SearchFusions.h"

namespace mlir::fusion {

/// Lets kernels of `plan` compute anew what others make, where that is
/// estimated to save time: ops of the block are cloned, and `graph`, the
/// clusters and the decisions of `plan` say so.
void recomputeValues(UnitGraph &graph, FusionPlan &plan,
                     const PlannerOptions &options);

} // namespace mlir::fusion

#endif // FUSION_PLANNER_RECOMPUTE_H
