//===- LiftInits.cpp - sums that begin with what was computed -------------===//
//
// Other compilers add a bias by letting a product or a sum begin with it, as
// broadcast by an op before. That op would need a kernel of its own; added
// behind the sum it is an epilogue.
//
//===----------------------------------------------------------------------===//

#include "fusion/Analysis/FusionDecision.h"
#include "fusion/Dialect/Fusion/IR/Directives.h"
#include "fusion/Planner/AdoptLinalg.h"
#include "fusion/Planner/ReportKept.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::fusion;
using linalg::LinalgOp;

/// Returns the op that yields the only result of `op`.
static Operation *getLast(LinalgOp op) {
  return op.getBlock()->getTerminator()->getOperand(0).getDefiningOp();
}

/// Returns whether `op`, a reduction that begins with what is computed, may
/// begin with zero instead.
static FusionDecision canLift(LinalgOp op) {
  auto refuse = [](const Twine &why) {
    return FusionDecision::forbid("it begins with computed values, and " + why);
  };
  if (op->getNumResults() != 1) {
    return refuse("has several results");
  }
  if (isDirected(op)) {
    return refuse("is marked with a directive");
  }
  BlockArgument sum = op.getRegionOutputArgs()[0];
  Operation *add = getLast(op);
  bool adds = isa_and_nonnull<arith::AddFOp, arith::AddIOp>(add) &&
              llvm::is_contained(add->getOperands(), sum) && sum.hasOneUse();
  if (!adds) {
    return refuse("does not only add to them");
  }
  // Sums may be reordered, but must not be rounded to a half in between.
  Type type = sum.getType();
  return type.isF32() || type.isF64() || type.isInteger()
             ? FusionDecision::allow()
             : refuse("its sum would be rounded before these are added");
}

/// Returns whether `init` is what elementwise code makes.
static bool isComputed(Value init) {
  auto op = init.getDefiningOp<LinalgOp>();
  return op && op.isAllParallelLoops() && !isa<linalg::FillOp>(op);
}

/// Lets the sum of `op` begin with zero; `add` combines it with the rest.
static void lift(LinalgOp op, Operation *add) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  OpOperand &operand = *op.getDpsInitOperand(0);
  Value init = operand.get();
  auto type = cast<RankedTensorType>(init.getType());
  Value empty = tensor::EmptyOp::create(
      builder, loc, tensor::getMixedSizes(builder, loc, init),
      type.getElementType(), type.getEncoding());
  Value zero = arith::ConstantOp::create(
      builder, loc, builder.getZeroAttr(type.getElementType()));
  operand.set(linalg::FillOp::create(builder, loc, zero, empty).getResult(0));
  builder.setInsertionPointAfter(op);
  AffineMap identity = builder.getMultiDimIdentityMap(type.getRank());
  SmallVector<utils::IteratorType> parallel(type.getRank(),
                                            utils::IteratorType::parallel);
  SmallVector<AffineMap> maps(3, identity);
  Value result = op->getResult(0);
  SmallVector<Value> inputs{init, result};
  auto whole = linalg::GenericOp::create(
      builder, loc, type, inputs, empty, maps, parallel,
      [&](OpBuilder &body, Location loc, ValueRange arguments) {
        Value sum =
            isa<arith::AddFOp>(add)
                ? arith::AddFOp::create(body, loc, arguments[0], arguments[1])
                      .getResult()
                : arith::AddIOp::create(body, loc, arguments[0], arguments[1]);
        linalg::YieldOp::create(body, loc, sum);
      });
  result.replaceAllUsesExcept(whole.getResult(0), whole);
}

void fusion::liftInits(func::FuncOp func) {
  SmallVector<LinalgOp> ops;
  func.walk([&](LinalgOp op) { ops.push_back(op); });
  for (LinalgOp op : ops) {
    bool begins = op.getNumReductionLoops() != 0 &&
                  op.hasPureTensorSemantics() &&
                  llvm::any_of(op.getDpsInitsMutable(), [&](OpOperand &init) {
                    return op.payloadUsesValueFromOperand(&init) &&
                           isComputed(init.get());
                  });
    if (!begins) {
      continue;
    }
    if (FusionDecision decision = canLift(op); !decision) {
      reportKept("AdoptLinalg", op, decision.getReason());
    } else {
      lift(op, getLast(op));
    }
  }
}
