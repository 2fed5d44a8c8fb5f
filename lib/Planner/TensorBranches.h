//===- TensorBranches.h - branches outside of scalar code -------*- C++ -*-===//

#ifndef FUSION_LIB_PLANNER_TENSORBRANCHES_H
#define FUSION_LIB_PLANNER_TENSORBRANCHES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::fusion {

/// Returns each `scf.if` of `func`, inner ones first, but for those in the
/// bodies of linalg ops, of `tensor.generate` and of `tensor.pad`.
SmallVector<scf::IfOp> collectTensorBranches(func::FuncOp func);

/// Returns whether `value` is computed of sizes and constants, which the host
/// knows.
bool isOfSizes(Value value);

} // namespace mlir::fusion

#endif // FUSION_LIB_PLANNER_TENSORBRANCHES_H
