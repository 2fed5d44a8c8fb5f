//===- ContractionMatch.h - which linalg ops are contractions ---*- C++ -*-===//

#ifndef LIB_CONVERSION_GROUPTOCPU_CONTRACTIONMATCH_H
#define LIB_CONVERSION_GROUPTOCPU_CONTRACTIONMATCH_H

#include "LoopEmitter.h"

namespace mlir::fusion {

/// Marks a contraction into whose body what makes its operands was merged: each
/// factor is elementwise code. The sum and the product are its own, which are
/// one fused multiply-add; in any other op a product may belong to the operand.
constexpr llvm::StringLiteral kComputesOperandsAttr =
    "fusion.computes_operands";

/// One factor of the products: the operands that it is computed from, the
/// arguments of the body that stand for their elements, and the code from these
/// to the factor, in order. Mostly one operand, and casts.
struct Factor {
  SmallVector<Access> accesses;
  SmallVector<BlockArgument> arguments;
  SmallVector<Operation *> ops;
  Value value; ///< in the body

  bool isInvariantIn(unsigned dim) const;
  /// Whether consecutive values of loop `dim` read consecutive elements of one
  /// operand at least, and of the others these or one.
  bool isContiguousIn(unsigned dim) const;
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
