//===- ChainedProducts.cpp - a contraction of a contraction ---------------===//

#include "fusion/Analysis/ChainedProducts.h"

#include "OpsBetween.h"
#include "fusion/Analysis/IterationSpace.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::fusion;
using linalg::LinalgOp;

namespace {
class ChainMatcher : public OpsBetween {
public:
  using OpsBetween::OpsBetween;
  std::optional<ChainedProducts> match(SmallVectorImpl<ChainRefusal> &refusals);

private:
  FusionDecision collectForward();
  void visitUse(OpOperand &use, SmallVectorImpl<Operation *> &worklist);
  FusionDecision check();
  FusionDecision checkSiblings();

  /// The contractions that read what follows from the first.
  llvm::SetVector<Operation *> readers;
  bool reduces = false, leaves = false, grows = false;
};
} // namespace

void ChainMatcher::visitUse(OpOperand &use,
                            SmallVectorImpl<Operation *> &worklist) {
  auto op = dyn_cast<LinalgOp>(use.getOwner());
  if (isa<tensor::DimOp>(use.getOwner()) || (op && ops.contains(op))) {
    return;
  }
  bool inside =
      op && op->getBlock() == first->getBlock() && op.isDpsInput(&use);
  OpRole role = inside ? getRoleBetween(op) : OpRole::Other;
  if (role == OpRole::Contraction) {
    readers.insert(op);
  } else if (role == OpRole::Reduction) {
    reduces = true;
  } else if (role != OpRole::Elementwise) {
    leaves = true;
  } else if (ops.size() >= kMaxOps) {
    grows = true;
  } else {
    ops.insert(op);
    worklist.push_back(op);
  }
}

/// Collects what depends on the first contraction up to the contractions that
/// read it.
FusionDecision ChainMatcher::collectForward() {
  SmallVector<Operation *> worklist = {first};
  ops.insert(first);
  while (!worklist.empty()) {
    for (OpOperand &use : worklist.pop_back_val()->getUses()) {
      visitUse(use, worklist);
    }
  }
  if (reduces) {
    return FusionDecision::forbid("a reduction reads what lies between the "
                                  "contractions");
  }
  if (readers.size() > 1) {
    return FusionDecision::forbid(
        "several contractions read what follows from the first");
  }
  if (leaves) {
    return FusionDecision::forbid(
        "what lies between the contractions is needed elsewhere");
  }
  if (grows) {
    return FusionDecision::forbid(
        "more than " + Twine(kMaxOps) +
        " operations follow from the first contraction");
  }
  return FusionDecision::allow();
}

/// A contraction that reads an operand of the first one had better share a
/// kernel with it.
FusionDecision ChainMatcher::checkSiblings() {
  SmallVector<Value> operands = first.getDpsInputs();
  for (Operation *op : ops) {
    for (Value input : cast<LinalgOp>(op).getDpsInputs()) {
      auto other = input.getDefiningOp<LinalgOp>();
      if (other && isMarkedRounding(other)) {
        other = other.getDpsInputs()[0].getDefiningOp<LinalgOp>();
      }
      if (!other || op == first || ops.contains(other) ||
          getRoleBetween(other) != OpRole::Contraction) {
        continue;
      }
      bool shares = llvm::any_of(other.getDpsInputs(), [&](Value operand) {
        return llvm::is_contained(operands, operand);
      });
      if (shares) {
        return FusionDecision::forbid("a contraction that shares an operand "
                                      "with the first meets it in between");
      }
    }
  }
  return FusionDecision::allow();
}

FusionDecision ChainMatcher::check() {
  if (FusionDecision decision = checkSiblings(); !decision) {
    return decision;
  }
  auto second = cast<LinalgOp>(readers.front());
  int64_t inside = llvm::count_if(second.getDpsInputs(), [&](Value input) {
    Operation *def = input.getDefiningOp();
    return def && ops.contains(def);
  });
  if (second.getNumDpsInputs() != 2 || inside != 1) {
    return FusionDecision::forbid(
        "both operands of the second contraction depend on the first");
  }
  ops.insert(second);
  return numberLoops();
}

std::optional<ChainedProducts>
ChainMatcher::match(SmallVectorImpl<ChainRefusal> &refusals) {
  if (getRoleBetween(first) != OpRole::Contraction) {
    return std::nullopt;
  }
  FusionDecision decision = collectForward();
  if (readers.empty()) {
    return std::nullopt;
  }
  if (decision) {
    addSideOps();
    decision = check();
  }
  if (!decision) {
    for (Operation *reader : readers) {
      refusals.push_back({cast<LinalgOp>(reader), decision});
    }
    return std::nullopt;
  }
  ChainedProducts found;
  found.first = first;
  found.second = cast<LinalgOp>(readers.front());
  Operation *left = found.second.getDpsInputs()[0].getDefiningOp();
  found.middle = left && ops.contains(left) ? 0 : 1;
  found.loopsOfFirst.assign(found.second.getNumLoops(), -1);
  for (auto [loop, same] : llvm::enumerate(found.loopsOfFirst)) {
    for (unsigned from = 0, e = first.getNumLoops(); from < e; ++from) {
      bool continues = getLoop(first, from) == getLoop(found.second, loop);
      same = continues ? int64_t(from) : same;
    }
  }
  addSlices(found.first);
  addSlices(found.second);
  found.ops = getSortedOps();
  return found;
}

std::optional<ChainedProducts>
fusion::matchChainedProducts(LinalgOp first,
                             SmallVectorImpl<ChainRefusal> &refusals) {
  return ChainMatcher(first).match(refusals);
}
