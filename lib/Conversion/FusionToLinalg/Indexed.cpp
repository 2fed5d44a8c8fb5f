//===- Indexed.cpp - gather_nd and scatters to linalg ---------------------===//
//
// A gather is one parallel linalg.generic whose body computes the position. A
// scatter asks, for each element of the result, which updates meet it: one
// reduction over the updates, and one elementwise operation. So nothing depends
// on the order in which threads run, whatever the indices are.
//
//===----------------------------------------------------------------------===//

#include "ElementReader.h"
#include "fusion/Dialect/Fusion/IR/Fusion.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::fusion;

namespace {

/// The index arithmetic of one tuple of indices: its last dim.
struct LowerGatherNd : OpConversionPattern<GatherNdOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(GatherNdOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Value input = adaptor.getInput(), indices = adaptor.getIndices();
    SmallVector<OpFoldResult> from = getShape(b, op.getInput(), input);
    SmallVector<OpFoldResult> shape = getShape(b, op.getIndices(), indices);
    int64_t batch = op.getBatchDims();
    int64_t count = op.getIndices().getType().getShape().back();
    shape.pop_back();
    int64_t tuples = shape.size();
    llvm::append_range(shape, ArrayRef(from).drop_front(batch + count));
    SmallVector<Value> sizes = getSizeValues(b, from);
    bool isUnsigned = isUnsignedElement(getElementTypeOrSelf(op.getIndices()));
    auto body = [&](ImplicitLocOpBuilder &inner, ValueRange) {
      ElementReader reader(inner);
      SmallVector<Value> tuple, position;
      for (int64_t dim : llvm::seq<int64_t>(0, tuples)) {
        tuple.push_back(reader.position(dim));
      }
      position.assign(tuple.begin(), tuple.begin() + batch);
      for (int64_t entry : llvm::seq<int64_t>(0, count)) {
        tuple.push_back(reader.constant(entry));
        Value size = sizes[batch + entry];
        Value index =
            reader.fromEnd(reader.read(indices, tuple), isUnsigned, size);
        position.push_back(reader.clamp(index, size));
        tuple.pop_back();
      }
      for (int64_t dim : llvm::seq<int64_t>(tuples, shape.size())) {
        position.push_back(reader.position(dim));
      }
      return reader.read(input, position);
    };
    rewriter.replaceOp(
        op, makeParallel(b, {}, {}, shape, getElementTypeOrSelf(input), body));
    return success();
  }
};

//===----------------------------------------------------------------------===//
// What the scatters share
//===----------------------------------------------------------------------===//

/// Stands for the loop over the updates in the lists of `Scatter`.
constexpr int64_t kUpdate = -1;

/// A scatter in one form. The loops are the dims of the result and then one
/// over the updates that may meet an element.
struct Scatter {
  ScatterKind kind;
  /// The element type in the graph.
  Type element;
  Value input;
  SmallVector<OpFoldResult> shape;
  /// A tensor of i64: which element an update meets, -1 for none; and the loop
  /// along each of its dims.
  Value targets;
  SmallVector<int64_t> targetDims;
  Value updates;
  SmallVector<int64_t> updateDims;
  /// The leading dims of the result that decide which updates meet an element.
  int64_t numDeciding;
  /// Emits the number of the element in a body, to compare with a target.
  llvm::function_ref<Value(ImplicitLocOpBuilder &)> number;
};

/// The map of a tensor along `dims`, in a nest of `rank` loops and that over
/// the updates.
AffineMap makeMap(ImplicitLocOpBuilder &b, ArrayRef<int64_t> dims,
                  int64_t rank) {
  SmallVector<AffineExpr> exprs;
  for (int64_t dim : dims) {
    exprs.push_back(b.getAffineDimExpr(dim == kUpdate ? rank : dim));
  }
  return AffineMap::get(rank + 1, 0, exprs, b.getContext());
}

/// Reduces the updates that meet each element of `shape`, the leading dims of
/// the result. `value` gives what one contributes from a condition (it meets
/// the element) and the element of `updates` where `readsUpdates`.
Value reduceUpdates(
    ImplicitLocOpBuilder &b, const Scatter &scatter,
    ArrayRef<OpFoldResult> shape, bool readsUpdates, TypedAttr identity,
    llvm::function_ref<Value(ImplicitLocOpBuilder &, Value, ValueRange)> value,
    ScalarCombiner combine) {
  int64_t rank = shape.size();
  SmallVector<Value> inputs = {scatter.targets};
  SmallVector<AffineMap> maps = {makeMap(b, scatter.targetDims, rank)};
  if (readsUpdates) {
    inputs.push_back(scatter.updates);
    maps.push_back(makeMap(b, scatter.updateDims, rank));
  }
  auto all = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  maps.push_back(makeMap(b, all, rank));
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  iterators.push_back(utils::IteratorType::reduction);
  return makeReduction(
      b, inputs, maps, iterators, shape, identity,
      [&](ImplicitLocOpBuilder &inner, ValueRange args) {
        Value number = scatter.number(inner);
        Value own =
            arith::IndexCastOp::create(inner, inner.getI64Type(), number);
        Value meets = arith::CmpIOp::create(inner, arith::CmpIPredicate::eq,
                                            args[0], own);
        return value(inner, meets, args.drop_front());
      },
      combine);
}

/// The last update that meets an element, if any, takes its place.
Value replaceElements(ImplicitLocOpBuilder &b, const Scatter &scatter) {
  int64_t rank = scatter.shape.size(), deciding = scatter.numDeciding;
  Value last = reduceUpdates(
      b, scatter, ArrayRef(scatter.shape).take_front(deciding),
      /*readsUpdates=*/false, b.getI64IntegerAttr(-1),
      [&](ImplicitLocOpBuilder &inner, Value meets, ValueRange) -> Value {
        Value index = linalg::IndexOp::create(inner, deciding);
        Value number =
            arith::IndexCastOp::create(inner, inner.getI64Type(), index);
        Value none =
            arith::ConstantOp::create(inner, inner.getI64IntegerAttr(-1));
        return arith::SelectOp::create(inner, meets, number, none);
      },
      [](ImplicitLocOpBuilder &inner, Value lhs, Value rhs) -> Value {
        return arith::MaxSIOp::create(inner, lhs, rhs);
      });
  SmallVector<AffineMap> maps = {
      b.getMultiDimIdentityMap(rank).getMajorSubMap(deciding),
      b.getMultiDimIdentityMap(rank)};
  return makeParallel(
      b, {last, scatter.input}, maps, scatter.shape,
      getElementTypeOrSelf(scatter.input),
      [&](ImplicitLocOpBuilder &inner, ValueRange args) {
        ElementReader reader(inner);
        Value update =
            arith::IndexCastOp::create(inner, inner.getIndexType(), args[0]);
        SmallVector<Value> position;
        for (int64_t dim : scatter.updateDims) {
          position.push_back(dim == kUpdate ? update : reader.position(dim));
        }
        Value meets = arith::CmpIOp::create(inner, arith::CmpIPredicate::sge,
                                            update, reader.constant(0));
        return reader.readIf(meets, scatter.updates, position, args[1]);
      });
}

/// The reduction that `kind` is.
ReduceKind getReduceKind(ScatterKind kind) {
  switch (kind) {
  case ScatterKind::add:
    return ReduceKind::sum;
  case ScatterKind::mul:
    return ReduceKind::prod;
  case ScatterKind::max:
    return ReduceKind::max;
  case ScatterKind::min:
    return ReduceKind::min;
  case ScatterKind::replace:
    break;
  }
  llvm_unreachable("expected a kind that combines");
}

/// All updates that meet an element are combined with it.
Value combineElements(ImplicitLocOpBuilder &b, const Scatter &scatter) {
  Type storage = getElementTypeOrSelf(scatter.input);
  Type compute = getComputeType(scatter.element);
  ReduceKind kind = getReduceKind(scatter.kind);
  TypedAttr identity = getReductionIdentity(kind, scatter.element, compute);
  if (isa<FloatType>(compute) && kind == ReduceKind::sum) {
    identity = b.getFloatAttr(compute, -0.0); // x + -0 is x for both zeros.
  }
  auto combine = [&](ImplicitLocOpBuilder &inner, Value lhs, Value rhs) {
    return combineScalars(inner, kind, scatter.element, lhs, rhs);
  };
  Value combined = reduceUpdates(
      b, scatter, scatter.shape, /*readsUpdates=*/true, identity,
      [&](ImplicitLocOpBuilder &inner, Value meets, ValueRange args) -> Value {
        Value wide = widenScalar(inner, args[0], compute);
        Value none = arith::ConstantOp::create(inner, identity);
        return arith::SelectOp::create(inner, meets, wide, none);
      },
      combine);
  return makeParallel(b, {combined, scatter.input}, {}, scatter.shape, storage,
                      [&](ImplicitLocOpBuilder &inner, ValueRange args) {
                        Value own = widenScalar(inner, args[1], compute);
                        return narrowScalar(inner, combine(inner, own, args[0]),
                                            storage);
                      });
}

Value lowerScatter(ImplicitLocOpBuilder &b, const Scatter &scatter) {
  return scatter.kind == ScatterKind::replace ? replaceElements(b, scatter)
                                              : combineElements(b, scatter);
}

//===----------------------------------------------------------------------===//
// scatter_elements
//===----------------------------------------------------------------------===//

/// Which of the tensor's elements exist: all, or those inside `sizes` along the
/// dims that `checked` names (null: all do).
Value emitExists(ImplicitLocOpBuilder &b, ArrayRef<int64_t> checked,
                 ArrayRef<Value> sizes) {
  ElementReader reader(b);
  Value all;
  for (int64_t dim : checked) {
    Value inside = reader.isInside(reader.position(dim), sizes[dim]);
    all = all ? arith::AndIOp::create(b, all, inside).getResult() : inside;
  }
  return all;
}

struct LowerScatterElements : OpConversionPattern<ScatterElementsOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(ScatterElementsOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    int64_t dim = op.getDim(), rank = op.getInput().getType().getRank();
    SmallVector<OpFoldResult> shape =
        getShape(b, op.getInput(), adaptor.getInput());
    SmallVector<OpFoldResult> own =
        getShape(b, op.getIndices(), adaptor.getIndices());
    // Along the other dims there may be fewer updates than elements.
    SmallVector<int64_t> shorter;
    SmallVector<OpFoldResult> wide(shape);
    wide[dim] = own[dim];
    for (int64_t other : llvm::seq<int64_t>(0, rank)) {
      if (other != dim && own[other] != shape[other]) {
        shorter.push_back(other);
      }
    }
    SmallVector<int64_t> dims = llvm::to_vector(llvm::seq<int64_t>(0, rank));
    dims[dim] = kUpdate;
    auto number = [&](ImplicitLocOpBuilder &inner) -> Value {
      return linalg::IndexOp::create(inner, dim);
    };
    Scatter scatter{op.getKind(),
                    getElementTypeOrSelf(op.getInput()),
                    adaptor.getInput(),
                    shape,
                    makeTargets(b, op, adaptor, wide, own, shape[dim], shorter),
                    dims,
                    adaptor.getUpdates(),
                    dims,
                    rank,
                    number};
    if (op.getKind() != ScatterKind::replace) {
      scatter.updates = extend(b, adaptor.getUpdates(), wide, own, shorter);
    }
    rewriter.replaceOp(op, lowerScatter(b, scatter));
    return success();
  }

private:
  /// The indices in the shape `wide`, counted from the start; -1 where there
  /// are none.
  static Value makeTargets(ImplicitLocOpBuilder &b, ScatterElementsOp op,
                           OpAdaptor adaptor, ArrayRef<OpFoldResult> wide,
                           ArrayRef<OpFoldResult> own, OpFoldResult extent,
                           ArrayRef<int64_t> shorter) {
    Type element = getElementTypeOrSelf(op.getIndices());
    SmallVector<Value> sizes = getSizeValues(b, own);
    Value size = getSizeValues(b, extent).front();
    Value indices = adaptor.getIndices();
    return makeParallel(
        b, shorter.empty() ? ValueRange(indices) : ValueRange(), {}, wide,
        b.getI64Type(),
        [&](ImplicitLocOpBuilder &inner, ValueRange args) -> Value {
          Value exists = emitExists(inner, shorter, sizes);
          Value index = exists ? readExisting(inner, indices, exists) : args[0];
          ElementReader reader(inner);
          Value target =
              reader.fromEnd(index, isUnsignedElement(element), size);
          if (exists) {
            target = arith::SelectOp::create(inner, exists, target,
                                             reader.constant(-1));
          }
          return arith::IndexCastOp::create(inner, inner.getI64Type(), target);
        });
  }

  /// `updates` in the shape `wide`, zeros where there are none.
  static Value extend(ImplicitLocOpBuilder &b, Value updates,
                      ArrayRef<OpFoldResult> wide, ArrayRef<OpFoldResult> own,
                      ArrayRef<int64_t> shorter) {
    if (shorter.empty()) {
      return updates;
    }
    SmallVector<Value> sizes = getSizeValues(b, own);
    return makeParallel(b, {}, {}, wide, getElementTypeOrSelf(updates),
                        [&](ImplicitLocOpBuilder &inner, ValueRange) {
                          return readExisting(
                              inner, updates,
                              emitExists(inner, shorter, sizes));
                        });
  }

  /// The current element of `source`, or 0 where it does not exist.
  static Value readExisting(ImplicitLocOpBuilder &b, Value source,
                            Value exists) {
    ElementReader reader(b);
    auto type = cast<RankedTensorType>(source.getType());
    SmallVector<Value> position;
    for (int64_t dim : llvm::seq<int64_t>(0, type.getRank())) {
      position.push_back(reader.position(dim));
    }
    Value zero =
        arith::ConstantOp::create(b, b.getZeroAttr(type.getElementType()));
    return reader.readIf(exists, source, position, zero);
  }
};

//===----------------------------------------------------------------------===//
// scatter_nd
//===----------------------------------------------------------------------===//

/// Joins the first `count` dims of `value` into one; a dim of 1 for none.
Value joinLeadingDims(ImplicitLocOpBuilder &b, Value value, int64_t count) {
  auto type = cast<RankedTensorType>(value.getType());
  if (count == 1) {
    return value;
  }
  SmallVector<ReassociationIndices> groups;
  if (count == 0) {
    SmallVector<OpFoldResult> shape =
        tensor::getMixedSizes(b, b.getLoc(), value);
    shape.insert(shape.begin(), b.getIndexAttr(1));
    SmallVector<int64_t> sizes(type.getShape());
    sizes.insert(sizes.begin(), 1);
    for (int64_t dim : llvm::seq<int64_t>(0, type.getRank())) {
      groups.push_back({dim + 1});
    }
    if (!groups.empty()) {
      groups.front().insert(groups.front().begin(), 0);
    }
    return tensor::ExpandShapeOp::create(
        b, RankedTensorType::get(sizes, type.getElementType()), value, groups,
        shape);
  }
  groups.push_back(llvm::to_vector<2>(llvm::seq<int64_t>(0, count)));
  for (int64_t dim : llvm::seq<int64_t>(count, type.getRank())) {
    groups.push_back({dim});
  }
  return tensor::CollapseShapeOp::create(b, value, groups);
}

struct LowerScatterNd : OpConversionPattern<ScatterNdOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(ScatterNdOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    RankedTensorType indices = op.getIndices().getType();
    int64_t count = indices.getShape().back(), leading = indices.getRank() - 1;
    SmallVector<OpFoldResult> shape =
        getShape(b, op.getInput(), adaptor.getInput());
    SmallVector<Value> sizes =
        getSizeValues(b, ArrayRef(shape).take_front(count));
    SmallVector<int64_t> updateDims = {kUpdate};
    llvm::append_range(updateDims, llvm::seq<int64_t>(count, shape.size()));
    auto number = [&](ImplicitLocOpBuilder &inner) -> Value {
      ElementReader reader(inner);
      Value result = reader.constant(0);
      for (auto [dim, size] : llvm::enumerate(sizes)) {
        result = reader.add(reader.mul(result, size), reader.position(dim));
      }
      return result;
    };
    Value targets = makeTargets(b, op, adaptor.getIndices(), sizes);
    Scatter scatter{op.getKind(),
                    getElementTypeOrSelf(op.getInput()),
                    adaptor.getInput(),
                    shape,
                    joinLeadingDims(b, targets, leading),
                    {kUpdate},
                    joinLeadingDims(b, adaptor.getUpdates(), leading),
                    updateDims,
                    count,
                    number};
    rewriter.replaceOp(op, lowerScatter(b, scatter));
    return success();
  }

private:
  /// The number, in row-major order, of the slice of `sizes` that each tuple
  /// meets; -1 for none.
  static Value makeTargets(ImplicitLocOpBuilder &b, ScatterNdOp op,
                           Value indices, ArrayRef<Value> sizes) {
    SmallVector<OpFoldResult> shape = getShape(b, op.getIndices(), indices);
    shape.pop_back();
    bool isUnsigned = isUnsignedElement(getElementTypeOrSelf(op.getIndices()));
    auto body = [&](ImplicitLocOpBuilder &inner, ValueRange) -> Value {
      ElementReader reader(inner);
      SmallVector<Value> tuple;
      for (int64_t dim : llvm::seq<int64_t>(0, shape.size())) {
        tuple.push_back(reader.position(dim));
      }
      Value number = reader.constant(0), exists;
      for (auto [entry, size] : llvm::enumerate(sizes)) {
        tuple.push_back(reader.constant(entry));
        Value index =
            reader.fromEnd(reader.read(indices, tuple), isUnsigned, size);
        tuple.pop_back();
        Value inside = reader.isInside(index, size);
        exists = exists
                     ? arith::AndIOp::create(inner, exists, inside).getResult()
                     : inside;
        number = reader.add(reader.mul(number, size), index);
      }
      if (exists) {
        number =
            arith::SelectOp::create(inner, exists, number, reader.constant(-1));
      }
      return arith::IndexCastOp::create(inner, inner.getI64Type(), number);
    };
    return makeParallel(b, {}, {}, shape, b.getI64Type(), body);
  }
};

} // namespace

void fusion::populateIndexedPatterns(const TypeConverter &converter,
                                     RewritePatternSet &patterns) {
  patterns.add<LowerGatherNd, LowerScatterElements, LowerScatterNd>(
      converter, patterns.getContext());
}
