//===- ContractionMatch.h - which linalg ops are contractions ---*- C++ -*-===//

#ifndef LIB_CONVERSION_GROUPTOCPU_CONTRACTIONMATCH_H
#define LIB_CONVERSION_GROUPTOCPU_CONTRACTIONMATCH_H

#include "LoopEmitter.h"

namespace mlir::fusion {

/// One factor of the products: the operand that holds it and the casts from its
/// element to the type of the product, in order.
struct Factor {
  Access access;
  SmallVector<Operation *> casts;
};

/// out[m, n, batch] += lhs(m, k, batch) * rhs(k, n, batch)
/// Each set of loops may be empty except `n` and `k`, and has any number of
/// them. The last dimension of `out` is a loop of `n`.
struct Contraction {
  Factor lhs, rhs;
  Access out;
  Type type; // of products and sums: f32, f64 or an integer of whole bytes
  SmallVector<unsigned> m, n, k, batch;
};

/// Returns `op` as a contraction, or failure if it is none, or if no input has
/// the last dimension of the result for itself. On tensors or memrefs.
FailureOr<Contraction> matchContraction(linalg::LinalgOp op);

} // namespace mlir::fusion

#endif // LIB_CONVERSION_GROUPTOCPU_CONTRACTIONMATCH_H
