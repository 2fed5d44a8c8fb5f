//===- Sums.cpp - random reductions, products and windows -----------------===//

#include "Generator.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::fuzz;

static constexpr int64_t mostElements = 3000;
/// Multiplications of one op.
static constexpr int64_t mostWork = 200000;

bool Generator::addReduce() {
  Value value = pick([&](Value v) { return getRank(v) > 0 && isNumber(v); });
  if (!value) {
    return false;
  }
  auto kind =
      random.pick({ReduceKind::sum, ReduceKind::sum, ReduceKind::max,
                   ReduceKind::min, ReduceKind::mean, ReduceKind::prod});
  if (kind == ReduceKind::mean && !isFloat(value)) {
    kind = ReduceKind::sum;
  }
  SmallVector<int64_t> dims;
  Shape shape;
  int64_t rank = getRank(value), chosen = random.below(rank);
  for (int64_t i = 0; i < rank; ++i) {
    if (i == chosen || random.chance(25)) {
      dims.push_back(i);
    } else {
      shape.push_back(getShape(value)[i]);
    }
  }
  Value result = add(ReduceOp::create(builder, loc, kind, value, dims), shape);
  // Mostly what was reduced meets its reduction again.
  if (random.chance(40) && dims.size() + shape.size() == size_t(rank)) {
    SmallVector<int64_t> kept;
    for (int64_t i = 0; i < rank; ++i) {
      if (!llvm::is_contained(dims, i)) {
        kept.push_back(i);
      }
    }
    Value wide = broadcast(result, value, kept);
    addElementwise(random.pick<StringRef>({"sub", "div", "mul"}), {value, wide},
                   {});
  }
  return true;
}

bool Generator::addSoftmax() {
  Value value = pick([&](Value v) { return getRank(v) > 0 && isFloat(v); });
  if (!value) {
    return false;
  }
  Shape shape(getShape(value));
  int64_t rank = getRank(value);
  auto dim = uint64_t(random.chance(70) ? rank - 1 : random.below(rank));
  if (random.chance(70)) {
    add(SoftmaxOp::create(builder, loc, value, dim), shape);
  } else {
    add(LogSoftmaxOp::create(builder, loc, value, dim), shape);
  }
  return true;
}

bool Generator::addNorm() {
  Value value = pick([&](Value v) { return getRank(v) > 0 && isFloat(v); });
  if (!value) {
    return false;
  }
  Shape shape(getShape(value));
  RankedTensorType type = getType(value);
  int64_t rank = getRank(value);
  int64_t axis = random.chance(70) ? rank - 1 : random.below(rank);
  auto narrow = RankedTensorType::get(type.getShape().drop_front(axis),
                                      type.getElementType());
  auto rest = ArrayRef<int64_t>(shape).drop_front(axis);
  Value scale = random.chance(60) ? makeArgument(narrow, rest) : Value();
  Value bias =
      scale && random.chance(60) ? makeArgument(narrow, rest) : Value();
  FloatAttr eps = builder.getF32FloatAttr(1e-5f);
  IntegerAttr at = builder.getI64IntegerAttr(axis);
  if (random.chance(60)) {
    add(LayerNormOp::create(builder, loc, value, scale, bias, at, eps), shape);
  } else {
    add(RmsNormOp::create(builder, loc, value, scale, at, eps), shape);
  }
  return true;
}

bool Generator::addCumsum() {
  Value value = pick([&](Value v) { return getRank(v) > 0 && isNumber(v); });
  if (!value) {
    return false;
  }
  Shape shape(getShape(value));
  add(CumsumOp::create(builder, loc, value,
                       uint64_t(random.below(getRank(value))),
                       random.chance(30), random.chance(30)),
      shape);
  return true;
}

bool Generator::addMatmul() {
  Value lhs = pick([&](Value v) {
    return getRank(v) >= 2 && getRank(v) <= 4 && isNumber(v);
  });
  if (!lhs) {
    return false;
  }
  bool transposeA = random.chance(20), transposeB = random.chance(40);
  RankedTensorType type = getType(lhs);
  Shape shape(getShape(lhs));
  size_t rank = shape.size();
  size_t rows = transposeA ? rank - 1 : rank - 2,
         terms = transposeA ? rank - 2 : rank - 1;
  int64_t columns = pickSize();
  if (count(shape) * columns > mostWork ||
      count(shape) / std::max<int64_t>(shape[terms], 1) * columns >
          mostElements) {
    columns = random.between(1, 8);
  }
  Shape right(shape.begin(), shape.end() - 2);
  SmallVector<int64_t> dims(type.getShape().drop_back(2));
  right.append({shape[terms], columns});
  dims.append({type.getDimSize(static_cast<unsigned>(terms)), columns});
  if (transposeB) {
    std::swap(right[rank - 2], right[rank - 1]);
    std::swap(dims[rank - 2], dims[rank - 1]);
  }
  auto rightType = RankedTensorType::get(dims, type.getElementType());
  Value rhs = pick([&](Value v) {
    return v.getType() == rightType && getShape(v) == ArrayRef(right);
  });
  if (!rhs || random.chance(60)) {
    rhs = makeArgument(rightType, right);
  }
  Shape result(shape.begin(), shape.end() - 2);
  result.append({shape[rows], columns});
  if (count(result) > mostElements) {
    return false;
  }
  add(MatmulOp::create(builder, loc, lhs, rhs, transposeA, transposeB), result);
  return true;
}

/// Sizes, steps and paddings of a window over some dims.
namespace {
struct Window {
  SmallVector<int64_t> sizes, strides, dilations, low, high;
  SmallVector<int64_t> places;
};
} // namespace

static Window makeWindow(Random &random, ArrayRef<int64_t> space, bool padded) {
  Window window;
  for (int64_t size : space) {
    int64_t taps = random.between(1, std::min<int64_t>(size, 3));
    int64_t dilation = taps > 1 && size > 4 && random.chance(20) ? 2 : 1;
    int64_t low = padded && random.chance(50) ? taps / 2 : 0;
    int64_t high = padded && random.chance(50) ? taps / 2 : 0;
    int64_t extent = (taps - 1) * dilation + 1;
    if (extent > size + low + high) {
      dilation = 1;
      extent = taps;
    }
    int64_t stride = random.pick<int64_t>({1, 1, 2});
    window.sizes.push_back(taps);
    window.dilations.push_back(dilation);
    window.low.push_back(low);
    window.high.push_back(high);
    window.strides.push_back(stride);
    window.places.push_back((size + low + high - extent) / stride + 1);
  }
  return window;
}

bool Generator::addConv() {
  Value value = pick([&](Value v) {
    return getRank(v) >= 3 && isNumber(v) && count(getShape(v)) > 0 &&
           !getType(v).isDynamicDim(1);
  });
  if (!value) {
    return false;
  }
  Shape from(getShape(value));
  int64_t channels = from[1];
  int64_t groups = channels % 2 == 0 && random.chance(20) ? 2
                   : random.chance(10)                    ? channels
                                                          : 1;
  Window window =
      makeWindow(random, ArrayRef<int64_t>(from).drop_front(2), true);
  int64_t filters = groups * random.between(1, groups > 2 ? 2 : 6);
  Shape filter{filters, channels / groups};
  filter.append(window.sizes.begin(), window.sizes.end());
  Shape shape{from[0], filters};
  shape.append(window.places.begin(), window.places.end());
  if (count(shape) > mostElements ||
      count(shape) * count(filter) / filters > mostWork) {
    return false;
  }
  Value weights =
      makeArgument(RankedTensorType::get(filter, getElement(value)), filter);
  add(ConvOp::create(builder, loc, value, weights, window.strides,
                     window.dilations, window.low, window.high,
                     uint64_t(groups)),
      shape);
  return true;
}

bool Generator::addPool() {
  Value value = pick([&](Value v) {
    return getRank(v) >= 3 && isNumber(v) && count(getShape(v)) > 0;
  });
  if (!value) {
    return false;
  }
  auto kind = random.pick(
      {ReduceKind::max, ReduceKind::sum, ReduceKind::min, ReduceKind::prod});
  Shape from(getShape(value));
  Window window =
      makeWindow(random, ArrayRef<int64_t>(from).drop_front(2), true);
  Shape shape{from[0], from[1]};
  shape.append(window.places.begin(), window.places.end());
  add(PoolOp::create(builder, loc, kind, value, window.sizes, window.strides,
                     window.dilations, window.low, window.high),
      shape);
  return true;
}

bool Generator::addAttention() {
  Value query = pick([&](Value v) {
    return getRank(v) >= 2 && getRank(v) <= 4 && isFloat(v) &&
           count(getShape(v)) > 0;
  });
  if (!query) {
    return false;
  }
  Shape shape(getShape(query));
  size_t rank = shape.size();
  Shape scores = shape;
  scores[rank - 1] = shape[rank - 2];
  if (count(scores) > mostElements ||
      count(scores) * shape[rank - 1] > mostWork) {
    return false;
  }
  Value keys = getLike(query), content = getLike(query);
  Value product =
      add(MatmulOp::create(builder, loc, query, keys, false, true), scores);
  Value scaled = addElementwise("mul", {product, makeSplat(product)}, {});
  if (random.chance(50)) {
    scaled = addElementwise("add", {scaled, getLike(scaled)}, {});
  }
  Value weights =
      add(SoftmaxOp::create(builder, loc, scaled, rank - 1), scores);
  add(MatmulOp::create(builder, loc, weights, content, false, false), shape);
  return true;
}
