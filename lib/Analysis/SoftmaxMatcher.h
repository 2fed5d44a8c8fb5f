//===- SoftmaxMatcher.h - recognises attention by its dataflow --*- C++ -*-===//

#ifndef FUSION_LIB_ANALYSIS_SOFTMAXMATCHER_H
#define FUSION_LIB_ANALYSIS_SOFTMAXMATCHER_H

#include "OpsBetween.h"
#include "fusion/Analysis/OnlineSoftmax.h"

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
class SoftmaxMatcher : public OpsBetween {
public:
  SoftmaxMatcher(linalg::LinalgOp scores, FusionDecision &refusal)
      : OpsBetween(scores), refusal(refusal) {
    found.scores = scores;
  }
  std::optional<OnlineSoftmax> match();

private:
  bool collectForward();
  void visitUser(Operation *user, SmallVectorImpl<Operation *> &worklist);
  bool findReductions();
  FusionDecision check();
  FusionDecision checkContractions();
  FusionDecision checkExponential();
  FusionDecision checkChain();
  FusionDecision checkChainOp(linalg::LinalgOp op, unsigned operand);
  FusionDecision addToChain(linalg::LinalgOp op);
  bool isGuard(linalg::LinalgOp op, unsigned operand) const;
  bool isGuarded(linalg::LinalgOp op, Value condition, bool ofNaN) const;
  bool keepsNaN(linalg::LinalgOp op, unsigned operand) const;
  bool dividesByRowSum(linalg::LinalgOp op, unsigned operand) const;

  bool runsAlongColumns(linalg::LinalgOp op, AffineMap map) const;
  Node getYielded(Value tensor) const;
  Node resolve(Node node) const;
  bool isRowWise(Node start) const;
  bool dependsOnMaximum(Node start) const;
  bool asksForInfinity(Node condition) const;
  bool keepsToMaximum(Node start) const;
  OpOperand *getOperandBehind(Node node) const;
  std::optional<Position> getPosition(Node node) const;
  void findBound();

  OnlineSoftmax found;
  FusionDecision &refusal;
  /// Whether nothing but one contraction needs what depends on the scores.
  FusionDecision alone = FusionDecision::allow();
  /// While the chain is followed: its last op, and whether e is divided by
  /// rowSum there, and is a weight between zero and one, or NaN in whole rows.
  linalg::LinalgOp last;
  bool normalised = false;
  unsigned columns = 0; ///< the class of n
};

/// The combiner of a reduction of one value, or null.
Operation *getCombiner(linalg::LinalgOp op);

} // namespace mlir::fusion

#endif // FUSION_LIB_ANALYSIS_SOFTMAXMATCHER_H
