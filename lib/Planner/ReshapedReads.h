//===- ReshapedReads.h - what is read in another shape ----------*- C++ -*-===//

#ifndef LIB_PLANNER_RESHAPEDREADS_H
#define LIB_PLANNER_RESHAPEDREADS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::fusion {

/// Keeps for reports why groups of `func` are apart of which one reads what the
/// other makes in another shape: no pair of ops whose fusion was asked for.
void recordReshapedReads(func::FuncOp func);

} // namespace mlir::fusion

#endif // LIB_PLANNER_RESHAPEDREADS_H
