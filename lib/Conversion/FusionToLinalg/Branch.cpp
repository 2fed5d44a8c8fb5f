//===- Branch.cpp - branches on signless tensors --------------------------===//

#include "LinalgBuilder.h"
#include "fusion/Dialect/Fusion/IR/Fusion.h"

using namespace mlir;
using namespace mlir::fusion;

namespace {
/// A branch stays one: its regions hold linalg ops then.
struct RetypeIf : OpConversionPattern<IfOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(IfOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Type> types;
    if (failed(getTypeConverter()->convertTypes(op.getResultTypes(), types))) {
      return failure();
    }
    auto branch =
        IfOp::create(rewriter, op.getLoc(), types, adaptor.getCondition());
    for (auto [from, to] : llvm::zip(op->getRegions(), branch->getRegions())) {
      rewriter.inlineRegionBefore(from, to, to.end());
    }
    rewriter.replaceOp(op, branch);
    return success();
  }
};

struct RetypeYield : OpConversionPattern<YieldOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(YieldOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<YieldOp>(op, adaptor.getValues());
    return success();
  }
};
} // namespace

void fusion::populateBranchPatterns(const TypeConverter &converter,
                                    RewritePatternSet &patterns) {
  patterns.add<RetypeIf, RetypeYield>(converter, patterns.getContext());
}
