//===- Decompose.h - softmax and normalizations, taken apart ----*- C++ -*-===//

#ifndef FUSION_DIALECT_FUSION_TRANSFORMS_DECOMPOSE_H
#define FUSION_DIALECT_FUSION_TRANSFORMS_DECOMPOSE_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::fusion {

/// Adds the patterns of `fusion-decompose`: one each for softmax, log_softmax,
/// layer_norm, rms_norm and conv_transpose. Each matches every form of its
/// operation.
void populateDecomposePatterns(RewritePatternSet &patterns);

/// Adds the one for branches: those that are cheap become selects.
void populateDecomposeIfPatterns(RewritePatternSet &patterns);

/// Adds the one for conv_transpose.
void populateDecomposeConvTransposePatterns(RewritePatternSet &patterns);

/// Replaces each `fusion.loop` under `root` by its iterations; refuses loops
/// that would become too much code.
LogicalResult unrollLoops(Operation *root);

} // namespace mlir::fusion

#endif // FUSION_DIALECT_FUSION_TRANSFORMS_DECOMPOSE_H
