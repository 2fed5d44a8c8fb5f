//===- BranchResults.h - what the regions of a branch yield -----*- C++ -*-===//

#ifndef FUSION_LIB_PLANNER_BRANCHRESULTS_H
#define FUSION_LIB_PLANNER_BRANCHRESULTS_H

#include "fusion/Dialect/Fusion/IR/Fusion.h"
#include <array>

namespace mlir::fusion {

/// Returns the block that runs where the condition holds, then the other one.
std::array<Block *, 2> getArms(IfOp branch);

/// Returns an equal branch with results of `types`, in the place of `branch`,
/// whose regions move to it; `branch` is left without.
IfOp renewBranch(IfOp branch, TypeRange types);

} // namespace mlir::fusion

#endif // FUSION_LIB_PLANNER_BRANCHRESULTS_H
