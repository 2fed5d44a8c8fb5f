//===- Reduce.cpp - smaller graphs that fail as well ----------------------===//

#include "Reduce.h"
#include "fusion/Dialect/Fusion/IR/Fusion.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
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
  SmallVector<Operation *> ops = getOps(module);
  for (Operation *op : llvm::reverse(ops)) {
    if (isOpTriviallyDead(op)) {
      op->erase();
    }
  }
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

/// Way `way` of doing without `op`; false where there is no such way.
static bool bypass(ModuleOp module, Operation *op, unsigned way) {
  Value result = op->getResult(0);
  if (way < op->getNumOperands()) {
    if (op->getOperand(way).getType() != result.getType()) {
      return false;
    }
    result.replaceAllUsesWith(op->getOperand(way));
    return true;
  }
  way -= op->getNumOperands();
  if (auto branch = dyn_cast<IfOp>(op)) {
    if (way < 2) {
      Region &region = branch->getRegion(way);
      Operation *end = region.front().getTerminator();
      Value yielded = end->getOperand(0);
      end->erase();
      op->getBlock()->getOperations().splice(Block::iterator(op),
                                             region.front().getOperations());
      result.replaceAllUsesWith(yielded);
      return true;
    }
    way -= 2;
  }
  auto type = dyn_cast<RankedTensorType>(result.getType());
  if (way > 0 || !type || !type.hasStaticShape() || isa<ConstantOp>(op)) {
    return false;
  }
  func::FuncOp entry = getEntry(module);
  unsigned index = entry.getNumArguments();
  Builder builder(module.getContext());
  auto name = builder.getStringAttr("r" + std::to_string(index));
  (void)entry.insertArgument(index, type,
                             builder.getDictionaryAttr(builder.getNamedAttr(
                                 FusionDialect::kNameAttr, name)),
                             op->getLoc());
  result.replaceAllUsesWith(entry.getArgument(index));
  return true;
}

/// How many ways there may be for `op`.
static unsigned countWays(Operation *op) {
  return op->getNumOperands() + (isa<IfOp>(op) ? 3 : 1);
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
