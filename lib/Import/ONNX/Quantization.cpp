//===- Quantization.cpp - numbers as scaled small integers ----------------===//

#include "OpRegistry.h"
#include "Operands.h"
#include "Window.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::onnx;

//===----------------------------------------------------------------------===//
// Scales and zero points
//===----------------------------------------------------------------------===//

/// Refuses integers other than those that a zero point may have.
static LogicalResult checkQuantized(NodeImporter &node, Type type) {
  auto integer = dyn_cast<IntegerType>(type);
  return integer && integer.getWidth() > 1
             ? success()
             : LogicalResult(node.emitError()
                             << "expected quantized values to be integers, but "
                                "got "
                             << type);
}

/// Repeats each element along `axis`, `block` times, to `size` elements.
static FailureOr<Tensor> repeatBlocks(NodeImporter &node, const Tensor &blocks,
                                      int64_t axis, int64_t block,
                                      const Dim &size) {
  auto column = node.unsqueeze(blocks, axis + 1);
  if (failed(column)) {
    return failure();
  }
  SmallVector<Dim, 4> wide = column->dims, joined = blocks.dims;
  wide[axis + 1] = block;
  joined[axis] = node.getDimTable().mul(blocks.dims[axis], block);
  auto repeated = node.broadcast(*column, wide);
  auto flat = failed(repeated) ? repeated : node.reshape(*repeated, joined);
  return failed(flat) ? flat : node.slice(*flat, axis, 0, size);
}

/// Brings a scale or zero point to the dims of the tensor that it belongs to:
/// one for all, one per place of `axis`, or one per block.
static FailureOr<Tensor> spread(NodeImporter &node, const Tensor &given,
                                ArrayRef<Dim> dims, int64_t axis,
                                int64_t block) {
  bool isOne = llvm::all_of(given.dims, [](const Dim &d) { return d.is(1); });
  if (isOne && block == 0) {
    auto scalar = node.reshape(given, {});
    return failed(scalar) ? scalar : node.broadcast(*scalar, dims);
  }
  auto normalized = node.normalizeAxis(axis, dims.size());
  if (failed(normalized)) {
    return failure();
  }
  if (block != 0) {
    if (given.getRank() != static_cast<int64_t>(dims.size()) || block < 0) {
      return node.emitError() << "expected one scale per block, but got "
                              << node.toString(given.dims);
    }
    auto wide =
        repeatBlocks(node, given, *normalized, block, dims[*normalized]);
    return failed(wide) ? wide : node.broadcast(*wide, dims);
  }
  if (given.getRank() != 1) {
    return node.emitError()
           << "expected one scale, or one per place of axis " << *normalized
           << ", but got " << node.toString(given.dims);
  }
  SmallVector<Dim, 4> column(dims.size() - *normalized, Dim(1));
  column.front() = given.dims[0];
  auto shaped = node.reshape(given, column);
  return failed(shaped) ? shaped : node.broadcast(*shaped, dims);
}

/// The smallest and the largest value of an integer type.
static std::pair<double, double> getRange(Type type) {
  unsigned width = type.getIntOrFloatBitWidth();
  if (type.isUnsignedInteger()) {
    return {0, std::ldexp(1.0, width) - 1};
  }
  return {-std::ldexp(1.0, width - 1), std::ldexp(1.0, width - 1) - 1};
}

/// `scaled` rounded to even, plus the zero point, within the range of `type`.
static FailureOr<Tensor> roundToQuantized(NodeImporter &node,
                                          const Tensor &scaled,
                                          std::optional<Tensor> zeroPoint,
                                          Type type) {
  Tensor result = node.apply<RoundOp>(scaled);
  if (zeroPoint) {
    result = node.apply<AddOp>(result,
                               node.cast(*zeroPoint, result.getElementType()));
  }
  auto [least, most] = getRange(type);
  return node.cast(node.limit(result, least, most), type);
}

//===----------------------------------------------------------------------===//
// QuantizeLinear, DequantizeLinear
//===----------------------------------------------------------------------===//

/// The number of an element type, from an attribute; null if it is not given
/// or not one that we have.
static FailureOr<Type> readType(NodeImporter &node, StringRef name,
                                Type byDefault) {
  int64_t number = node.getInt(name, 0);
  if (number == 0) {
    return byDefault;
  }
  Type type = number > 0 && number < INT32_MAX
                  ? elementTypeFor(number, node.getBuilder().getContext())
                  : Type();
  if (!type) {
    return node.emitError() << name << " " << number << " is not supported";
  }
  return type;
}

static LogicalResult convertQuantize(NodeImporter &node) {
  int64_t axis = node.getInt("axis", 1), block = node.getInt("block_size", 0);
  node.ignore({"saturate"}); // Of 8-bit floats, which we have none of.
  Type byDefault = IntegerType::get(node.getBuilder().getContext(), 8,
                                    IntegerType::Unsigned);
  auto type = readType(node, "output_dtype",
                       node.hasInput(2) ? node.getElementType(2) : byDefault);
  auto inputs = node.tensors();
  if (failed(inputs) || failed(type) || failed(checkQuantized(node, *type))) {
    return failure();
  }
  Type f32 = node.getBuilder().getF32Type();
  bool isDouble = (*inputs)[0].getElementType().isF64();
  Tensor x = isDouble ? (*inputs)[0] : node.cast((*inputs)[0], f32);
  auto scale = spread(node, node.cast((*inputs)[1], x.getElementType()), x.dims,
                      axis, block);
  if (failed(scale)) {
    return failure();
  }
  std::optional<Tensor> zeroPoint;
  if (node.hasInput(2)) {
    auto wide = spread(node, (*inputs)[2], x.dims, axis, block);
    if (failed(wide)) {
      return failure();
    }
    zeroPoint = *wide;
  }
  return node.setResult(
      roundToQuantized(node, node.apply<DivOp>(x, *scale), zeroPoint, *type));
}

static LogicalResult convertDequantize(NodeImporter &node) {
  int64_t axis = node.getInt("axis", 1), block = node.getInt("block_size", 0);
  auto type = readType(node, "output_dtype", node.getElementType(1));
  auto inputs = node.tensors();
  if (failed(inputs) || failed(type) ||
      failed(checkQuantized(node, (*inputs)[0].getElementType()))) {
    return failure();
  }
  // The difference is exact in i32.
  Tensor x = node.cast((*inputs)[0], node.getBuilder().getI32Type());
  if (node.hasInput(2)) {
    auto zeroPoint = spread(node, node.cast((*inputs)[2], x.getElementType()),
                            x.dims, axis, block);
    if (failed(zeroPoint)) {
      return failure();
    }
    x = node.apply<SubOp>(x, *zeroPoint);
  }
  auto scale = spread(node, node.widen((*inputs)[1]), x.dims, axis, block);
  if (failed(scale)) {
    return failure();
  }
  Tensor result =
      node.apply<MulOp>(node.cast(x, scale->getElementType()), *scale);
  bool narrows = result.getElementType().getIntOrFloatBitWidth() >
                 type->getIntOrFloatBitWidth();
  return node.setResult(narrows ? node.narrow(result, *type)
                                : node.cast(result, *type));
}

/// Scale and zero point from the range of the input, which holds 0.
static LogicalResult convertDynamicQuantize(NodeImporter &node) {
  auto input = node.tensor(0);
  if (failed(input)) {
    return failure();
  }
  if (!input->getElementType().isF32()) {
    return node.emitError()
           << "expected f32, but got " << input->getElementType();
  }
  Type u8 = IntegerType::get(node.getBuilder().getContext(), 8,
                             IntegerType::Unsigned);
  auto axes = llvm::to_vector(llvm::seq<int64_t>(0, input->getRank()));
  auto least = node.reduce(ReduceKind::min, *input, axes, /*keepDims=*/false);
  auto most = node.reduce(ReduceKind::max, *input, axes, /*keepDims=*/false);
  if (failed(least) || failed(most)) {
    return failure();
  }
  Tensor zero = node.splat(0, *least);
  Tensor low = node.apply<MinOp>(*least, zero);
  Tensor high = node.apply<MaxOp>(*most, zero);
  Tensor range = node.apply<SubOp>(high, low);
  Tensor scale = node.apply<DivOp>(range, node.splat(255, range));
  // A range of zeros would divide by 0.
  Tensor isZero = node.compareTo(ComparePredicate::eq, scale, 0);
  Tensor divisor = node.select(isZero, node.splat(1, scale), scale);
  Tensor offset = node.apply<NegOp>(node.apply<DivOp>(low, divisor));
  Tensor zeroPoint =
      node.cast(node.limit(node.apply<RoundOp>(offset), 0, 255), u8);
  auto wideScale = node.broadcast(divisor, input->dims);
  auto wideZero = node.broadcast(zeroPoint, input->dims);
  if (failed(wideScale) || failed(wideZero)) {
    return failure();
  }
  auto quantized = roundToQuantized(node, node.apply<DivOp>(*input, *wideScale),
                                    *wideZero, u8);
  if (failed(quantized)) {
    return failure();
  }
  node.addResult(*quantized);
  node.addResult(scale);
  node.addResult(zeroPoint);
  return success();
}

//===----------------------------------------------------------------------===//
// Products of integers
//===----------------------------------------------------------------------===//

/// Input `index` less its zero point, input `zeroIndex`, as i32. One zero point
/// per place stands along `axis`.
static FailureOr<Tensor> readCentered(NodeImporter &node, unsigned index,
                                      unsigned zeroIndex, int64_t axis) {
  auto input = node.tensor(index);
  if (failed(input) || failed(checkQuantized(node, input->getElementType()))) {
    return failure();
  }
  Type i32 = node.getBuilder().getI32Type();
  Tensor x = node.cast(*input, i32);
  if (!node.hasInput(zeroIndex)) {
    return x;
  }
  auto zeroPoint = node.tensor(zeroIndex);
  if (failed(zeroPoint)) {
    return failure();
  }
  auto wide = spread(node, node.cast(*zeroPoint, i32), x.dims, axis, 0);
  return failed(wide) ? wide : FailureOr<Tensor>(node.apply<SubOp>(x, *wide));
}

/// i32 products of matrices, whose batch dims broadcast.
static FailureOr<Tensor> multiplyCentered(NodeImporter &node, Tensor lhs,
                                          Tensor rhs) {
  if (lhs.getRank() < 2 || rhs.getRank() < 2) {
    return node.emitError() << "expected matrices, but got ranks "
                            << lhs.getRank() << " and " << rhs.getRank();
  }
  return multiplyBatches(node, lhs, rhs);
}

/// Zero points per row of the left matrix and per column of the right one.
static LogicalResult convertMatMulInteger(NodeImporter &node) {
  auto lhs = readCentered(node, 0, 2, -2), rhs = readCentered(node, 1, 3, -1);
  return failed(lhs) || failed(rhs)
             ? failure()
             : node.setResult(multiplyCentered(node, *lhs, *rhs));
}

static LogicalResult convertConvInteger(NodeImporter &node) {
  auto input = readCentered(node, 0, 2, 1);
  auto weights = readCentered(node, 1, 3, 0);
  return failed(input) || failed(weights)
             ? failure()
             : node.setResult(convolve(node, *input, *weights));
}

/// i32 sums to quantized values: times the product of the operands' scales
/// over the result's scale. The inputs with these indices; the right operand's
/// scale stands along `axis`.
static FailureOr<Tensor> requantize(NodeImporter &node, const Tensor &sums,
                                    ArrayRef<unsigned> scales,
                                    unsigned zeroIndex, int64_t leftAxis,
                                    int64_t rightAxis) {
  Type f32 = node.getBuilder().getF32Type();
  auto read = [&](unsigned index, int64_t axis) -> FailureOr<Tensor> {
    auto given = node.tensor(index);
    return failed(given)
               ? given
               : spread(node, node.cast(*given, f32), sums.dims, axis, 0);
  };
  auto left = read(scales[0], leftAxis), right = read(scales[1], rightAxis);
  auto of = read(scales[2], leftAxis);
  auto zeroPoint = node.tensor(zeroIndex);
  if (failed(left) || failed(right) || failed(of) || failed(zeroPoint)) {
    return failure();
  }
  auto wideZero = spread(node, *zeroPoint, sums.dims, leftAxis, 0);
  if (failed(wideZero)) {
    return failure();
  }
  Tensor factor = node.apply<DivOp>(node.apply<MulOp>(*left, *right), *of);
  Tensor scaled = node.apply<MulOp>(node.cast(sums, f32), factor);
  return roundToQuantized(node, scaled, *wideZero, zeroPoint->getElementType());
}

/// Inputs: a, its scale and zero point, b, ..., and those of the result.
static LogicalResult convertQLinearMatMul(NodeImporter &node) {
  auto lhs = readCentered(node, 0, 2, -2), rhs = readCentered(node, 3, 5, -1);
  if (failed(lhs) || failed(rhs)) {
    return failure();
  }
  auto sums = multiplyCentered(node, *lhs, *rhs);
  return failed(sums)
             ? failure()
             : node.setResult(requantize(node, *sums, {1, 4, 6}, 7, -2, -1));
}

static LogicalResult convertQLinearConv(NodeImporter &node) {
  auto input = readCentered(node, 0, 2, 1);
  auto weights = readCentered(node, 3, 5, 0);
  if (failed(input) || failed(weights)) {
    return failure();
  }
  auto sums = convolve(node, *input, *weights);
  if (failed(sums)) {
    return failure();
  }
  if (node.hasInput(8)) {
    auto bias = node.tensor(8);
    if (failed(bias)) {
      return failure();
    }
    auto wide = node.broadcastChannels(node.cast(*bias, sums->getElementType()),
                                       sums->dims);
    if (failed(wide)) {
      return failure();
    }
    sums = node.apply<AddOp>(*sums, *wide);
  }
  return node.setResult(requantize(node, *sums, {1, 4, 6}, 7, 1, 1));
}

void onnx::addQuantizationOps(OpRegistry &registry) {
  registry.add("ConvInteger", 10, {2, 4}, convertConvInteger);
  registry.add("DequantizeLinear", 10, {2, 3}, convertDequantize);
  registry.add("DynamicQuantizeLinear", 11, {1, 1}, convertDynamicQuantize);
  registry.add("MatMulInteger", 10, {2, 4}, convertMatMulInteger);
  registry.add("QLinearConv", 10, {8, 9}, convertQLinearConv);
  registry.add("QLinearMatMul", 10, {8, 8}, convertQLinearMatMul);
  registry.add("QuantizeLinear", 10, {2, 3}, convertQuantize);
}
