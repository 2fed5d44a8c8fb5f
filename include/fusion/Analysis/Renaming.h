//===- Renaming.h - ops that give a tensor other dims -----------*- C++ -*-===//

#ifndef FUSION_ANALYSIS_RENAMING_H
#define FUSION_ANALYSIS_RENAMING_H

#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::fusion {

/// Returns whether `op` splits or joins dims of a tensor, its operand 0, whose
/// elements stay where they are. False for null.
bool isReshape(Operation *op);

/// Returns whether `op` is a reshape, or says more or less about the sizes of
/// its operand: one array under two types. False for null.
bool isRenaming(Operation *op);

} // namespace mlir::fusion

#endif // FUSION_ANALYSIS_RENAMING_H
