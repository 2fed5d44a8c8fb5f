//===- ElideRoundings.cpp - keep values wide inside of groups -------------===//

#include "fusion/Analysis/IterationSpace.h"
#include "fusion/Analysis/Movement.h"
#include "fusion/Dialect/Fusion/IR/Fusion.h"
#include "fusion/Dialect/Fusion/Transforms/DeadOps.h"
#include "fusion/Planner/FormGroups.h"
#include "fusion/Planner/Passes.h"
#include "fusion/Planner/ReportKept.h"
#include "llvm/ADT/SetVector.h"

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
static Value roundInto(OpBuilder &builder, linalg::GenericOp op, Value wide) {
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

/// Rounds what `movement` moves after it instead of before: it reads `wide`
/// then. The op is dead afterwards.
static void roundAfter(linalg::GenericOp movement, Value wide) {
  OpBuilder builder(movement->getContext());
  builder.setInsertionPointAfter(movement);
  Location loc = movement.getLoc();
  Value destination = movement.getDpsInits()[0];
  auto own = destination.getDefiningOp<tensor::EmptyOp>();
  Value empty = tensor::EmptyOp::create(
      builder, loc,
      own ? own.getMixedSizes()
          : tensor::getMixedSizes(builder, loc, destination),
      getElementTypeOrSelf(wide));
  auto moved = linalg::GenericOp::create(
      builder, loc, empty.getType(), wide, empty,
      movement.getIndexingMapsArray(), movement.getIteratorTypesArray(),
      [](OpBuilder &inner, Location loc, ValueRange arguments) {
        linalg::YieldOp::create(inner, loc, arguments[0]);
      });
  movement->getResult(0).replaceAllUsesWith(
      roundInto(builder, movement, moved->getResult(0)));
}

/// The movements of `group` all of whose readers widen to f32 what they read,
/// be it after more such movements.
static SmallPtrSet<Operation *, 8> findWidenedMovements(GroupOp group) {
  SmallPtrSet<Operation *, 8> found;
  Type wide = Float32Type::get(group.getContext());
  for (Operation &op : llvm::reverse(*group.getBodyBlock())) {
    auto movement = dyn_cast<linalg::GenericOp>(op);
    if (!movement || !getMovement(movement) || op.use_empty()) {
      continue;
    }
    bool widened = llvm::all_of(op.getUses(), [&](OpOperand &use) {
      auto reader = dyn_cast<linalg::LinalgOp>(use.getOwner());
      // Products read halves.
      return found.contains(use.getOwner()) ||
             isa<tensor::DimOp>(use.getOwner()) ||
             (reader && !linalg::isaContractionOpInterface(reader) &&
              widens(use, wide));
    });
    if (widened) {
      found.insert(&op);
    }
  }
  return found;
}

namespace {
/// The uses of a rounded value in its group.
struct Readers {
  SmallVector<OpOperand *> widening, shapes;
  SmallVector<linalg::GenericOp> movements;
  bool leaves = false;
};
} // namespace

static bool isContraction(Operation *op) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  return linalgOp && getIterationSpace(linalgOp).role == OpRole::Contraction;
}

/// Whether `op` is computed from a contraction of its block.
static bool followsContraction(Operation *op) {
  llvm::SetVector<Operation *> worklist;
  worklist.insert(op);
  for (size_t i = 0; i < worklist.size(); ++i) {
    for (Value operand : worklist[i]->getOperands()) {
      Operation *def = operand.getDefiningOp();
      if (def && isContraction(def)) {
        return true;
      }
      if (def) {
        worklist.insert(def);
      }
    }
  }
  return false;
}

/// The readers of `op`, or nothing where one needs the rounded value: then all
/// read that.
static std::optional<Readers>
classifyReaders(linalg::GenericOp op, Type wide,
                const SmallPtrSetImpl<Operation *> &widened) {
  Readers readers;
  for (OpOperand &use : op->getUses()) {
    Operation *owner = use.getOwner();
    if (isa<YieldOp>(owner)) {
      readers.leaves = true;
    } else if (isa<tensor::DimOp>(owner)) {
      readers.shapes.push_back(&use);
    } else if (isContraction(owner) && !followsContraction(op)) {
      // What the kernel of a contraction computes for it is multiplied in
      // halves.
      return std::nullopt;
    } else if (widens(use, wide)) {
      readers.widening.push_back(&use);
    } else if (wide.isF32() && widened.contains(owner) &&
               use.get() == owner->getOperand(0)) {
      readers.movements.push_back(cast<linalg::GenericOp>(owner));
    } else {
      return std::nullopt;
    }
  }
  return readers;
}

/// Lets the readers of `op` in its group read the value before its rounding.
static void elideRounding(linalg::GenericOp op,
                          const SmallPtrSetImpl<Operation *> &widened) {
  arith::TruncFOp rounding = getRounding(op);
  if (!rounding) {
    return;
  }
  auto readers = classifyReaders(op, rounding.getIn().getType(), widened);
  if (!readers) {
    reportKept("ElideRoundings", op,
               "a reader needs the rounded value, and all read one");
    // Kernels leave out what is marked.
    rounding->removeAttr(FusionDialect::kRoundingAttr);
    return;
  }
  if (readers->widening.empty() && readers->movements.empty()) {
    return;
  }
  bool onlyRounds = isMarkedRounding(op);
  Value value =
      onlyRounds ? op.getDpsInputs()[0] : cloneUnrounded(op, rounding);
  for (OpOperand *use : readers->widening) {
    readWide(*use, value);
  }
  for (linalg::GenericOp movement : readers->movements) {
    roundAfter(movement, value);
  }
  for (OpOperand *use : readers->shapes) {
    use->set(value);
  }
  if (readers->leaves && onlyRounds) {
    return;
  }
  if (readers->leaves) {
    OpBuilder builder(op);
    Value rounded = roundInto(builder, op, value);
    op->getResult(0).replaceUsesWithIf(
        rounded, [](OpOperand &use) { return isa<YieldOp>(use.getOwner()); });
  }
}

void fusion::elideRoundings(func::FuncOp func) {
  func.walk([](GroupOp group) {
    SmallPtrSet<Operation *, 8> widened = findWidenedMovements(group);
    for (Operation &op : llvm::make_early_inc_range(*group.getBodyBlock())) {
      auto generic = dyn_cast<linalg::GenericOp>(op);
      if (generic && !generic->use_empty()) {
        elideRounding(generic, widened);
      }
    }
    eraseDeadOps(*group.getBodyBlock());
  });
}

namespace {
struct ElideRoundingsPass
    : mlir::fusion::impl::ElideRoundingsBase<ElideRoundingsPass> {
  void runOnOperation() override { elideRoundings(getOperation()); }
};
} // namespace
