//===- Choice.cpp - tensors that a predicate picks ------------------------===//

#include "fusion/Planner/Choice.h"

#include "fusion/Analysis/Renaming.h"
#include "fusion/Planner/PackLaunches.h"
#include "mlir/Analysis/TopologicalSortUtils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::fusion;

/// The read of a predicate that `value` is, or null.
static tensor::ExtractOp getPredicateRead(Value value) {
  auto read = value.getDefiningOp<tensor::ExtractOp>();
  bool isScalar = read && read.getIndices().empty() &&
                  read.getType().isInteger(1) &&
                  !isa<linalg::LinalgOp>(read->getParentOp());
  return isScalar ? read : nullptr;
}

arith::SelectOp fusion::getChoice(Value value) {
  auto select = value.getDefiningOp<arith::SelectOp>();
  bool isChoice = select && isa<RankedTensorType>(value.getType()) &&
                  getPredicateRead(select.getCondition());
  return isChoice ? select : nullptr;
}

Value fusion::getPredicate(arith::SelectOp choice) {
  return getPredicateRead(choice.getCondition()).getTensor();
}

bool fusion::isChoiceOp(Operation *op) {
  if (isa<arith::SelectOp>(op)) {
    return bool(getChoice(op->getResult(0)));
  }
  return isa<tensor::ExtractOp>(op) && getPredicateRead(op->getResult(0)) &&
         !op->use_empty() && llvm::all_of(op->getUsers(), [](Operation *user) {
           return isa<arith::SelectOp>(user) && getChoice(user->getResult(0));
         });
}

Value fusion::createChoice(OpBuilder &builder, Location loc, Value predicate,
                           Value a, Value b) {
  Value holds =
      tensor::ExtractOp::create(builder, loc, predicate, ValueRange());
  return arith::SelectOp::create(builder, loc, holds, a, b);
}

SmallVector<Value> fusion::getChoiceLeaves(arith::SelectOp choice) {
  llvm::SetVector<Value> values;
  values.insert(choice.getResult());
  for (size_t i = 0; i < values.size(); ++i) {
    if (arith::SelectOp inner = getChoice(values[i])) {
      values.insert(getPredicate(inner));
      values.insert(inner.getTrueValue());
      values.insert(inner.getFalseValue());
    }
  }
  return llvm::to_vector(llvm::make_filter_range(
      values.getArrayRef(), [](Value value) { return !getChoice(value); }));
}

//===----------------------------------------------------------------------===//
// The form that groups need
//===----------------------------------------------------------------------===//

/// Makes the reshapes of `choice` choices of reshapes; those, and what reads
/// them, stay in the order of the block. Appends the new choices to `made`.
static void sinkReshapes(arith::SelectOp choice,
                         SmallVectorImpl<arith::SelectOp> &made) {
  SmallVector<Operation *> users(choice->getUsers());
  for (Operation *user : users) {
    if (!isRenaming(user) || user->getOperand(0) != choice.getResult()) {
      continue;
    }
    OpBuilder builder(user);
    std::array<Value, 2> sides = {choice.getTrueValue(),
                                  choice.getFalseValue()};
    for (Value &side : sides) {
      IRMapping mapping;
      mapping.map(choice.getResult(), side);
      side = builder.clone(*user, mapping)->getResult(0);
    }
    Value reshaped = createChoice(builder, user->getLoc(), getPredicate(choice),
                                  sides[0], sides[1]);
    made.push_back(reshaped.getDefiningOp<arith::SelectOp>());
    user->getResult(0).replaceAllUsesWith(reshaped);
    user->erase();
  }
}

/// Returns whether a group can read a choice through `use`.
static bool readsInPlace(OpOperand &use) {
  Operation *user = use.getOwner();
  if (user->getParentOfType<linalg::LinalgOp>()) {
    return true; // a body reads elements
  }
  auto linalgOp = dyn_cast<linalg::LinalgOp>(user);
  return (linalgOp && linalgOp.isDpsInput(&use)) || isa<tensor::DimOp>(user) ||
         (isa<arith::SelectOp>(user) && getChoice(user->getResult(0)));
}

/// The op in the block of a branch, or of the function, that `op` stands in.
static Operation *getTopLevelOp(Operation *op) {
  while (op->getParentOfType<linalg::LinalgOp>()) {
    op = op->getParentOfType<linalg::LinalgOp>();
  }
  return op;
}

/// Makes `choice`, with the choices behind it, again before `user`.
static Value remake(arith::SelectOp choice, Operation *user) {
  llvm::SetVector<Operation *> ops;
  ops.insert(choice);
  for (size_t i = 0; i < ops.size(); ++i) {
    for (Value operand : ops[i]->getOperands()) {
      Operation *def = operand.getDefiningOp();
      if (def && isChoiceOp(def) && def->getBlock() != user->getBlock()) {
        ops.insert(def);
      }
    }
  }
  OpBuilder builder(user);
  IRMapping mapping;
  for (Operation *op : topologicalSort(ops)) {
    builder.clone(*op, mapping);
  }
  return mapping.lookup(choice.getResult());
}

void fusion::settleChoices(func::FuncOp func) {
  SmallVector<arith::SelectOp> choices;
  func.walk([&](arith::SelectOp op) {
    if (getChoice(op.getResult())) {
      choices.push_back(op);
    }
  });
  for (size_t i = 0; i < choices.size(); ++i) {
    sinkReshapes(choices[i], choices);
  }
  for (arith::SelectOp choice : choices) {
    SmallVector<OpOperand *> uses;
    for (OpOperand &use : choice->getUses()) {
      uses.push_back(&use);
    }
    for (OpOperand *use : llvm::reverse(uses)) {
      Operation *user = getTopLevelOp(use->getOwner());
      if (!readsInPlace(*use)) {
        OpBuilder builder(user);
        use->set(copyTensor(builder, choice.getLoc(), choice));
        continue;
      }
      if (isa<linalg::LinalgOp>(user) &&
          user->getBlock() != choice->getBlock()) {
        use->set(remake(choice, user));
      }
    }
  }
}
