//===- Attention.cpp - random attention, with what stands in between ------===//

#include "Generator.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include <limits>

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::fuzz;

/// [batch, heads, rows, size] to [batch, heads * times, rows, size]: heads that
/// several queries share.
Value Generator::repeatHeads(Value value, int64_t times) {
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(builder, loc, value);
  Shape shape(getShape(value));
  Shape merged(shape);
  SmallVector<OpFoldResult> mergedSizes(sizes);
  merged[1] *= times;
  mergedSizes[1] = builder.getIndexAttr(merged[1]);
  shape.insert(shape.begin() + 2, times);
  sizes.insert(sizes.begin() + 2, builder.getIndexAttr(times));
  Value wide = add(BroadcastOp::create(builder, loc, value, sizes,
                                       ArrayRef<int64_t>{0, 1, 3, 4}),
                   shape);
  return addReshapeTo(wide, mergedSizes, merged);
}

/// Hides some of the scores, or moves them.
Value Generator::addMask(Value scores) {
  int64_t rank = getRank(scores), kind = random.below(7);
  Shape shape(getShape(scores));
  ArrayRef<int64_t> dims = getType(scores).getShape();
  if (kind == 0) {
    return scores;
  }
  if (kind == 1) {
    return addElementwise("add", {scores, getLike(scores)}, {});
  }
  if (kind == 2) { // One mask for all heads.
    auto type = RankedTensorType::get(dims.take_back(2), getElement(scores));
    Value mask = makeArgument(type, ArrayRef<int64_t>(shape).take_back(2));
    return addElementwise(
        "add", {scores, broadcast(mask, scores, {rank - 2, rank - 1})}, {});
  }
  Value hidden = makeConstant(
      random.chance(60) ? -std::numeric_limits<double>::infinity() : -10000,
      scores);
  auto bits = RankedTensorType::get(dims, builder.getI1Type());
  if (kind == 3) {
    return addElementwise("select", {makeArgument(bits, shape), scores, hidden},
                          scores.getType());
  }
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(builder, loc, scores);
  auto number = [&](int64_t dim) {
    return add(IotaOp::create(builder, loc, builder.getI64Type(), sizes, dim),
               shape);
  };
  Value column = number(rank - 1), seen;
  if (kind == 4) { // Only so many columns.
    Value length = makeIndices(RankedTensorType::get({}, builder.getI64Type()),
                               {}, shape[rank - 1]);
    seen = add(CompareOp::create(builder, loc, ComparePredicate::lt, column,
                                 broadcast(length, column, {})),
               shape);
  } else { // Causal; in a window.
    Value row = number(rank - 2);
    seen =
        add(CompareOp::create(builder, loc, ComparePredicate::le, column, row),
            shape);
    if (kind == 6) {
      Value first = addElementwise(
          "sub", {row, makeConstant(double(random.between(1, 9)), row)}, {});
      Value near = add(
          CompareOp::create(builder, loc, ComparePredicate::gt, column, first),
          shape);
      seen = addElementwise("and", {seen, near}, {});
    }
  }
  return addElementwise("select", {seen, scores, hidden}, scores.getType());
}

/// A softmax over the last dim, as one op or as models without it write it.
Value Generator::addWeights(Value scores) {
  Shape shape(getShape(scores));
  if (random.chance(75)) {
    return add(
        SoftmaxOp::create(builder, loc, scores, uint64_t(getRank(scores) - 1)),
        shape);
  }
  Value largest = addRowStatistic(ReduceKind::max, scores);
  Value away = addElementwise("sub", {scores, largest}, {});
  Value power = addElementwise("exp", away, {});
  Value total = addRowStatistic(ReduceKind::sum, power);
  return addElementwise("div", {power, total}, {});
}

bool Generator::addAttention() {
  Value query = pick([&](Value v) {
    return getRank(v) >= 2 && getRank(v) <= 4 && isFloat(v) &&
           count(getShape(v)) > 0;
  });
  if (!query || random.chance(50)) {
    Shape shape{random.between(1, 2), random.pick<int64_t>({1, 2, 4}),
                random.pick<int64_t>({1, 5, 16, 33}),
                random.pick<int64_t>({3, 8, 16, 64})};
    shape.erase(shape.begin(), shape.begin() + random.below(3));
    query = makeArgument(pickFloatType(), shape);
  }
  Shape shape(getShape(query));
  size_t rank = shape.size();
  int64_t columns =
      random.chance(50) ? shape[rank - 2] : random.pick<int64_t>({1, 7, 40});
  Shape scores(shape), keys(shape);
  scores[rank - 1] = keys[rank - 2] = columns;
  if (count(scores) > mostElements || count(keys) > mostElements ||
      count(scores) * shape[rank - 1] > mostWork) {
    return false;
  }
  SmallVector<int64_t> dims(getType(query).getShape());
  bool isOpen = llvm::is_contained(dynamicSizes, columns);
  dims[rank - 2] = isOpen ? ShapedType::kDynamic : columns;
  int64_t shared = 1;
  if (rank == 4 && !ShapedType::isDynamic(dims[1]) && random.chance(40)) {
    shared = dims[1];
    shared = shared % 2 == 0 && random.chance(50) ? shared / 2 : shared;
    dims[1] = keys[1] = dims[1] / shared;
  }
  auto type = RankedTensorType::get(dims, getElement(query));
  Value key = makeArgument(type, keys), content = makeArgument(type, keys);
  key = shared > 1 ? repeatHeads(key, shared) : key;
  content = shared > 1 ? repeatHeads(content, shared) : content;
  Value product = addProduct(query, key, false, true);
  Value between = addElementwise("mul", {product, makeSplat(product)}, {});
  if (random.chance(20)) {
    between = addElementwise("tanh", between, {});
  }
  Value weights = addWeights(addMask(between));
  Value result = addProduct(weights, content);
  if (rank == 4 && random.chance(50)) {
    addTransposeBy(result, {0, 2, 1, 3});
  }
  return true;
}
