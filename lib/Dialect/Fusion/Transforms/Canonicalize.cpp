//===- Canonicalize.cpp - canonical forms without functions of constants --===//

#include "fusion/Dialect/Fusion/Transforms/Passes.h"
#include "fusion/Dialect/Fusion/Transforms/UnfoldedFunctions.h"

#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace mlir::fusion;

namespace mlir::fusion {
#define GEN_PASS_DEF_CANONICALIZE
#include "fusion/Dialect/Fusion/Transforms/Passes.h.inc"
} // namespace mlir::fusion

namespace {
struct Canonicalize : mlir::fusion::impl::CanonicalizeBase<Canonicalize> {
  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet all(context);
    for (Dialect *dialect : context->getLoadedDialects()) {
      dialect->getCanonicalizationPatterns(all);
    }
    for (RegisteredOperationName op : context->getRegisteredOperations()) {
      op.getCanonicalizationPatterns(all, context);
    }
    patterns = FrozenRewritePatternSet(std::move(all));
    return success();
  }

  void runOnOperation() override {
    UnfoldedFunctions unfolded(getOperation());
    GreedyRewriteConfig config;
    config.setUseTopDownTraversal().setRegionSimplificationLevel(
        GreedySimplifyRegionLevel::Normal);
    // As upstream: what is left after the last iteration is canonical enough.
    (void)applyPatternsGreedily(getOperation(), patterns, config);
  }

  FrozenRewritePatternSet patterns;
};
} // namespace
