//===- ElideRoundings.cpp - keep values wide inside of groups -------------===//

#include "fusion/Analysis/IterationSpace.h"
#include "fusion/Dialect/Fusion/IR/Fusion.h"
#include "fusion/Planner/FormGroups.h"
#include "fusion/Planner/Passes.h"

using namespace mlir;
using namespace mlir::fusion;

namespace mlir::fusion {
#define GEN_PASS_DEF_ELIDEROUNDINGS
#include "fusion/Planner/Passes.h.inc"
} // namespace mlir::fusion

/// Returns the marked rounding that makes the one result of `op`, or null.
static arith::TruncFOp getRounding(linalg::GenericOp op) {
  if (op->getNumResults() != 1 ||
      op.getNumParallelLoops() != op.getNumLoops() ||
      !op.getRegionOutputArgs()[0].use_empty()) {
    return {};
  }
  auto rounding = op.getBlock()
                      ->getTerminator()
                      ->getOperand(0)
                      .getDefiningOp<arith::TruncFOp>();
  bool marked = rounding && rounding->hasAttr(FusionDialect::kRoundingAttr);
  return marked ? rounding : arith::TruncFOp();
}

/// Returns whether `use` widens the value to `wide` before anything else.
static bool widens(OpOperand &use, Type wide) {
  auto reader = dyn_cast<linalg::GenericOp>(use.getOwner());
  if (!reader || reader.isDpsInit(&use)) {
    return false;
  }
  return llvm::all_of(reader.getMatchingBlockArgument(&use).getUsers(),
                      [&](Operation *user) {
                        auto extend = dyn_cast<arith::ExtFOp>(user);
                        return extend && extend.getType() == wide;
                      });
}

/// Makes `use` read `value`, of the type that it widens to.
static void readWide(OpOperand &use, Value value) {
  auto reader = cast<linalg::GenericOp>(use.getOwner());
  BlockArgument argument = reader.getMatchingBlockArgument(&use);
  argument.setType(getElementTypeOrSelf(value.getType()));
  for (Operation *user : llvm::make_early_inc_range(argument.getUsers())) {
    user->getResult(0).replaceAllUsesWith(argument);
    user->erase();
  }
  use.set(value);
}

/// Returns `op` without its final rounding, as a new op before it.
static Value cloneUnrounded(linalg::GenericOp op, arith::TruncFOp rounding) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  Type wide = rounding.getIn().getType();
  Value init = op.getDpsInits()[0];
  auto own = init.getDefiningOp<tensor::EmptyOp>();
  Value empty = tensor::EmptyOp::create(
      builder, loc,
      own ? own.getMixedSizes() : tensor::getMixedSizes(builder, loc, init),
      wide);
  IRMapping mapping;
  auto clone = cast<linalg::GenericOp>(builder.clone(*op, mapping));
  clone.getOutputsMutable().assign(empty);
  clone->getResult(0).setType(cast<RankedTensorType>(empty.getType()));
  clone.getRegionOutputArgs()[0].setType(wide);
  Operation *cloned = mapping.lookup(rounding.getOut()).getDefiningOp();
  clone.getBlock()->getTerminator()->setOperand(0, cloned->getOperand(0));
  if (cloned->use_empty()) {
    cloned->erase();
  }
  return clone->getResult(0);
}

/// Returns the marked rounding of `wide` into the destination of `op`.
static Value roundInto(linalg::GenericOp op, Value wide) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  AffineMap identity = builder.getMultiDimIdentityMap(type.getRank());
  SmallVector<utils::IteratorType> parallel(type.getRank(),
                                            utils::IteratorType::parallel);
  auto rounded = linalg::GenericOp::create(
      builder, loc, type, wide, op.getDpsInits()[0],
      ArrayRef<AffineMap>{identity, identity}, parallel,
      [&](OpBuilder &inner, Location loc, ValueRange arguments) {
        auto rounding = arith::TruncFOp::create(
            inner, loc, type.getElementType(), arguments[0]);
        rounding->setAttr(FusionDialect::kRoundingAttr, inner.getUnitAttr());
        linalg::YieldOp::create(inner, loc, rounding.getOut());
      });
  return rounded->getResult(0);
}

/// Lets the readers of `op` in its group read the value before its rounding.
static void elideRounding(linalg::GenericOp op) {
  arith::TruncFOp rounding = getRounding(op);
  if (!rounding) {
    return;
  }
  Type wide = rounding.getIn().getType();
  SmallVector<OpOperand *> readers, shapes;
  bool leaves = false;
  for (OpOperand &use : op->getUses()) {
    if (isa<YieldOp>(use.getOwner())) {
      leaves = true;
    } else if (isa<tensor::DimOp>(use.getOwner())) {
      shapes.push_back(&use);
    } else if (widens(use, wide)) {
      readers.push_back(&use);
    } else {
      return; // One reader needs it rounded: then all read that.
    }
  }
  if (readers.empty()) {
    return;
  }
  bool onlyRounds = isMarkedRounding(op);
  Value value =
      onlyRounds ? op.getDpsInputs()[0] : cloneUnrounded(op, rounding);
  for (OpOperand *use : readers) {
    readWide(*use, value);
  }
  for (OpOperand *use : shapes) {
    use->set(value);
  }
  if (leaves && onlyRounds) {
    return;
  }
  if (leaves) {
    op->getResult(0).replaceAllUsesWith(roundInto(op, value));
  }
  Operation *init = op.getDpsInits()[0].getDefiningOp();
  op.erase();
  if (init && isOpTriviallyDead(init)) {
    init->erase();
  }
}

void fusion::elideRoundings(func::FuncOp func) {
  func.walk([](GroupOp group) {
    for (Operation &op : llvm::make_early_inc_range(*group.getBodyBlock())) {
      if (auto generic = dyn_cast<linalg::GenericOp>(op)) {
        elideRounding(generic);
      }
    }
  });
}

namespace {
struct ElideRoundingsPass
    : mlir::fusion::impl::ElideRoundingsBase<ElideRoundingsPass> {
  void runOnOperation() override { elideRoundings(getOperation()); }
};
} // namespace
