//===- UnfoldedFunctions.h - functions that do not fold ---------*- C++ -*-===//
//
// MLIR folds sin, exp and their like with the C library of the machine that
// compiles. What `fusion-expand-math` makes of them differs from that in the
// last bit, so a value would depend on whether a fusion made its operand a
// constant. Expanded, they fold exactly, as arithmetic does.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_DIALECT_FUSION_TRANSFORMS_UNFOLDEDFUNCTIONS_H
#define FUSION_DIALECT_FUSION_TRANSFORMS_UNFOLDEDFUNCTIONS_H

#include "mlir/IR/Operation.h"

namespace mlir::fusion {

/// Whether the last bit of what `op` computes depends on who computes it: ops
/// of the math dialect on floats, but for those that are exact or rounded once.
bool isInexactFunction(Operation *op);

/// While this lives, the functions below `root` are not folded, whatever their
/// operands become: each reads its first one through a cast that stands for
/// itself. Rewrites may move, clone and erase both.
class UnfoldedFunctions {
public:
  explicit UnfoldedFunctions(Operation *root);
  ~UnfoldedFunctions();
  UnfoldedFunctions(const UnfoldedFunctions &) = delete;
  UnfoldedFunctions &operator=(const UnfoldedFunctions &) = delete;

private:
  Operation *root;
};

} // namespace mlir::fusion

#endif // FUSION_DIALECT_FUSION_TRANSFORMS_UNFOLDEDFUNCTIONS_H
