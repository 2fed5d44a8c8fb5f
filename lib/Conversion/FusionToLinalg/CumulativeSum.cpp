//===- CumulativeSum.cpp - running sums to linalg -------------------------===//
//
// A short row is summed for each of its elements. A long one falls into blocks:
// sums within blocks, then running sums of the blocks' totals (a row of its
// own, shorter by the size of a block), which are added. Work grows with the
// length of the row, not with its square.
//
//===----------------------------------------------------------------------===//

#include "ElementReader.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::fusion;

namespace {

/// Elements of a block, and of a row that is not divided.
constexpr int64_t kBlock = 128;
/// How often a row of dynamic length is divided: kBlock^2 elements are then one
/// element of the row that is left.
constexpr int kDynamicLevels = 2;

/// Which elements of a row count for one of its places.
struct RunningSum {
  bool exclusive, reverse;

  /// How the position of an element that counts compares with the place.
  arith::CmpIPredicate getPredicate() const {
    if (reverse) {
      return exclusive ? arith::CmpIPredicate::ugt : arith::CmpIPredicate::uge;
    }
    return exclusive ? arith::CmpIPredicate::ult : arith::CmpIPredicate::ule;
  }
};

/// Builds running sums along one dim, of the type in which they are computed.
class RunningSumBuilder {
public:
  RunningSumBuilder(ImplicitLocOpBuilder &b, int64_t dim, Type compute)
      : b(b), dim(dim), compute(compute) {}

  /// Sums `input`, of shape `shape`. A row of dynamic length is divided
  /// `levels` times.
  Value build(Value input, ArrayRef<OpFoldResult> shape, RunningSum sum,
              int levels);

private:
  /// One sum over dim `along` for each element of `shape`: of all elements of
  /// its row, or of those that count.
  Value sumRows(Value input, ArrayRef<OpFoldResult> shape, int64_t along,
                std::optional<RunningSum> sum);
  Value makeBlocks(Value input, ArrayRef<OpFoldResult> blocks, Value length);
  OpFoldResult countBlocks(OpFoldResult length);

  ImplicitLocOpBuilder &b;
  int64_t dim;
  Type compute;
};

Value RunningSumBuilder::sumRows(Value input, ArrayRef<OpFoldResult> shape,
                                 int64_t along, std::optional<RunningSum> sum) {
  MLIRContext *context = b.getContext();
  int64_t rank = shape.size();
  SmallVector<utils::IteratorType> iterators(rank + 1,
                                             utils::IteratorType::parallel);
  iterators.back() = utils::IteratorType::reduction;
  SmallVector<AffineExpr> out, in;
  for (int64_t i = 0; i < rank; ++i) {
    out.push_back(getAffineDimExpr(i, context));
  }
  in = out;
  SmallVector<OpFoldResult> sizes(shape);
  AffineExpr element = getAffineDimExpr(rank, context);
  in[along] = element;
  if (!sum) {
    // The summed dim is not one of the result.
    iterators[along] = utils::IteratorType::reduction;
    iterators.pop_back();
    in = out;
    out.erase(out.begin() + along);
    sizes.erase(sizes.begin() + along);
  }
  unsigned loops = iterators.size();
  SmallVector<AffineMap> maps = {AffineMap::get(loops, 0, in, context),
                                 AffineMap::get(loops, 0, out, context)};
  Value zero =
      arith::ConstantOp::create(b, cast<TypedAttr>(b.getZeroAttr(compute)));
  Value init = makeFilled(b, sizes, zero);
  auto generic = linalg::GenericOp::create(
      b, init.getType(), input, init, maps, iterators,
      [&](OpBuilder &nested, Location loc, ValueRange args) {
        ImplicitLocOpBuilder inner(loc, nested);
        Value term = widenScalar(inner, args[0], compute);
        if (sum) {
          Value counts = arith::CmpIOp::create(
              inner, sum->getPredicate(), linalg::IndexOp::create(inner, rank),
              linalg::IndexOp::create(inner, along));
          term = arith::SelectOp::create(inner, counts, term, zero);
        }
        linalg::YieldOp::create(inner, combineScalars(inner, ReduceKind::sum,
                                                      compute, args[1], term));
      });
  return generic.getResult(0);
}

OpFoldResult RunningSumBuilder::countBlocks(OpFoldResult length) {
  if (std::optional<int64_t> known = getConstantIntValue(length)) {
    return b.getIndexAttr((*known + kBlock - 1) / kBlock);
  }
  ElementReader index(b);
  Value last = index.add(cast<Value>(length), index.constant(kBlock - 1));
  return getAsOpFoldResult(
      b.createOrFold<arith::DivUIOp>(last, index.constant(kBlock)));
}

/// The rows in blocks, with zeros after their ends.
Value RunningSumBuilder::makeBlocks(Value input, ArrayRef<OpFoldResult> blocks,
                                    Value length) {
  auto body = [&](ImplicitLocOpBuilder &inner, ValueRange) -> Value {
    ElementReader reader(inner);
    SmallVector<Value> indices;
    for (int64_t i = 0, e = blocks.size(); i < e; ++i) {
      Value position = reader.position(i);
      if (i == dim + 1) {
        Value first = reader.mul(indices.back(), reader.constant(kBlock));
        indices.back() = reader.add(first, position);
      } else {
        indices.push_back(position);
      }
    }
    Type storage = getElementTypeOrSelf(input);
    Value zero = arith::ConstantOp::create(
        inner, cast<TypedAttr>(inner.getZeroAttr(storage)));
    Value inside = reader.isInside(indices[dim], length);
    return reader.readIf(inside, input, indices, zero);
  };
  return makeParallel(b, {}, {}, blocks, getElementTypeOrSelf(input), body);
}

Value RunningSumBuilder::build(Value input, ArrayRef<OpFoldResult> shape,
                               RunningSum sum, int levels) {
  std::optional<int64_t> length = getConstantIntValue(shape[dim]);
  if (length ? *length <= kBlock : levels == 0) {
    return sumRows(input, shape, dim, sum);
  }
  SmallVector<OpFoldResult> blocks(shape), totalsShape(shape);
  totalsShape[dim] = blocks[dim] = countBlocks(shape[dim]);
  blocks.insert(blocks.begin() + dim + 1, b.getIndexAttr(kBlock));
  Value parts = makeBlocks(input, blocks, getSizeValues(b, shape[dim]).front());
  Value within = sumRows(parts, blocks, dim + 1, sum);
  Value totals = sumRows(parts, blocks, dim + 1, std::nullopt);
  Value before =
      build(totals, totalsShape, {/*exclusive=*/true, sum.reverse}, levels - 1);
  auto body = [&](ImplicitLocOpBuilder &inner, ValueRange) -> Value {
    ElementReader reader(inner);
    SmallVector<Value> ofBlock, ofElement;
    for (int64_t i = 0, e = shape.size(); i < e; ++i) {
      Value position = reader.position(i);
      if (i != dim) {
        ofBlock.push_back(position);
        ofElement.push_back(position);
        continue;
      }
      Value size = reader.constant(kBlock);
      ofBlock.push_back(arith::DivUIOp::create(inner, position, size));
      ofElement.push_back(ofBlock.back());
      ofElement.push_back(arith::RemUIOp::create(inner, position, size));
    }
    return combineScalars(inner, ReduceKind::sum, compute,
                          reader.read(before, ofBlock),
                          reader.read(within, ofElement));
  };
  return makeParallel(b, {}, {}, shape, compute, body);
}

struct LowerCumsum : OpConversionPattern<CumsumOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(CumsumOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Value input = adaptor.getInput();
    Type compute = getComputeType(getElementTypeOrSelf(op.getInput()));
    SmallVector<OpFoldResult> shape = getShape(b, op.getInput(), input);
    RunningSumBuilder builder(b, op.getDim(), compute);
    Value sums = builder.build(
        input, shape, {op.getExclusive(), op.getReverse()}, kDynamicLevels);
    rewriter.replaceOp(op, narrowTensor(b, sums, getElementTypeOrSelf(input)));
    return success();
  }
};

} // namespace

void fusion::populateCumulativeSumPatterns(const TypeConverter &converter,
                                           RewritePatternSet &patterns) {
  patterns.add<LowerCumsum>(converter, patterns.getContext());
}
