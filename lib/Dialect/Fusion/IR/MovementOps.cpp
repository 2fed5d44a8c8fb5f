//===- MovementOps.cpp - operations that select and arrange elements ------===//

#include "InferredType.h"
#include "TypeChecks.h"
#include "fusion/Dialect/Fusion/IR/Fusion.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::fusion;

/// Returns `a` plus `b`, folded where possible.
static OpFoldResult addSizes(OpBuilder &builder, Location loc, OpFoldResult a,
                             OpFoldResult b) {
  std::optional<int64_t> x = getConstantIntValue(a), y = getConstantIntValue(b);
  if (x && y) {
    return builder.getIndexAttr(*x + *y);
  }
  Value lhs = getValueOrCreateConstantIndexOp(builder, loc, a);
  Value rhs = getValueOrCreateConstantIndexOp(builder, loc, b);
  return builder.createOrFold<arith::AddIOp>(loc, lhs, rhs);
}

//===----------------------------------------------------------------------===//
// iota
//===----------------------------------------------------------------------===//

void IotaOp::build(OpBuilder &builder, OperationState &state, Type elementType,
                   ArrayRef<OpFoldResult> shape, int64_t dim) {
  SmallVector<int64_t> staticShape;
  SmallVector<Value> sizes;
  dispatchIndexOpFoldResults(shape, sizes, staticShape);
  build(builder, state, RankedTensorType::get(staticShape, elementType), dim,
        sizes);
}

LogicalResult IotaOp::verify() {
  RankedTensorType type = getResult().getType();
  if (failed(verifyDim(*this, "dim", getDim(), type))) { // (C1)
    return failure();
  }
  return verifySizes(*this, getSizes(), type); // (C2)
}

LogicalResult IotaOp::reifyResultShapes(OpBuilder &builder,
                                        ReifiedRankedShapedTypeDims &shapes) {
  shapes.push_back(
      getMixedValues(getResult().getType().getShape(), getSizes(), builder));
  return success();
}

//===----------------------------------------------------------------------===//
// slice
//===----------------------------------------------------------------------===//

void SliceOp::build(OpBuilder &builder, OperationState &state, Value input,
                    ArrayRef<OpFoldResult> starts, ArrayRef<OpFoldResult> shape,
                    ArrayRef<int64_t> steps) {
  SmallVector<int64_t> staticShape, staticStarts;
  SmallVector<Value> sizes, dynamicStarts;
  dispatchIndexOpFoldResults(shape, sizes, staticShape);
  dispatchIndexOpFoldResults(starts, dynamicStarts, staticStarts);
  auto type = RankedTensorType::get(staticShape, getElementTypeOrSelf(input));
  build(builder, state, type, input, dynamicStarts, sizes, staticStarts, steps);
}

/// (C4) for dim `dim`.
static LogicalResult verifySlicedDim(SliceOp op, int64_t dim) {
  int64_t from = op.getInput().getType().getDimSize(dim);
  int64_t count = op.getResult().getType().getDimSize(dim);
  int64_t start = op.getStaticStarts()[dim];
  if (ShapedType::isDynamic(from) || ShapedType::isDynamic(count) ||
      ShapedType::isDynamic(start) || count == 0) {
    return success();
  }
  int64_t last = start + (count - 1) * op.getSteps()[dim];
  for (int64_t position : {start, last}) {
    if (position < 0 || position >= from) {
      return op.emitOpError("expected positions below ")
             << from << " along dim " << dim << ", but got " << position;
    }
  }
  return success();
}

LogicalResult SliceOp::verify() {
  RankedTensorType from = getInput().getType();
  RankedTensorType to = getResult().getType();
  // (C1)
  for (auto [name, entries] : {std::make_pair("starts", getStaticStarts()),
                               std::make_pair("steps", getSteps())}) {
    if (static_cast<int64_t>(entries.size()) != from.getRank()) {
      return emitOpError("expected ") << name << " to have " << from.getRank()
                                      << " entries, but got " << entries.size();
    }
  }
  if (llvm::is_contained(getSteps(), 0)) {
    return emitOpError("expected no step to be 0");
  }
  // (C2)
  if (to.getRank() != from.getRank()) {
    return emitOpError("expected a result of rank ")
           << from.getRank() << ", but got " << to.getRank();
  }
  // (C2), (C3)
  if (failed(verifySameElementType(*this)) ||
      failed(verifySizes(*this, getSizes(), to))) {
    return failure();
  }
  for (int64_t dim : llvm::seq<int64_t>(0, from.getRank())) {
    if (failed(verifySlicedDim(*this, dim))) {
      return failure();
    }
  }
  return success();
}

LogicalResult SliceOp::reifyResultShapes(OpBuilder &builder,
                                         ReifiedRankedShapedTypeDims &shapes) {
  shapes.push_back(
      getMixedValues(getResult().getType().getShape(), getSizes(), builder));
  return success();
}

OpFoldResult SliceOp::fold(FoldAdaptor adaptor) {
  RankedTensorType type = getResult().getType();
  auto is = [](int64_t value) {
    return [value](int64_t entry) { return entry == value; };
  };
  bool whole = getInput().getType() == type && type.hasStaticShape() &&
               llvm::all_of(getStaticStarts(), is(0)) &&
               llvm::all_of(getSteps(), is(1));
  if (whole) {
    return getInput();
  }
  return resizeSplat(adaptor.getInput(), type);
}

//===----------------------------------------------------------------------===//
// concat
//===----------------------------------------------------------------------===//

LogicalResult ConcatOp::inferReturnTypes(MLIRContext *context,
                                         std::optional<Location> loc,
                                         Adaptor op,
                                         SmallVectorImpl<Type> &results) {
  // (C1)
  if (op.getInputs().empty()) {
    return emitOptionalError(loc, "expected an input");
  }
  auto first = cast<RankedTensorType>(op.getInputs().front().getType());
  int64_t dim = op.getDim();
  if (dim < 0 || dim >= first.getRank()) {
    return emitOptionalError(loc, "expected dim to be below rank ",
                             first.getRank(), ", but got ", dim);
  }
  // (C2)
  SmallVector<int64_t> shape(first.getShape());
  shape[dim] = 0;
  for (Value input : op.getInputs()) {
    auto type = cast<RankedTensorType>(input.getType());
    if (type.getRank() != first.getRank() ||
        type.getElementType() != first.getElementType()) {
      return emitOptionalError(
          loc, "expected inputs of one rank and element type, but got ", first,
          " and ", type);
    }
    for (auto [index, size] : llvm::enumerate(type.getShape())) {
      if (static_cast<int64_t>(index) == dim) {
        bool isDynamic =
            ShapedType::isDynamic(size) || ShapedType::isDynamic(shape[index]);
        shape[index] = isDynamic ? ShapedType::kDynamic : shape[index] + size;
        continue;
      }
      if (!mayBeEqual(size, shape[index])) {
        return emitOptionalError(loc, "expected dim ", index,
                                 " of the inputs to agree, but got ",
                                 shape[index], " and ", size);
      }
      shape[index] = ShapedType::isDynamic(shape[index]) ? size : shape[index];
    }
  }
  results.push_back(first.clone(shape)); // (C3)
  return success();
}

LogicalResult ConcatOp::verify() { return verifyInferredType(*this); }

LogicalResult ConcatOp::reifyResultShapes(OpBuilder &builder,
                                          ReifiedRankedShapedTypeDims &shapes) {
  RankedTensorType type = getResult().getType();
  SmallVector<OpFoldResult> shape =
      tensor::getMixedSizes(builder, getLoc(), getInputs().front());
  int64_t dim = getDim();
  for (Value input : getInputs().drop_front()) {
    OpFoldResult size = tensor::getMixedSize(builder, getLoc(), input, dim);
    shape[dim] = addSizes(builder, getLoc(), shape[dim], size);
  }
  for (auto [index, size] : llvm::enumerate(shape)) {
    if (!type.isDynamicDim(index)) {
      size = builder.getIndexAttr(type.getDimSize(index));
    }
  }
  shapes.push_back(std::move(shape));
  return success();
}

OpFoldResult ConcatOp::fold(FoldAdaptor) {
  bool isSame = getInputs().size() == 1 &&
                getInputs().front().getType() == getResult().getType();
  return isSame ? getInputs().front() : Value();
}

//===----------------------------------------------------------------------===//
// pad
//===----------------------------------------------------------------------===//

LogicalResult PadOp::inferReturnTypes(MLIRContext *context,
                                      std::optional<Location> loc, Adaptor op,
                                      SmallVectorImpl<Type> &results) {
  auto input = cast<RankedTensorType>(op.getInput().getType());
  // (C1)
  for (auto [name, entries] : {std::make_pair("low", op.getLow()),
                               std::make_pair("high", op.getHigh())}) {
    if (static_cast<int64_t>(entries.size()) != input.getRank()) {
      return emitOptionalError(loc, "expected ", name, " to have ",
                               input.getRank(), " entries, but got ",
                               entries.size());
    }
  }
  // (C3)
  SmallVector<int64_t> shape(input.getShape());
  for (auto [size, low, high] : llvm::zip(shape, op.getLow(), op.getHigh())) {
    if (ShapedType::isDynamic(size)) {
      continue;
    }
    size += low + high;
    if (size < 0) {
      return emitOptionalError(
          loc, "expected padded sizes that are not negative, but got ", size);
    }
  }
  results.push_back(input.clone(shape));
  return success();
}

LogicalResult PadOp::verify() {
  if (failed(verifyInferredType(*this))) {
    return failure();
  }
  // (C2)
  RankedTensorType type = getInput().getType();
  auto scalar = RankedTensorType::get({}, type.getElementType());
  bool isConstant = getMode() == PadMode::constant;
  if (isConstant != static_cast<bool>(getValue())) {
    return emitOpError(isConstant ? "expected a value for mode constant"
                                  : "expected a value only for mode constant");
  }
  if (isConstant && getValue().getType() != scalar) {
    return emitOpError("expected a value of type ")
           << scalar << ", but got " << getValue().getType();
  }
  // (C4)
  for (auto [size, low, high] :
       llvm::zip(type.getShape(), getLow(), getHigh())) {
    bool tooMuch = !ShapedType::isDynamic(size) && std::max(low, high) >= size;
    if (getMode() == PadMode::reflect && std::max(low, high) > 0 && tooMuch) {
      return emitOpError("expected less to be reflected than the size ")
             << size << ", but got " << std::max(low, high);
    }
  }
  return success();
}

LogicalResult PadOp::reifyResultShapes(OpBuilder &builder,
                                       ReifiedRankedShapedTypeDims &shapes) {
  SmallVector<OpFoldResult> shape =
      tensor::getMixedSizes(builder, getLoc(), getInput());
  for (auto [size, low, high] : llvm::zip(shape, getLow(), getHigh())) {
    OpFoldResult added = builder.getIndexAttr(low + high);
    size = low + high == 0 ? size : addSizes(builder, getLoc(), size, added);
  }
  shapes.push_back(std::move(shape));
  return success();
}

OpFoldResult PadOp::fold(FoldAdaptor) {
  auto isZero = [](int64_t entry) { return entry == 0; };
  bool isSame =
      llvm::all_of(getLow(), isZero) && llvm::all_of(getHigh(), isZero);
  return isSame ? getInput() : Value();
}

//===----------------------------------------------------------------------===//
// gather and gather_elements
//===----------------------------------------------------------------------===//

LogicalResult GatherOp::inferReturnTypes(MLIRContext *context,
                                         std::optional<Location> loc,
                                         Adaptor op,
                                         SmallVectorImpl<Type> &results) {
  auto input = cast<RankedTensorType>(op.getInput().getType());
  auto indices = cast<RankedTensorType>(op.getIndices().getType());
  int64_t dim = op.getDim();
  // (C1)
  if (dim < 0 || dim >= input.getRank()) {
    return emitOptionalError(loc, "expected dim to be below rank ",
                             input.getRank(), ", but got ", dim);
  }
  // (C2)
  SmallVector<int64_t> shape(input.getShape().take_front(dim));
  llvm::append_range(shape, indices.getShape());
  llvm::append_range(shape, input.getShape().drop_front(dim + 1));
  results.push_back(input.clone(shape));
  return success();
}

LogicalResult GatherOp::verify() { return verifyInferredType(*this); }

LogicalResult GatherOp::reifyResultShapes(OpBuilder &builder,
                                          ReifiedRankedShapedTypeDims &shapes) {
  auto input = tensor::getMixedSizes(builder, getLoc(), getInput());
  auto indices = tensor::getMixedSizes(builder, getLoc(), getIndices());
  int64_t dim = getDim();
  SmallVector<OpFoldResult> shape(ArrayRef(input).take_front(dim));
  llvm::append_range(shape, indices);
  llvm::append_range(shape, ArrayRef(input).drop_front(dim + 1));
  shapes.push_back(std::move(shape));
  return success();
}

LogicalResult
GatherElementsOp::inferReturnTypes(MLIRContext *context,
                                   std::optional<Location> loc, Adaptor op,
                                   SmallVectorImpl<Type> &results) {
  auto input = cast<RankedTensorType>(op.getInput().getType());
  auto indices = cast<RankedTensorType>(op.getIndices().getType());
  int64_t dim = op.getDim();
  // (C1)
  if (input.getRank() != indices.getRank()) {
    return emitOptionalError(loc, "expected indices of rank ", input.getRank(),
                             ", but got ", indices.getRank());
  }
  if (dim < 0 || dim >= input.getRank()) {
    return emitOptionalError(loc, "expected dim to be below rank ",
                             input.getRank(), ", but got ", dim);
  }
  // (C2)
  for (auto [index, sizes] :
       llvm::enumerate(llvm::zip(input.getShape(), indices.getShape()))) {
    auto [from, wanted] = sizes;
    if (static_cast<int64_t>(index) != dim && !mayBeEqual(from, wanted) &&
        wanted > from) {
      return emitOptionalError(loc, "expected dim ", index,
                               " of the indices to be at most ", from,
                               ", but got ", wanted);
    }
  }
  results.push_back(input.clone(indices.getShape())); // (C3)
  return success();
}

LogicalResult GatherElementsOp::verify() { return verifyInferredType(*this); }

LogicalResult
GatherElementsOp::reifyResultShapes(OpBuilder &builder,
                                    ReifiedRankedShapedTypeDims &shapes) {
  shapes.push_back(tensor::getMixedSizes(builder, getLoc(), getIndices()));
  return success();
}
