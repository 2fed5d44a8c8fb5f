//===- WindowOps.cpp - convolutions, pooling and running sums -------------===//

#include "InferredType.h"
#include "TypeChecks.h"
#include "fusion/Dialect/Fusion/IR/Fusion.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::fusion;

namespace {
/// How a window moves over the spatial dims; one entry per dim.
struct Movement {
  ArrayRef<int64_t> window, strides, dilations, low, high;

  template <typename Op>
  Movement(Op op, ArrayRef<int64_t> window)
      : window(window), strides(op.getStrides()), dilations(op.getDilations()),
        low(op.getLow()), high(op.getHigh()) {}

  /// What is added to the size of spatial dim `dim` before it is divided by
  /// the stride.
  int64_t getMargin(size_t dim) const {
    return low[dim] + high[dim] - dilations[dim] * (window[dim] - 1) - 1;
  }
};
} // namespace

/// Checks (C2): entries for `rank` spatial dims, in range.
static LogicalResult verifyMovement(std::optional<Location> loc,
                                    const Movement &move, size_t rank) {
  struct Entries {
    StringRef name;
    ArrayRef<int64_t> values;
    int64_t least;
  };
  for (const Entries &entries :
       {Entries{"window", move.window, 1}, Entries{"strides", move.strides, 1},
        Entries{"dilations", move.dilations, 1}, Entries{"low", move.low, 0},
        Entries{"high", move.high, 0}}) {
    if (entries.values.size() != rank) {
      return emitOptionalError(loc, "expected ", entries.name, " to have ",
                               rank, " entries, but got ",
                               entries.values.size());
    }
    for (int64_t value : entries.values) {
      if (value < entries.least) {
        return emitOptionalError(loc, "expected ", entries.name,
                                 " of at least ", entries.least, ", but got ",
                                 value);
      }
    }
  }
  return success();
}

/// Appends the number of places of the window along each of the spatial dims
/// `from`.
static LogicalResult appendPlaces(std::optional<Location> loc,
                                  const Movement &move, ArrayRef<int64_t> from,
                                  SmallVectorImpl<int64_t> &shape) {
  for (auto [dim, size] : llvm::enumerate(from)) {
    if (ShapedType::isDynamic(size)) {
      shape.push_back(size);
      continue;
    }
    int64_t room = size + move.getMargin(dim);
    if (room < 0) {
      return emitOptionalError(loc,
                               "expected a window that fits into the "
                               "padded spatial dim ",
                               dim, " of size ", size);
    }
    shape.push_back(room / move.strides[dim] + 1);
  }
  return success();
}

/// The same at run time: the places along spatial dim `dim` of `input`.
static OpFoldResult reifyPlaces(OpBuilder &builder, Location loc, Value input,
                                const Movement &move, size_t dim) {
  Value size = tensor::DimOp::create(builder, loc, input, dim + 2);
  auto constant = [&](int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  Value room = builder.createOrFold<arith::AddIOp>(
      loc, size, constant(move.getMargin(dim)));
  Value steps = builder.createOrFold<arith::DivSIOp>(
      loc, room, constant(move.strides[dim]));
  return builder.createOrFold<arith::AddIOp>(loc, steps, constant(1));
}

/// The shape of a result of type `type`, of which the first two dims are dim 0
/// of `input` and `channels`.
static SmallVector<OpFoldResult> reifyShape(OpBuilder &builder, Location loc,
                                            Value input, OpFoldResult channels,
                                            const Movement &move,
                                            RankedTensorType type) {
  SmallVector<OpFoldResult> shape = {
      tensor::getMixedSize(builder, loc, input, 0), channels};
  for (size_t dim = 0; dim < move.strides.size(); ++dim) {
    int64_t size = type.getDimSize(dim + 2);
    shape.push_back(ShapedType::isDynamic(size)
                        ? reifyPlaces(builder, loc, input, move, dim)
                        : builder.getIndexAttr(size));
  }
  return shape;
}

//===----------------------------------------------------------------------===//
// conv
//===----------------------------------------------------------------------===//

/// Checks that a convolution's operands have equal ranks and element types.
static LogicalResult verifyOperands(std::optional<Location> loc,
                                    RankedTensorType input,
                                    RankedTensorType weights) {
  if (input.getRank() < 3 || input.getRank() != weights.getRank()) {
    return emitOptionalError(
        loc, "expected operands of the same rank, 3 or more, but got ranks ",
        input.getRank(), " and ", weights.getRank());
  }
  if (input.getElementType() != weights.getElementType()) {
    return emitOptionalError(
        loc, "expected operands of the same element type, but got ",
        input.getElementType(), " and ", weights.getElementType());
  }
  return success();
}

/// Checks (C3) and (C4).
static LogicalResult verifyChannels(std::optional<Location> loc,
                                    RankedTensorType input,
                                    RankedTensorType weights, int64_t groups) {
  if (llvm::any_of(weights.getShape().drop_front(2), ShapedType::isDynamic)) {
    return emitOptionalError(loc, "expected a static window, but got ",
                             weights);
  }
  int64_t channels = input.getDimSize(1), ofGroup = weights.getDimSize(1);
  int64_t filters = weights.getDimSize(0);
  if (groups < 1) {
    return emitOptionalError(loc, "expected at least one group, but got ",
                             groups);
  }
  bool dynamic = ShapedType::isDynamic(channels) ||
                 ShapedType::isDynamic(ofGroup) ||
                 ShapedType::isDynamic(filters);
  if (groups != 1 && dynamic) {
    return emitOptionalError(
        loc, "expected static channels and filters for several groups");
  }
  if (groups != 1 && filters % groups != 0) {
    return emitOptionalError(loc, "expected ", groups,
                             " groups to divide the filters, but got ",
                             filters);
  }
  if (!mayBeEqual(channels, ShapedType::isDynamic(ofGroup)
                                ? ofGroup
                                : ofGroup * groups)) {
    return emitOptionalError(loc, "expected ", ofGroup * groups,
                             " channels of the input, but got ", channels);
  }
  return success();
}

LogicalResult ConvOp::inferReturnTypes(MLIRContext *context,
                                       std::optional<Location> loc, Adaptor op,
                                       SmallVectorImpl<Type> &results) {
  auto input = cast<RankedTensorType>(op.getInput().getType());
  auto weights = cast<RankedTensorType>(op.getWeights().getType());
  if (failed(verifyOperands(loc, input, weights))) { // (C1)
    return failure();
  }
  if (failed(verifyChannels(loc, input, weights, op.getGroups()))) {
    return failure();
  }
  Movement move(op, weights.getShape().drop_front(2));
  if (failed(verifyMovement(loc, move, input.getRank() - 2))) { // (C2)
    return failure();
  }
  // (C5)
  SmallVector<int64_t> shape = {input.getDimSize(0), weights.getDimSize(0)};
  if (failed(appendPlaces(loc, move, input.getShape().drop_front(2), shape))) {
    return failure();
  }
  results.push_back(input.clone(shape));
  return success();
}

LogicalResult ConvOp::verify() { return verifyInferredType(*this); }

LogicalResult ConvOp::reifyResultShapes(OpBuilder &builder,
                                        ReifiedRankedShapedTypeDims &shapes) {
  OpFoldResult filters =
      tensor::getMixedSize(builder, getLoc(), getWeights(), 0);
  shapes.push_back(reifyShape(builder, getLoc(), getInput(), filters,
                              Movement(*this, getWindow()),
                              getResult().getType()));
  return success();
}

//===----------------------------------------------------------------------===//
// conv_transpose
//===----------------------------------------------------------------------===//

/// What is added to `size * stride` to give the places of a spatial dim.
static int64_t getTransposedMargin(const Movement &move, size_t dim) {
  return move.dilations[dim] * (move.window[dim] - 1) + 1 - move.strides[dim] -
         move.low[dim] - move.high[dim];
}

/// Checks (C1), (C3) and (C4).
static LogicalResult verifyTransposed(std::optional<Location> loc,
                                      RankedTensorType input,
                                      RankedTensorType weights,
                                      int64_t groups) {
  if (failed(verifyOperands(loc, input, weights))) {
    return failure();
  }
  if (!weights.hasStaticShape()) {
    return emitOptionalError(loc, "expected static weights, but got ", weights);
  }
  if (groups < 1 || weights.getDimSize(0) % groups != 0) {
    return emitOptionalError(loc, "expected groups that divide the channels ",
                             weights.getDimSize(0), ", but got ", groups);
  }
  if (!mayBeEqual(input.getDimSize(1), weights.getDimSize(0))) {
    return emitOptionalError(loc, "expected ", weights.getDimSize(0),
                             " channels of the input, but got ",
                             input.getDimSize(1));
  }
  return success();
}

/// Checks (C2): entries for `rank` spatial dims, in range.
static LogicalResult verifyTransposedMovement(std::optional<Location> loc,
                                              const Movement &move,
                                              size_t rank) {
  SmallVector<int64_t> none(rank, 0);
  for (ArrayRef<int64_t> entries : {move.low, move.high}) {
    if (entries.size() != rank) {
      return emitOptionalError(loc, "expected low and high to have ", rank,
                               " entries, but got ", entries.size());
    }
  }
  Movement unpadded = move;
  unpadded.low = unpadded.high = none;
  return verifyMovement(loc, unpadded, rank);
}

LogicalResult
ConvTransposeOp::inferReturnTypes(MLIRContext *context,
                                  std::optional<Location> loc, Adaptor op,
                                  SmallVectorImpl<Type> &results) {
  auto input = cast<RankedTensorType>(op.getInput().getType());
  auto weights = cast<RankedTensorType>(op.getWeights().getType());
  Movement move(op, weights.getShape().drop_front(2));
  if (failed(verifyTransposed(loc, input, weights, op.getGroups())) ||
      failed(verifyTransposedMovement(loc, move, input.getRank() - 2))) {
    return failure();
  }
  // (C5)
  SmallVector<int64_t> shape = {
      input.getDimSize(0), weights.getDimSize(1) * int64_t(op.getGroups())};
  for (auto [dim, size] : llvm::enumerate(input.getShape().drop_front(2))) {
    if (ShapedType::isDynamic(size)) {
      shape.push_back(size);
      continue;
    }
    int64_t places = size * move.strides[dim] + getTransposedMargin(move, dim);
    if (places < 1) {
      return emitOptionalError(loc,
                               "expected low and high to leave places of "
                               "spatial dim ",
                               dim, ", but got ", places);
    }
    shape.push_back(places);
  }
  results.push_back(input.clone(shape));
  return success();
}

LogicalResult ConvTransposeOp::verify() { return verifyInferredType(*this); }

LogicalResult
ConvTransposeOp::reifyResultShapes(OpBuilder &builder,
                                   ReifiedRankedShapedTypeDims &shapes) {
  Location loc = getLoc();
  Movement move(*this, getWindow());
  RankedTensorType type = getResult().getType();
  SmallVector<OpFoldResult> shape = {
      tensor::getMixedSize(builder, loc, getInput(), 0),
      builder.getIndexAttr(type.getDimSize(1))};
  for (size_t dim = 0; dim < move.strides.size(); ++dim) {
    if (!type.isDynamicDim(dim + 2)) {
      shape.push_back(builder.getIndexAttr(type.getDimSize(dim + 2)));
      continue;
    }
    Value size = tensor::DimOp::create(builder, loc, getInput(), dim + 2);
    auto constant = [&](int64_t value) -> Value {
      return arith::ConstantIndexOp::create(builder, loc, value);
    };
    Value scaled = builder.createOrFold<arith::MulIOp>(
        loc, size, constant(move.strides[dim]));
    shape.push_back(getAsOpFoldResult(builder.createOrFold<arith::AddIOp>(
        loc, scaled, constant(getTransposedMargin(move, dim)))));
  }
  shapes.push_back(shape);
  return success();
}

//===----------------------------------------------------------------------===//
// pool
//===----------------------------------------------------------------------===//

LogicalResult PoolOp::inferReturnTypes(MLIRContext *context,
                                       std::optional<Location> loc, Adaptor op,
                                       SmallVectorImpl<Type> &results) {
  auto input = cast<RankedTensorType>(op.getInput().getType());
  // (C1)
  if (input.getRank() < 3) {
    return emitOptionalError(loc, "expected rank 3 or more, but got ",
                             input.getRank());
  }
  Movement move(op, op.getWindow());
  if (failed(verifyMovement(loc, move, input.getRank() - 2))) { // (C2)
    return failure();
  }
  // (C4)
  SmallVector<int64_t> shape(input.getShape().take_front(2));
  if (failed(appendPlaces(loc, move, input.getShape().drop_front(2), shape))) {
    return failure();
  }
  results.push_back(input.clone(shape));
  return success();
}

LogicalResult PoolOp::verify() {
  if (failed(verifyInferredType(*this))) {
    return failure();
  }
  // (C3)
  if (getKind() == ReduceKind::mean) {
    return emitOpError("expected another kind than mean");
  }
  bool isExtreme = getKind() == ReduceKind::max || getKind() == ReduceKind::min;
  if (getInput().getType().getElementType().isInteger(1) && !isExtreme) {
    return emitOpError("expected max or min for element type i1, but got ")
           << stringifyReduceKind(getKind());
  }
  return success();
}

LogicalResult PoolOp::reifyResultShapes(OpBuilder &builder,
                                        ReifiedRankedShapedTypeDims &shapes) {
  OpFoldResult channels =
      tensor::getMixedSize(builder, getLoc(), getInput(), 1);
  shapes.push_back(reifyShape(builder, getLoc(), getInput(), channels,
                              Movement(*this, getWindow()),
                              getResult().getType()));
  return success();
}

//===----------------------------------------------------------------------===//
// cumsum
//===----------------------------------------------------------------------===//

LogicalResult CumsumOp::verify() {
  return verifyDim(*this, "dim", getDim(), getInput().getType()); // (C2)
}
