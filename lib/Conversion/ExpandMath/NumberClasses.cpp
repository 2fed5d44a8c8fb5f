//===- NumberClasses.cpp - what kind of number a float is -----------------===//

#include "FloatMath.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::fusion;

/// Returns infinity in the type of `like`, a float or a vector of floats.
static Value makeInfinity(OpBuilder &builder, Location loc, Value like) {
  Type type = like.getType();
  auto element = cast<FloatType>(getElementTypeOrSelf(type));
  TypedAttr infinity = builder.getFloatAttr(
      element, APFloat::getInf(element.getFloatSemantics()));
  if (auto shaped = dyn_cast<ShapedType>(type)) {
    infinity = SplatElementsAttr::get(shaped, infinity);
  }
  return arith::ConstantOp::create(builder, loc, infinity);
}

namespace {
/// Compares with infinity, or with itself, instead of asking for the class.
template <typename Op> struct ExpandClass : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    Value x = op.getOperand();
    if (!isa<FloatType, VectorType>(x.getType())) {
      return rewriter.notifyMatchFailure(op, "not on a thread");
    }
    Location loc = op.getLoc();
    if (isa<math::IsNaNOp>(op.getOperation())) {
      rewriter.replaceOpWithNewOp<arith::CmpFOp>(op, arith::CmpFPredicate::UNO,
                                                 x, x);
      return success();
    }
    Value size = math::AbsFOp::create(rewriter, loc, x);
    auto predicate = isa<math::IsInfOp>(op.getOperation())
                         ? arith::CmpFPredicate::OEQ
                         : arith::CmpFPredicate::OLT;
    rewriter.replaceOpWithNewOp<arith::CmpFOp>(op, predicate, size,
                                               makeInfinity(rewriter, loc, x));
    return success();
  }
};
} // namespace

void fusion::populateNumberClassPatterns(RewritePatternSet &patterns) {
  patterns.add<ExpandClass<math::IsNaNOp>, ExpandClass<math::IsInfOp>,
               ExpandClass<math::IsFiniteOp>>(patterns.getContext());
}
