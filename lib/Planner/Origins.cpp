//===- Origins.cpp - what tensors between groups come from ----------------===//

#include "fusion/Planner/Origins.h"

#include "fusion/Dialect/Fusion/IR/Fusion.h"
#include "fusion/Planner/Choice.h"

using namespace mlir;
using namespace mlir::fusion;

namespace {
/// A value on the way, and how what it holds is read.
struct Step {
  Value value;
  Passage passage;
};
} // namespace

/// Adds what the argument of a group or a region holds. What a destination held
/// before counts only where a region hands that over.
static void addArgument(BlockArgument argument, Passage passage,
                        SmallVectorImpl<Step> &steps) {
  Operation *parent = argument.getOwner()->getParentOp();
  unsigned number = argument.getArgNumber();
  if (auto group = dyn_cast<GroupOp>(parent)) {
    unsigned numInputs = group.getInputs().size();
    if (number < numInputs) {
      steps.push_back({group.getInputs()[number], passage});
    } else if (passage == Passage::Branch) {
      steps.push_back({group.getInits()[number - numInputs], passage});
    }
    return;
  }
  if (!isa<func::FuncOp>(parent)) {
    for (Value operand : parent->getOperands()) {
      steps.push_back({operand, passage});
    }
  }
}

static Passage getPassage(Operation *op) {
  return isa<tensor::ConcatOp>(op) ? Passage::Joined
         : isChoiceOp(op)          ? Passage::Chosen
                                   : Passage::Renamed;
}

/// Adds what result `number` of `op`, a group, a branch or a loop, holds.
static void addYielded(Operation *op, unsigned number, Passage passage,
                       SmallVectorImpl<Step> &steps) {
  passage = isa<GroupOp>(op) ? passage : std::max(passage, Passage::Branch);
  for (Region &region : op->getRegions()) {
    if (region.empty()) {
      continue;
    }
    Operation *end = region.front().getTerminator();
    if (end->getNumOperands() == op->getNumResults()) {
      steps.push_back({end->getOperand(number), passage});
      continue;
    }
    for (Value value : end->getOperands()) {
      steps.push_back({value, passage});
    }
  }
}

void fusion::walkOrigins(Value value,
                         llvm::function_ref<bool(Value, Passage)> stop) {
  SmallVector<Step> steps = {{value, Passage::Plain}};
  llvm::SmallDenseSet<Value> seen;
  while (!steps.empty()) {
    auto [next, passage] = steps.pop_back_val();
    if (!isa<ShapedType>(next.getType()) || !seen.insert(next).second ||
        stop(next, passage)) {
      continue;
    }
    if (auto argument = dyn_cast<BlockArgument>(next)) {
      addArgument(argument, passage, steps);
      continue;
    }
    auto result = cast<OpResult>(next);
    Operation *op = result.getOwner();
    if (op->getNumRegions() != 0) {
      addYielded(op, result.getResultNumber(), passage, steps);
    } else if (!isa<tensor::EmptyOp>(op)) {
      for (Value operand : op->getOperands()) {
        steps.push_back({operand, std::max(passage, getPassage(op))});
      }
    }
  }
}
