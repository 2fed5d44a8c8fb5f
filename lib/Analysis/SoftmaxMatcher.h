//===- SoftmaxMatcher.h - recognises attention by its dataflow --*- C++ -*-===//

#ifndef FUSION_LIB_ANALYSIS_SOFTMAXMATCHER_H
#define FUSION_LIB_ANALYSIS_SOFTMAXMATCHER_H

#include "fusion/Analysis/OnlineSoftmax.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::fusion {

/// A scalar in the body of an op, or a tensor that no elementwise op of the
/// pattern makes (`op` is null).
struct Node {
  linalg::LinalgOp op;
  Value value;
  bool operator==(const Node &other) const { return value == other.value; }
};

/// The number of an iteration of a loop, plus a constant.
struct Position {
  linalg::LinalgOp op;
  unsigned loop = 0;
  int64_t plus = 0;
};

/// Matches from the first contraction on.
class SoftmaxMatcher {
public:
  SoftmaxMatcher(linalg::LinalgOp scores, FusionDecision &refusal)
      : refusal(refusal) {
    found.scores = scores;
  }
  std::optional<OnlineSoftmax> match();

private:
  bool collectForward();
  bool findReductions();
  void addSideOps();
  void addSlices(linalg::LinalgOp contraction);
  FusionDecision numberLoops();
  FusionDecision check();
  FusionDecision checkContractions();
  FusionDecision checkExponential();
  FusionDecision checkChain();
  FusionDecision checkChainOp(linalg::LinalgOp op, unsigned operand);

  unsigned getLoop(linalg::LinalgOp op, unsigned loop) const {
    return loops.findLeader(firstLoop.lookup(op) + loop);
  }
  bool runsAlongColumns(linalg::LinalgOp op, AffineMap map) const;
  Node getYielded(Value tensor) const;
  Node resolve(Node node) const;
  bool isRowWise(Node start) const;
  OpOperand *getOperandBehind(Node node) const;
  std::optional<Position> getPosition(Node node) const;
  void findBound();

  OnlineSoftmax found;
  FusionDecision &refusal;
  llvm::SetVector<Operation *> ops;
  DenseMap<Operation *, unsigned> firstLoop;
  llvm::IntEqClasses loops;
  unsigned columns = 0; ///< the class of n
};

/// The combiner of a reduction of one value, or null.
Operation *getCombiner(linalg::LinalgOp op);

} // namespace mlir::fusion

#endif // FUSION_LIB_ANALYSIS_SOFTMAXMATCHER_H
