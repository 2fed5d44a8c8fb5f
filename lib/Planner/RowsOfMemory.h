//===- RowsOfMemory.h - reductions that begin a kernel ----------*- C++ -*-===//

#ifndef FUSION_LIB_PLANNER_ROWSOFMEMORY_H
#define FUSION_LIB_PLANNER_ROWSOFMEMORY_H

#include "fusion/Dialect/Fusion/IR/Fusion.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::fusion {

/// Returns whether `op`, which `branch` alone reads, reduces rows of one tensor
/// that lies in memory, or that code makes which sinks into the branch as well:
/// nothing before the branch is there to join.
bool reducesRowsOfMemory(linalg::LinalgOp op, IfOp branch);

} // namespace mlir::fusion

#endif // FUSION_LIB_PLANNER_ROWSOFMEMORY_H
