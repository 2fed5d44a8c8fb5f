//===- ControlOps.cpp - branches and loops of the graph -------------------===//

#include "fusion/Dialect/Fusion/IR/Fusion.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::fusion;

YieldOp IfOp::getThenYield() {
  return cast<YieldOp>(getThenRegion().front().getTerminator());
}

YieldOp IfOp::getElseYield() {
  return cast<YieldOp>(getElseRegion().front().getTerminator());
}

/// Checks that `yield` gives values of the types of its op's results.
static LogicalResult verifyYield(YieldOp yield, TypeRange expected) {
  if (yield.getValues().getTypes() == expected) {
    return success();
  }
  auto diagnostic = yield.emitOpError("expected values of types ");
  llvm::interleaveComma(expected, diagnostic);
  diagnostic << ", but got ";
  llvm::interleaveComma(yield.getValues().getTypes(), diagnostic);
  return diagnostic;
}

LogicalResult IfOp::verify() {
  // (C1)
  if (getCondition().getType().getRank() != 0) {
    return emitOpError("expected a condition of rank 0, but got rank ")
           << getCondition().getType().getRank();
  }
  // (C2)
  for (Region *region : {&getThenRegion(), &getElseRegion()}) {
    Block &block = region->front();
    auto yield = block.empty() ? YieldOp() : dyn_cast<YieldOp>(block.back());
    if (!yield) {
      return emitOpError("expected regions to end in 'fusion.yield'");
    }
    if (failed(verifyYield(yield, getResultTypes()))) {
      return failure();
    }
  }
  return success();
}

namespace {
/// Replaces a branch whose condition is known by the region that it takes.
struct TakeKnownBranch : OpRewritePattern<IfOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(IfOp op,
                                PatternRewriter &rewriter) const override {
    DenseElementsAttr condition;
    if (!matchPattern(op.getCondition(), m_Constant(&condition))) {
      return failure();
    }
    YieldOp yield =
        condition.getSplatValue<bool>() ? op.getThenYield() : op.getElseYield();
    SmallVector<Value> values(yield.getValues());
    Block *block = yield->getBlock();
    rewriter.eraseOp(yield);
    rewriter.inlineBlockBefore(block, op);
    rewriter.replaceOp(op, values);
    return success();
  }
};

/// Gives results the sizes that an arm knows: the other arm's are equal when
/// the program runs.
struct RefineResults : OpRewritePattern<IfOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(IfOp op,
                                PatternRewriter &rewriter) const override {
    SmallVector<Type> types;
    for (auto [type, one, other] :
         llvm::zip_equal(op.getResultTypes(), op.getThenYield().getValues(),
                         op.getElseYield().getValues())) {
      types.push_back(refine(refine(cast<RankedTensorType>(type), one), other));
    }
    if (op.getResultTypes() == types) {
      return failure();
    }
    for (YieldOp yield : {op.getThenYield(), op.getElseYield()}) {
      rewriter.setInsertionPoint(yield);
      SmallVector<Value> values;
      for (auto [value, type] : llvm::zip_equal(yield.getValues(), types)) {
        values.push_back(
            rewriter.createOrFold<tensor::CastOp>(yield.getLoc(), type, value));
      }
      rewriter.modifyOpInPlace(
          yield, [&] { yield.getValuesMutable().assign(values); });
    }
    rewriter.setInsertionPoint(op);
    auto refined =
        IfOp::create(rewriter, op.getLoc(), types, op.getCondition());
    refined->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    rewriter.inlineRegionBefore(op.getThenRegion(), refined.getThenRegion(),
                                refined.getThenRegion().end());
    rewriter.inlineRegionBefore(op.getElseRegion(), refined.getElseRegion(),
                                refined.getElseRegion().end());
    rewriter.setInsertionPointAfter(refined);
    SmallVector<Value> results;
    for (auto [old, value] :
         llvm::zip_equal(op.getResults(), refined.getResults())) {
      results.push_back(rewriter.createOrFold<tensor::CastOp>(
          op.getLoc(), old.getType(), value));
    }
    rewriter.replaceOp(op, results);
    return success();
  }

private:
  /// `type` with the sizes that `value` has before a cast.
  static RankedTensorType refine(RankedTensorType type, Value value) {
    auto cast = value.getDefiningOp<tensor::CastOp>();
    auto known = cast ? dyn_cast<RankedTensorType>(cast.getSource().getType())
                      : RankedTensorType();
    if (!known || known.getEncoding() != type.getEncoding()) {
      return type;
    }
    SmallVector<int64_t> shape(type.getShape());
    for (auto [size, inner] : llvm::zip_equal(shape, known.getShape())) {
      size = ShapedType::isDynamic(size) ? inner : size;
    }
    return type.clone(shape);
  }
};
} // namespace

void IfOp::getCanonicalizationPatterns(RewritePatternSet &results,
                                       MLIRContext *context) {
  results.add<TakeKnownBranch, RefineResults>(context);
}

//===----------------------------------------------------------------------===//
// loop
//===----------------------------------------------------------------------===//

YieldOp LoopOp::getYield() {
  return cast<YieldOp>(getBody().front().getTerminator());
}

LogicalResult LoopOp::verify() {
  // (C1)
  if (static_cast<int64_t>(getCount()) < 0) {
    return emitOpError("expected a count that is not negative, but got ")
           << static_cast<int64_t>(getCount());
  }
  // (C3)
  Block &block = getBody().front();
  SmallVector<Type> expected = {
      RankedTensorType::get({}, IntegerType::get(getContext(), 64))};
  llvm::append_range(expected, getInits().getTypes());
  if (!llvm::equal(block.getArgumentTypes(), expected)) {
    auto diagnostic = emitOpError("expected a body with arguments of types ");
    llvm::interleaveComma(expected, diagnostic);
    diagnostic << ", but got ";
    llvm::interleaveComma(block.getArgumentTypes(), diagnostic);
    return diagnostic;
  }
  // (C4)
  auto yield = block.empty() ? YieldOp() : dyn_cast<YieldOp>(block.back());
  if (!yield) {
    return emitOpError("expected a body that ends in 'fusion.yield'");
  }
  return verifyYield(yield, getResultTypes());
}
