//===- SplitResults.cpp - results along a reduced loop, in ops apart ------===//
//
// Other compilers may reduce, and keep what is computed on the way, in one op:
// of its results one has a loop that another is reduced over. That one is
// elementwise where it does not need what the other sums up.
//
//===----------------------------------------------------------------------===//

#include "fusion/Dialect/Fusion/Transforms/DeadOps.h"
#include "fusion/Planner/AdoptLinalg.h"
#include "fusion/Planner/ReportKept.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::fusion;

/// Returns whether a reduced loop of `op` tells elements of result `number`
/// apart.
static bool hasReducedLoop(linalg::GenericOp op, unsigned number) {
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(number));
  for (auto [loop, type] : llvm::enumerate(op.getIteratorTypesArray())) {
    if (type == utils::IteratorType::reduction && map.isFunctionOfDim(loop)) {
      return true;
    }
  }
  return false;
}

/// Returns whether the body of `op` computes result `number` without what it
/// has of the other results.
static bool isIndependent(linalg::GenericOp op, unsigned number) {
  llvm::SetVector<Value> needed;
  needed.insert(op.getBlock()->getTerminator()->getOperand(number));
  ArrayRef<BlockArgument> sums = op.getRegionOutputArgs();
  for (size_t i = 0; i < needed.size(); ++i) {
    auto argument = dyn_cast<BlockArgument>(needed[i]);
    if (argument && llvm::is_contained(sums, argument) &&
        argument != sums[number]) {
      return false;
    }
    Operation *def = needed[i].getDefiningOp();
    if (def && def->getBlock() == op.getBlock()) {
      needed.insert(def->operand_begin(), def->operand_end());
      getUsedValuesDefinedAbove(def->getRegions(), needed);
    }
  }
  return true;
}

/// Returns a copy of `op` that makes just result `number`.
static linalg::GenericOp makeAlone(OpBuilder &builder, linalg::GenericOp op,
                                   unsigned number) {
  SmallVector<AffineMap> maps;
  for (OpOperand *input : op.getDpsInputOperands()) {
    maps.push_back(op.getMatchingIndexingMap(input));
  }
  OpOperand *init = op.getDpsInitOperand(number);
  maps.push_back(op.getMatchingIndexingMap(init));
  auto alone = linalg::GenericOp::create(
      builder, op.getLoc(), op->getResult(number).getType(), op.getInputs(),
      init->get(), maps, op.getIteratorTypesArray());
  alone->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  IRMapping mapping;
  op.getRegion().cloneInto(&alone.getRegion(), mapping);
  Block *body = alone.getBlock();
  body->getTerminator()->setOperands(body->getTerminator()->getOperand(number));
  eraseDeadOps(*body);
  unsigned first = op.getNumDpsInputs();
  for (unsigned i = op.getNumDpsInits(); i-- > 0;) {
    if (i != number) {
      body->eraseArgument(first + i);
    }
  }
  return alone;
}

void fusion::splitResults(func::FuncOp func) {
  SmallVector<linalg::GenericOp> ops;
  func.walk([&](linalg::GenericOp op) {
    bool mixes = llvm::any_of(llvm::seq(op->getNumResults()), [&](unsigned i) {
      return hasReducedLoop(op, i);
    });
    if (op.hasPureTensorSemantics() && op->getNumResults() > 1 && mixes) {
      ops.push_back(op);
    }
  });
  for (linalg::GenericOp op : ops) {
    if (!llvm::all_of(llvm::seq(op->getNumResults()),
                      [&](unsigned i) { return isIndependent(op, i); })) {
      reportKept("AdoptLinalg", op,
                 "a result along a reduced loop is what another one has on the "
                 "way");
      continue;
    }
    OpBuilder builder(op);
    for (unsigned i = 0, e = op->getNumResults(); i < e; ++i) {
      op->getResult(i).replaceAllUsesWith(
          makeAlone(builder, op, i)->getResult(0));
    }
    op.erase();
  }
}
