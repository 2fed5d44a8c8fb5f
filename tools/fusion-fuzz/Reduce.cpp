//===- Reduce.cpp - smaller graphs that fail as well ----------------------===//

#include "Reduce.h"
#include "fusion/Dialect/Fusion/IR/Fusion.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Iterators.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::fuzz;

static func::FuncOp getEntry(ModuleOp module) {
  return module.lookupSymbol<func::FuncOp>("main");
}

/// The ops of @main that compute something, those in branches included.
static SmallVector<Operation *> getOps(ModuleOp module) {
  SmallVector<Operation *> ops;
  getEntry(module).walk([&](Operation *op) {
    if (op->getNumResults() > 0) {
      ops.push_back(op);
    }
  });
  return ops;
}

/// Erases what no result needs.
static void clean(ModuleOp module) {
  // Users first, and what is in a region before its op.
  getEntry(module).walk<WalkOrder::PostOrder, ReverseIterator>(
      [](Operation *op) {
        if (op->getNumResults() > 0 && isOpTriviallyDead(op)) {
          op->erase();
        }
      });
  func::FuncOp entry = getEntry(module);
  BitVector unused(entry.getNumArguments());
  for (BlockArgument argument : entry.getArguments()) {
    unused[argument.getArgNumber()] = argument.use_empty();
  }
  (void)entry.eraseArguments(unused);
}

/// Leaves result `index` out; false where there is no other.
static bool dropResult(ModuleOp module, unsigned index) {
  func::FuncOp entry = getEntry(module);
  if (entry.getNumResults() < 2 || index >= entry.getNumResults()) {
    return false;
  }
  BitVector dropped(entry.getNumResults());
  dropped.set(index);
  entry.getBody().front().getTerminator()->eraseOperand(index);
  (void)entry.eraseResults(dropped);
  return true;
}

/// Replaces `op` by what its `region` computes from `arguments`.
static void inlineRegion(Operation *op, Region &region, ValueRange arguments) {
  Block &block = region.front();
  for (auto [argument, value] : llvm::zip(block.getArguments(), arguments)) {
    argument.replaceAllUsesWith(value);
  }
  Operation *end = block.getTerminator();
  SmallVector<Value> yielded(end->getOperands());
  end->erase();
  op->getBlock()->getOperations().splice(Block::iterator(op),
                                         block.getOperations());
  op->replaceAllUsesWith(yielded);
}

/// Does without a branch by one of its arms, or without a loop by one
/// iteration.
static void inlineRegion(Operation *op, unsigned way) {
  auto loop = dyn_cast<LoopOp>(op);
  if (!loop) {
    inlineRegion(op, op->getRegion(way), {});
    return;
  }
  OpBuilder builder(op);
  auto type = RankedTensorType::get({}, builder.getI64Type());
  SmallVector<Value> arguments{ConstantOp::create(
      builder, op->getLoc(), type, DenseElementsAttr::get(type, int64_t(0)))};
  llvm::append_range(arguments, loop.getInits());
  inlineRegion(op, loop.getBody(), arguments);
}

/// Makes a result of static shape an argument; false for others.
static bool makeInput(ModuleOp module, Operation *op, unsigned index) {
  Value result = op->getResult(index);
  auto type = dyn_cast<RankedTensorType>(result.getType());
  if (!type || !type.hasStaticShape() || result.use_empty() ||
      isa<ConstantOp>(op)) {
    return false;
  }
  func::FuncOp entry = getEntry(module);
  unsigned at = entry.getNumArguments();
  Builder builder(module.getContext());
  auto name = builder.getStringAttr("r" + std::to_string(at));
  (void)entry.insertArgument(at, type,
                             builder.getDictionaryAttr(builder.getNamedAttr(
                                 FusionDialect::kNameAttr, name)),
                             op->getLoc());
  result.replaceAllUsesWith(entry.getArgument(at));
  return true;
}

/// Way `way` of doing without `op`; false where there is no such way.
static bool bypass(ModuleOp module, Operation *op, unsigned way) {
  if (way < op->getNumOperands()) {
    Value result = op->getResult(0);
    if (op->getOperand(way).getType() != result.getType() ||
        result.use_empty()) {
      return false;
    }
    result.replaceAllUsesWith(op->getOperand(way));
    return true;
  }
  way -= op->getNumOperands();
  if (way < op->getNumRegions()) {
    inlineRegion(op, way);
    return true;
  }
  return makeInput(module, op, way - op->getNumRegions());
}

/// How many ways there may be for `op`.
static unsigned countWays(Operation *op) {
  return op->getNumOperands() + op->getNumRegions() + op->getNumResults();
}

OwningOpRef<ModuleOp>
fuzz::reduceGraph(ModuleOp graph, llvm::function_ref<bool(ModuleOp)> fails) {
  OwningOpRef<ModuleOp> best = graph.clone();
  bool changed = true;
  auto attempt = [&](llvm::function_ref<bool(ModuleOp)> change) {
    OwningOpRef<ModuleOp> next = best->clone();
    if (!change(*next)) {
      return false;
    }
    clean(*next);
    if (getOps(*next).empty() || !fails(*next)) {
      return false;
    }
    best = std::move(next);
    return changed = true;
  };
  while (changed) {
    changed = false;
    for (unsigned i = getEntry(*best).getNumResults(); i > 0; --i) {
      attempt([&](ModuleOp module) { return dropResult(module, i - 1); });
    }
    for (size_t i = getOps(*best).size(); i > 0; --i) {
      if (i > getOps(*best).size()) {
        continue;
      }
      unsigned ways = countWays(getOps(*best)[i - 1]);
      for (unsigned way = 0; way < ways; ++way) {
        if (attempt([&](ModuleOp module) {
              return bypass(module, getOps(module)[i - 1], way);
            })) {
          break;
        }
      }
    }
  }
  return best;
}
