//===- Decompose.h - softmax and normalizations, taken apart ----*- C++ -*-===//

#ifndef FUSION_DIALECT_FUSION_TRANSFORMS_DECOMPOSE_H
#define FUSION_DIALECT_FUSION_TRANSFORMS_DECOMPOSE_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::fusion {

/// Adds the patterns of `fusion-decompose`: one each for softmax, log_softmax,
/// layer_norm and rms_norm. Each matches every form of its operation.
void populateDecomposePatterns(RewritePatternSet &patterns);

} // namespace mlir::fusion

#endif // FUSION_DIALECT_FUSION_TRANSFORMS_DECOMPOSE_H
