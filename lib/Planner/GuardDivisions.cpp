//===- GuardDivisions.cpp - divisions of integers that never trap ---------===//
//
// What x / 0 gives, and the least value divided by -1, is open in the arith
// dialect: a CPU traps, a GPU computes something. Here both get the values of
// docs/Numerics.md, as divisions of our dialect have from the beginning.
//
//===----------------------------------------------------------------------===//

#include "fusion/Dialect/Fusion/Transforms/GenericForm.h"
#include "fusion/Planner/AdoptLinalg.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::fusion;

namespace {
/// A quotient or a remainder of two integers, or of positions.
struct Division {
  explicit Division(Operation *op)
      : op(op), dividend(op->getOperand(0)), divisor(op->getOperand(1)),
        type(op->getResult(0).getType()),
        isSigned(!isa<arith::DivUIOp, arith::CeilDivUIOp, arith::RemUIOp>(op)),
        isRemainder(isa<arith::RemSIOp, arith::RemUIOp>(op)) {}

  unsigned getWidth() const {
    return type.isIndex() ? IndexType::kInternalStorageBitWidth
                          : type.getIntOrFloatBitWidth();
  }
  /// The least value that is signed.
  APInt getLeast() const { return APInt::getSignedMinValue(getWidth()); }

  Operation *op;
  Value dividend, divisor;
  Type type;
  bool isSigned, isRemainder;
};
} // namespace

static bool isDivision(Operation *op) {
  return isa<arith::DivSIOp, arith::DivUIOp, arith::CeilDivSIOp,
             arith::CeilDivUIOp, arith::FloorDivSIOp, arith::RemSIOp,
             arith::RemUIOp>(op);
}

/// Returns whether `condition` says that `value` is `number`.
static bool isEquality(Value condition, Value value, const APInt &number) {
  auto compare = condition.getDefiningOp<arith::CmpIOp>();
  APInt bound;
  return compare && compare.getPredicate() == arith::CmpIPredicate::eq &&
         compare.getLhs() == value &&
         matchPattern(compare.getRhs(), m_ConstantInt(&bound)) &&
         bound == number;
}

/// Returns whether the least value over -1 cannot come up: the dividend is
/// another constant.
static bool isOtherConstant(const Division &division) {
  APInt number;
  return matchPattern(division.dividend, m_ConstantInt(&number)) &&
         number != division.getLeast();
}

/// Returns whether the divisor is something else where it would trap: a choice
/// as `makeSafeDivisor` makes it.
static bool isGuarded(const Division &division) {
  auto choice = division.divisor.getDefiningOp<arith::SelectOp>();
  APInt instead;
  if (!choice ||
      !matchPattern(choice.getTrueValue(), m_ConstantInt(&instead)) ||
      instead.isZero() || (division.isSigned && instead.isAllOnes())) {
    return false;
  }
  Value y = choice.getFalseValue();
  APInt zero(division.getWidth(), 0);
  bool zeroIsOut = false;
  bool leastIsOut = !division.isSigned || isOtherConstant(division);
  SmallVector<Value> pending = {choice.getCondition()};
  while (!pending.empty()) {
    Value condition = pending.pop_back_val();
    if (auto either = condition.getDefiningOp<arith::OrIOp>()) {
      pending.append({either.getLhs(), either.getRhs()});
    }
    auto holds = [&](Value part) {
      return isEquality(part, y, ~zero) ||
             isEquality(part, division.dividend, division.getLeast());
    };
    zeroIsOut |= isEquality(condition, y, zero);
    leastIsOut |= isEquality(condition, y, ~zero);
    if (auto both = condition.getDefiningOp<arith::AndIOp>()) {
      leastIsOut |= holds(both.getLhs()) && holds(both.getRhs());
    }
  }
  return zeroIsOut && leastIsOut;
}

/// Returns whether `division` has a value whatever its operands are. Sizes by
/// which positions are divided are not zero where there is a position.
static bool isSafe(const Division &division) {
  APInt number;
  if (matchPattern(division.divisor, m_ConstantInt(&number))) {
    return !number.isZero() && (!division.isSigned || !number.isAllOnes() ||
                                isOtherConstant(division));
  }
  auto owner = division.op->getParentOfType<linalg::LinalgOp>();
  Block *from = Value(division.divisor).getParentBlock();
  bool isSize =
      division.type.isIndex() && !owner->isAncestor(from->getParentOp());
  return isSize || isGuarded(division);
}

/// Returns 1 where `division` would trap (the least value by 1 is what we
/// define for -1), else its divisor.
static Value makeSafeDivisor(ImplicitLocOpBuilder &b, const Division &division,
                             Value isZero) {
  auto constant = [&](const APInt &number) -> Value {
    return arith::ConstantOp::create(b,
                                     b.getIntegerAttr(division.type, number));
  };
  auto equal = [&](Value x, Value y) -> Value {
    return arith::CmpIOp::create(b, arith::CmpIPredicate::eq, x, y);
  };
  Value unsafe = isZero;
  if (division.isSigned && !isOtherConstant(division)) {
    Value isLeast = equal(division.dividend, constant(division.getLeast()));
    Value isMinusOne = equal(division.divisor,
                             constant(APInt::getAllOnes(division.getWidth())));
    Value overflows = arith::AndIOp::create(b, isLeast, isMinusOne);
    unsafe = arith::OrIOp::create(b, isZero, overflows);
  }
  Value one = constant(APInt(division.getWidth(), 1));
  return arith::SelectOp::create(b, unsafe, one, division.divisor);
}

/// Lets `division` have a value for all operands: all bits set for x / 0 and x
/// for its remainder.
static void guard(const Division &division) {
  ImplicitLocOpBuilder b(division.op->getLoc(), division.op);
  Value zero = arith::ConstantOp::create(b, b.getIntegerAttr(division.type, 0));
  Value isZero = arith::CmpIOp::create(b, arith::CmpIPredicate::eq,
                                       division.divisor, zero);
  division.op->setOperand(1, makeSafeDivisor(b, division, isZero));
  b.setInsertionPointAfter(division.op);
  Value result = division.op->getResult(0);
  Value without = division.dividend;
  if (!division.isRemainder) {
    without = arith::ConstantOp::create(
        b, b.getIntegerAttr(division.type,
                            APInt::getAllOnes(division.getWidth())));
  }
  auto choice = arith::SelectOp::create(b, isZero, without, result);
  result.replaceAllUsesExcept(choice, choice);
}

/// Lists the divisions in the body of `op` that might trap.
static SmallVector<Operation *> findUnsafe(linalg::LinalgOp op) {
  SmallVector<Operation *> result;
  op->walk([&](Operation *inner) {
    if (isDivision(inner) && !isSafe(Division(inner))) {
      result.push_back(inner);
    }
  });
  return result;
}

void fusion::guardDivisions(func::FuncOp func) {
  SmallVector<linalg::LinalgOp> ops;
  func.walk([&](linalg::LinalgOp op) { ops.push_back(op); });
  IRRewriter rewriter(func.getContext());
  for (linalg::LinalgOp op : ops) {
    if (findUnsafe(op).empty()) {
      continue;
    }
    // The body of a named op is what its name says.
    if (!isa<linalg::GenericOp, linalg::MapOp, linalg::ReduceOp>(op)) {
      FailureOr<linalg::GenericOp> generic = toGeneric(rewriter, op);
      if (failed(generic)) {
        continue;
      }
      op = *generic;
    }
    for (Operation *division : findUnsafe(op)) {
      guard(Division(division));
    }
  }
}
