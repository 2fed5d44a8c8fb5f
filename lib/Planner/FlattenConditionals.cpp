//===- FlattenConditionals.cpp - branches become conditions of groups -----===//

#include "fusion/Analysis/Renaming.h"
#include "fusion/Dialect/Fusion/IR/Composite.h"
#include "fusion/Planner/FormGroups.h"
#include "fusion/Planner/PackLaunches.h"
#include "fusion/Planner/Passes.h"

using namespace mlir;
using namespace mlir::fusion;

namespace mlir::fusion {
#define GEN_PASS_DEF_FLATTENCONDITIONALS
#include "fusion/Planner/Passes.h.inc"
} // namespace mlir::fusion

/// Puts `group`, in a region of `branch`, before the branch, under the
/// condition of that region. `inits` replace its destinations where they are
/// not null.
static GroupOp makeConditional(GroupOp group, IfOp branch, bool holds,
                               ArrayRef<Value> inits) {
  FailureOr<SmallVector<LaunchPart, 0>> parts = getLaunchParts(group);
  if (failed(parts)) {
    return nullptr;
  }
  for (LaunchPart &part : *parts) {
    part.conditions.insert(part.conditions.begin(),
                           {branch.getCondition(), holds});
  }
  SmallVector<StringRef> kinds;
  for (Attribute kind : group.getKinds()) {
    kinds.push_back(cast<StringAttr>(kind).getValue());
  }
  if (!llvm::is_contained(kinds, "conditional")) {
    kinds.push_back("conditional");
  }
  SmallVector<Value> destinations(group.getInits());
  for (auto [destination, init] : llvm::zip_equal(destinations, inits)) {
    destination = init ? init : destination;
  }
  OpBuilder builder(branch);
  GroupOp made = createComposite(builder, group.getLoc(), group.getName(),
                                 kinds, *parts, destinations);
  made->setDiscardableAttrs(llvm::to_vector(group->getDiscardableAttrs()));
  for (auto [old, result] :
       llvm::zip_equal(group->getResults(), made->getResults())) {
    if (!old.use_empty()) {
      old.replaceAllUsesWith(
          reshapeTo(builder, group.getLoc(), result, old.getType()));
    }
  }
  group.erase();
  return made;
}

/// Returns what `value` is a reshape of, or itself.
static Value skipReshape(Value value) {
  Operation *def = value.getDefiningOp();
  return isReshape(def) ? def->getOperand(0) : value;
}

/// Checks that each value that a region of `branch` yields is one of its own
/// groups' results, and no other yielded value is the same.
static LogicalResult checkYields(IfOp branch) {
  for (YieldOp yield : {branch.getThenYield(), branch.getElseYield()}) {
    llvm::SmallDenseSet<Value> seen;
    for (Value yielded : yield.getValues()) {
      Value value = skipReshape(yielded);
      Operation *def = value.getDefiningOp();
      bool isOwn = def && def->getBlock() == yield->getBlock() &&
                   isa<GroupOp>(def) && seen.insert(value).second;
      bool isEmpty = isa_and_nonnull<tensor::EmptyOp>(def);
      if (!isOwn && !isEmpty) {
        return branch.emitOpError("expected regions to yield results of their "
                                  "groups, each once");
      }
    }
  }
  return success();
}

/// Returns the result whose destination holds `value`, of a group, from the
/// start: others may have written it since.
static OpResult findFirstWriter(Value value) {
  auto writer = cast<OpResult>(value);
  while (mayKeepDestination(writer)) {
    Value init =
        cast<GroupOp>(writer.getOwner()).getInits()[writer.getResultNumber()];
    if (!init.getDefiningOp<GroupOp>()) {
      break;
    }
    writer = cast<OpResult>(init);
  }
  return writer;
}

/// Moves what `block` holds, a region of `branch`, before the branch. Groups
/// run under its condition; those that make a yielded value write `into`, what
/// the other region made, where there is that.
static LogicalResult flattenRegion(Block &block, IfOp branch, bool holds,
                                   ArrayRef<Value> into) {
  auto yield = cast<YieldOp>(block.getTerminator());
  OpBuilder builder(branch);
  DenseMap<Value, Value> destinations; // of results
  for (auto [number, yielded] : llvm::enumerate(yield.getValues())) {
    Value value = skipReshape(yielded);
    Value made = into.empty() ? Value() : into[number];
    if (!made && value != yielded) {
      auto type = cast<RankedTensorType>(yielded.getType());
      made = tensor::EmptyOp::create(builder, yielded.getLoc(), type.getShape(),
                                     type.getElementType());
    }
    if (made && value.getDefiningOp<GroupOp>()) {
      destinations[findFirstWriter(value)] = made;
    }
  }
  for (Operation &op : llvm::make_early_inc_range(block.without_terminator())) {
    auto group = dyn_cast<GroupOp>(op);
    if (!group) {
      if (!isPure(&op)) {
        return op.emitOpError("expected no effects in a branch");
      }
      op.moveBefore(branch);
      continue;
    }
    auto inits = llvm::map_to_vector(group.getResults(), [&](Value result) {
      return destinations.lookup(result);
    });
    if (!makeConditional(group, branch, holds, inits)) {
      return failure();
    }
  }
  // What was written in the shape of the result is that.
  for (OpOperand &operand : yield->getOpOperands()) {
    Value source = skipReshape(skipReshape(operand.get()));
    if (source.getType() == operand.get().getType()) {
      operand.set(source);
    }
  }
  return success();
}

static LogicalResult flatten(IfOp branch) {
  if (failed(checkYields(branch))) {
    return failure();
  }
  if (failed(flattenRegion(branch.getThenRegion().front(), branch, true, {}))) {
    return failure();
  }
  SmallVector<Value> made(branch.getThenYield().getValues());
  for (Value &value : made) {
    // Nothing was written: the other side has its own destination.
    value = value.getDefiningOp<tensor::EmptyOp>() ? Value() : value;
  }
  if (failed(
          flattenRegion(branch.getElseRegion().front(), branch, false, made))) {
    return failure();
  }
  for (auto [result, ours, others] : llvm::zip_equal(
           branch.getResults(), made, branch.getElseYield().getValues())) {
    bool isEmpty = bool(others.getDefiningOp<tensor::EmptyOp>());
    result.replaceAllUsesWith(isEmpty && ours ? ours : others);
  }
  branch.erase();
  return success();
}

LogicalResult fusion::flattenConditionals(func::FuncOp func) {
  // Inner ones first: the walk is post-order.
  for (IfOp branch : getBranches(func)) {
    if (failed(flatten(branch))) {
      return failure();
    }
  }
  return success();
}

namespace {
struct FlattenConditionalsPass
    : mlir::fusion::impl::FlattenConditionalsBase<FlattenConditionalsPass> {
  void runOnOperation() override {
    if (failed(flattenConditionals(getOperation()))) {
      signalPassFailure();
    }
  }
};
} // namespace
