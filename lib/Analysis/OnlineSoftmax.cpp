//===- OnlineSoftmax.cpp - contraction, softmax, contraction --------------===//

#include "fusion/Analysis/OnlineSoftmax.h"

#include "SoftmaxMatcher.h"
#include "fusion/Analysis/IndexingMaps.h"
#include "fusion/Analysis/IterationSpace.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::fusion;
using linalg::LinalgOp;

//===----------------------------------------------------------------------===//
// The ops
//===----------------------------------------------------------------------===//

void SoftmaxMatcher::visitUser(Operation *user,
                               SmallVectorImpl<Operation *> &worklist) {
  auto op = dyn_cast<LinalgOp>(user);
  if (ops.contains(user) || isa<tensor::DimOp>(user)) {
    return;
  }
  bool inside = op && op->getBlock() == found.scores->getBlock();
  OpRole role = inside ? getRoleBetween(op) : OpRole::Other;
  if (role == OpRole::Contraction) {
    if (found.values && found.values != op) {
      alone = FusionDecision::forbid(
          "several contractions read what follows from the first");
    }
    found.values = op;
  } else if (role != OpRole::Elementwise && role != OpRole::Reduction) {
    alone = FusionDecision::forbid(
        "what lies between the contractions is needed elsewhere");
  } else if (ops.size() >= kMaxOps) {
    alone =
        FusionDecision::forbid("more than " + Twine(kMaxOps) +
                               " operations follow from the first contraction");
  } else {
    ops.insert(op);
    worklist.push_back(op);
  }
}

/// Collects what depends on the scores up to contractions that read it; false
/// where there are none.
bool SoftmaxMatcher::collectForward() {
  SmallVector<Operation *> worklist = {found.scores};
  ops.insert(found.scores);
  while (!worklist.empty()) {
    for (Operation *user : worklist.pop_back_val()->getUsers()) {
      visitUser(user, worklist);
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

/// Returns whether all inputs of `op` are read along loops.
static bool readsLoops(LinalgOp op) {
  return llvm::all_of(op.getDpsInputOperands(), [&](OpOperand *input) {
    return isProjectedPermutationWithZeros(op.getMatchingIndexingMap(input));
  });
}

FusionDecision SoftmaxMatcher::checkContractions() {
  if (!readsLoops(found.scores) || !readsLoops(found.values)) {
    return FusionDecision::forbid(
        "an operand of a contraction is read at computed positions");
  }
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

//===----------------------------------------------------------------------===//
// What is subtracted, while the maximum grows
//===----------------------------------------------------------------------===//

/// Whether a scalar of the pattern is computed from rowMax.
bool SoftmaxMatcher::dependsOnMaximum(Node start) const {
  SmallVector<Node> worklist = {start};
  llvm::SmallDenseSet<Value> seen;
  while (!worklist.empty()) {
    Node node = worklist.pop_back_val();
    if (!seen.insert(node.value).second) {
      continue;
    }
    if (node.value == found.rowMax->getResult(0)) {
      return true;
    }
    Block *body = node.op ? node.op.getBlock() : nullptr;
    if (!body || node.value.getParentBlock() != body) {
      continue;
    }
    if (auto argument = dyn_cast<BlockArgument>(node.value)) {
      worklist.push_back(
          getYielded(node.op->getOperand(argument.getArgNumber())));
      continue;
    }
    Operation *def = node.value.getDefiningOp();
    if (def->getNumRegions() != 0) {
      return true;
    }
    for (Value operand : def->getOperands()) {
      worklist.push_back({node.op, operand});
    }
  }
  return false;
}

/// Whether `condition` asks whether something is infinite or NaN: the walk has
/// its own way with rows that are so.
bool SoftmaxMatcher::asksForInfinity(Node condition) const {
  condition = resolve(condition);
  auto compare = condition.op ? condition.value.getDefiningOp<arith::CmpFOp>()
                              : arith::CmpFOp();
  return compare && (compare.getLhs() == compare.getRhs() ||
                     llvm::any_of(compare->getOperands(), [&](Value side) {
                       FloatAttr constant;
                       Value value = resolve({condition.op, side}).value;
                       return matchPattern(value, m_Constant(&constant)) &&
                              constant.getValue().isInfinity();
                     }));
}

/// Whether a scalar grows where rowMax does, and no faster: then what was added
/// up before is never scaled up, and was no larger than it may be at the end.
bool SoftmaxMatcher::keepsToMaximum(Node start) const {
  SmallVector<Node> worklist = {start};
  while (!worklist.empty()) {
    Node node = resolve(worklist.pop_back_val());
    if (node.value == found.rowMax->getResult(0) || !dependsOnMaximum(node)) {
      continue;
    }
    Operation *def = node.value.getDefiningOp();
    auto add = [&](Value operand) { worklist.push_back({node.op, operand}); };
    auto depends = [&](unsigned number) {
      return dependsOnMaximum({node.op, def->getOperand(number)});
    };
    if (isa<arith::MaximumFOp, arith::MaxNumFOp, arith::MinimumFOp,
            arith::MinNumFOp, arith::ExtFOp, arith::TruncFOp>(def)) {
      llvm::for_each(def->getOperands(), add);
    } else if (isa<arith::SelectOp>(def) &&
               asksForInfinity({node.op, def->getOperand(0)})) {
      llvm::for_each(llvm::drop_begin(def->getOperands()), add);
    } else if (isa<arith::AddFOp, arith::SubFOp>(def) && !depends(1)) {
      add(def->getOperand(0));
    } else if (isa<arith::AddFOp>(def) && !depends(0)) {
      add(def->getOperand(1));
    } else {
      return false;
    }
  }
  return true;
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
  if (!alone) {
    refusal = std::move(alone);
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
