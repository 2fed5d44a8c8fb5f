//===- RowsOfMemory.cpp - reductions that begin a kernel ------------------===//

#include "RowsOfMemory.h"

#include "fusion/Analysis/Renaming.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::fusion;

/// Returns whether `op` reduces the rows of one tensor.
static bool reducesRows(linalg::LinalgOp op) {
  SmallVector<unsigned> reduced;
  op.getReductionDims(reduced);
  auto reads = [&](AffineMap map) {
    return llvm::any_of(
        reduced, [&](unsigned loop) { return map.isFunctionOfDim(loop); });
  };
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  return !reduced.empty() && llvm::count_if(maps, reads) == 1 &&
         llvm::all_of(maps, [](AffineMap map) {
           return map.isProjectedPermutation(/*allowZeroInResults=*/true);
         });
}

/// Returns whether `op` has nothing before `branch` that it could join: what it
/// reads is in memory, or made by code that sinks into the branch as well.
static bool startsFromMemory(linalg::LinalgOp op, IfOp branch) {
  constexpr size_t kMost = 32;
  llvm::SetVector<Value> values(op->operand_begin(), op->operand_end());
  for (size_t i = 0; i < values.size(); ++i) {
    Operation *def = values[i].getDefiningOp();
    bool isLeaf = !def || def->hasTrait<OpTrait::ConstantLike>() ||
                  isa<tensor::EmptyOp, linalg::FillOp, IfOp>(def);
    if (isLeaf) {
      continue;
    }
    auto made = dyn_cast<linalg::LinalgOp>(def);
    bool sinks =
        made && (made.getNumReductionLoops() == 0 || reducesRows(made));
    bool isOwn = llvm::all_of(def->getUsers(), [&](Operation *user) {
      bool isKnown =
          user->getNumResults() == 1 && values.contains(user->getResult(0));
      return branch->isAncestor(user) || isKnown || user == op;
    });
    if (!(sinks || isRenaming(def)) || !isOwn || values.size() > kMost) {
      return false;
    }
    values.insert(def->operand_begin(), def->operand_end());
  }
  return true;
}

bool fusion::reducesRowsOfMemory(linalg::LinalgOp op, IfOp branch) {
  return reducesRows(op) && startsFromMemory(op, branch);
}
