//===- Position.cpp - ops whose elements depend on where they stand -------===//

#include "OpRegistry.h"
#include "Operands.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::onnx;

/// The position along `dim` of each element of a tensor of i64.
static Tensor makePositions(NodeImporter &node, ArrayRef<Dim> dims,
                            int64_t dim) {
  auto op =
      IotaOp::create(node.getBuilder(), node.getLoc(),
                     node.getBuilder().getI64Type(), node.getSizes(dims), dim);
  return {op.getResult(), SmallVector<Dim, 4>(dims)};
}

FailureOr<double> fusion::onnx::readFloat(NodeImporter &node, unsigned index,
                                          StringRef what) {
  auto contents = node.constant(index, what);
  if (failed(contents)) {
    return failure();
  }
  auto dense = dyn_cast<DenseFPElementsAttr>(*contents);
  if (!dense || dense.getNumElements() != 1) {
    return node.emitError() << "expected one " << what;
  }
  APFloat value = *dense.getValues<APFloat>().begin();
  bool losesInfo = false;
  value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                &losesInfo);
  return value.convertToDouble();
}

/// The same in floats, of which the count must be known.
static LogicalResult convertFloatRange(NodeImporter &node) {
  auto start = readFloat(node, 0, "start"), limit = readFloat(node, 1, "limit"),
       delta = readFloat(node, 2, "delta");
  if (failed(start) || failed(limit) || failed(delta)) {
    return failure();
  }
  double count = std::max(std::ceil((*limit - *start) / *delta), 0.0);
  if (!(count <= INT32_MAX)) { // Catches what is no number, too.
    return node.emitError() << "expected a range of numbers that ends";
  }
  Type type = node.getElementType(0);
  Tensor position = node.positions(Dim(static_cast<int64_t>(count)), 0, type);
  return node.setResult(node.plus(node.times(position, *delta), *start));
}

/// start + i * delta below limit. (Short ones are folded.)
static LogicalResult convertRange(NodeImporter &node) {
  if (isa<FloatType>(node.getElementType(0))) {
    return convertFloatRange(node);
  }
  auto start = node.staticIntegers(0, "start");
  auto limit = node.integers(1, "limit");
  auto delta = node.staticIntegers(2, "delta");
  if (failed(start) || failed(limit) || failed(delta)) {
    return failure();
  }
  if (start->size() != 1 || limit->size() != 1 || delta->size() != 1 ||
      delta->front() == 0) {
    return node.emitError() << "expected scalars, and a delta other than 0";
  }
  DimTable &table = node.getDimTable();
  int64_t step = std::abs(delta->front());
  Dim distance = delta->front() > 0 ? table.sub(limit->front(), start->front())
                                    : table.sub(start->front(), limit->front());
  Dim count = *table.div(table.add(distance, step - 1), step);
  if (table.less(count, 0) != std::optional<bool>(false)) {
    count = table.max(count, 0);
  }
  auto type = node.typeFor({count}, node.getElementType(0));
  if (failed(type)) {
    return failure();
  }
  auto op = IotaOp::create(node.getBuilder(), node.getLoc(),
                           node.getElementType(0), node.getSizes({count}), 0);
  Tensor position{op.getResult(), {count}};
  Tensor scaled =
      node.apply<MulOp>(position, node.splat(delta->front(), position));
  return node.setResult(
      node.apply<AddOp>(scaled, node.splat(start->front(), scaled)));
}

/// What is on one side of a diagonal of the last two dims; zeros elsewhere.
static LogicalResult convertTrilu(NodeImporter &node) {
  bool isUpper = node.getInt("upper", 1) != 0;
  int64_t diagonal = 0;
  if (node.hasInput(1)) {
    auto given = node.staticIntegers(1, "k");
    if (failed(given)) {
      return failure();
    }
    diagonal = given->empty() ? 0 : given->front();
  }
  auto input = node.tensor(0);
  if (failed(input)) {
    return failure();
  }
  int64_t rank = input->getRank();
  if (rank < 2) {
    return node.emitError() << "expected rank 2 or more, but got " << rank;
  }
  Tensor row = makePositions(node, input->dims, rank - 2);
  Tensor column = makePositions(node, input->dims, rank - 1);
  Tensor distance = node.apply<SubOp>(column, row);
  Tensor kept = node.compare(
      isUpper ? ComparePredicate::ge : ComparePredicate::le, distance,
      node.splat(static_cast<double>(diagonal), distance));
  return node.setResult(node.select(kept, *input, node.splat(0, *input)));
}

/// The element `index` of a vector, as a scalar.
static FailureOr<Tensor> takeElement(NodeImporter &node, const Tensor &vector,
                                     int64_t index) {
  auto op = SliceOp::create(node.getBuilder(), node.getLoc(), vector.value,
                            node.getSizes({Dim(index)}),
                            node.getSizes({Dim(1)}), ArrayRef<int64_t>{1});
  return node.reshape(Tensor{op.getResult(), {1}}, {});
}

/// The depth of a OneHot, which may be given as a float.
static FailureOr<int64_t> readDepth(NodeImporter &node) {
  if (isa<FloatType>(node.getElementType(1))) {
    auto number = readFloat(node, 1, "depth");
    if (failed(number)) {
      return failure();
    }
    if (!(*number >= 0 && *number <= INT32_MAX)) {
      return node.emitError() << "expected a depth that is not negative";
    }
    return static_cast<int64_t>(*number);
  }
  auto depth = node.staticIntegers(1, "depth");
  if (failed(depth)) {
    return failure();
  }
  if (depth->size() != 1) {
    return node.emitError() << "expected one depth, but got " << depth->size();
  }
  return depth->front();
}

/// `on` where the position along a new axis is the index, `off` elsewhere.
static LogicalResult convertOneHot(NodeImporter &node) {
  int64_t attribute = node.getInt("axis", -1);
  auto depth = readDepth(node);
  auto indices = node.tensor(0), values = node.tensor(2);
  if (failed(depth) || failed(indices) || failed(values)) {
    return failure();
  }
  auto axis = node.normalizeAxis(attribute, indices->getRank() + 1);
  if (failed(axis)) {
    return failure();
  }
  if (values->dims.size() != 1 || !values->dims[0].is(2)) {
    return node.emitError() << "expected two values, but got a tensor of shape "
                            << node.toString(values->dims);
  }
  SmallVector<Dim, 4> dims = indices->dims;
  dims.insert(dims.begin() + *axis, *depth);
  Tensor index = node.cast(*indices, node.getBuilder().getI64Type());
  auto shaped = node.unsqueeze(index, *axis);
  auto wide = failed(shaped) ? shaped : node.broadcast(*shaped, dims);
  auto off = takeElement(node, *values, 0), on = takeElement(node, *values, 1);
  if (failed(wide) || failed(off) || failed(on)) {
    return failure();
  }
  auto wideOff = node.broadcast(*off, dims), wideOn = node.broadcast(*on, dims);
  if (failed(wideOff) || failed(wideOn)) {
    return failure();
  }
  // A negative index counts from the end.
  Tensor position = makePositions(node, dims, *axis);
  Tensor fromEnd = node.plus(position, -static_cast<double>(*depth));
  Tensor hits =
      node.apply<OrOp>(node.compare(ComparePredicate::eq, *wide, position),
                       node.compare(ComparePredicate::eq, *wide, fromEnd));
  return node.setResult(node.select(hits, *wideOn, *wideOff));
}

static LogicalResult convertCumSum(NodeImporter &node) {
  bool exclusive = node.getInt("exclusive", 0) != 0;
  bool reverse = node.getInt("reverse", 0) != 0;
  auto input = node.tensor(0);
  auto given = node.staticIntegers(1, "axis");
  if (failed(input) || failed(given)) {
    return failure();
  }
  if (given->size() != 1) {
    return node.emitError() << "expected one axis";
  }
  auto axis = node.normalizeAxis(given->front(), input->getRank());
  if (failed(axis)) {
    return failure();
  }
  auto op = CumsumOp::create(node.getBuilder(), node.getLoc(), input->getType(),
                             input->value, *axis, exclusive, reverse);
  return node.setResult(Tensor{op.getResult(), input->dims});
}

void onnx::addPositionOps(OpRegistry &registry) {
  registry.add("CumSum", 11, {2, 2}, convertCumSum);
  registry.add("OneHot", 9, {3, 3}, convertOneHot);
  registry.add("Range", 11, {3, 3}, convertRange);
  registry.add("Trilu", 14, {1, 2}, convertTrilu);
}
