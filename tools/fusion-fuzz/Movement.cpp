//===- Movement.cpp - random ops that arrange elements --------------------===//

#include "Generator.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::fuzz;

static OpFoldResult getSize(OpBuilder &builder, Location loc, Value value,
                            int64_t dim) {
  return tensor::getMixedSize(builder, loc, value, dim);
}

bool Generator::addBroadcast() {
  Value value = pick([&](Value v) { return getRank(v) < 4; });
  if (!value) {
    return false;
  }
  // New dims among the old ones; ones grow.
  Shape from(getShape(value)), shape;
  SmallVector<int64_t> dims;
  SmallVector<OpFoldResult> sizes;
  auto grow = [&]() {
    int64_t size = std::max<int64_t>(pickSize(), 1);
    size = count(from) * count(shape) * size > mostElements ? 2 : size;
    shape.push_back(size);
    sizes.push_back(builder.getIndexAttr(size));
  };
  for (int64_t i = 0, e = getRank(value); i < e; ++i) {
    if (random.chance(30) && e + 1 < 5 && shape.size() < 4) {
      grow();
    }
    dims.push_back(static_cast<int64_t>(shape.size()));
    if (from[i] == 1 && !getType(value).isDynamicDim(i) && random.chance(60)) {
      grow();
      continue;
    }
    shape.push_back(from[i]);
    sizes.push_back(getSize(builder, loc, value, i));
  }
  if (shape == from) {
    grow();
  }
  if (count(shape) > mostElements) {
    return false;
  }
  add(BroadcastOp::create(builder, loc, value, sizes, dims), shape);
  return true;
}

Value Generator::addTransposeBy(Value value, ArrayRef<int64_t> perm) {
  Shape shape;
  for (int64_t dim : perm) {
    shape.push_back(getShape(value)[dim]);
  }
  return add(TransposeOp::create(builder, loc, value, perm), shape);
}

Value Generator::addReshapeTo(Value value, ArrayRef<OpFoldResult> sizes,
                              ArrayRef<int64_t> shape) {
  return add(ReshapeOp::create(builder, loc, value, sizes), shape);
}

bool Generator::addTranspose() {
  Value value = pick([&](Value v) { return getRank(v) >= 2; });
  if (!value) {
    return false;
  }
  SmallVector<int64_t> perm =
      llvm::to_vector(llvm::seq<int64_t>(0, getRank(value)));
  for (size_t i = perm.size() - 1; i > 0; --i) {
    std::swap(perm[i], perm[random.below(static_cast<int64_t>(i) + 1)]);
  }
  addTransposeBy(value, perm);
  return true;
}

bool Generator::addReshape() {
  Value value = pick([&](Value v) { return getRank(v) < 5; });
  if (!value) {
    return false;
  }
  Shape from(getShape(value)), shape;
  SmallVector<OpFoldResult> sizes;
  for (int64_t i = 0, e = getRank(value); i < e; ++i) {
    OpFoldResult size = getSize(builder, loc, value, i);
    bool isStatic = isa<Attribute>(size);
    auto last = sizes.empty() ? OpFoldResult() : sizes.back();
    if (isStatic && last && isa<Attribute>(last) && random.chance(40)) {
      shape.back() *= from[i];
      sizes.back() = builder.getIndexAttr(shape.back());
      continue;
    }
    int64_t part = random.pick<int64_t>({2, 3, 4, 8});
    if (isStatic && from[i] % part == 0 && from[i] > part &&
        random.chance(40)) {
      shape.append({from[i] / part, part});
      sizes.append(
          {builder.getIndexAttr(from[i] / part), builder.getIndexAttr(part)});
      continue;
    }
    shape.push_back(from[i]);
    sizes.push_back(size);
    if (random.chance(10)) {
      shape.push_back(1);
      sizes.push_back(builder.getIndexAttr(1));
    }
  }
  if (shape == from || shape.size() > 5) {
    return false;
  }
  add(ReshapeOp::create(builder, loc, value, sizes), shape);
  return true;
}

bool Generator::addSlice() {
  Value value =
      pick([&](Value v) { return getRank(v) > 0 && count(getShape(v)) > 0; });
  if (!value) {
    return false;
  }
  Shape from(getShape(value)), shape;
  SmallVector<OpFoldResult> starts, sizes;
  SmallVector<int64_t> steps;
  for (int64_t i = 0, e = getRank(value); i < e; ++i) {
    if (getType(value).isDynamicDim(i) && random.chance(30)) {
      // The last ones of a dynamic dim.
      int64_t size = random.between(1, std::min<int64_t>(from[i], 4));
      auto whole = cast<Value>(getSize(builder, loc, value, i));
      Value wanted = arith::ConstantIndexOp::create(builder, loc, size);
      starts.push_back(
          arith::SubIOp::create(builder, loc, whole, wanted).getResult());
      sizes.push_back(builder.getIndexAttr(size));
      steps.push_back(1);
      shape.push_back(size);
      continue;
    }
    if (random.chance(40)) {
      starts.push_back(builder.getIndexAttr(0));
      sizes.push_back(getSize(builder, loc, value, i));
      steps.push_back(1);
      shape.push_back(from[i]);
      continue;
    }
    int64_t step = random.pick<int64_t>({1, 1, 2, 3, -1, -2});
    int64_t start = random.below(from[i]);
    int64_t room = step > 0 ? from[i] - 1 - start : start;
    int64_t size = room / std::abs(step) + 1;
    size = random.chance(50) ? size : random.between(1, size);
    starts.push_back(builder.getIndexAttr(start));
    sizes.push_back(builder.getIndexAttr(size));
    steps.push_back(step);
    shape.push_back(size);
  }
  add(SliceOp::create(builder, loc, value, starts, sizes, steps), shape);
  return true;
}

bool Generator::addConcat() {
  Value value = pick([&](Value v) {
    return getRank(v) > 0 && 2 * count(getShape(v)) <= mostElements;
  });
  if (!value) {
    return false;
  }
  Value other = getLike(value);
  int64_t dim = random.below(getRank(value));
  Shape shape(getShape(value));
  shape[dim] += getShape(other)[dim];
  SmallVector<Value> parts{value, other};
  if (random.chance(25) && count(shape) * 3 / 2 < mostElements) {
    parts.push_back(value);
    shape[dim] += getShape(value)[dim];
  }
  add(ConcatOp::create(builder, loc, parts, dim), shape);
  return true;
}

bool Generator::addPad() {
  Value value = pick([&](Value v) {
    return getRank(v) > 0 && count(getShape(v)) * 3 <= mostElements &&
           count(getShape(v)) > 0;
  });
  if (!value) {
    return false;
  }
  auto mode = static_cast<PadMode>(random.chance(60) ? 0 : random.below(4));
  Shape shape(getShape(value));
  SmallVector<int64_t> low(shape.size()), high(shape.size());
  for (size_t i = 0; i < shape.size(); ++i) {
    bool reflects = mode == PadMode::reflect || mode == PadMode::wrap;
    int64_t most = reflects ? std::min<int64_t>(shape[i] - 1, 2) : 2;
    if (random.chance(60)) {
      low[i] = random.between(
          mode == PadMode::constant && shape[i] > 4 ? -1 : 0, most);
      high[i] = random.between(0, most);
    }
    shape[i] += low[i] + high[i];
  }
  if (count(shape) > mostElements) {
    return false;
  }
  Value fill;
  if (mode == PadMode::constant) {
    auto type = RankedTensorType::get({}, getElement(value));
    auto constant = ConstantOp::create(
        builder, loc,
        DenseElementsAttr::get(type, makeNumber(getElement(value))));
    exactness.visit(constant);
    fill = constant;
  }
  add(PadOp::create(builder, loc, mode, value, fill, low, high), shape);
  return true;
}

bool Generator::addIota() {
  Value value = pick([&](Value v) { return getRank(v) > 0; });
  if (!value) {
    return false;
  }
  Type element = pickElement();
  if (element.isInteger(1)) {
    return false;
  }
  Shape shape(getShape(value));
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(builder, loc, value);
  add(IotaOp::create(builder, loc, element, sizes,
                     random.below(getRank(value))),
      shape);
  return true;
}
