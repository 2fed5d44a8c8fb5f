//===- IndexedOps.cpp - positions as values: scatter, search, order -------===//

#include "InferredType.h"
#include "TypeChecks.h"
#include "fusion/Dialect/Fusion/IR/Fusion.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::fusion;

//===----------------------------------------------------------------------===//
// gather_nd
//===----------------------------------------------------------------------===//

/// Checks that `indices` has a last dim of static size.
static LogicalResult verifyTupleDim(std::optional<Location> loc,
                                    RankedTensorType indices) {
  if (indices.getRank() == 0) {
    return emitOptionalError(
        loc, "expected indices of rank 1 or more, but got rank 0");
  }
  if (indices.isDynamicDim(indices.getRank() - 1)) {
    return emitOptionalError(
        loc, "expected the last dim of the indices to be static");
  }
  return success();
}

LogicalResult GatherNdOp::inferReturnTypes(MLIRContext *context,
                                           std::optional<Location> loc,
                                           Adaptor op,
                                           SmallVectorImpl<Type> &results) {
  auto input = cast<RankedTensorType>(op.getInput().getType());
  auto indices = cast<RankedTensorType>(op.getIndices().getType());
  int64_t batch = op.getBatchDims();
  // (C1)
  if (failed(verifyTupleDim(loc, indices))) {
    return failure();
  }
  if (batch < 0 || batch >= indices.getRank()) {
    return emitOptionalError(loc, "expected batch_dims to be below rank ",
                             indices.getRank(), " of the indices, but got ",
                             batch);
  }
  int64_t count = indices.getShape().back();
  if (batch + count > input.getRank()) {
    return emitOptionalError(loc, "expected at most ", input.getRank() - batch,
                             " dims to be indexed, but got ", count);
  }
  // (C2)
  for (int64_t dim : llvm::seq<int64_t>(0, batch)) {
    if (!mayBeEqual(input.getDimSize(dim), indices.getDimSize(dim))) {
      return emitOptionalError(loc, "expected batch dim ", dim,
                               " to agree, but got ", input.getDimSize(dim),
                               " and ", indices.getDimSize(dim));
    }
  }
  // (C3)
  SmallVector<int64_t> shape(indices.getShape().drop_back());
  llvm::append_range(shape, input.getShape().drop_front(batch + count));
  results.push_back(input.clone(shape));
  return success();
}

LogicalResult GatherNdOp::verify() { return verifyInferredType(*this); }

LogicalResult
GatherNdOp::reifyResultShapes(OpBuilder &builder,
                              ReifiedRankedShapedTypeDims &shapes) {
  auto input = tensor::getMixedSizes(builder, getLoc(), getInput());
  auto shape = tensor::getMixedSizes(builder, getLoc(), getIndices());
  int64_t indexed = getBatchDims() + getIndices().getType().getShape().back();
  shape.pop_back();
  llvm::append_range(shape, ArrayRef(input).drop_front(indexed));
  shapes.push_back(std::move(shape));
  return success();
}

//===----------------------------------------------------------------------===//
// scatter_elements and scatter_nd
//===----------------------------------------------------------------------===//

/// (C4) of both: what `kind` does to elements of `input`'s type.
static LogicalResult verifyScattered(Operation *op, ScatterKind kind,
                                     RankedTensorType input,
                                     RankedTensorType updates) {
  Type element = input.getElementType();
  if (element != updates.getElementType()) {
    return op->emitOpError("expected updates of element type ")
           << element << ", but got " << updates.getElementType();
  }
  bool isArithmetic = kind == ScatterKind::add || kind == ScatterKind::mul;
  if (element.isInteger(1) && isArithmetic) {
    return op->emitOpError("expected replace, max or min for element type i1, "
                           "but got ")
           << stringifyScatterKind(kind);
  }
  return success();
}

LogicalResult ScatterElementsOp::verify() {
  RankedTensorType input = getInput().getType();
  RankedTensorType indices = getIndices().getType();
  RankedTensorType updates = getUpdates().getType();
  // (C2)
  if (indices.getRank() != input.getRank()) {
    return emitOpError("expected indices of rank ")
           << input.getRank() << ", but got " << indices.getRank();
  }
  if (failed(verifyDim(*this, "dim", getDim(), input))) {
    return failure();
  }
  if (updates.getRank() != indices.getRank() ||
      !llvm::all_of_zip(indices.getShape(), updates.getShape(), mayBeEqual)) {
    return emitOpError("expected indices and updates of one shape, but got ")
           << indices << " and " << updates;
  }
  // (C3)
  for (int64_t dim : llvm::seq<int64_t>(0, input.getRank())) {
    int64_t from = input.getDimSize(dim), wanted = indices.getDimSize(dim);
    if (dim != static_cast<int64_t>(getDim()) && !mayBeEqual(from, wanted) &&
        wanted > from) {
      return emitOpError("expected dim ")
             << dim << " of the indices to be at most " << from << ", but got "
             << wanted;
    }
  }
  return verifyScattered(*this, getKind(), input, updates); // (C4)
}

LogicalResult ScatterNdOp::verify() {
  RankedTensorType input = getInput().getType();
  RankedTensorType indices = getIndices().getType();
  RankedTensorType updates = getUpdates().getType();
  // (C2)
  if (failed(verifyTupleDim(getLoc(), indices))) {
    return failure();
  }
  int64_t count = indices.getShape().back();
  if (count > input.getRank()) {
    return emitOpError("expected at most ")
           << input.getRank() << " dims to be indexed, but got " << count;
  }
  // (C3)
  SmallVector<int64_t> expected(indices.getShape().drop_back());
  llvm::append_range(expected, input.getShape().drop_front(count));
  if (updates.getRank() != static_cast<int64_t>(expected.size()) ||
      !llvm::all_of_zip(expected, updates.getShape(), mayBeEqual)) {
    return emitOpError("expected updates of type ")
           << input.clone(expected) << ", but got " << updates;
  }
  return verifyScattered(*this, getKind(), input, updates); // (C4)
}

//===----------------------------------------------------------------------===//
// arg_reduce
//===----------------------------------------------------------------------===//

LogicalResult ArgReduceOp::inferReturnTypes(MLIRContext *context,
                                            std::optional<Location> loc,
                                            Adaptor op,
                                            SmallVectorImpl<Type> &results) {
  auto input = cast<RankedTensorType>(op.getInput().getType());
  int64_t dim = op.getDim();
  // (C1)
  if (dim < 0 || dim >= input.getRank()) {
    return emitOptionalError(loc, "expected dim to be below rank ",
                             input.getRank(), ", but got ", dim);
  }
  // (C3)
  SmallVector<int64_t> shape(input.getShape());
  shape.erase(shape.begin() + dim);
  results.push_back(
      RankedTensorType::get(shape, IntegerType::get(context, 64)));
  return success();
}

LogicalResult ArgReduceOp::verify() {
  if (failed(verifyInferredType(*this))) {
    return failure();
  }
  // (C2)
  if (getKind() != ReduceKind::max && getKind() != ReduceKind::min) {
    return emitOpError("expected max or min, but got ")
           << stringifyReduceKind(getKind());
  }
  return success();
}

LogicalResult
ArgReduceOp::reifyResultShapes(OpBuilder &builder,
                               ReifiedRankedShapedTypeDims &shapes) {
  auto shape = tensor::getMixedSizes(builder, getLoc(), getInput());
  shape.erase(shape.begin() + getDim());
  shapes.push_back(std::move(shape));
  return success();
}

//===----------------------------------------------------------------------===//
// top_k
//===----------------------------------------------------------------------===//

void TopKOp::build(OpBuilder &builder, OperationState &state, Value input,
                   int64_t dim, bool smallest, OpFoldResult count) {
  auto type = cast<RankedTensorType>(input.getType());
  SmallVector<int64_t> shape(type.getShape());
  std::optional<int64_t> known = getConstantIntValue(count);
  shape[dim] = known ? *known : ShapedType::kDynamic;
  Value size = known ? Value() : cast<Value>(count);
  build(builder, state,
        {type.clone(shape),
         RankedTensorType::get(shape, builder.getIntegerType(64))},
        input, builder.getI64IntegerAttr(dim),
        smallest ? builder.getUnitAttr() : UnitAttr(), size);
}

LogicalResult TopKOp::verify() {
  RankedTensorType input = getInput().getType();
  if (failed(verifyDim(*this, "dim", getDim(), input))) { // (C1)
    return failure();
  }
  // (C2)
  auto values = cast<RankedTensorType>(getValues().getType());
  auto indices = cast<RankedTensorType>(getIndices().getType());
  if (failed(verifySameElementType(*this))) {
    return failure();
  }
  SmallVector<int64_t> expected(input.getShape());
  if (values.getRank() == input.getRank()) {
    expected[getDim()] = values.getDimSize(getDim());
  }
  for (RankedTensorType type : {values, indices}) {
    if (type.getShape() != ArrayRef(expected)) {
      return emitOpError("expected results of the input's shape along the "
                         "other dims, but got ")
             << type;
    }
  }
  // (C3)
  int64_t count = expected[getDim()], size = input.getDimSize(getDim());
  if (ShapedType::isDynamic(count) != static_cast<bool>(getCount())) {
    return emitOpError("expected a count exactly for results that are dynamic "
                       "along dim ")
           << getDim();
  }
  if (!mayBeEqual(count, size) && count > size) {
    return emitOpError("expected at most ")
           << size << " elements to be kept, but got " << count;
  }
  return success();
}

LogicalResult TopKOp::reifyResultShapes(OpBuilder &builder,
                                        ReifiedRankedShapedTypeDims &shapes) {
  auto shape = tensor::getMixedSizes(builder, getLoc(), getInput());
  int64_t count =
      cast<RankedTensorType>(getValues().getType()).getDimSize(getDim());
  shape[getDim()] = getCount() ? OpFoldResult(getCount())
                               : OpFoldResult(builder.getIndexAttr(count));
  shapes.push_back(shape);
  shapes.push_back(std::move(shape));
  return success();
}
