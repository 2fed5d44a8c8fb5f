//===- Movement.cpp - selections and arrangements to linalg ---------------===//
//
// Each operation becomes one parallel linalg.generic over the result, whose
// body computes the position to read. That keeps it elementwise for everything
// that follows, whatever the position depends on.
//
//===----------------------------------------------------------------------===//

#include "ElementReader.h"
#include "fusion/Dialect/Fusion/IR/Fusion.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::fusion;

namespace {

/// Converts an index to the element type `type` (signless).
Value fromIndex(ImplicitLocOpBuilder &b, Value index, Type type) {
  if (isa<IntegerType>(type)) {
    return arith::IndexCastOp::create(b, type, index);
  }
  Value integer = arith::IndexCastOp::create(b, b.getI64Type(), index);
  Type compute = getComputeType(type);
  Value exact = arith::SIToFPOp::create(b, compute, integer);
  return narrowScalar(b, exact, type);
}

struct LowerIota : OpConversionPattern<IotaOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(IotaOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    auto type = getTypeConverter()->convertType<RankedTensorType>(op.getType());
    SmallVector<OpFoldResult> shape =
        getMixedValues(type.getShape(), adaptor.getSizes(), rewriter);
    auto body = [&](ImplicitLocOpBuilder &inner, ValueRange) {
      Value index = linalg::IndexOp::create(inner, op.getDim());
      return fromIndex(inner, index, type.getElementType());
    };
    rewriter.replaceOp(
        op, makeParallel(b, {}, {}, shape, type.getElementType(), body));
    return success();
  }
};

struct LowerSlice : OpConversionPattern<SliceOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(SliceOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    SmallVector<OpFoldResult> shape = getMixedValues(
        op.getResult().getType().getShape(), adaptor.getSizes(), rewriter);
    SmallVector<Value> starts = getSizeValues(
        b, getMixedValues(op.getStaticStarts(), adaptor.getStarts(), rewriter));
    Value input = adaptor.getInput();
    auto body = [&](ImplicitLocOpBuilder &inner, ValueRange) {
      ElementReader reader(inner);
      SmallVector<Value> indices;
      for (auto [dim, start] : llvm::enumerate(starts)) {
        Value steps = reader.mul(reader.position(dim),
                                 reader.constant(op.getSteps()[dim]));
        indices.push_back(reader.add(steps, start));
      }
      return reader.read(input, indices);
    };
    rewriter.replaceOp(
        op, makeParallel(b, {}, {}, shape, getElementTypeOrSelf(input), body));
    return success();
  }
};

/// A chain of guarded reads, one per input: each continues where the one before
/// it ends.
struct LowerConcat : OpConversionPattern<ConcatOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(ConcatOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    int64_t dim = op.getDim();
    auto type = getTypeConverter()->convertType<RankedTensorType>(op.getType());
    SmallVector<Value> inputs, offsets, sizes;
    SmallVector<OpFoldResult> shape;
    Value end = arith::ConstantIndexOp::create(b, 0);
    for (auto [original, input] :
         llvm::zip(op.getInputs(), adaptor.getInputs())) {
      if (cast<RankedTensorType>(input.getType()).getDimSize(dim) == 0) {
        continue;
      }
      SmallVector<OpFoldResult> own = getShape(b, original, input);
      shape = shape.empty() ? own : shape;
      inputs.push_back(input);
      offsets.push_back(end);
      sizes.push_back(getSizeValues(b, own[dim]).front());
      end = b.createOrFold<arith::AddIOp>(end, sizes.back());
    }
    if (inputs.empty()) {
      shape = getShape(b, op.getInputs().front(), adaptor.getInputs().front());
      rewriter.replaceOp(op, makeEmpty(b, shape, type.getElementType()));
      return success();
    }
    shape[dim] = end;
    for (auto [index, size] : llvm::enumerate(shape)) {
      if (!type.isDynamicDim(index)) {
        size = b.getIndexAttr(type.getDimSize(index));
      }
    }
    auto body = [&](ImplicitLocOpBuilder &inner, ValueRange) {
      return readParts(inner, inputs, offsets, sizes, dim, type);
    };
    rewriter.replaceOp(
        op, makeParallel(b, {}, {}, shape, type.getElementType(), body));
    return success();
  }

private:
  static Value readParts(ImplicitLocOpBuilder &b, ArrayRef<Value> inputs,
                         ArrayRef<Value> offsets, ArrayRef<Value> sizes,
                         int64_t dim, RankedTensorType type) {
    ElementReader reader(b);
    SmallVector<Value> indices;
    for (int64_t index : llvm::seq<int64_t>(0, type.getRank())) {
      indices.push_back(reader.position(index));
    }
    Value position = indices[dim];
    Value element = arith::ConstantOp::create(
        b, cast<TypedAttr>(b.getZeroAttr(type.getElementType())));
    for (auto [input, offset, size] : llvm::zip(inputs, offsets, sizes)) {
      indices[dim] = reader.sub(position, offset);
      Value inside = reader.isInside(indices[dim], size);
      element = reader.readIf(inside, input, indices, element);
    }
    return element;
  }
};

struct LowerPad : OpConversionPattern<PadOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(PadOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Value input = adaptor.getInput();
    SmallVector<OpFoldResult> sizes = getShape(b, op.getInput(), input);
    if (op.getMode() == PadMode::constant) {
      rewriter.replaceOp(op, makePadded(b, input, sizes, op.getLow(),
                                        op.getHigh(), adaptor.getValue()));
      return success();
    }
    SmallVector<Value> extents = getSizeValues(b, sizes);
    SmallVector<OpFoldResult> shape;
    for (auto [extent, low, high] :
         llvm::zip(extents, op.getLow(), op.getHigh())) {
      Value added = arith::ConstantIndexOp::create(b, low + high);
      shape.push_back(
          getAsOpFoldResult(b.createOrFold<arith::AddIOp>(extent, added)));
    }
    auto body = [&](ImplicitLocOpBuilder &inner, ValueRange) {
      ElementReader reader(inner);
      SmallVector<Value> indices;
      for (auto [dim, extent] : llvm::enumerate(extents)) {
        Value index =
            reader.sub(reader.position(dim), reader.constant(op.getLow()[dim]));
        indices.push_back(mapInside(inner, op.getMode(), index, extent));
      }
      return reader.read(input, indices);
    };
    rewriter.replaceOp(
        op, makeParallel(b, {}, {}, shape, getElementTypeOrSelf(input), body));
    return success();
  }

private:
  /// The position in [0, `size`) that stands at `index`.
  static Value mapInside(ImplicitLocOpBuilder &b, PadMode mode, Value index,
                         Value size) {
    ElementReader reader(b);
    if (mode == PadMode::edge) {
      return reader.clamp(index, size);
    }
    if (mode == PadMode::wrap) {
      return reader.wrap(index, size);
    }
    // |last - | |index| - last | |: mirrored at both ends.
    auto absolute = [&](Value value) -> Value {
      Value negated = reader.sub(reader.constant(0), value);
      return arith::MaxSIOp::create(b, value, negated);
    };
    Value last = reader.sub(size, reader.constant(1));
    Value fromLast = absolute(reader.sub(absolute(index), last));
    return absolute(reader.sub(last, fromLast));
  }
};

/// Returns the element of `indices` as a position below `size`.
Value makePosition(ImplicitLocOpBuilder &b, Value element, bool isUnsigned,
                   Value size) {
  ElementReader reader(b);
  return reader.clamp(reader.fromEnd(element, isUnsigned, size), size);
}

struct LowerGather : OpConversionPattern<GatherOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(GatherOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Value input = adaptor.getInput();
    int64_t dim = op.getDim();
    int64_t added = op.getIndices().getType().getRank();
    SmallVector<OpFoldResult> from = getShape(b, op.getInput(), input);
    SmallVector<OpFoldResult> shape(ArrayRef(from).take_front(dim));
    llvm::append_range(shape,
                       getShape(b, op.getIndices(), adaptor.getIndices()));
    llvm::append_range(shape, ArrayRef(from).drop_front(dim + 1));
    SmallVector<AffineExpr> exprs;
    for (int64_t index : llvm::seq(dim, dim + added)) {
      exprs.push_back(b.getAffineDimExpr(index));
    }
    auto map = AffineMap::get(shape.size(), 0, exprs, b.getContext());
    Value size = getSizeValues(b, from[dim]).front();
    bool isUnsigned = isUnsignedElement(getElementTypeOrSelf(op.getIndices()));
    auto body = [&](ImplicitLocOpBuilder &inner, ValueRange args) {
      ElementReader reader(inner);
      SmallVector<Value> indices;
      for (int64_t index : llvm::seq<int64_t>(0, from.size())) {
        indices.push_back(
            index == dim
                ? makePosition(inner, args[0], isUnsigned, size)
                : reader.position(index < dim ? index : index + added - 1));
      }
      return reader.read(input, indices);
    };
    rewriter.replaceOp(op, makeParallel(b, adaptor.getIndices(), map, shape,
                                        getElementTypeOrSelf(input), body));
    return success();
  }
};

struct LowerGatherElements : OpConversionPattern<GatherElementsOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(GatherElementsOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Value input = adaptor.getInput();
    int64_t dim = op.getDim();
    SmallVector<OpFoldResult> from = getShape(b, op.getInput(), input);
    Value size = getSizeValues(b, from[dim]).front();
    bool isUnsigned = isUnsignedElement(getElementTypeOrSelf(op.getIndices()));
    auto body = [&](ImplicitLocOpBuilder &inner, ValueRange args) {
      ElementReader reader(inner);
      SmallVector<Value> indices;
      for (int64_t index : llvm::seq<int64_t>(0, from.size())) {
        indices.push_back(index == dim
                              ? makePosition(inner, args[0], isUnsigned, size)
                              : reader.position(index));
      }
      return reader.read(input, indices);
    };
    rewriter.replaceOp(
        op, makeParallel(b, adaptor.getIndices(), {},
                         getShape(b, op.getIndices(), adaptor.getIndices()),
                         getElementTypeOrSelf(input), body));
    return success();
  }
};

} // namespace

void fusion::populateMovementPatterns(const TypeConverter &converter,
                                      RewritePatternSet &patterns) {
  patterns.add<LowerConcat, LowerGather, LowerGatherElements, LowerIota,
               LowerPad, LowerSlice>(converter, patterns.getContext());
}
