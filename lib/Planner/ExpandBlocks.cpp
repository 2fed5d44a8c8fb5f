//===- ExpandBlocks.cpp - blocks of k get a dim of their own --------------===//

#include "fusion/Analysis/IterationSpace.h"
#include "fusion/Planner/FormGroups.h"
#include "fusion/Planner/Passes.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace mlir::fusion;
using linalg::LinalgOp;

namespace mlir::fusion {
#define GEN_PASS_DEF_EXPANDBLOCKS
#include "fusion/Planner/Passes.h.inc"
} // namespace mlir::fusion

static LinalgOp getElementwise(Operation *op) {
  auto linalgOp = dyn_cast_or_null<LinalgOp>(op);
  bool elementwise = linalgOp && isa<linalg::GenericOp>(op) &&
                     getIterationSpace(linalgOp).role == OpRole::Elementwise;
  return elementwise ? linalgOp : LinalgOp();
}

/// Returns whether all that reads `value`, through elementwise ops and reshapes
/// with one reader each, is a contraction that sums over dim `dim` of it.
static bool isSummed(Value value, int64_t dim) {
  while (value.hasOneUse()) {
    OpOperand &use = *value.use_begin();
    Operation *reader = use.getOwner();
    if (isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(reader)) {
      // The dims of blocks and within them follow each other.
      value = reader->getResult(0);
      if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(reader)) {
        for (auto [to, from] :
             llvm::enumerate(collapse.getReassociationIndices())) {
          if (llvm::is_contained(from, dim)) {
            dim = to;
            break;
          }
        }
        continue;
      }
      return false;
    }
    auto op = dyn_cast<LinalgOp>(reader);
    if (!op || !op.isDpsInput(&use)) {
      return false;
    }
    AffineMap map = op.getMatchingIndexingMap(&use);
    auto loop = dyn_cast<AffineDimExpr>(map.getResult(dim));
    if (!loop || !map.isProjectedPermutation()) {
      return false;
    }
    if (getIterationSpace(op).role == OpRole::Contraction) {
      return isa<linalg::GenericOp>(reader) &&
             op.getIteratorTypesArray()[loop.getPosition()] ==
                 utils::IteratorType::reduction;
    }
    if (!getElementwise(op) || op->getNumResults() != 1) {
      return false;
    }
    AffineMap result = op.getIndexingMapsArray().back();
    std::optional<unsigned> at = result.getResultPosition(loop);
    if (!at) {
      return false;
    }
    dim = *at;
    value = op->getResult(0);
  }
  return false;
}

/// Returns the dim of the result of `collapse` that alone is made of several,
/// all of known sizes; nothing if there is none.
static std::optional<int64_t> getBlockedDim(tensor::CollapseShapeOp collapse) {
  std::optional<int64_t> found;
  ArrayRef<int64_t> sizes = collapse.getSrcType().getShape();
  for (auto [dim, from] : llvm::enumerate(collapse.getReassociationIndices())) {
    if (from.size() == 1) {
      continue;
    }
    bool blocks = llvm::none_of(from, [&](int64_t one) {
      return ShapedType::isDynamic(sizes[one]) || sizes[one] <= 1;
    });
    if (found || !blocks) {
      return std::nullopt;
    }
    found = dim;
  }
  return found;
}

/// Returns whether the loops next to the reshape at `use` should be expanded.
static bool shouldExpand(OpOperand *use) {
  // What is computed by blocks, read in one piece by what leads to a
  // contraction that sums over them.
  if (auto collapse = use->get().getDefiningOp<tensor::CollapseShapeOp>()) {
    std::optional<int64_t> dim = getBlockedDim(collapse);
    return dim && getElementwise(collapse.getSrc().getDefiningOp()) &&
           isSummed(collapse.getResult(), *dim);
  }
  // What that then reads by blocks, computed in one piece.
  if (!isa<tensor::ExpandShapeOp>(use->getOwner())) {
    return false;
  }
  Value expanded = use->getOwner()->getResult(0);
  return getElementwise(use->get().getDefiningOp()) && use->get().hasOneUse() &&
         expanded.hasOneUse() && getElementwise(*expanded.user_begin());
}

void fusion::expandBlocks(func::FuncOp func) {
  bool any = func.walk([](tensor::CollapseShapeOp collapse) {
                   return llvm::any_of(
                              collapse->getUses(),
                              [](OpOperand &use) { return shouldExpand(&use); })
                              ? WalkResult::interrupt()
                              : WalkResult::advance();
                 })
                 .wasInterrupted();
  if (!any) {
    return;
  }
  RewritePatternSet patterns(func.getContext());
  linalg::populateFoldReshapeOpsByExpansionPatterns(patterns, shouldExpand);
  moveReshapes(func, std::move(patterns));
}

namespace {
struct ExpandBlocksPass
    : mlir::fusion::impl::ExpandBlocksBase<ExpandBlocksPass> {
  void runOnOperation() override {
    if (!getOperation().isExternal()) {
      expandBlocks(getOperation());
    }
  }
};
} // namespace
