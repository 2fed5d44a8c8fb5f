//===- ExpandArithmetic.cpp - arithmetic that LLVM or its library lacks ---===//

#include "fusion/Conversion/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::fusion {
#define GEN_PASS_DEF_EXPANDARITHMETIC
#include "fusion/Conversion/Passes.h.inc"
} // namespace mlir::fusion

using namespace mlir;
using namespace mlir::fusion;

namespace {
/// Integers go to f16 and bf16 through f32. Canonicalization joins the two
/// conversions, and LLVM lacks the joined one for bf16.
template <typename OpTy> struct ThroughF32 : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    Type type = op.getType(), element = getElementTypeOrSelf(type);
    if (!element.isBF16() && !element.isF16()) {
      return failure();
    }
    Type wide = rewriter.getF32Type();
    if (auto shaped = dyn_cast<ShapedType>(type)) {
      wide = shaped.clone(wide);
    }
    Value exact = OpTy::create(rewriter, op.getLoc(), wide, op.getIn());
    rewriter.replaceOpWithNewOp<arith::TruncFOp>(op, type, exact);
    return success();
  }
};

/// Comparisons of bf16 are those of the same numbers as f32.
struct CompareInF32 : OpRewritePattern<arith::CmpFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::CmpFOp op,
                                PatternRewriter &rewriter) const override {
    Type type = op.getLhs().getType(), wide = rewriter.getF32Type();
    if (!getElementTypeOrSelf(type).isBF16()) {
      return failure();
    }
    if (auto shaped = dyn_cast<ShapedType>(type)) {
      wide = shaped.clone(wide);
    }
    auto widen = [&](Value value) -> Value {
      return arith::ExtFOp::create(rewriter, op.getLoc(), wide, value);
    };
    rewriter.replaceOpWithNewOp<arith::CmpFOp>(
        op, op.getPredicate(), widen(op.getLhs()), widen(op.getRhs()));
    return success();
  }
};

struct ExpandArithmetic : fusion::impl::ExpandArithmeticBase<ExpandArithmetic> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    arith::populateCeilFloorDivExpandOpsPatterns(patterns);
    arith::populateExpandBFloat16Patterns(patterns);
    patterns.add<ThroughF32<arith::SIToFPOp>, ThroughF32<arith::UIToFPOp>,
                 CompareInF32>(&getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns)))) {
      signalPassFailure();
    }
  }
};
} // namespace
