//===- OnlineSoftmax.cpp - contraction, softmax, contraction --------------===//

#include "fusion/Analysis/OnlineSoftmax.h"

#include "fusion/Analysis/IndexingMaps.h"
#include "fusion/Analysis/IterationSpace.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::fusion;
using linalg::LinalgOp;

/// Bounds the search; attention has some thirty ops.
static constexpr size_t kMaxOps = 96;

namespace {
/// A scalar in the body of an op, or a tensor that no elementwise op of the
/// pattern makes (`op` is null).
struct Node {
  LinalgOp op;
  Value value;
  bool operator==(const Node &other) const { return value == other.value; }
};

class Matcher {
public:
  Matcher(LinalgOp scores, FusionDecision &refusal) : refusal(refusal) {
    found.scores = scores;
  }
  std::optional<OnlineSoftmax> match();

private:
  bool collectForward();
  bool findReductions();
  void addSideOps();
  FusionDecision numberLoops();
  FusionDecision check();
  FusionDecision checkContractions();
  FusionDecision checkExponential();
  FusionDecision checkChain();
  FusionDecision checkChainOp(LinalgOp op, unsigned operand);

  unsigned getLoop(LinalgOp op, unsigned loop) const {
    return loops.findLeader(firstLoop.lookup(op) + loop);
  }
  bool runsAlongColumns(LinalgOp op, AffineMap map) const;
  Node getYielded(Value tensor) const;
  Node resolve(Node node) const;
  bool isRowWise(Node start) const;
  OpOperand *getOperandBehind(Node node) const;

  OnlineSoftmax found;
  FusionDecision &refusal;
  llvm::SetVector<Operation *> ops;
  DenseMap<Operation *, unsigned> firstLoop;
  llvm::IntEqClasses loops;
  unsigned columns = 0; ///< the class of n
};
} // namespace

static OpRole getRole(LinalgOp op) { return getIterationSpace(op).role; }

//===----------------------------------------------------------------------===//
// The ops
//===----------------------------------------------------------------------===//

/// Collects what depends on the scores up to the one contraction that reads it;
/// false where there is none, or another op needs something on the way.
bool Matcher::collectForward() {
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
      OpRole role = getRole(op);
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

/// The combiner of a reduction of one value, or null.
static Operation *getCombiner(LinalgOp op) {
  SmallVector<Operation *> combiners;
  bool matches = op->getNumResults() == 1 &&
                 matchReduction(op.getRegionOutputArgs(), 0, combiners) &&
                 combiners.size() == 1;
  return matches ? combiners.front() : nullptr;
}

bool Matcher::findReductions() {
  for (Operation *op : ops) {
    auto linalgOp = cast<LinalgOp>(op);
    if (linalgOp == found.scores || getRole(linalgOp) != OpRole::Reduction) {
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

/// Adds elementwise producers that nothing outside of the pattern reads, in
/// reverse, so that users come before producers.
void Matcher::addSideOps() {
  SmallVector<Operation *> worklist(ops.begin(), ops.end());
  while (!worklist.empty()) {
    auto op = cast<LinalgOp>(worklist.pop_back_val());
    if (op == found.scores) {
      continue;
    }
    for (Value input : op.getDpsInputs()) {
      auto producer = input.getDefiningOp<LinalgOp>();
      if (!producer || ops.contains(producer) ||
          producer->getBlock() != op->getBlock() ||
          getRole(producer) != OpRole::Elementwise || ops.size() >= kMaxOps) {
        continue;
      }
      bool inside = llvm::all_of(producer->getUsers(), [&](Operation *user) {
        return ops.contains(user) || isa<tensor::DimOp>(user);
      });
      if (inside && ops.insert(producer)) {
        worklist.push_back(producer);
      }
    }
  }
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// Makes one class of the loops that a value inside ties.
FusionDecision Matcher::numberLoops() {
  unsigned count = 0;
  for (Operation *op : ops) {
    firstLoop[op] = count;
    count += cast<LinalgOp>(op).getNumLoops();
  }
  loops.grow(count);
  for (Operation *op : ops) {
    auto user = cast<LinalgOp>(op);
    for (OpOperand *input : user.getDpsInputOperands()) {
      auto producer = input->get().getDefiningOp<LinalgOp>();
      if (!producer || !ops.contains(producer)) {
        continue;
      }
      AffineMap written =
          producer.getIndexingMapMatchingResult(cast<OpResult>(input->get()));
      AffineMap read = user.getMatchingIndexingMap(input);
      for (unsigned dim = 0, e = read.getNumResults(); dim < e; ++dim) {
        std::optional<unsigned> from = getLoopAt(written, dim);
        std::optional<unsigned> to = getLoopAt(read, dim);
        if (from && to) {
          loops.join(firstLoop[producer] + *from, firstLoop[user] + *to);
        } else if (cast<ShapedType>(input->get().getType()).getDimSize(dim) !=
                   1) {
          return FusionDecision::forbid(
              "a value between the contractions is read at computed positions");
        }
      }
    }
  }
  for (Operation *op : ops) {
    llvm::SmallDenseSet<unsigned> seen;
    for (unsigned loop = 0, e = cast<LinalgOp>(op).getNumLoops(); loop < e;
         ++loop) {
      if (!seen.insert(getLoop(cast<LinalgOp>(op), loop)).second) {
        return FusionDecision::forbid(
            "a value between the contractions is read transposed");
      }
    }
  }
  return FusionDecision::allow();
}

bool Matcher::runsAlongColumns(LinalgOp op, AffineMap map) const {
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

FusionDecision Matcher::checkContractions() {
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
// Scalars in bodies
//===----------------------------------------------------------------------===//

/// The scalar that makes the elements of `tensor`, if an elementwise op of the
/// pattern makes it.
Node Matcher::getYielded(Value tensor) const {
  auto op = tensor.getDefiningOp<LinalgOp>();
  if (!op || !ops.contains(op) || !op.isAllParallelLoops()) {
    return {LinalgOp(), tensor};
  }
  unsigned number = cast<OpResult>(tensor).getResultNumber();
  return {op, op.getBlock()->getTerminator()->getOperand(number)};
}

/// Whether `op` only changes the type that a value of the graph has.
static bool isTransparent(Operation *op) {
  return isa<arith::ExtFOp>(op) ||
         (isa<arith::TruncFOp>(op) && op->hasAttr("fusion.rounding"));
}

/// Follows a scalar through casts, and through the ops that only hand it on.
Node Matcher::resolve(Node node) const {
  while (node.op) {
    if (auto argument = dyn_cast<BlockArgument>(node.value)) {
      if (argument.getOwner() != node.op.getBlock()) {
        break;
      }
      node = getYielded(node.op->getOperand(argument.getArgNumber()));
      continue;
    }
    Operation *def = node.value.getDefiningOp();
    if (!def || !isTransparent(def)) {
      break;
    }
    node.value = def->getOperand(0);
  }
  return node;
}

/// Whether a scalar is the same for all elements of a row.
bool Matcher::isRowWise(Node start) const {
  SmallVector<Node> worklist = {start};
  llvm::SmallDenseSet<Value> seen;
  while (!worklist.empty()) {
    Node node = worklist.pop_back_val();
    if (!seen.insert(node.value).second) {
      continue;
    }
    Block *body = node.op.getBlock();
    if (auto argument = dyn_cast<BlockArgument>(node.value)) {
      if (argument.getOwner() != body) {
        continue;
      }
      OpOperand *operand = node.op.getMatchingOpOperand(argument);
      if (!runsAlongColumns(node.op, node.op.getMatchingIndexingMap(operand))) {
        continue;
      }
      node = getYielded(operand->get());
      if (!node.op) {
        return false;
      }
      worklist.push_back(node);
      continue;
    }
    Operation *def = node.value.getDefiningOp();
    if (def->getBlock() != body) {
      continue;
    }
    auto index = dyn_cast<linalg::IndexOp>(def);
    if ((index && getLoop(node.op, index.getDim()) == columns) ||
        def->getNumRegions() != 0) {
      return false;
    }
    for (Value operand : def->getOperands()) {
      worklist.push_back({node.op, operand});
    }
  }
  return true;
}

/// The operand that a body's scalar is, seen through casts; null if it is
/// computed in the body.
OpOperand *Matcher::getOperandBehind(Node node) const {
  while (Operation *def = node.value.getDefiningOp()) {
    if (!isTransparent(def)) {
      return nullptr;
    }
    node.value = def->getOperand(0);
  }
  auto argument = cast<BlockArgument>(node.value);
  return argument.getOwner() == node.op.getBlock()
             ? node.op.getMatchingOpOperand(argument)
             : nullptr;
}

/// What a reduction combines with its accumulator.
static Value getReducedValue(LinalgOp op) {
  Operation *combiner = getCombiner(op);
  BlockArgument acc = op.getRegionOutputArgs()[0];
  return combiner->getOperand(combiner->getOperand(0) == acc ? 1 : 0);
}

/// e = exp(x - r), x what rowMax reduces, r the same along a row.
FusionDecision Matcher::checkExponential() {
  Node summed = resolve({found.rowSum, getReducedValue(found.rowSum)});
  Operation *exp = summed.op ? summed.value.getDefiningOp() : nullptr;
  if (!isa_and_nonnull<math::ExpOp, math::Exp2Op>(exp)) {
    return FusionDecision::forbid("what is summed is no exponential");
  }
  if (!exp->getResult(0).getType().isF32() ||
      !getReducedValue(found.rowMax).getType().isF32() ||
      !getReducedValue(found.rowSum).getType().isF32()) {
    return FusionDecision::forbid("the softmax is not computed in f32");
  }
  found.exp = exp;
  found.exponential = summed.op;
  Node argument = resolve({summed.op, exp->getOperand(0)});
  auto difference = argument.op ? argument.value.getDefiningOp<arith::SubFOp>()
                                : arith::SubFOp();
  if (!difference) {
    return FusionDecision::forbid("no row's maximum is subtracted before the "
                                  "exponential");
  }
  found.reduced =
      getOperandBehind({found.rowMax, getReducedValue(found.rowMax)});
  found.shift = getOperandBehind({argument.op, difference.getRhs()});
  Node reduced = resolve({found.rowMax, getReducedValue(found.rowMax)});
  Node minuend = resolve({argument.op, difference.getLhs()});
  if (!found.reduced || !found.shift || !(reduced == minuend)) {
    return FusionDecision::forbid(
        "the exponential is not of what the maximum is of");
  }
  if (!isRowWise({argument.op, difference.getRhs()})) {
    return FusionDecision::forbid("what is subtracted varies along a row");
  }
  return FusionDecision::allow();
}

/// Checks that the body of `op` is linear in input `operand`, with factors that
/// are the same along a row.
FusionDecision Matcher::checkChainOp(LinalgOp op, unsigned operand) {
  FusionDecision no = FusionDecision::forbid(
      "the weights are not exponentials times functions of rows");
  llvm::SmallDenseSet<Value> linear = {op.getBlock()->getArgument(operand)};
  for (Operation &inner : op.getBlock()->without_terminator()) {
    SmallVector<Value> factors;
    for (Value value : inner.getOperands()) {
      if (!linear.contains(value)) {
        factors.push_back(value);
      }
    }
    if (factors.size() == inner.getNumOperands()) {
      continue;
    }
    bool casts = isa<arith::ExtFOp, arith::TruncFOp>(inner);
    bool fits = casts || (isa<arith::MulFOp>(inner) && factors.size() == 1) ||
                (isa<arith::DivFOp>(inner) && factors.size() == 1 &&
                 linear.contains(inner.getOperand(0)));
    if (!fits || (!factors.empty() && !isRowWise({op, factors.front()}))) {
      return no;
    }
    linear.insert(inner.getResult(0));
  }
  Operation *yield = op.getBlock()->getTerminator();
  return yield->getNumOperands() == 1 && linear.contains(yield->getOperand(0))
             ? FusionDecision::allow()
             : no;
}

/// Follows the weights from the exponential to the second contraction.
FusionDecision Matcher::checkChain() {
  // exp ends its op.
  Value yielded = found.exponential.getBlock()->getTerminator()->getOperand(0);
  if (resolve({found.exponential, yielded}).value != found.exp->getResult(0)) {
    return FusionDecision::forbid("the exponential's op computes more");
  }
  llvm::SmallDenseSet<Operation *> dependent = {found.exponential};
  LinalgOp last = found.exponential;
  SmallVector<LinalgOp> sorted;
  for (Operation *op : ops) {
    sorted.push_back(cast<LinalgOp>(op));
  }
  llvm::sort(sorted,
             [](LinalgOp a, LinalgOp b) { return a->isBeforeInBlock(b); });
  for (LinalgOp op : sorted) {
    if (op == found.values || !op.isAllParallelLoops()) {
      continue;
    }
    SmallVector<unsigned> from;
    for (OpOperand *input : op.getDpsInputOperands()) {
      if (dependent.contains(input->get().getDefiningOp())) {
        from.push_back(input->getOperandNumber());
      }
    }
    if (from.empty()) {
      continue;
    }
    if (from.size() != 1 ||
        op->getOperand(from.front()).getDefiningOp() != last) {
      return FusionDecision::forbid("the exponentials go different ways");
    }
    if (FusionDecision decision = checkChainOp(op, from.front()); !decision) {
      return decision;
    }
    dependent.insert(op);
    last = op;
    found.chain.push_back(op);
    found.chainOperands.push_back(from.front());
  }
  return found.values.getDpsInputs()[found.weights].getDefiningOp() == last
             ? FusionDecision::allow()
             : FusionDecision::forbid(
                   "the weights are not made from the exponentials");
}

FusionDecision Matcher::check() {
  if (FusionDecision decision = numberLoops(); !decision) {
    return decision;
  }
  std::optional<unsigned> reduced = getReducedLoop(found.rowMax);
  if (!reduced) {
    return FusionDecision::forbid("the maximum is over several dims");
  }
  columns = getLoop(found.rowMax, *reduced);
  for (auto step : {&Matcher::checkContractions, &Matcher::checkExponential,
                    &Matcher::checkChain}) {
    if (FusionDecision decision = (this->*step)(); !decision) {
      return decision;
    }
  }
  return FusionDecision::allow();
}

std::optional<OnlineSoftmax> Matcher::match() {
  if (getRole(found.scores) != OpRole::Contraction || !collectForward() ||
      !findReductions()) {
    return std::nullopt;
  }
  addSideOps();
  ops.insert(found.values);
  refusal = check();
  if (!refusal) {
    return std::nullopt;
  }
  for (Operation *op : ops) {
    found.ops.push_back(cast<LinalgOp>(op));
  }
  llvm::sort(found.ops,
             [](LinalgOp a, LinalgOp b) { return a->isBeforeInBlock(b); });
  return found;
}

std::optional<OnlineSoftmax>
fusion::matchOnlineSoftmax(LinalgOp scores, FusionDecision &refusal) {
  refusal = FusionDecision::allow();
  return Matcher(scores, refusal).match();
}
