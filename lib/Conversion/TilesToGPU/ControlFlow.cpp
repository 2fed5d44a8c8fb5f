//===- ControlFlow.cpp - loops and branches that carry tiles --------------===//

#include "KernelLowering.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::fusion;

/// Appends what each of `values` has become to `flat`.
static void flatten(KernelLowering &lk, ValueRange values,
                    SmallVectorImpl<Value> &flat) {
  for (Value value : values) {
    llvm::append_range(flat, lk.get(value));
  }
}

/// Appends the types that values of `types` become to `flat`.
static LogicalResult flattenTypes(KernelLowering &lk, TypeRange types,
                                  SmallVectorImpl<Type> &flat) {
  for (Type type : types) {
    FailureOr<SmallVector<Type>> lowered = lk.getLoweredTypes(type);
    if (failed(lowered)) {
      return failure();
    }
    llvm::append_range(flat, *lowered);
  }
  return success();
}

/// Hands out consecutive pieces of `flat` to `values`, as many each as its type
/// becomes.
static LogicalResult distribute(KernelLowering &lk, ValueRange values,
                                ValueRange flat) {
  for (Value value : values) {
    FailureOr<SmallVector<Type>> lowered = lk.getLoweredTypes(value.getType());
    if (failed(lowered)) {
      return failure();
    }
    lk.set(value, flat.take_front(lowered->size()));
    flat = flat.drop_front(lowered->size());
  }
  return success();
}

/// Fills `to`, which has the lowered arguments, from `from`. The terminator of
/// `from` becomes an `scf.yield` (an `scf.condition` if it is one).
static LogicalResult fillBlock(KernelLowering &lk, Block &from, Block &to,
                               ValueRange flatArguments, ValueRange arguments) {
  OpBuilder::InsertionGuard guard(lk.builder);
  lk.builder.setInsertionPointToEnd(&to);
  if (failed(distribute(lk, arguments, flatArguments)) ||
      failed(lk.lowerBlock(from))) {
    return failure();
  }
  Operation *terminator = from.getTerminator();
  SmallVector<Value> yielded;
  if (auto condition = dyn_cast<scf::ConditionOp>(terminator)) {
    flatten(lk, condition.getArgs(), yielded);
    scf::ConditionOp::create(lk.builder, terminator->getLoc(),
                             lk.getOne(condition.getCondition()), yielded);
    return success();
  }
  flatten(lk, terminator->getOperands(), yielded);
  scf::YieldOp::create(lk.builder, terminator->getLoc(), yielded);
  return success();
}

static LogicalResult lowerFor(Operation *op, KernelLowering &lk) {
  auto loop = cast<scf::ForOp>(op);
  SmallVector<Value> inits;
  flatten(lk, loop.getInitArgs(), inits);
  auto lowered = scf::ForOp::create(
      lk.builder, op->getLoc(), lk.getOne(loop.getLowerBound()),
      lk.getOne(loop.getUpperBound()), lk.getOne(loop.getStep()), inits,
      [](OpBuilder &, Location, Value, ValueRange) {});
  lk.set(loop.getInductionVar(), lowered.getInductionVar());
  if (failed(fillBlock(lk, *loop.getBody(), *lowered.getBody(),
                       lowered.getRegionIterArgs(),
                       loop.getRegionIterArgs()))) {
    return failure();
  }
  return distribute(lk, loop.getResults(), lowered.getResults());
}

static LogicalResult lowerIf(Operation *op, KernelLowering &lk) {
  auto branch = cast<scf::IfOp>(op);
  SmallVector<Type> types;
  if (failed(flattenTypes(lk, branch.getResultTypes(), types))) {
    return failure();
  }
  bool hasElse = !branch.getElseRegion().empty();
  auto lowered = scf::IfOp::create(lk.builder, op->getLoc(), types,
                                   lk.getOne(branch.getCondition()), hasElse);
  for (auto [from, to] :
       llvm::zip(op->getRegions(), lowered.getOperation()->getRegions())) {
    if (from.empty()) {
      continue;
    }
    // With no results the builder has already added empty terminators.
    if (to.front().mightHaveTerminator()) {
      to.front().getTerminator()->erase();
    }
    if (failed(fillBlock(lk, from.front(), to.front(), {}, {}))) {
      return failure();
    }
  }
  return distribute(lk, branch.getResults(), lowered.getResults());
}

static LogicalResult lowerWhile(Operation *op, KernelLowering &lk) {
  auto loop = cast<scf::WhileOp>(op);
  SmallVector<Value> inits;
  SmallVector<Type> types;
  flatten(lk, loop.getInits(), inits);
  if (failed(flattenTypes(lk, loop.getResultTypes(), types))) {
    return failure();
  }
  auto lowered = scf::WhileOp::create(lk.builder, op->getLoc(), types, inits,
                                      nullptr, nullptr);
  for (auto [from, to] :
       llvm::zip(op->getRegions(), lowered.getOperation()->getRegions())) {
    if (to.empty()) {
      lk.builder.createBlock(&to);
      lk.builder.setInsertionPointAfter(lowered);
    }
    if (failed(fillBlock(lk, from.front(), to.front(),
                         to.front().getArguments(),
                         from.front().getArguments()))) {
      return failure();
    }
  }
  return distribute(lk, loop.getResults(), lowered.getResults());
}

void fusion::addControlFlowLowerings(OpLoweringTable &table) {
  table.add<scf::ForOp>(lowerFor);
  table.add<scf::IfOp>(lowerIf);
  table.add<scf::WhileOp>(lowerWhile);
}
