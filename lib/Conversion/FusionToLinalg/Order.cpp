//===- Order.cpp - arg_reduce and top_k to linalg -------------------------===//
//
// Where the extreme element stands is two reductions: the extreme, and the
// first (or last) position that holds it. Short rows are sorted by counting:
// the rank of an element is the number of those that come before it. That is
// quadratic; long rows of known size go through a bitonic network, whose steps
// are elementwise on the positions.
//
//===----------------------------------------------------------------------===//

#include "ElementReader.h"
#include "fusion/Dialect/Fusion/IR/Fusion.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::fusion;

/// Rows of more elements are not sorted by counting, if their size is known.
static constexpr int64_t kMostCounted = 2048;

namespace {

/// Compares elements of one type in bodies. A NaN is larger than all numbers.
class Order {
public:
  /// `element`: the type in the graph.
  explicit Order(Type element)
      : element(element), isFloat(isa<FloatType>(element)) {}

  /// x > y.
  Value isLarger(ImplicitLocOpBuilder &b, Value x, Value y) const {
    if (!isFloat) {
      auto predicate = isUnsignedElement(element) ? arith::CmpIPredicate::ugt
                                                  : arith::CmpIPredicate::sgt;
      return arith::CmpIOp::create(b, predicate, x, y);
    }
    Value larger = arith::CmpFOp::create(b, arith::CmpFPredicate::OGT, x, y);
    Value onlyXIsNan = arith::AndIOp::create(b, isNan(b, x), isNumber(b, y));
    return arith::OrIOp::create(b, larger, onlyXIsNan);
  }

  /// Neither is larger.
  Value areEqual(ImplicitLocOpBuilder &b, Value x, Value y) const {
    if (!isFloat) {
      return arith::CmpIOp::create(b, arith::CmpIPredicate::eq, x, y);
    }
    Value equal = arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, x, y);
    Value bothNan = arith::AndIOp::create(b, isNan(b, x), isNan(b, y));
    return arith::OrIOp::create(b, equal, bothNan);
  }

private:
  static Value isNan(ImplicitLocOpBuilder &b, Value x) {
    return arith::CmpFOp::create(b, arith::CmpFPredicate::UNO, x, x);
  }
  static Value isNumber(ImplicitLocOpBuilder &b, Value x) {
    return arith::CmpFOp::create(b, arith::CmpFPredicate::ORD, x, x);
  }

  Type element;
  bool isFloat;
};

/// The map of a tensor whose dims lie along `dims`, in a nest of `rank` loops.
AffineMap makeMap(ImplicitLocOpBuilder &b, ArrayRef<int64_t> dims,
                  int64_t rank) {
  SmallVector<AffineExpr> exprs;
  for (int64_t dim : dims) {
    exprs.push_back(b.getAffineDimExpr(dim));
  }
  return AffineMap::get(rank, 0, exprs, b.getContext());
}

/// The loops 0 to `rank` - 1, but `loop` in the place of `dim`.
SmallVector<int64_t> withLoop(int64_t rank, int64_t dim, int64_t loop) {
  auto dims = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  dims[dim] = loop;
  return dims;
}

/// `rank` parallel loops and a reduced one.
SmallVector<utils::IteratorType> reduceLast(int64_t rank) {
  SmallVector<utils::IteratorType> types(rank, utils::IteratorType::parallel);
  types.push_back(utils::IteratorType::reduction);
  return types;
}

Value makeConstant(ImplicitLocOpBuilder &b, TypedAttr value) {
  return arith::ConstantOp::create(b, value);
}

Value loopIndex(ImplicitLocOpBuilder &b, int64_t loop, Type type) {
  Value index = linalg::IndexOp::create(b, loop);
  return arith::IndexCastOp::create(b, type, index);
}

//===----------------------------------------------------------------------===//
// arg_reduce
//===----------------------------------------------------------------------===//

struct LowerArgReduce : OpConversionPattern<ArgReduceOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(ArgReduceOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    int64_t dim = op.getDim(), rank = op.getInput().getType().getRank();
    SmallVector<OpFoldResult> shape =
        getShape(b, op.getInput(), adaptor.getInput());
    shape.erase(shape.begin() + dim);
    if (op.getInput().getType().getDimSize(dim) == 0) {
      Value zero = makeConstant(b, b.getI64IntegerAttr(0));
      rewriter.replaceOp(op, makeFilled(b, shape, zero));
      return success();
    }
    SmallVector<utils::IteratorType> iterators(rank,
                                               utils::IteratorType::parallel);
    iterators[dim] = utils::IteratorType::reduction;
    auto kept = llvm::to_vector(llvm::seq<int64_t>(0, rank));
    kept.erase(kept.begin() + dim);
    SmallVector<AffineMap> maps = {b.getMultiDimIdentityMap(rank),
                                   makeMap(b, kept, rank)};
    Value extreme =
        findExtreme(b, op, adaptor.getInput(), shape, maps, iterators);
    maps.push_back(maps.back());
    rewriter.replaceOp(op, findPosition(b, op, adaptor.getInput(), extreme,
                                        shape, maps, iterators));
    return success();
  }

private:
  static Value findExtreme(ImplicitLocOpBuilder &b, ArgReduceOp op, Value input,
                           ArrayRef<OpFoldResult> shape,
                           ArrayRef<AffineMap> maps,
                           ArrayRef<utils::IteratorType> iterators) {
    Type element = getElementTypeOrSelf(op.getInput());
    Type compute = getComputeType(element);
    return makeReduction(
        b, input, maps, iterators, shape,
        getReductionIdentity(op.getKind(), element, compute),
        [&](ImplicitLocOpBuilder &inner, ValueRange args) {
          return widenScalar(inner, args[0], compute);
        },
        [&](ImplicitLocOpBuilder &inner, Value lhs, Value rhs) {
          return combineScalars(inner, op.getKind(), element, lhs, rhs);
        });
  }

  /// The first position of `extreme`: the smallest; or the last.
  static Value findPosition(ImplicitLocOpBuilder &b, ArgReduceOp op,
                            Value input, Value extreme,
                            ArrayRef<OpFoldResult> shape,
                            ArrayRef<AffineMap> maps,
                            ArrayRef<utils::IteratorType> iterators) {
    bool last = op.getLast();
    Order order(getElementTypeOrSelf(op.getInput()));
    TypedAttr none = b.getI64IntegerAttr(last ? -1 : INT64_MAX);
    return makeReduction(
        b, {input, extreme}, maps, iterators, shape, none,
        [&](ImplicitLocOpBuilder &inner, ValueRange args) -> Value {
          Value wide = widenScalar(inner, args[0], args[1].getType());
          Value hits = order.areEqual(inner, wide, args[1]);
          return arith::SelectOp::create(
              inner, hits, loopIndex(inner, op.getDim(), inner.getI64Type()),
              makeConstant(inner, none));
        },
        [&](ImplicitLocOpBuilder &inner, Value lhs, Value rhs) -> Value {
          return last ? arith::MaxSIOp::create(inner, lhs, rhs).getResult()
                      : arith::MinSIOp::create(inner, lhs, rhs).getResult();
        });
  }
};

//===----------------------------------------------------------------------===//
// top_k
//===----------------------------------------------------------------------===//

/// Sorts the rows of one tensor.
class Sorter {
public:
  Sorter(ImplicitLocOpBuilder &b, TopKOp op, Value input,
         ArrayRef<OpFoldResult> shape)
      : b(b), order(getElementTypeOrSelf(op.getInput())), input(input),
        shape(shape), dim(op.getDim()), smallest(op.getSmallest()) {}

  /// The positions of the first `count` elements, as i64.
  Value count(OpFoldResult count);
  Value network(int64_t size, OpFoldResult count);
  /// The elements at `positions`, a tensor of i64 with `count` along the dim.
  Value take(Value positions, OpFoldResult count);

private:
  SmallVector<OpFoldResult> getResultShape(OpFoldResult count) const {
    SmallVector<OpFoldResult> result(shape);
    result[dim] = count;
    return result;
  }
  /// Whether x at position i comes before y at position j, where `isEarlier`
  /// is i < j.
  Value comesBefore(ImplicitLocOpBuilder &inner, Value x, Value y,
                    Value isEarlier) const {
    Value better =
        smallest ? order.isLarger(inner, y, x) : order.isLarger(inner, x, y);
    Value equal = order.areEqual(inner, x, y);
    Value first = arith::AndIOp::create(inner, equal, isEarlier);
    return arith::OrIOp::create(inner, better, first);
  }
  Value exchange(Value positions, ArrayRef<OpFoldResult> padded, int64_t size,
                 int64_t block, int64_t distance);

  ImplicitLocOpBuilder &b;
  Order order;
  Value input;
  SmallVector<OpFoldResult> shape;
  int64_t dim;
  bool smallest;
};

/// Finds each element's rank, then for each rank the element.
Value Sorter::count(OpFoldResult count) {
  int64_t rank = shape.size();
  Type i32 = b.getI32Type();
  SmallVector<int64_t> own = withLoop(rank, dim, dim);
  SmallVector<int64_t> other = withLoop(rank, dim, rank);
  SmallVector<AffineMap> maps = {makeMap(b, own, rank + 1),
                                 makeMap(b, other, rank + 1),
                                 makeMap(b, own, rank + 1)};
  Value ranks = makeReduction(
      b, {input, input}, maps, reduceLast(rank), shape, b.getI32IntegerAttr(0),
      [&](ImplicitLocOpBuilder &inner, ValueRange args) -> Value {
        Value mine = linalg::IndexOp::create(inner, dim);
        Value its = linalg::IndexOp::create(inner, rank);
        Value isEarlier =
            arith::CmpIOp::create(inner, arith::CmpIPredicate::slt, its, mine);
        Value before = comesBefore(inner, args[1], args[0], isEarlier);
        return arith::ExtUIOp::create(inner, i32, before);
      },
      [](ImplicitLocOpBuilder &inner, Value lhs, Value rhs) -> Value {
        return arith::AddIOp::create(inner, lhs, rhs);
      });
  maps = {makeMap(b, other, rank + 1), makeMap(b, own, rank + 1)};
  TypedAttr none = b.getI64IntegerAttr(-1);
  return makeReduction(
      b, ranks, maps, reduceLast(rank), getResultShape(count), none,
      [&](ImplicitLocOpBuilder &inner, ValueRange args) -> Value {
        Value wanted = loopIndex(inner, dim, i32);
        Value hits = arith::CmpIOp::create(inner, arith::CmpIPredicate::eq,
                                           args[0], wanted);
        return arith::SelectOp::create(
            inner, hits, loopIndex(inner, rank, inner.getI64Type()),
            makeConstant(inner, none));
      },
      [](ImplicitLocOpBuilder &inner, Value lhs, Value rhs) -> Value {
        return arith::MaxSIOp::create(inner, lhs, rhs);
      });
}

/// One step of the network: elements `distance` apart change places where they
/// stand in the wrong order for their `block`, every second one descending.
Value Sorter::exchange(Value positions, ArrayRef<OpFoldResult> padded,
                       int64_t size, int64_t block, int64_t distance) {
  Type element = getElementTypeOrSelf(input);
  auto body = [&](ImplicitLocOpBuilder &inner, ValueRange args) -> Value {
    ElementReader reader(inner);
    auto compare = [&](arith::CmpIPredicate predicate, Value x,
                       Value y) -> Value {
      return arith::CmpIOp::create(inner, predicate, x, y);
    };
    SmallVector<Value> place;
    for (int64_t loop : llvm::seq<int64_t>(0, padded.size())) {
      place.push_back(reader.position(loop));
    }
    Value self = place[dim];
    Value partner =
        arith::XOrIOp::create(inner, self, reader.constant(distance));
    place[dim] = partner;
    Value mine = args[0], its = reader.read(positions, place);
    Value zero = makeConstant(inner, cast<TypedAttr>(b.getZeroAttr(element)));
    Value end = makeConstant(inner, b.getI32IntegerAttr(size));
    SmallVector<Value> exists, values;
    for (Value position : {mine, its}) {
      exists.push_back(compare(arith::CmpIPredicate::slt, position, end));
      place[dim] =
          arith::IndexCastOp::create(inner, inner.getIndexType(), position);
      values.push_back(reader.readIf(exists.back(), input, place, zero));
    }
    // What does not exist has larger positions, and comes after all.
    Value isEarlier = compare(arith::CmpIPredicate::slt, mine, its);
    Value bothExist = arith::AndIOp::create(inner, exists[0], exists[1]);
    Value before = arith::SelectOp::create(
        inner, bothExist, comesBefore(inner, values[0], values[1], isEarlier),
        isEarlier);
    Value isLower = compare(arith::CmpIPredicate::slt, self, partner);
    Value inBlock = arith::AndIOp::create(inner, self, reader.constant(block));
    Value ascends =
        compare(arith::CmpIPredicate::eq, inBlock, reader.constant(0));
    Value wantsFirst = compare(arith::CmpIPredicate::eq, isLower, ascends);
    Value stays = compare(arith::CmpIPredicate::eq, wantsFirst, before);
    return arith::SelectOp::create(inner, stays, mine, its);
  };
  return makeParallel(b, positions, {}, padded, b.getI32Type(), body);
}

/// A bitonic network over the next power of two.
Value Sorter::network(int64_t size, OpFoldResult count) {
  int64_t width = llvm::PowerOf2Ceil(size);
  SmallVector<OpFoldResult> padded = getResultShape(b.getIndexAttr(width));
  Value positions =
      makeParallel(b, {}, {}, padded, b.getI32Type(),
                   [&](ImplicitLocOpBuilder &inner, ValueRange) {
                     return loopIndex(inner, dim, inner.getI32Type());
                   });
  for (int64_t block = 2; block <= width; block *= 2) {
    for (int64_t distance = block / 2; distance > 0; distance /= 2) {
      positions = exchange(positions, padded, size, block, distance);
    }
  }
  return makeParallel(
      b, {}, {}, getResultShape(count), b.getI64Type(),
      [&](ImplicitLocOpBuilder &inner, ValueRange) -> Value {
        ElementReader reader(inner);
        SmallVector<Value> place;
        for (int64_t loop : llvm::seq<int64_t>(0, shape.size())) {
          place.push_back(reader.position(loop));
        }
        return arith::ExtSIOp::create(inner, inner.getI64Type(),
                                      reader.read(positions, place));
      });
}

Value Sorter::take(Value positions, OpFoldResult count) {
  Value size = getSizeValues(b, shape[dim]).front();
  return makeParallel(
      b, positions, {}, getResultShape(count), getElementTypeOrSelf(input),
      [&](ImplicitLocOpBuilder &inner, ValueRange args) {
        ElementReader reader(inner);
        SmallVector<Value> place;
        for (int64_t loop : llvm::seq<int64_t>(0, shape.size())) {
          place.push_back(reader.position(loop));
        }
        Value position =
            arith::IndexCastOp::create(inner, inner.getIndexType(), args[0]);
        place[dim] = reader.clamp(position, size);
        return reader.read(input, place);
      });
}

struct LowerTopK : OpConversionPattern<TopKOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(TopKOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Value input = adaptor.getInput();
    SmallVector<OpFoldResult> shape = getShape(b, op.getInput(), input);
    auto type = cast<RankedTensorType>(op.getValues().getType());
    OpFoldResult count = type.isDynamicDim(op.getDim())
                             ? OpFoldResult(adaptor.getCount())
                             : b.getIndexAttr(type.getDimSize(op.getDim()));
    if (llvm::is_contained(type.getShape(), 0)) { // Nothing is to be sorted.
      shape[op.getDim()] = count;
      Value values = makeEmpty(b, shape, getElementTypeOrSelf(input));
      rewriter.replaceOp(op, {values, makeEmpty(b, shape, b.getI64Type())});
      return success();
    }
    Sorter sorter(b, op, input, shape);
    int64_t size = op.getInput().getType().getDimSize(op.getDim());
    bool isLong = !ShapedType::isDynamic(size) && size > kMostCounted;
    Value positions =
        isLong ? sorter.network(size, count) : sorter.count(count);
    Value values = sorter.take(positions, count);
    rewriter.replaceOp(op, {values, positions});
    return success();
  }
};

} // namespace

void fusion::populateOrderPatterns(const TypeConverter &converter,
                                   RewritePatternSet &patterns) {
  patterns.add<LowerArgReduce, LowerTopK>(converter, patterns.getContext());
}
