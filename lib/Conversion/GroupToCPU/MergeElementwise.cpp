//===- MergeElementwise.cpp - chains of elementwise ops into one ----------===//

#include "fusion/Conversion/GroupToCPU/GroupToCPU.h"
#include "fusion/Conversion/Passes.h"
#include "fusion/Dialect/Fusion/Transforms/UnfoldedFunctions.h"

#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace mlir::fusion;

namespace mlir::fusion {
#define GEN_PASS_DEF_MERGEELEMENTWISE
#include "fusion/Conversion/Passes.h.inc"
} // namespace mlir::fusion

/// Whether the producer of `use` may be computed in the body of its consumer.
/// Consumers that reduce are left out: a product merged into a sum would look
/// like a contraction, whose terms are added without rounding the product.
static bool isMergeable(OpOperand *use) {
  auto producer = use->get().getDefiningOp<linalg::LinalgOp>();
  auto consumer = dyn_cast<linalg::LinalgOp>(use->getOwner());
  if (!producer || !consumer ||
      consumer.getNumParallelLoops() != consumer.getNumLoops()) {
    return false;
  }
  // A producer that is read again in some loop would be computed again.
  bool isOnce = use->get().hasOneUse() &&
                consumer.getMatchingIndexingMap(use).isPermutation();
  // What only repeats or moves elements costs nothing.
  Block &body = *producer.getBlock();
  return isOnce || llvm::hasSingleElement(body);
}

LogicalResult fusion::mergeElementwise(func::FuncOp group) {
  RewritePatternSet patterns(group.getContext());
  linalg::populateElementwiseOpsFusionPatterns(patterns, isMergeable);
  {
    UnfoldedFunctions unfolded(group);
    if (failed(applyPatternsGreedily(group, std::move(patterns)))) {
      return failure();
    }
  }
  mergePrologues(group);
  return success();
}

namespace {
struct MergeElementwise : fusion::impl::MergeElementwiseBase<MergeElementwise> {
  void runOnOperation() override {
    if (failed(mergeElementwise(getOperation()))) {
      signalPassFailure();
    }
  }
};
} // namespace
