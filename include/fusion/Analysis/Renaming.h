//===- Renaming.h - ops that give a tensor other dims -----------*- C++ -*-===//

#ifndef FUSION_ANALYSIS_RENAMING_H
#define FUSION_ANALYSIS_RENAMING_H

#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::fusion {

/// Returns whether `op` splits or joins dims of a tensor, its operand 0, whose
/// elements stay where they are. False for null.
inline bool isReshape(Operation *op) {
  return isa_and_nonnull<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op);
}

/// Returns whether `op` is a reshape, or says more or less about the sizes of
/// its operand: one array under two types. False for null.
inline bool isRenaming(Operation *op) {
  return isReshape(op) || isa_and_nonnull<tensor::CastOp>(op);
}

} // namespace mlir::fusion

#endif // FUSION_ANALYSIS_RENAMING_H
