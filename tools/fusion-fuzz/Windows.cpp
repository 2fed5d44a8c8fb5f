//===- Windows.cpp - random convolutions and pools ------------------------===//

#include "Generator.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::fuzz;

namespace {
/// Sizes, steps and paddings of a window over some dims.
struct Window {
  SmallVector<int64_t> sizes, strides, dilations, low, high;
  SmallVector<int64_t> places;
};
} // namespace

static Window makeWindow(Random &random, ArrayRef<int64_t> space) {
  Window window;
  for (int64_t size : space) {
    int64_t taps = random.between(1, std::min<int64_t>(size, 3));
    int64_t dilation = taps > 1 && size > 4 && random.chance(20) ? 2 : 1;
    int64_t low = random.chance(50) ? taps / 2 : 0;
    int64_t high = random.chance(50) ? taps / 2 : 0;
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

/// The window of a transposed convolution: every element of `space` moves it.
static Window makeSpread(Random &random, ArrayRef<int64_t> space) {
  Window window;
  for (int64_t size : space) {
    int64_t taps = random.between(1, 3);
    int64_t dilation = random.chance(20) ? 2 : 1;
    int64_t stride = random.pick<int64_t>({1, 2, 2, 3});
    int64_t whole = (size - 1) * stride + dilation * (taps - 1) + 1;
    int64_t low = random.between(-1, std::min<int64_t>(whole - 1, 1));
    int64_t high =
        low < whole - 1 && random.chance(50) ? random.between(-1, 1) : 0;
    window.sizes.push_back(taps);
    window.dilations.push_back(dilation);
    window.low.push_back(low);
    window.high.push_back(high);
    window.strides.push_back(stride);
    window.places.push_back(whole - low - high);
  }
  return window;
}

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

/// Filters of integers, with a factor for each filter, or for each channel of
/// it.
Value Generator::addDequantizedFilters(Type element, ArrayRef<int64_t> shape) {
  Type stored = IntegerType::get(context, 8,
                                 random.chance(40) ? IntegerType::Unsigned
                                                   : IntegerType::Signless);
  Value filters = addCastTo(makeWeights(stored, shape), element);
  bool each = random.chance(40);
  Value factor =
      each ? broadcast(makeWeights(element, shape.take_front(2)), filters,
                       {0, 1})
           : broadcast(makeWeights(element, shape.take_front(1)), filters, {0});
  return addElementwise("mul", {filters, factor}, {});
}

/// A batch norm that is not folded, as models are exported, and an activation.
Value Generator::addChannelNorm(Value value) {
  for (StringRef name : {"mul", "add"}) {
    Value channel = makeWeights(getElement(value), {getShape(value)[1]});
    value = addElementwise(name, {value, broadcast(channel, value, {1})}, {});
  }
  return random.chance(60) ? addElementwise("relu", value, {})
                           : addFunction(value);
}

Value Generator::addConvOf(Value value, int64_t filters, int64_t groups) {
  Shape from(getShape(value));
  Window window = makeWindow(random, ArrayRef<int64_t>(from).drop_front(2));
  Shape filter{filters, from[1] / groups};
  filter.append(window.sizes);
  Shape shape{from[0], filters};
  shape.append(window.places);
  if (count(shape) > mostElements ||
      count(shape) * count(filter) / filters > mostWork) {
    return {};
  }
  Value weights = isFloat(value) && random.chance(20)
                      ? addDequantizedFilters(getElement(value), filter)
                      : makeWeights(getElement(value), filter);
  return add(ConvOp::create(builder, loc, value, weights, window.strides,
                            window.dilations, window.low, window.high,
                            uint64_t(groups)),
             shape);
}

/// How many groups `channels` channels fall into.
static int64_t pickGroups(Random &random, int64_t channels) {
  return channels % 2 == 0 && random.chance(20) ? 2
         : random.chance(10)                    ? channels
                                                : 1;
}

bool Generator::addConv() {
  Value value = pick([&](Value v) {
    return getRank(v) >= 3 && isNumber(v) && count(getShape(v)) > 0 &&
           !getType(v).isDynamicDim(1);
  });
  if (!value) {
    return false;
  }
  int64_t groups = pickGroups(random, getShape(value)[1]);
  int64_t filters = groups * random.between(1, groups > 2 ? 2 : 6);
  if (isFloat(value) && random.chance(30)) {
    value = addChannelNorm(value);
  }
  Value result = addConvOf(value, filters, groups);
  if (result && isFloat(result) && random.chance(40)) {
    addChannelNorm(result);
  }
  return bool(result);
}

bool Generator::addConvTranspose() {
  Value value = pick([&](Value v) {
    return getRank(v) >= 3 && isNumber(v) && count(getShape(v)) > 0 &&
           !getType(v).isDynamicDim(1);
  });
  if (!value) {
    return false;
  }
  Shape from(getShape(value));
  int64_t groups = pickGroups(random, from[1]);
  int64_t filters = random.between(1, 4);
  Window window = makeSpread(random, ArrayRef<int64_t>(from).drop_front(2));
  Shape filter{from[1], filters};
  filter.append(window.sizes);
  Shape shape{from[0], filters * groups};
  shape.append(window.places);
  if (count(shape) > mostElements ||
      count(from) * count(filter) / from[1] > mostWork) {
    return false;
  }
  Value weights = makeWeights(getElement(value), filter);
  add(ConvTransposeOp::create(builder, loc, value, weights, window.strides,
                              window.dilations, window.low, window.high,
                              uint64_t(groups)),
      shape);
  return true;
}

bool Generator::addConvPair() {
  Value value = pick([&](Value v) {
    return getRank(v) >= 3 && isFloat(v) && count(getShape(v)) > 0 &&
           !getType(v).isDynamicDim(1);
  });
  if (!value) {
    Shape shape{random.between(1, 2), random.between(1, 8)};
    for (int64_t dims = random.between(1, 2); dims > 0; --dims) {
      shape.push_back(random.between(3, 12));
    }
    value = makeWeights(pickFloatType(), shape);
  }
  Value first = addConvOf(value, random.between(1, 8), 1);
  if (!first) {
    return false;
  }
  // The second one reads the first one, or the same as the first one does.
  bool isChain = random.chance(50);
  Value middle = random.chance(60) ? addFunction(first) : first;
  Value second = addConvOf(isChain ? middle : value, random.between(1, 8), 1);
  if (second && random.chance(50)) {
    addFunction(second);
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Pools
//===----------------------------------------------------------------------===//

bool Generator::addPool() {
  Value value =
      pick([&](Value v) { return getRank(v) >= 3 && count(getShape(v)) > 0; });
  if (!value) {
    return false;
  }
  auto kind = random.pick(
      {ReduceKind::max, ReduceKind::sum, ReduceKind::min, ReduceKind::prod});
  if (isBool(value)) {
    kind = random.pick({ReduceKind::max, ReduceKind::min});
  }
  Shape from(getShape(value));
  Window window = makeWindow(random, ArrayRef<int64_t>(from).drop_front(2));
  Shape shape{from[0], from[1]};
  shape.append(window.places);
  if (count(shape) > mostElements) {
    return false;
  }
  add(PoolOp::create(builder, loc, kind, value, window.sizes, window.strides,
                     window.dilations, window.low, window.high),
      shape);
  return true;
}
