//===- Window.cpp - conv and pool to linalg -----------------------===//
//
// A window's places are parallel loops, its elements reduction loops; the input
// is read at `place * stride + element * dilation`, from a padded copy where
// there is padding. A window of one element along a dim needs no loop there, so
// that a 1x1 convolution is an ordinary contraction.
//
//===----------------------------------------------------------------------===//

#include "ElementReader.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::fusion;

namespace {

using Iterator = utils::IteratorType;

/// Hands out the loops of a linalg op.
class LoopList {
public:
  explicit LoopList(MLIRContext *context) : context(context) {}

  AffineExpr add(Iterator iterator) {
    iterators.push_back(iterator);
    return getAffineDimExpr(iterators.size() - 1, context);
  }
  AffineMap makeMap(ArrayRef<AffineExpr> exprs) const {
    return AffineMap::get(iterators.size(), 0, exprs, context);
  }
  ArrayRef<Iterator> getIterators() const { return iterators; }

private:
  MLIRContext *context;
  SmallVector<Iterator> iterators;
};

/// How the spatial dims of a windowed operation are indexed.
struct SpatialLoops {
  SmallVector<AffineExpr> places;   ///< in the result
  SmallVector<AffineExpr> elements; ///< in the window; 0 where it has one
  SmallVector<AffineExpr> inputs;   ///< in the padded input
};

/// Adds loops for the places to `spatial`.
void addPlaces(LoopList &loops, size_t rank, SpatialLoops &spatial) {
  for (size_t dim = 0; dim < rank; ++dim) {
    spatial.places.push_back(loops.add(Iterator::parallel));
  }
}

/// Adds loops for the elements of `window` and says what is read where.
void addElements(LoopList &loops, MLIRContext *context,
                 ArrayRef<int64_t> window, ArrayRef<int64_t> strides,
                 ArrayRef<int64_t> dilations, SpatialLoops &spatial) {
  for (auto [dim, size] : llvm::enumerate(window)) {
    AffineExpr element = size == 1 ? getAffineConstantExpr(0, context)
                                   : loops.add(Iterator::reduction);
    spatial.elements.push_back(element);
    spatial.inputs.push_back(spatial.places[dim] * strides[dim] +
                             element * dilations[dim]);
  }
}

/// The places along each spatial dim of `op`, given the sizes of its input.
template <typename Op>
SmallVector<OpFoldResult> getPlaces(ImplicitLocOpBuilder &b, Op op,
                                    ArrayRef<int64_t> window,
                                    ArrayRef<OpFoldResult> inputSizes) {
  SmallVector<OpFoldResult> places;
  RankedTensorType type = op.getResult().getType();
  for (auto [dim, size] : llvm::enumerate(window)) {
    if (!type.isDynamicDim(dim + 2)) {
      places.push_back(b.getIndexAttr(type.getDimSize(dim + 2)));
      continue;
    }
    ElementReader index(b);
    int64_t margin = op.getLow()[dim] + op.getHigh()[dim] -
                     op.getDilations()[dim] * (size - 1) - 1;
    Value extent = getSizeValues(b, inputSizes[dim + 2]).front();
    Value steps = b.createOrFold<arith::DivSIOp>(
        index.add(extent, index.constant(margin)),
        index.constant(op.getStrides()[dim]));
    places.push_back(getAsOpFoldResult(index.add(steps, index.constant(1))));
  }
  return places;
}

/// `entries` for spatial dims, after `leading` zeros for batch and channels.
SmallVector<int64_t> withLeadingZeros(int64_t leading,
                                      ArrayRef<int64_t> entries) {
  SmallVector<int64_t> all(leading, 0);
  llvm::append_range(all, entries);
  return all;
}

/// `value` as a tensor of `type`, which may know less of its sizes.
Value castTo(ImplicitLocOpBuilder &b, Type type, Value value) {
  return value.getType() == type
             ? value
             : tensor::CastOp::create(b, type, value).getResult();
}

/// Splits dim `dim` of `value`, whose sizes are `sizes`, into `groups` and the
/// rest. Updates the sizes.
Value splitDim(ImplicitLocOpBuilder &b, Value value,
               SmallVectorImpl<OpFoldResult> &sizes, int64_t dim,
               int64_t groups) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape(type.getShape());
  int64_t rest = shape[dim] / groups;
  shape[dim] = rest;
  shape.insert(shape.begin() + dim, groups);
  sizes[dim] = b.getIndexAttr(rest);
  sizes.insert(sizes.begin() + dim, b.getIndexAttr(groups));
  SmallVector<ReassociationIndices> reassociation;
  for (int64_t from : llvm::seq<int64_t>(0, type.getRank())) {
    int64_t first = from > dim ? from + 1 : from;
    reassociation.push_back({first});
    if (from == dim) {
      reassociation.back().push_back(first + 1);
    }
  }
  return tensor::ExpandShapeOp::create(b, type.clone(shape), value,
                                       reassociation, sizes);
}

/// One contraction over channels and window, with channels and filters split by
/// group where there are several.
struct LowerConv : OpConversionPattern<ConvOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(ConvOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    auto type = getTypeConverter()->convertType<RankedTensorType>(op.getType());
    Type storage = type.getElementType();
    Value input = adaptor.getInput(), weights = adaptor.getWeights();
    SmallVector<OpFoldResult> sizes = getShape(b, op.getInput(), input);
    SmallVector<OpFoldResult> filters = getShape(b, op.getWeights(), weights);
    SmallVector<OpFoldResult> shape = {sizes[0], filters[0]};
    llvm::append_range(shape, getPlaces(b, op, op.getWindow(), sizes));

    int64_t groups = op.getGroups();
    bool split = groups != 1 && !isDepthwise(op);
    if (split) {
      input = splitDim(b, input, sizes, 1, groups);
    }
    Value zero =
        arith::ConstantOp::create(b, cast<TypedAttr>(b.getZeroAttr(storage)));
    int64_t leading = split ? 3 : 2;
    input = makePadded(b, input, sizes, withLeadingZeros(leading, op.getLow()),
                       withLeadingZeros(leading, op.getHigh()), zero);
    if (!split) {
      Value result = contract(b, op, input, weights, shape, storage);
      rewriter.replaceOp(op, castTo(b, type, result));
      return success();
    }
    weights = splitDim(b, weights, filters, 0, groups);
    shape[1] = filters[1];
    shape.insert(shape.begin() + 1, filters[0]);
    Value grouped = contract(b, op, input, weights, shape, storage);
    SmallVector<ReassociationIndices> joined = {{0}, {1, 2}};
    for (int64_t dim : llvm::seq<int64_t>(3, shape.size())) {
      joined.push_back({dim});
    }
    Value result = tensor::CollapseShapeOp::create(b, grouped, joined);
    rewriter.replaceOp(op, castTo(b, type, result));
    return success();
  }

private:
  /// Whether each channel has one filter of its own.
  static bool isDepthwise(ConvOp op) {
    auto weights = cast<RankedTensorType>(op.getWeights().getType());
    return op.getGroups() != 1 && weights.getDimSize(1) == 1 &&
           weights.getDimSize(0) == int64_t(op.getGroups()) &&
           llvm::any_of(op.getWindow(), [](int64_t size) { return size != 1; });
  }

  static Value contract(ImplicitLocOpBuilder &b, ConvOp op, Value input,
                        Value weights, ArrayRef<OpFoldResult> shape,
                        Type storage) {
    MLIRContext *context = b.getContext();
    LoopList loops(context);
    SpatialLoops spatial;
    // The exprs of result, input and weights.
    SmallVector<AffineExpr> out, in, by;
    AffineExpr batch = loops.add(Iterator::parallel);
    out.push_back(batch);
    in.push_back(batch);
    bool depthwise = isDepthwise(op);
    if (op.getGroups() != 1 && !depthwise) {
      AffineExpr group = loops.add(Iterator::parallel);
      for (auto *exprs : {&out, &in, &by}) {
        exprs->push_back(group);
      }
    }
    AffineExpr filter = loops.add(Iterator::parallel);
    addPlaces(loops, op.getStrides().size(), spatial);
    // The filter of a channel reduces no channels.
    AffineExpr channel = depthwise ? filter : loops.add(Iterator::reduction);
    AffineExpr part = depthwise ? getAffineConstantExpr(0, context) : channel;
    addElements(loops, context, op.getWindow(), op.getStrides(),
                op.getDilations(), spatial);
    out.push_back(filter);
    llvm::append_range(out, spatial.places);
    in.push_back(channel);
    llvm::append_range(in, spatial.inputs);
    llvm::append_range(by, ArrayRef<AffineExpr>{filter, part});
    llvm::append_range(by, spatial.elements);
    Value product = makeContraction(
        b, {input, weights},
        {loops.makeMap(in), loops.makeMap(by), loops.makeMap(out)},
        loops.getIterators(), shape,
        getComputeType(getElementTypeOrSelf(op.getInput())),
        isUnsignedElement(getElementTypeOrSelf(op.getInput())));
    return narrowTensor(b, product, storage);
  }
};

/// One reduction over the window. Its loops get their sizes from an operand
/// that nothing reads.
struct LowerPool : OpConversionPattern<PoolOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(PoolOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    ReduceKind kind = op.getKind();
    Type element = getElementTypeOrSelf(op.getInput());
    Type compute = getComputeType(element);
    Value input = adaptor.getInput();
    Type storage = getElementTypeOrSelf(input);
    SmallVector<OpFoldResult> sizes = getShape(b, op.getInput(), input);
    SmallVector<OpFoldResult> shape(ArrayRef(sizes).take_front(2));
    llvm::append_range(shape, getPlaces(b, op, op.getWindow(), sizes));
    Value neutral = arith::ConstantOp::create(
        b, getReductionIdentity(kind, element, storage));
    input = makePadded(b, input, sizes, withLeadingZeros(2, op.getLow()),
                       withLeadingZeros(2, op.getHigh()), neutral);

    LoopList loops(b.getContext());
    SpatialLoops spatial;
    SmallVector<AffineExpr> out = {loops.add(Iterator::parallel),
                                   loops.add(Iterator::parallel)};
    SmallVector<AffineExpr> in(out);
    addPlaces(loops, op.getWindow().size(), spatial);
    addElements(loops, b.getContext(), op.getWindow(), op.getStrides(),
                op.getDilations(), spatial);
    llvm::append_range(out, spatial.places);
    llvm::append_range(in, spatial.inputs);
    SmallVector<OpFoldResult> window =
        getAsIndexOpFoldResult(b.getContext(), op.getWindow());
    Value windowShape = makeEmpty(b, window, b.getI8Type());
    Value init =
        makeFilled(b, shape,
                   arith::ConstantOp::create(
                       b, getReductionIdentity(kind, element, compute)));
    SmallVector<AffineMap> maps = {
        loops.makeMap(in), loops.makeMap(spatial.elements), loops.makeMap(out)};
    auto generic = linalg::GenericOp::create(
        b, init.getType(), ValueRange{input, windowShape}, init, maps,
        loops.getIterators(),
        [&](OpBuilder &nested, Location loc, ValueRange args) {
          ImplicitLocOpBuilder inner(loc, nested);
          Value wide = widenScalar(inner, args[0], compute);
          Value combined = combineScalars(inner, kind, element, args[2], wide);
          linalg::YieldOp::create(inner, combined);
        });
    Value result = narrowTensor(b, generic.getResult(0), storage);
    rewriter.replaceOp(
        op, castTo(b, getTypeConverter()->convertType(op.getType()), result));
    return success();
  }
};

} // namespace

void fusion::populateWindowPatterns(const TypeConverter &converter,
                                    RewritePatternSet &patterns) {
  patterns.add<LowerConv, LowerPool>(converter, patterns.getContext());
}
