//===- SinkReshapes.cpp - move renaming reshapes out of chains ------------===//

#include "fusion/Analysis/IterationSpace.h"
#include "fusion/Planner/FormGroups.h"
#include "fusion/Planner/Passes.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace mlir::fusion;

namespace mlir::fusion {
#define GEN_PASS_DEF_SINKRESHAPES
#include "fusion/Planner/Passes.h.inc"
} // namespace mlir::fusion

/// Returns whether `op` can join the kernel of another op.
static bool joinsKernels(Operation *op) {
  auto linalgOp = dyn_cast_or_null<linalg::LinalgOp>(op);
  if (!linalgOp) {
    return false;
  }
  OpRole role = getIterationSpace(linalgOp).role;
  return role == OpRole::Elementwise || role == OpRole::Reduction;
}

/// Returns whether collapsing loops moves the reshape next to `use` out from
/// between two ops that one kernel could hold.
static bool shouldSink(OpOperand *use) {
  Operation *owner = use->getOwner();
  // The result of a linalg op, collapsed for its users.
  if (isa<tensor::CollapseShapeOp>(owner)) {
    return joinsKernels(use->get().getDefiningOp()) &&
           llvm::any_of(owner->getUsers(), joinsKernels);
  }
  // The result of a linalg op, expanded for `owner`.
  auto expand = use->get().getDefiningOp<tensor::ExpandShapeOp>();
  return expand && expand.getSrc().getDefiningOp<linalg::LinalgOp>() &&
         joinsKernels(owner);
}

void fusion::sinkReshapes(func::FuncOp func) {
  RewritePatternSet patterns(func.getContext());
  linalg::populateFoldReshapeOpsByCollapsingPatterns(patterns, shouldSink);
  populateDropUnitDimsPatterns(patterns);
  // Destinations are reshaped by making them in the new shape.
  linalg::FillOp::getCanonicalizationPatterns(patterns, func.getContext());
  tensor::populateFoldTensorEmptyPatterns(patterns);
  tensor::ExpandShapeOp::getCanonicalizationPatterns(patterns,
                                                     func.getContext());
  tensor::CollapseShapeOp::getCanonicalizationPatterns(patterns,
                                                       func.getContext());
  // Without region simplification or constant sharing: only reshapes move.
  GreedyRewriteConfig config;
  config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled)
      .enableConstantCSE(false);
  (void)applyPatternsGreedily(func, std::move(patterns), config);
}

namespace {
struct SinkReshapesPass
    : mlir::fusion::impl::SinkReshapesBase<SinkReshapesPass> {
  void runOnOperation() override { sinkReshapes(getOperation()); }
};
} // namespace
