//===- OpsBetween.h - from a contraction to the next ------------*- C++ -*-===//

#ifndef FUSION_LIB_ANALYSIS_OPSBETWEEN_H
#define FUSION_LIB_ANALYSIS_OPSBETWEEN_H

#include "fusion/Analysis/FusionDecision.h"
#include "fusion/Analysis/IterationSpace.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::fusion {

/// Returns the role of `op` in a pattern of contractions: Other if it reads an
/// operand transposed, which has no place there.
OpRole getRoleBetween(linalg::LinalgOp op);

/// What lies between two contractions of which the second reads what follows
/// from the first: the part that every pattern of this kind shares.
class OpsBetween {
public:
  explicit OpsBetween(linalg::LinalgOp first) : first(first) {}

protected:
  /// Bounds the search; attention has some thirty ops.
  static constexpr size_t kMaxOps = 96;

  /// Adds elementwise producers that nothing outside of `ops` reads, in
  /// reverse, so that users come before producers.
  void addSideOps();
  /// Adds the slices of other tensors, along batch dims, that only
  /// `contraction` reads: its kernel reads those tensors where the slices lie.
  void addSlices(linalg::LinalgOp contraction);
  /// Makes one class of the loops that a value inside ties.
  FusionDecision numberLoops();
  /// The class of loop `loop` of `op`, once they are numbered.
  unsigned getLoop(linalg::LinalgOp op, unsigned loop) const {
    return loops.findLeader(firstLoop.lookup(op) + loop);
  }
  /// Returns `ops` in program order.
  SmallVector<linalg::LinalgOp> getSortedOps() const;

  linalg::LinalgOp first;
  llvm::SetVector<Operation *> ops;

private:
  DenseMap<Operation *, unsigned> firstLoop;
  llvm::IntEqClasses loops;
};

} // namespace mlir::fusion

#endif // FUSION_LIB_ANALYSIS_OPSBETWEEN_H
