//===- Divisibility.cpp - what divides an index ---------------------------===//

#include "fusion/Tile/Divisibility.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"
#include <numeric>

using namespace mlir;

/// Zero is divisible by everything; larger factors are of no use.
static constexpr int64_t everything = int64_t(1) << 30;
/// Index expressions are shallow: a bound keeps the walk cheap.
static constexpr int depthLimit = 16;

static int64_t divisor(Value value, int depth);

static int64_t divisorOfBoth(Value a, Value b, int depth) {
  return std::gcd(divisor(a, depth), divisor(b, depth));
}

static int64_t divisorOfOp(Operation *op, int depth) {
  return TypeSwitch<Operation *, int64_t>(op)
      .Case<arith::AddIOp, arith::SubIOp>([&](auto op) {
        return divisorOfBoth(op.getLhs(), op.getRhs(), depth);
      })
      .Case<arith::MulIOp>([&](auto op) {
        int64_t a = divisor(op.getLhs(), depth),
                b = divisor(op.getRhs(), depth);
        return a > everything / b ? everything : a * b;
      })
      .Case<arith::SelectOp>([&](auto op) {
        return divisorOfBoth(op.getTrueValue(), op.getFalseValue(), depth);
      })
      .Case<arith::MinSIOp, arith::MinUIOp, arith::MaxSIOp, arith::MaxUIOp>(
          [&](auto op) {
            return divisorOfBoth(op.getLhs(), op.getRhs(), depth);
          })
      // x - (x / y) * y.
      .Case<arith::RemSIOp, arith::RemUIOp>([&](auto op) {
        return divisorOfBoth(op.getLhs(), op.getRhs(), depth);
      })
      .Case<arith::IndexCastOp, arith::IndexCastUIOp>(
          [&](auto op) { return divisor(op.getIn(), depth); })
      .Default([](Operation *) { return int64_t(1); });
}

static int64_t divisor(Value value, int depth) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant))) {
    int64_t number = std::abs(constant.getSExtValue());
    return number == 0 ? everything : std::min(number, everything);
  }
  if (depth == 0) {
    return 1;
  }
  if (auto arg = dyn_cast<BlockArgument>(value)) {
    auto loop = dyn_cast<scf::ForOp>(arg.getOwner()->getParentOp());
    return loop && arg == loop.getInductionVar()
               ? divisorOfBoth(loop.getLowerBound(), loop.getStep(), depth - 1)
               : 1;
  }
  return divisorOfOp(value.getDefiningOp(), depth - 1);
}

int64_t mlir::fusion::tile::getKnownDivisor(Value value) {
  return divisor(value, depthLimit);
}
