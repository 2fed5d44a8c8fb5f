//===- ArmMatch.h - what both arms of a branch have in common ---*- C++ -*-===//
//
// Walks from a result of a branch backwards through both arms at once. Each
// pair of values, one of each arm, becomes one value after the branch is gone:
//
//   Same      both are one value from outside of the branch
//   Chosen    two tensors from outside: a choice, which copies nothing
//   Merged    results of two ops that differ in their operands only: one op,
//             whose operands are such pairs again
//   Selected  elementwise code that differs: both are computed, from what the
//             arms have in common below it, and selected element by element
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_PLANNER_ARMMATCH_H
#define FUSION_LIB_PLANNER_ARMMATCH_H

#include "fusion/Analysis/FusionDecision.h"
#include "fusion/Dialect/Fusion/IR/Fusion.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include <deque>

namespace mlir::fusion {

/// Returns whether one of two tensors from outside, of one type, can be chosen:
/// both lie in memory and have equal sizes at run time.
FusionDecision mayChoose(Value first, Value second);

/// Elementwise code of one arm: ops in order, and what they read.
struct ArmTree {
  SmallVector<Operation *> ops;
  /// Values of the arm that other ops make.
  SmallVector<Value> anchors;
  /// Tensors from outside of the branch.
  SmallVector<Value> leaves;
};

/// Two values, one of each arm.
struct ArmPair {
  enum Kind { Undecided, Same, Chosen, Merged, Selected };

  Value first, second;
  Kind kind = Undecided;
  FusionDecision decision = FusionDecision::allow();
  /// The pairs that this one is made from. Merged: of the operands, then of
  /// what the bodies read from outside. Selected: of the anchors.
  SmallVector<unsigned> parts;
  /// Merged: what the body of the first op reads from outside.
  SmallVector<Value> captured;
  /// Selected: the code of each arm.
  std::array<ArmTree, 2> trees;
};

/// The pairs of values that the results of a branch are made from.
class ArmMatch {
public:
  explicit ArmMatch(IfOp branch) : branch(branch) {}

  /// Matches all that results of the branch are made from. Afterwards each
  /// pair behind result i is in getClosure(i).
  void run();

  const ArmPair &getPair(unsigned number) const { return pairs[number]; }
  unsigned getResultPair(unsigned result) const { return roots[result]; }
  /// The pairs behind a result, those that others are made from first.
  SmallVector<unsigned> getClosure(unsigned result) const;
  /// Whether the results can be made without the branch.
  FusionDecision check(unsigned result) const;

  /// Returns whether `value` is made in an arm.
  bool isInside(Value value) const;

private:
  unsigned add(Value first, Value second);
  void decide(unsigned number);
  FusionDecision matchOutside(Value first, Value second,
                              ArmPair::Kind &kind) const;
  bool fitTogether(Operation *a, Operation *b,
                   ArrayRef<std::pair<Value, Value>> captured) const;
  bool matchOps(ArmPair &pair);
  FusionDecision matchTrees(ArmPair &pair);
  FusionDecision collectTree(Value value, ArmTree &tree) const;
  /// Whether the code of both arms reads a product or a reduction from before
  /// the branch: once selected, it is done in that one's kernel.
  bool followsWork(const ArmPair &pair) const;
  /// Where the values stand in their arms; 0 outside.
  std::pair<unsigned, unsigned> getPosition(unsigned number) const;

  IfOp branch;
  std::deque<ArmPair> pairs;
  DenseMap<std::pair<Value, Value>, unsigned> numbers;
  DenseMap<Operation *, unsigned> places; // of ops in their arms, from 1 on
  SmallVector<unsigned> roots;
};

/// Returns whether the op may be computed though its arm is not taken: pure
/// elementwise code that reads its operands in order, reshapes, sizes.
bool mayComputeInVain(Operation *op);

} // namespace mlir::fusion

#endif // FUSION_LIB_PLANNER_ARMMATCH_H
