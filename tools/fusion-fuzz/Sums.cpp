//===- Sums.cpp - random reductions and products --------------------------===//

#include "Generator.h"
#include "fusion/Analysis/HalfFloats.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::fuzz;

Value Generator::addRowStatistic(ReduceKind kind, Value value) {
  Shape shape(getShape(value));
  int64_t last = getRank(value) - 1;
  Value row = add(ReduceOp::create(builder, loc, kind, value, {last}),
                  ArrayRef<int64_t>(shape).drop_back());
  return broadcast(row, value, llvm::to_vector(llvm::seq<int64_t>(0, last)));
}

bool Generator::addReduce() {
  Value value = pick([&](Value v) { return getRank(v) > 0; });
  if (!value) {
    return false;
  }
  auto kind =
      random.pick({ReduceKind::sum, ReduceKind::sum, ReduceKind::max,
                   ReduceKind::min, ReduceKind::mean, ReduceKind::prod});
  if (isBool(value)) {
    kind = random.pick({ReduceKind::max, ReduceKind::min});
  }
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
  if (random.chance(40) && isNumber(value)) {
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

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// The type that sums of `element` may be kept in.
static Type widen(Type element) {
  if (isHalfFloat(element)) {
    return Float32Type::get(element.getContext());
  }
  auto integer = dyn_cast<IntegerType>(element);
  return integer && integer.getWidth() < 32
             ? Type(IntegerType::get(element.getContext(), 32,
                                     integer.getSignedness()))
             : Type();
}

Value Generator::makeWeights(Type element, ArrayRef<int64_t> shape) {
  return makeArgument(RankedTensorType::get(shape, element), shape);
}

Value Generator::addProduct(Value lhs, Value rhs, bool transposeA,
                            bool transposeB, Type element) {
  Shape shape(getShape(lhs)), right(getShape(rhs));
  size_t rank = shape.size();
  shape[rank - 2] = shape[transposeA ? rank - 1 : rank - 2];
  shape[rank - 1] = right[transposeB ? rank - 2 : rank - 1];
  auto product =
      MatmulOp::create(builder, loc, lhs, rhs, transposeA, transposeB);
  if (element) {
    product.getResult().setType(getType(product.getResult()).clone(element));
  }
  return add(product, shape);
}

Value Generator::addLinear(Value value, int64_t columns) {
  int64_t terms = getShape(value)[1];
  bool transposed = random.chance(40);
  Shape shape{terms, columns};
  SmallVector<int64_t> dims{getType(value).getDimSize(1), columns};
  if (transposed) {
    std::swap(shape[0], shape[1]);
    std::swap(dims[0], dims[1]);
  }
  Value weights =
      makeArgument(RankedTensorType::get(dims, getElement(value)), shape);
  return addProduct(value, weights, false, transposed);
}

Value Generator::addBias(Value value) {
  Shape shape(getShape(value));
  int64_t last = getRank(value) - 1;
  auto narrow = RankedTensorType::get(getType(value).getShape().take_back(),
                                      getElement(value));
  Value bias = makeArgument(narrow, ArrayRef<int64_t>(shape).take_back());
  return addElementwise("add", {value, broadcast(bias, value, {last})}, {});
}

Value Generator::pickMatrix() {
  Value value = pick([&](Value v) { return getRank(v) == 2 && isFloat(v); });
  if (value && random.chance(80)) {
    return value;
  }
  return makeArgument(pickFloatType(), pickShape(2, 2));
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
  size_t terms = transposeA ? rank - 2 : rank - 1;
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
  if (count(shape) / std::max<int64_t>(shape[terms], 1) * columns >
      mostElements) {
    return false;
  }
  addProduct(lhs, rhs, transposeA, transposeB,
             random.chance(15) ? widen(type.getElementType()) : Type());
  return true;
}
