//===- Shape.cpp - constant, broadcast and transpose to linalg ------------===//

#include "LinalgBuilder.h"
#include "fusion/Dialect/Fusion/IR/Fusion.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::fusion;

namespace {

/// The body of a copy.
Value copyElement(ImplicitLocOpBuilder &, ValueRange args) { return args[0]; }

/// Returns `value` with its elements in signless type; null where it is held in
/// a way that cannot be retyped.
ElementsAttr retype(ElementsAttr value, RankedTensorType type) {
  if (value.getShapedType() == type) {
    return value;
  }
  if (auto dense = dyn_cast<DenseElementsAttr>(value)) {
    return dense.bitcast(type.getElementType());
  }
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(value)) {
    return DenseResourceElementsAttr::get(type, resource.getRawHandle());
  }
  return nullptr;
}

struct LowerConstant : OpConversionPattern<ConstantOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(ConstantOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto type = getTypeConverter()->convertType<RankedTensorType>(op.getType());
    ElementsAttr value = retype(op.getValue(), type);
    if (!value) {
      return rewriter.notifyMatchFailure(op, "unknown kind of elements");
    }
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(op, type,
                                                   cast<TypedAttr>(value));
    return success();
  }
};

/// A splat constant is a fill; otherwise unit dims that repeat are dropped (a
/// reshape that only renames), and one generic reads what is left.
struct LowerBroadcast : OpConversionPattern<BroadcastOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(BroadcastOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    RankedTensorType type = op.getResult().getType();
    SmallVector<OpFoldResult> shape =
        getMixedValues(type.getShape(), adaptor.getSizes(), rewriter);
    Type storage = getElementTypeOrSelf(getTypeConverter()->convertType(type));
    SplatElementsAttr splat;
    if (matchPattern(op.getInput(), m_Constant(&splat))) {
      auto scalar =
          cast<TypedAttr>(splat.bitcast(storage).getSplatValue<Attribute>());
      Value value = arith::ConstantOp::create(b, scalar);
      rewriter.replaceOp(op, makeFilled(b, shape, value));
      return success();
    }
    SmallVector<int64_t> kept;
    Value input = dropRepeatedDims(b, op, adaptor.getInput(), kept);
    SmallVector<AffineExpr> exprs;
    for (int64_t dim : kept) {
      exprs.push_back(b.getAffineDimExpr(op.getDims()[dim]));
    }
    auto map = AffineMap::get(type.getRank(), 0, exprs, b.getContext());
    rewriter.replaceOp(
        op, makeParallel(b, input, map, shape, storage, copyElement));
    return success();
  }

private:
  /// Returns `input` without the unit dims that repeat in the result of `op`;
  /// `kept` gets the others.
  static Value dropRepeatedDims(ImplicitLocOpBuilder &b, BroadcastOp op,
                                Value input, SmallVectorImpl<int64_t> &kept) {
    auto type = cast<RankedTensorType>(input.getType());
    SmallVector<ReassociationIndices> groups;
    ReassociationIndices leading;
    for (auto [dim, target] : llvm::enumerate(op.getDims())) {
      bool repeats = type.getDimSize(dim) == 1 &&
                     op.getResult().getType().getDimSize(target) != 1;
      if (!repeats) {
        kept.push_back(dim);
        groups.push_back(std::exchange(leading, {}));
        groups.back().push_back(dim);
      } else {
        (groups.empty() ? leading : groups.back()).push_back(dim);
      }
    }
    if (static_cast<int64_t>(kept.size()) == type.getRank()) {
      return input;
    }
    return tensor::CollapseShapeOp::create(b, input, groups);
  }
};

struct LowerTranspose : OpConversionPattern<TransposeOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(TransposeOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Value input = adaptor.getInput();
    SmallVector<OpFoldResult> sizes = getShape(b, op.getInput(), input);
    SmallVector<OpFoldResult> shape;
    SmallVector<unsigned> perm;
    for (int64_t dim : op.getPerm()) {
      shape.push_back(sizes[dim]);
      perm.push_back(dim);
    }
    AffineMap map;
    if (perm.empty()) {
      map = AffineMap::get(b.getContext());
    } else {
      map = inversePermutation(
          AffineMap::getPermutationMap(perm, b.getContext()));
    }
    rewriter.replaceOp(op,
                       makeParallel(b, input, map, shape,
                                    getElementTypeOrSelf(input), copyElement));
    return success();
  }
};

} // namespace

void fusion::populateShapePatterns(const TypeConverter &converter,
                                   RewritePatternSet &patterns) {
  patterns.add<LowerBroadcast, LowerConstant, LowerTranspose>(
      converter, patterns.getContext());
}
