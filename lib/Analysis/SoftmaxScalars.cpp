//===- SoftmaxScalars.cpp - what the bodies of attention compute ----------===//

#include "SoftmaxMatcher.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::fusion;
using linalg::LinalgOp;

/// The combiner of a reduction of one value, or null.
Operation *fusion::getCombiner(LinalgOp op) {
  SmallVector<Operation *> combiners;
  bool matches = op->getNumResults() == 1 &&
                 matchReduction(op.getRegionOutputArgs(), 0, combiners) &&
                 combiners.size() == 1;
  return matches ? combiners.front() : nullptr;
}

//===----------------------------------------------------------------------===//
// Scalars in bodies
//===----------------------------------------------------------------------===//

/// The scalar that makes the elements of `tensor`, if an elementwise op of the
/// pattern makes it.
Node SoftmaxMatcher::getYielded(Value tensor) const {
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
Node SoftmaxMatcher::resolve(Node node) const {
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
bool SoftmaxMatcher::isRowWise(Node start) const {
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
OpOperand *SoftmaxMatcher::getOperandBehind(Node node) const {
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
FusionDecision SoftmaxMatcher::checkExponential() {
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
  if (!keepsToMaximum({argument.op, difference.getRhs()})) {
    return FusionDecision::forbid(
        "what is subtracted may grow faster than the maximum, or shrink");
  }
  return FusionDecision::allow();
}

/// What a scalar is that was changed to another type.
static Value skipCasts(Value value) {
  while (
      isa_and_nonnull<arith::ExtFOp, arith::TruncFOp>(value.getDefiningOp())) {
    value = value.getDefiningOp()->getOperand(0);
  }
  return value;
}

/// The comparison that the body of `op` yields, if that is all; else null.
static arith::CmpFOp getComparison(LinalgOp op) {
  Operation *yield = op.getBlock()->getTerminator();
  return yield->getNumOperands() == 1
             ? yield->getOperand(0).getDefiningOp<arith::CmpFOp>()
             : arith::CmpFOp();
}

/// What `compare`, of a number with itself, says: true of NaN, false of all
/// else, or the other way around.
static std::optional<bool> saysNaN(arith::CmpFOp compare) {
  switch (compare.getPredicate()) {
  case arith::CmpFPredicate::UNE:
  case arith::CmpFPredicate::UNO:
    return true;
  case arith::CmpFPredicate::OEQ:
  case arith::CmpFPredicate::ORD:
    return false;
  default:
    return std::nullopt;
  }
}

/// Whether `op` asks of each element of input `operand` whether it is NaN.
bool SoftmaxMatcher::isGuard(LinalgOp op, unsigned operand) const {
  arith::CmpFOp compare = getComparison(op);
  return compare && saysNaN(compare) &&
         skipCasts(compare.getLhs()) == op.getBlock()->getArgument(operand) &&
         skipCasts(compare.getRhs()) == op.getBlock()->getArgument(operand);
}

/// Whether `condition`, in the body of `op`, is what a guard of the last op of
/// the chain says: true where it is NaN if `ofNaN`, else where it is not.
bool SoftmaxMatcher::isGuarded(LinalgOp op, Value condition, bool ofNaN) const {
  auto argument = dyn_cast<BlockArgument>(condition);
  if (!argument || argument.getOwner() != op.getBlock()) {
    return false;
  }
  Operation *def = op->getOperand(argument.getArgNumber()).getDefiningOp();
  for (auto [guard, operand] :
       llvm::zip_equal(found.guards, found.guardOperands)) {
    if (guard == def) {
      return guard->getOperand(operand).getDefiningOp() == last &&
             saysNaN(getComparison(guard)) == ofNaN;
    }
  }
  return false;
}

/// Whether `op` divides input `operand` by rowSum, and does nothing else.
bool SoftmaxMatcher::dividesByRowSum(LinalgOp op, unsigned operand) const {
  Operation *yield = op.getBlock()->getTerminator();
  auto division =
      skipCasts(yield->getOperand(0)).getDefiningOp<arith::DivFOp>();
  return division &&
         skipCasts(division.getLhs()) == op.getBlock()->getArgument(operand) &&
         resolve({op, division.getRhs()}).value == found.rowSum->getResult(0);
}

/// Whether `op`, of the chain, passes on what input `operand` is, or zero.
bool SoftmaxMatcher::keepsNaN(LinalgOp op, unsigned operand) const {
  auto isInput = [&](Value value) {
    return skipCasts(value) == op.getBlock()->getArgument(operand);
  };
  Value yielded = op.getBlock()->getTerminator()->getOperand(0);
  auto select = skipCasts(yielded).getDefiningOp<arith::SelectOp>();
  return select
             ? isInput(select.getFalseValue()) || isInput(select.getTrueValue())
             : isInput(yielded);
}

/// Checks that the body of `op` is linear in input `operand`, with factors that
/// are the same along a row, or puts zero where a guard says that it is NaN.
FusionDecision SoftmaxMatcher::checkChainOp(LinalgOp op, unsigned operand) {
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
    auto select = dyn_cast<arith::SelectOp>(inner);
    auto putsZero = [&](bool ofNaN) {
      Value zero = ofNaN ? select.getTrueValue() : select.getFalseValue();
      Value kept = ofNaN ? select.getFalseValue() : select.getTrueValue();
      return isGuarded(op, select.getCondition(), ofNaN) &&
             matchPattern(skipCasts(zero), m_PosZeroFloat()) &&
             linear.contains(kept);
    };
    bool guarded = select && (putsZero(true) || putsZero(false));
    if (guarded) {
      linear.insert(select);
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

/// Adds `op` to the chain, or to its guards, if it depends on the chain's last
/// op.
FusionDecision SoftmaxMatcher::addToChain(LinalgOp op) {
  SmallVector<unsigned> from;
  for (OpOperand *input : op.getDpsInputOperands()) {
    Operation *def = input->get().getDefiningOp();
    bool isChain = def == found.exponential.getOperation() ||
                   llvm::is_contained(found.chain, def);
    if (isChain) {
      from.push_back(input->getOperandNumber());
    }
  }
  bool reads = llvm::any_of(op.getDpsInputs(), [&](Value input) {
    return llvm::is_contained(found.guards, input.getDefiningOp());
  });
  if (from.empty()) {
    return reads ? FusionDecision::forbid("the exponentials go different ways")
                 : FusionDecision::allow();
  }
  if (from.size() != 1 ||
      op->getOperand(from.front()).getDefiningOp() != last) {
    return FusionDecision::forbid("the exponentials go different ways");
  }
  if (normalised && isGuard(op, from.front())) {
    found.guards.push_back(op);
    found.guardOperands.push_back(from.front());
    return FusionDecision::allow();
  }
  if (FusionDecision decision = checkChainOp(op, from.front()); !decision) {
    return decision;
  }
  normalised = keepsNaN(op, from.front()) && normalised;
  normalised |= last == found.exponential && dividesByRowSum(op, from.front());
  last = op;
  found.chain.push_back(op);
  found.chainOperands.push_back(from.front());
  return FusionDecision::allow();
}

/// Follows the weights from the exponential to the second contraction.
FusionDecision SoftmaxMatcher::checkChain() {
  // exp ends its op.
  Value yielded = found.exponential.getBlock()->getTerminator()->getOperand(0);
  if (found.exponential->getNumResults() != 1 ||
      resolve({found.exponential, yielded}).value != found.exp->getResult(0)) {
    return FusionDecision::forbid("the exponential's op computes more");
  }
  last = found.exponential;
  for (LinalgOp op : getSortedOps()) {
    if (op == found.values || !op.isAllParallelLoops()) {
      continue;
    }
    if (FusionDecision decision = addToChain(op); !decision) {
      return decision;
    }
  }
  return found.values.getDpsInputs()[found.weights].getDefiningOp() == last
             ? FusionDecision::allow()
             : FusionDecision::forbid(
                   "the weights are not made from the exponentials");
}

//===----------------------------------------------------------------------===//
// Causal masks
//===----------------------------------------------------------------------===//

/// Whether a scalar is minus infinity.
static bool isMinusInfinity(Value value) {
  FloatAttr constant;
  return matchPattern(value, m_Constant(&constant)) &&
         constant.getValue().isInfinity() && constant.getValue().isNegative();
}

/// The predicate that holds where `predicate` does not, and with its sides
/// exchanged; nothing for others than orders.
static std::optional<arith::CmpIPredicate>
getOrder(arith::CmpIPredicate predicate, bool negated, bool exchanged) {
  using P = arith::CmpIPredicate;
  struct Entry {
    P predicate, negated, exchanged;
  };
  static const Entry entries[] = {{P::sle, P::sgt, P::sge},
                                  {P::slt, P::sge, P::sgt},
                                  {P::sge, P::slt, P::sle},
                                  {P::sgt, P::sle, P::slt}};
  for (int step = 0; step < 2; ++step) {
    if (step == 0 ? !negated : !exchanged) {
      continue;
    }
    auto *entry = llvm::find_if(
        entries, [&](const Entry &e) { return e.predicate == predicate; });
    if (entry == std::end(entries)) {
      return std::nullopt;
    }
    predicate = step == 0 ? entry->negated : entry->exchanged;
  }
  return predicate;
}

/// The position that a scalar of type index or integer is, if it is one.
std::optional<Position> SoftmaxMatcher::getPosition(Node node) const {
  Position found;
  APInt constant;
  for (int steps = 0; steps < 8; ++steps) {
    node = resolve(node);
    Operation *def = node.op ? node.value.getDefiningOp() : nullptr;
    if (auto index = dyn_cast_or_null<linalg::IndexOp>(def)) {
      found.op = node.op;
      found.loop = index.getDim();
      return found;
    }
    if (isa_and_nonnull<arith::IndexCastOp>(def)) {
      // Positions may wrap in fewer bits.
      Type type = def->getResult(0).getType();
      if (!type.isIndex() && type.getIntOrFloatBitWidth() < 32) {
        return std::nullopt;
      }
      node.value = def->getOperand(0);
      continue;
    }
    auto sum = dyn_cast_or_null<arith::AddIOp>(def);
    if (!sum || !matchPattern(sum.getRhs(), m_ConstantInt(&constant))) {
      return std::nullopt;
    }
    constexpr int64_t kMost = int64_t(1) << 30; // sums of i32 do not wrap
    found.plus += constant.getSExtValue();
    if (found.plus > kMost || found.plus < -kMost) {
      return std::nullopt;
    }
    node.value = sum.getLhs();
  }
  return std::nullopt;
}

/// Looks for x = select(column <= row + c, ..., -inf), in any of its forms,
/// with positions that loops count.
void SoftmaxMatcher::findBound() {
  Node x = resolve({found.rowMax, getReducedValue(found.rowMax)});
  auto select =
      x.op ? x.value.getDefiningOp<arith::SelectOp>() : arith::SelectOp();
  if (!select) {
    return;
  }
  bool keepsTrue =
      isMinusInfinity(resolve({x.op, select.getFalseValue()}).value);
  if (!keepsTrue &&
      !isMinusInfinity(resolve({x.op, select.getTrueValue()}).value)) {
    return;
  }
  Node condition = resolve({x.op, select.getCondition()});
  auto compare = condition.op ? condition.value.getDefiningOp<arith::CmpIOp>()
                              : arith::CmpIOp();
  if (!compare) {
    return;
  }
  std::optional<Position> left = getPosition({condition.op, compare.getLhs()});
  std::optional<Position> right = getPosition({condition.op, compare.getRhs()});
  if (!left || !right) {
    return;
  }
  bool exchanged = getLoop(right->op, right->loop) == columns;
  Position &column = exchanged ? *right : *left;
  Position &row = exchanged ? *left : *right;
  auto order = getOrder(compare.getPredicate(), !keepsTrue, exchanged);
  if (getLoop(column.op, column.loop) != columns ||
      getLoop(row.op, row.loop) == columns || !order ||
      (*order != arith::CmpIPredicate::sle &&
       *order != arith::CmpIPredicate::slt)) {
    return;
  }
  found.bounded = row.op;
  found.rowLoop = row.loop;
  found.beyond =
      row.plus - column.plus - (*order == arith::CmpIPredicate::slt ? 1 : 0);
}
