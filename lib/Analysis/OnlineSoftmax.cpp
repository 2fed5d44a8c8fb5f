//===- OnlineSoftmax.cpp - contraction, softmax, contraction --------------===//

#include "fusion/Analysis/OnlineSoftmax.h"

#include "SoftmaxMatcher.h"
#include "fusion/Analysis/IndexingMaps.h"
#include "fusion/Analysis/IterationSpace.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::fusion;
using linalg::LinalgOp;

//===----------------------------------------------------------------------===//
// The ops
//===----------------------------------------------------------------------===//

/// Collects what depends on the scores up to the one contraction that reads it;
/// false where there is none, or another op needs something on the way.
bool SoftmaxMatcher::collectForward() {
  SmallVector<Operation *> worklist = {found.scores};
  ops.insert(found.scores);
  while (!worklist.empty()) {
    for (Operation *user : worklist.pop_back_val()->getUsers()) {
      auto op = dyn_cast<LinalgOp>(user);
      if (ops.contains(user) || isa<tensor::DimOp>(user)) {
        continue;
      }
      if (!op || op->getBlock() != found.scores->getBlock() ||
          ops.size() >= kMaxOps) {
        return false;
      }
      OpRole role = getRoleBetween(op);
      if (role == OpRole::Contraction) {
        if (found.values && found.values != op) {
          return false;
        }
        found.values = op;
        continue;
      }
      if (role != OpRole::Elementwise && role != OpRole::Reduction) {
        return false;
      }
      ops.insert(op);
      worklist.push_back(op);
    }
  }
  return bool(found.values);
}

bool SoftmaxMatcher::findReductions() {
  for (Operation *op : ops) {
    auto linalgOp = cast<LinalgOp>(op);
    if (linalgOp == found.scores ||
        getRoleBetween(linalgOp) != OpRole::Reduction) {
      continue;
    }
    Operation *combiner = getCombiner(linalgOp);
    LinalgOp *slot =
        isa_and_nonnull<arith::MaximumFOp, arith::MaxNumFOp>(combiner)
            ? &found.rowMax
        : isa_and_nonnull<arith::AddFOp>(combiner) ? &found.rowSum
                                                   : nullptr;
    if (!slot || *slot) {
      return false;
    }
    *slot = linalgOp;
  }
  return found.rowMax && found.rowSum;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

bool SoftmaxMatcher::runsAlongColumns(LinalgOp op, AffineMap map) const {
  for (unsigned dim = 0, e = map.getNumResults(); dim < e; ++dim) {
    std::optional<unsigned> loop = getLoopAt(map, dim);
    if (!loop || getLoop(op, *loop) == columns) {
      return true;
    }
  }
  return false;
}

/// The one loop that `op` reduces, or nothing.
static std::optional<unsigned> getReducedLoop(LinalgOp op) {
  SmallVector<unsigned> reduced;
  op.getReductionDims(reduced);
  return reduced.size() == 1 ? std::optional(reduced.front()) : std::nullopt;
}

/// Returns whether input `number` of `op` has the class `loop` among its dims.
static bool hasLoop(LinalgOp op, unsigned number,
                    llvm::function_ref<bool(unsigned)> isLoop) {
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInputOperand(number));
  for (unsigned dim = 0, e = map.getNumResults(); dim < e; ++dim) {
    std::optional<unsigned> at = getLoopAt(map, dim);
    if (at && isLoop(*at)) {
      return true;
    }
  }
  return false;
}

FusionDecision SoftmaxMatcher::checkContractions() {
  auto reduces = [&](LinalgOp op) {
    std::optional<unsigned> loop = getReducedLoop(op);
    return loop && getLoop(op, *loop) == columns;
  };
  if (!reduces(found.rowMax) || !reduces(found.rowSum) ||
      !reduces(found.values) || !getReducedLoop(found.scores)) {
    return FusionDecision::forbid(
        "the reductions and the contraction run over different dims");
  }
  auto isColumns = [&](unsigned loop) {
    return getLoop(found.scores, loop) == columns;
  };
  if (hasLoop(found.scores, 0, isColumns) ==
      hasLoop(found.scores, 1, isColumns)) {
    return FusionDecision::forbid(
        "the columns are not those of one operand of the scores");
  }
  auto fromInside = [&](Value value) {
    Operation *def = value.getDefiningOp();
    return def && ops.contains(def);
  };
  found.weights = fromInside(found.values.getDpsInputs()[0]) ? 0 : 1;
  if (fromInside(found.values.getDpsInputs()[1 - found.weights])) {
    return FusionDecision::forbid(
        "both operands of the second contraction depend on the first");
  }
  return FusionDecision::allow();
}

FusionDecision SoftmaxMatcher::check() {
  if (FusionDecision decision = numberLoops(); !decision) {
    return decision;
  }
  std::optional<unsigned> reduced = getReducedLoop(found.rowMax);
  if (!reduced) {
    return FusionDecision::forbid("the maximum is over several dims");
  }
  columns = getLoop(found.rowMax, *reduced);
  for (auto step :
       {&SoftmaxMatcher::checkContractions, &SoftmaxMatcher::checkExponential,
        &SoftmaxMatcher::checkChain}) {
    if (FusionDecision decision = (this->*step)(); !decision) {
      return decision;
    }
  }
  return FusionDecision::allow();
}

std::optional<OnlineSoftmax> SoftmaxMatcher::match() {
  if (getRoleBetween(found.scores) != OpRole::Contraction ||
      !collectForward() || !findReductions()) {
    return std::nullopt;
  }
  addSideOps();
  ops.insert(found.values);
  refusal = check();
  if (!refusal) {
    return std::nullopt;
  }
  findBound();
  addSlices(found.scores);
  addSlices(found.values);
  found.ops = getSortedOps();
  return found;
}

std::optional<OnlineSoftmax>
fusion::matchOnlineSoftmax(LinalgOp scores, FusionDecision &refusal) {
  refusal = FusionDecision::allow();
  return SoftmaxMatcher(scores, refusal).match();
}
