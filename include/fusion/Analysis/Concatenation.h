//===- Concatenation.h - ops that lay tensors side by side ------*- C++ -*-===//

#ifndef FUSION_ANALYSIS_CONCATENATION_H
#define FUSION_ANALYSIS_CONCATENATION_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::fusion {

/// A tensor whose elements from `start` on along the joined dim, `size` of
/// them, are those of `tensor`.
struct ConcatenatedPart {
  Value tensor;
  int64_t start;
  int64_t size;
};

/// Tensors that lie side by side along `dim`, in order, without gaps.
struct Concatenation {
  unsigned dim;
  SmallVector<ConcatenatedPart> parts;
};

/// Recognises an elementwise op that does nothing but lay two or more tensors
/// side by side, of known sizes along the joined dim: it reads, for each
/// position, the part that holds it. Nothing where it is anything else.
std::optional<Concatenation> matchConcatenation(linalg::LinalgOp op);

} // namespace mlir::fusion

#endif // FUSION_ANALYSIS_CONCATENATION_H
