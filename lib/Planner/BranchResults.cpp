//===- BranchResults.cpp - what the regions of a branch yield -------------===//

#include "BranchResults.h"

#include "fusion/Analysis/Renaming.h"
#include "fusion/Dialect/Fusion/IR/Composite.h"
#include "fusion/Planner/FormGroups.h"
#include "fusion/Planner/PackLaunches.h"
#include "fusion/Planner/ReportKept.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::fusion;

std::array<Block *, 2> fusion::getArms(IfOp branch) {
  return {&branch.getThenRegion().front(), &branch.getElseRegion().front()};
}

IfOp fusion::renewBranch(IfOp branch, TypeRange types) {
  OpBuilder builder(branch);
  auto renewed =
      IfOp::create(builder, branch.getLoc(), types, branch.getCondition());
  renewed.getThenRegion().takeBody(branch.getThenRegion());
  renewed.getElseRegion().takeBody(branch.getElseRegion());
  return renewed;
}

Value fusion::copyTensor(OpBuilder &builder, Location loc, Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  Value empty = tensor::EmptyOp::create(
      builder, loc, tensor::getMixedSizes(builder, loc, value),
      type.getElementType(), type.getEncoding());
  AffineMap identity = builder.getMultiDimIdentityMap(type.getRank());
  SmallVector<utils::IteratorType> parallel(type.getRank(),
                                            utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             builder, loc, type, value, empty,
             ArrayRef<AffineMap>{identity, identity}, parallel,
             [](OpBuilder &body, Location loc, ValueRange arguments) {
               linalg::YieldOp::create(body, loc, arguments[0]);
             })
      ->getResult(0);
}

/// Returns whether region `arm` of `branch` makes `value`, so that its group
/// can write it where the branch's result lies.
static bool isMadeIn(Block *arm, Value value) {
  Operation *def = value.getDefiningOp();
  return def && def->getBlock() == arm &&
         isa<linalg::LinalgOp, IfOp, tensor::EmptyOp>(def) &&
         !isa<linalg::FillOp>(def);
}

/// Returns what region `arm` of a branch makes where it yields `value`: of a
/// reshape that one of known sizes undoes what it reads, whose group writes the
/// branch's result in its own shape. Null where it makes nothing.
static Value getMade(Block *arm, Value value) {
  if (isMadeIn(arm, value)) {
    return value;
  }
  Operation *def = value.getDefiningOp();
  if (!isReshape(def) || def->getBlock() != arm) {
    return {};
  }
  Value source = def->getOperand(0);
  bool isComputed =
      source.getDefiningOp<linalg::LinalgOp>() && isMadeIn(arm, source);
  StringRef why;
  if (isReshape(source.getDefiningOp())) {
    why = "it follows another reshape";
  } else if (!isComputed) {
    why = "what the reshape reads is not computed in this region";
  } else if (!areOneReshapeApart(source.getType(), value.getType())) {
    why = "the sizes of the reshape are not known";
  } else {
    return source;
  }
  reportKept("FormGroups", def,
             "the branch's result is a copy of the reshape: " + why);
  return {};
}

/// Returns whether `op` is a reshape that could follow `branch`: what it reads
/// beside the tensor is there, too.
static bool canFollow(Operation *op, IfOp branch) {
  return isReshape(op) && branch->isProperAncestor(op) &&
         llvm::none_of(op->getOperands().drop_front(), [&](Value size) {
           Operation *def = size.getDefiningOp();
           return def && branch->isProperAncestor(def);
         });
}

static bool areAlike(Operation *a, Operation *b) {
  return a->getName() == b->getName() &&
         a->getOperands().drop_front() == b->getOperands().drop_front() &&
         a->getAttrDictionary() == b->getAttrDictionary() &&
         a->getOperand(0).getType() == b->getOperand(0).getType();
}

/// Makes of `value` what `reshape` would make `value` from; null where its
/// sizes are not at hand.
static Value undoReshape(OpBuilder &builder, Operation *reshape, Value value) {
  Location loc = reshape->getLoc();
  auto type = cast<RankedTensorType>(reshape->getOperand(0).getType());
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(reshape)) {
    auto collapse = tensor::CollapseShapeOp::create(
        builder, loc, value, expand.getReassociationIndices());
    if (collapse.getType() == type) {
      return collapse;
    }
    collapse.erase();
    return {};
  }
  if (!type.hasStaticShape()) {
    return {};
  }
  auto collapse = cast<tensor::CollapseShapeOp>(reshape);
  return tensor::ExpandShapeOp::create(builder, loc, type, value,
                                       collapse.getReassociationIndices());
}

/// Returns a reshape that one region yields as result `number` and that may
/// follow `branch`, after letting both regions yield what it reads: where both
/// end in it, or where the other region only passes a value on, which is copied
/// in any shape. Null where there is none.
static Operation *takeReshape(IfOp branch, unsigned number) {
  std::array<Block *, 2> arms = getArms(branch);
  Operation *ends[2];
  for (unsigned arm : {0, 1}) {
    ends[arm] = arms[arm]->getTerminator()->getOperand(number).getDefiningOp();
  }
  if (canFollow(ends[0], branch) && canFollow(ends[1], branch) &&
      areAlike(ends[0], ends[1])) {
    for (unsigned arm : {0, 1}) {
      arms[arm]->getTerminator()->setOperand(number, ends[arm]->getOperand(0));
    }
    return ends[0];
  }
  for (unsigned arm : {0, 1}) {
    Operation *yield = arms[1 - arm]->getTerminator();
    Value other = yield->getOperand(number);
    Operation *def = other.getDefiningOp();
    bool isPassed = !def || !branch->isProperAncestor(def);
    if (!isPassed || !canFollow(ends[arm], branch) ||
        !isMadeIn(arms[arm], ends[arm]->getOperand(0))) {
      continue;
    }
    OpBuilder builder(yield);
    if (Value undone = undoReshape(builder, ends[arm], other)) {
      yield->setOperand(number, undone);
      arms[arm]->getTerminator()->setOperand(number, ends[arm]->getOperand(0));
      return ends[arm];
    }
  }
  return nullptr;
}

/// Lets reshapes that regions end in follow `branch` instead.
static IfOp pullReshapes(IfOp branch) {
  for (unsigned number = 0; number < branch.getNumResults(); ++number) {
    Operation *reshape = takeReshape(branch, number);
    if (!reshape) {
      continue;
    }
    OpBuilder builder(branch);
    IfOp renewed = renewBranch(
        branch, SmallVector<Type>(branch.getThenYield().getOperandTypes()));
    IRMapping mapping;
    mapping.map(reshape->getOperand(0), renewed.getResult(number));
    Operation *after = builder.clone(*reshape, mapping);
    for (auto [i, result] : llvm::enumerate(branch.getResults())) {
      result.replaceAllUsesWith(i == number ? after->getResult(0)
                                            : renewed.getResult(i));
    }
    branch.erase();
    branch = renewed;
    --number; // what it read may be a reshape too
  }
  return branch;
}

/// Copies what a region yields but does not make itself, or yields twice, be it
/// reshaped.
static void copyYields(IfOp branch) {
  for (Block *arm : getArms(branch)) {
    Operation *yield = arm->getTerminator();
    OpBuilder builder(yield);
    llvm::SmallDenseSet<Value> seen;
    for (OpOperand &operand : yield->getOpOperands()) {
      Value made = getMade(arm, operand.get());
      if (!made || !seen.insert(made).second) {
        operand.set(copyTensor(builder, branch.getLoc(), operand.get()));
      }
    }
  }
}

IfOp fusion::dropUnusedResults(IfOp branch) {
  SmallVector<unsigned> kept;
  for (OpResult result : branch->getResults()) {
    if (!result.use_empty()) {
      kept.push_back(result.getResultNumber());
    }
  }
  if (kept.size() == branch.getNumResults()) {
    return branch;
  }
  SmallVector<Type> types;
  for (unsigned number : kept) {
    types.push_back(branch.getResult(number).getType());
  }
  IfOp renewed = renewBranch(branch, types);
  for (YieldOp yield : {renewed.getThenYield(), renewed.getElseYield()}) {
    SmallVector<Value> values;
    for (unsigned number : kept) {
      values.push_back(yield.getValues()[number]);
    }
    yield->setOperands(values);
  }
  for (auto [number, result] : llvm::zip_equal(kept, renewed.getResults())) {
    branch.getResult(number).replaceAllUsesWith(result);
  }
  branch.erase();
  return renewed;
}

void fusion::settleBranchResults(func::FuncOp func) {
  for (IfOp branch : getBranches(func)) {
    copyYields(pullReshapes(branch));
  }
}
