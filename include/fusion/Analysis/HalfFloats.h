//===- HalfFloats.h - f16 and bf16 ------------------------------*- C++ -*-===//

#ifndef FUSION_ANALYSIS_HALFFLOATS_H
#define FUSION_ANALYSIS_HALFFLOATS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::fusion {

/// Returns whether `element` is f16 or bf16: what tensor cores multiply, and
/// what is summed up in f32. A shaped type is neither.
bool isHalfFloat(Type element);

/// Returns whether all inputs of `op` have elements of f16 or bf16.
bool readsHalfFloats(linalg::LinalgOp op);

/// Returns whether `op` adds products of floats of its two inputs, each read as
/// it is or widened, to its one result, and does nothing else: MLIR calls an op
/// that computes something of a factor, or of a product, a contraction too.
bool isSumOfProducts(linalg::LinalgOp op);

} // namespace mlir::fusion

#endif // FUSION_ANALYSIS_HALFFLOATS_H
