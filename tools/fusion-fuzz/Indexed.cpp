//===- Indexed.cpp - random ops on positions ------------------------------===//

#include "Generator.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::fuzz;

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

Value Generator::makeIndices(RankedTensorType type, ArrayRef<int64_t> shape,
                             int64_t size) {
  return makeArgument(type, shape, "index" + std::to_string(size) + "_");
}

Value Generator::makeIndices(ArrayRef<int64_t> shape, int64_t size) {
  Type element =
      random.chance(50) ? builder.getI64Type() : builder.getI32Type();
  return makeArgument(element, shape, "index" + std::to_string(size) + "_");
}

Value Generator::makeUpdates(RankedTensorType type, ArrayRef<int64_t> shape) {
  Value found = pick(
      [&](Value v) { return v.getType() == type && getShape(v) == shape; });
  Value updates =
      found && random.chance(70) ? found : makeArgument(type, shape);
  return random.chance(40) ? addToChain(updates) : updates;
}

ScatterKind Generator::pickScatterKind(Value value) {
  auto kind =
      random.pick({ScatterKind::replace, ScatterKind::add, ScatterKind::mul,
                   ScatterKind::max, ScatterKind::min});
  bool isSum = kind == ScatterKind::add || kind == ScatterKind::mul;
  return isBool(value) && isSum ? ScatterKind::replace : kind;
}

//===----------------------------------------------------------------------===//
// Gather
//===----------------------------------------------------------------------===//

bool Generator::addGather() {
  Value value =
      pick([&](Value v) { return getRank(v) > 0 && count(getShape(v)) > 0; });
  if (!value) {
    return false;
  }
  int64_t dim = random.below(getRank(value));
  Shape from(getShape(value));
  int64_t rest = count(from) / from[dim];
  Shape places = pickShape(0, getRank(value) > 2 ? 1 : 2);
  if (rest * count(places) > mostElements) {
    return false;
  }
  Value indices = makeIndices(places, from[dim]);
  Shape shape(from.begin(), from.begin() + dim);
  shape.append(places);
  shape.append(from.begin() + dim + 1, from.end());
  add(GatherOp::create(builder, loc, value, indices, dim), shape);
  return true;
}

bool Generator::addGatherElements() {
  Value value =
      pick([&](Value v) { return getRank(v) > 0 && count(getShape(v)) > 0; });
  if (!value) {
    return false;
  }
  int64_t dim = random.below(getRank(value));
  Shape shape(getShape(value));
  int64_t size = shape[dim];
  SmallVector<int64_t> dims(getType(value).getShape());
  if (random.chance(40)) {
    dims[dim] = shape[dim] = random.between(0, 5);
  }
  Value indices = makeIndices(RankedTensorType::get(dims, builder.getI64Type()),
                              shape, size);
  add(GatherElementsOp::create(builder, loc, value, indices, dim), shape);
  return true;
}

bool Generator::addGatherNd() {
  Value value =
      pick([&](Value v) { return getRank(v) > 0 && count(getShape(v)) > 0; });
  if (!value) {
    return false;
  }
  Shape from(getShape(value));
  ArrayRef<int64_t> dims = getType(value).getShape();
  int64_t rank = getRank(value);
  int64_t batch = rank > 1 && random.chance(30) ? 1 : 0;
  int64_t depth = random.between(1, rank - batch);
  Shape places(from.begin(), from.begin() + batch);
  SmallVector<int64_t> type(dims.take_front(batch));
  for (int64_t i = random.between(0, 2); i > 0; --i) {
    places.push_back(random.between(i == 1 ? 0 : 1, 7));
    type.push_back(places.back());
  }
  Shape shape(places);
  shape.append(from.begin() + batch + depth, from.end());
  if (count(shape) > mostElements) {
    return false;
  }
  places.push_back(depth);
  type.push_back(depth);
  int64_t largest =
      *std::max_element(from.begin() + batch, from.begin() + batch + depth);
  Value indices = makeIndices(RankedTensorType::get(type, builder.getI64Type()),
                              places, largest);
  add(GatherNdOp::create(builder, loc, value, indices, uint64_t(batch)), shape);
  return true;
}

//===----------------------------------------------------------------------===//
// Scatter
//===----------------------------------------------------------------------===//

bool Generator::addScatterElements() {
  Value value =
      pick([&](Value v) { return getRank(v) > 0 && count(getShape(v)) > 0; });
  if (!value) {
    return false;
  }
  int64_t dim = random.below(getRank(value));
  Shape from(getShape(value)), shape(from);
  SmallVector<int64_t> dims(getType(value).getShape());
  for (int64_t i = 0, e = getRank(value); i < e; ++i) {
    if (i == dim || random.chance(25)) {
      int64_t most = i == dim ? 8 : from[i];
      dims[i] = shape[i] = random.between(random.chance(5) ? 0 : 1, most);
    }
  }
  if (count(shape) > mostElements) {
    return false;
  }
  Value indices = makeIndices(RankedTensorType::get(dims, builder.getI64Type()),
                              shape, from[dim]);
  Value updates =
      makeUpdates(RankedTensorType::get(dims, getElement(value)), shape);
  add(ScatterElementsOp::create(builder, loc, pickScatterKind(value), value,
                                indices, updates, uint64_t(dim)),
      from);
  return true;
}

bool Generator::addScatterNd() {
  Value value =
      pick([&](Value v) { return getRank(v) > 0 && count(getShape(v)) > 0; });
  if (!value) {
    return false;
  }
  Shape from(getShape(value));
  int64_t depth = random.between(1, getRank(value));
  Shape places;
  for (int64_t i = random.between(0, 2); i > 0; --i) {
    places.push_back(random.between(i == 1 ? 0 : 1, 7));
  }
  Shape shape(places);
  SmallVector<int64_t> dims(places.begin(), places.end());
  shape.append(from.begin() + depth, from.end());
  ArrayRef<int64_t> rest = getType(value).getShape().drop_front(depth);
  dims.append(rest.begin(), rest.end());
  if (count(shape) > mostElements) {
    return false;
  }
  places.push_back(depth);
  int64_t largest = *std::max_element(from.begin(), from.begin() + depth);
  Value indices = makeIndices(
      RankedTensorType::get(places, builder.getI64Type()), places, largest);
  Value updates =
      makeUpdates(RankedTensorType::get(dims, getElement(value)), shape);
  add(ScatterNdOp::create(builder, loc, pickScatterKind(value), value, indices,
                          updates),
      from);
  return true;
}

//===----------------------------------------------------------------------===//
// Search and order
//===----------------------------------------------------------------------===//

bool Generator::addArgReduce() {
  Value value = pick([&](Value v) {
    return getRank(v) > 0 && count(getShape(v)) > 0 && isExact(v);
  });
  if (!value) {
    return false;
  }
  int64_t dim =
      random.chance(60) ? getRank(value) - 1 : random.below(getRank(value));
  Shape shape(getShape(value));
  shape.erase(shape.begin() + dim);
  auto kind = random.pick({ReduceKind::max, ReduceKind::min});
  add(ArgReduceOp::create(builder, loc, kind, value, uint64_t(dim),
                          random.chance(30)),
      shape);
  return true;
}

bool Generator::addTopK() {
  Value value = pick([&](Value v) {
    return getRank(v) > 0 && count(getShape(v)) > 0 && isExact(v);
  });
  if (!value) {
    return false;
  }
  int64_t dim =
      random.chance(60) ? getRank(value) - 1 : random.below(getRank(value));
  Shape shape(getShape(value));
  OpFoldResult kept;
  if (random.chance(30)) {
    kept = tensor::getMixedSize(builder, loc, value, dim); // A sort.
  } else {
    shape[dim] = random.between(1, std::min<int64_t>(shape[dim], 9));
    kept = builder.getIndexAttr(shape[dim]);
  }
  auto found =
      TopKOp::create(builder, loc, value, dim, random.chance(40), kept);
  exactness.visit(found);
  addValue(found.getValues(), shape);
  addValue(found.getIndices(), shape);
  return true;
}
