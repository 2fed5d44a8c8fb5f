//===- ReshapedReads.h - what is read in another shape ----------*- C++ -*-===//

#ifndef FUSION_LIB_PLANNER_RESHAPEDREADS_H
#define FUSION_LIB_PLANNER_RESHAPEDREADS_H

#include "fusion/Dialect/Fusion/IR/Fusion.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::fusion {

/// Keeps for reports why groups of `func` are apart of which one reads what the
/// other makes in another shape: no pair of ops whose fusion was asked for.
void recordReshapedReads(func::FuncOp func);

/// Says why `reader`, of `consumer`, is not in the kernel of `producer`: what
/// would keep them apart without a reshape too, else that.
StringRef explainReshapedRead(GroupOp producer, GroupOp consumer,
                              linalg::LinalgOp reader);

} // namespace mlir::fusion

#endif // FUSION_LIB_PLANNER_RESHAPEDREADS_H
