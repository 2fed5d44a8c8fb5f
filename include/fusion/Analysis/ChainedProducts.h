//===- ChainedProducts.h - a contraction of a contraction -------*- C++ -*-===//
//
// Two contractions, the second of what elementwise code makes of the first:
//
//   made   = contraction(a, b)            over loops (batch, m, r), sum over k
//   middle = elementwise(made, ...)       activation, bias, mask: anything
//   result = contraction(middle, c)       over loops (batch, m, n), sum over r
//
// One kernel can do this where a block holds what it needs of the middle.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_ANALYSIS_CHAINEDPRODUCTS_H
#define FUSION_ANALYSIS_CHAINEDPRODUCTS_H

#include "fusion/Analysis/FusionDecision.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::fusion {

/// The ops of the pattern above; all in one block.
struct ChainedProducts {
  linalg::LinalgOp first, second;
  /// Which input of `second` the middle is.
  unsigned middle = 0;
  /// For each loop of `second` the loop of `first` that it continues, or -1.
  SmallVector<int64_t> loopsOfFirst;
  /// All ops, in order, `second` last: those above, elementwise ops that feed
  /// only these, and slices that the contractions read.
  SmallVector<linalg::LinalgOp> ops;
};

/// Why the contraction of `second` does not follow in the kernel of another.
struct ChainRefusal {
  linalg::LinalgOp second;
  FusionDecision decision = FusionDecision::allow();
};

/// Returns the pattern that starts at the contraction `first`; nothing where
/// there is none. Where contractions read what follows from `first`,
/// `refusals` say of each what is in the way.
std::optional<ChainedProducts>
matchChainedProducts(linalg::LinalgOp first,
                     SmallVectorImpl<ChainRefusal> &refusals);

} // namespace mlir::fusion

#endif // FUSION_ANALYSIS_CHAINEDPRODUCTS_H
