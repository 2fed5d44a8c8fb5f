//===- LiftInits.cpp - sums that begin with what was computed -------------===//
//
// Other compilers add a bias by letting a product or a sum begin with it, as
// broadcast by an op before. That op would need a kernel of its own; added
// behind the sum it is an epilogue.
//
//===----------------------------------------------------------------------===//

#include "fusion/Dialect/Fusion/IR/Directives.h"
#include "fusion/Planner/AdoptLinalg.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::fusion;
using linalg::LinalgOp;

/// Returns the op that adds to the accumulator of `op`, or null where `op` does
/// not sum in a type that keeps a sum apart from what it begins with as exact:
/// sums may be reordered, but must not be rounded to a half in between.
static Operation *findSum(LinalgOp op) {
  if (op->getNumResults() != 1 || op.getNumReductionLoops() == 0 ||
      !op.hasPureTensorSemantics()) {
    return nullptr;
  }
  BlockArgument sum = op.getRegionOutputArgs()[0];
  Operation *add =
      op.getBlock()->getTerminator()->getOperand(0).getDefiningOp();
  bool keeps = sum.getType().isF32() || sum.getType().isF64() ||
               sum.getType().isInteger();
  bool adds = isa_and_nonnull<arith::AddFOp, arith::AddIOp>(add) &&
              llvm::is_contained(add->getOperands(), sum);
  return keeps && adds && sum.hasOneUse() ? add : nullptr;
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
    Operation *add = findSum(op);
    if (add && isComputed(op.getDpsInits()[0]) && !isDirected(op)) {
      lift(op, add);
    }
  }
}
