//===- Blocks.cpp - random blocks of ops, as models have them -------------===//

#include "Generator.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::fuzz;

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// Two products through few columns, alone or beside the whole one.
bool Generator::addLowRank() {
  Value value = pickMatrix();
  int64_t rows = getShape(value)[0], terms = getShape(value)[1];
  int64_t columns = pickColumns(rows, terms);
  Value narrow = addLinear(value, random.between(1, 16));
  narrow = random.chance(30) ? addFunction(narrow) : narrow;
  Value result = addLinear(narrow, columns);
  if (random.chance(50)) {
    Value scaled = addElementwise("mul", {result, makeSplat(result)}, {});
    addElementwise("add", {addLinear(value, columns), scaled}, {});
  }
  return true;
}

/// A product with integers that are made floats on the way.
bool Generator::addDequantized() {
  Value value = pickMatrix();
  Type element = getElement(value);
  int64_t terms = getShape(value)[1];
  int64_t columns = pickColumns(getShape(value)[0], terms);
  bool transposed = random.chance(50);
  SmallVector<int64_t> dims{getType(value).getDimSize(1), columns};
  Shape shape{terms, columns};
  if (transposed) {
    std::swap(dims[0], dims[1]);
    std::swap(shape[0], shape[1]);
  }
  Type stored = IntegerType::get(context, 8,
                                 random.chance(40) ? IntegerType::Unsigned
                                                   : IntegerType::Signless);
  int64_t across = transposed ? 0 : 1; // The dim of the columns.
  Value weights = makeArgument(RankedTensorType::get(dims, stored), shape);
  weights = addCastTo(weights, element);
  if (random.chance(40)) {
    Value zero = addCastTo(makeWeights(stored, {columns}), element);
    weights = addElementwise("sub",
                             {weights, broadcast(zero, weights, {across})}, {});
  }
  int64_t part = random.pick<int64_t>({2, 3, 4, 5, 7, 8, 12, 16, 32});
  Value scale;
  if (terms % part == 0 && terms > part && getType(value).hasStaticShape() &&
      random.chance(60)) {
    // One scale for each part of a column.
    Shape parts{terms / part, part, columns};
    Shape fewer{terms / part, columns};
    SmallVector<int64_t> along{0, 2};
    if (transposed) {
      parts = {columns, terms / part, part};
      fewer = {columns, terms / part};
      along = {0, 1};
    }
    Value few = makeWeights(element, fewer);
    SmallVector<OpFoldResult> sizes, whole;
    for (int64_t size : parts) {
      sizes.push_back(builder.getIndexAttr(size));
    }
    for (int64_t size : shape) {
      whole.push_back(builder.getIndexAttr(size));
    }
    Value wide = add(
        BroadcastOp::create(builder, loc, few, sizes, ArrayRef<int64_t>(along)),
        parts);
    scale = addReshapeTo(wide, whole, shape);
  } else {
    scale = random.chance(70)
                ? broadcast(makeWeights(element, {columns}), weights, {across})
                : makeSplat(weights);
  }
  weights = addElementwise("mul", {weights, scale}, {});
  Value result = addProduct(value, weights, false, transposed);
  if (random.chance(50)) {
    addFunction(addBias(result));
  }
  return true;
}

/// Two products of one operand that meet again.
bool Generator::addGatedUnit() {
  Value value = pickMatrix();
  int64_t columns = pickColumns(getShape(value)[0], getShape(value)[1]);
  Value gate = addLinear(value, columns), up = addLinear(value, columns);
  gate = addElementwise(random.pick<StringRef>({"silu", "gelu", "sigmoid"}),
                        gate, {});
  Value both = addElementwise("mul", {gate, up}, {});
  if (random.chance(50)) {
    Shape shape(getShape(both));
    addLinear(both, pickColumns(shape[0], shape[1]));
  }
  return true;
}

/// Several products of one operand, cut into heads.
bool Generator::addHeads() {
  Value value = pickMatrix();
  Shape shape(getShape(value));
  if (random.chance(40)) {
    value = add(RmsNormOp::create(builder, loc, value, Value(),
                                  builder.getI64IntegerAttr(1),
                                  builder.getF32FloatAttr(1e-6f)),
                shape);
  }
  int64_t size = random.pick<int64_t>({2, 4, 8, 16});
  for (int64_t i = random.between(2, 4); i > 0; --i) {
    int64_t heads = random.between(1, 4);
    if (shape[0] * shape[1] * heads * size > mostWork ||
        shape[1] * heads * size > mostElements) {
      return false;
    }
    Value result = addLinear(value, heads * size);
    result = random.chance(50) ? addBias(result) : result;
    if (random.chance(50)) {
      SmallVector<OpFoldResult> sizes{
          tensor::getMixedSize(builder, loc, result, 0),
          builder.getIndexAttr(heads), builder.getIndexAttr(size)};
      result = addReshapeTo(result, sizes, {shape[0], heads, size});
      addTransposeBy(result, random.chance(70) ? ArrayRef<int64_t>{1, 0, 2}
                                               : ArrayRef<int64_t>{1, 2, 0});
    }
  }
  return true;
}

/// Norm, product, function, product, and what it began with.
bool Generator::addPerceptron() {
  Value value = pickMatrix(), first = value;
  Shape shape(getShape(value));
  auto row = RankedTensorType::get(getType(value).getShape().drop_front(),
                                   getElement(value));
  if (random.chance(70)) {
    Value scale = makeArgument(row, {shape[1]});
    Value bias = random.chance(50) ? makeArgument(row, {shape[1]}) : Value();
    first = add(LayerNormOp::create(builder, loc, value, scale, bias,
                                    builder.getI64IntegerAttr(1),
                                    builder.getF32FloatAttr(1e-5f)),
                shape);
  }
  Value inner =
      addFunction(addBias(addLinear(first, pickColumns(shape[0], shape[1]))));
  Shape between(getShape(inner));
  if (shape[0] * shape[1] * between[1] > mostWork ||
      getType(value).isDynamicDim(1)) {
    return true;
  }
  addElementwise("add", {addLinear(inner, shape[1]), value}, {});
  return true;
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

/// Statistics of rows that no composite op stands for.
bool Generator::addStatistics() {
  Value value = pick([&](Value v) { return getRank(v) > 0 && isFloat(v); });
  if (!value) {
    return false;
  }
  int64_t kind = random.below(5);
  if (kind == 0) { // Layer norm.
    Value mean = addRowStatistic(ReduceKind::mean, value);
    Value away = addElementwise("sub", {value, mean}, {});
    Value square = addElementwise("mul", {away, away}, {});
    Value variance = addRowStatistic(ReduceKind::mean, square);
    Value safe =
        addElementwise("add", {variance, makeConstant(1e-3, variance)}, {});
    Value root = addElementwise("rsqrt", safe, {});
    addElementwise("mul", {away, root}, {});
  } else if (kind == 1) { // In f32, back to the type.
    Value wide = addCastTo(value, builder.getF32Type());
    Value square = addElementwise("mul", {wide, wide}, {});
    Value mean = addRowStatistic(ReduceKind::mean, square);
    Value root = addElementwise("sqrt", mean, {});
    addCastTo(addElementwise("div", {wide, root}, {}), getElement(value));
  } else if (kind == 2) { // Logarithm of a sum of exponentials.
    Value largest = addRowStatistic(ReduceKind::max, value);
    Value power =
        addElementwise("exp", addElementwise("sub", {value, largest}, {}), {});
    Value total = addRowStatistic(ReduceKind::sum, power);
    addElementwise("add", {addElementwise("log", total, {}), largest}, {});
  } else if (kind == 3) { // Range.
    Value least = addRowStatistic(ReduceKind::min, value);
    Value largest = addRowStatistic(ReduceKind::max, value);
    Value range = addElementwise("sub", {largest, least}, {});
    addElementwise("div", {addElementwise("sub", {value, least}, {}), range},
                   {});
  } else { // Cross entropy.
    Shape shape(getShape(value)), labels(shape);
    int64_t last = getRank(value) - 1, classes = shape[last];
    if (classes == 0) {
      return false;
    }
    SmallVector<int64_t> dims(getType(value).getShape());
    dims[last] = labels[last] = 1;
    Value logs =
        add(LogSoftmaxOp::create(builder, loc, value, uint64_t(last)), shape);
    Value index = makeIndices(RankedTensorType::get(dims, builder.getI64Type()),
                              labels, classes);
    Value chosen =
        add(GatherElementsOp::create(builder, loc, logs, index, last), labels);
    Value loss = addElementwise("neg", chosen, {});
    add(ReduceOp::create(builder, loc, ReduceKind::mean, loss,
                         llvm::to_vector(llvm::seq<int64_t>(0, last + 1))),
        {});
  }
  return true;
}

/// Rows of tables, added and normalized.
bool Generator::addEmbedding() {
  Type element = pickFloatType();
  int64_t size = pickSize(), entries = random.between(1, 30);
  if (entries * size > mostElements) {
    return false;
  }
  Shape places = pickShape(1, 2);
  Shape shape(places);
  shape.push_back(size);
  if (count(shape) > mostElements) {
    return false;
  }
  Value table = makeWeights(element, {entries, size});
  Value rows = add(
      GatherOp::create(builder, loc, table, makeIndices(places, entries), 0),
      shape);
  rows = addElementwise("add", {rows, getLike(rows)}, {});
  if (random.chance(70)) {
    add(LayerNormOp::create(builder, loc, rows, Value(), Value(),
                            builder.getI64IntegerAttr(getRank(rows) - 1),
                            builder.getF32FloatAttr(1e-5f)),
        shape);
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Siblings
//===----------------------------------------------------------------------===//

/// Many small ops that have nothing to do with one another.
bool Generator::addSiblings() {
  if (depth > 0) {
    return false;
  }
  // Rarely so many that what they point to fills more than 4096 bytes.
  int64_t wanted = random.chance(6)   ? random.between(31, 90)
                   : random.chance(2) ? random.between(130, 200)
                                      : random.between(4, 24);
  Type element = pickFloatType();
  bool isUpdate = random.chance(40); // As optimizers make them.
  for (int64_t i = 0; i < wanted; ++i) {
    Shape shape;
    for (int64_t dims = random.between(0, 2); dims > 0; --dims) {
      shape.push_back(random.between(1, 12));
    }
    Type own = random.chance(85) ? element : pickFloatType();
    Value value = makeWeights(own, shape);
    if (!isUpdate) {
      addToChain(value);
      continue;
    }
    Value gradient = makeWeights(own, shape), moment = makeWeights(own, shape);
    Value kept = addElementwise("mul", {moment, makeConstant(0.9, moment)}, {});
    Value next = addElementwise("add", {kept, gradient}, {});
    Value change = addElementwise("mul", {next, makeConstant(0.125, next)}, {});
    addElementwise("sub", {value, change}, {});
  }
  return true;
}
