//===- ShapeOps.cpp - constants and operations that move elements ---------===//

#include "InferredType.h"
#include "TypeChecks.h"
#include "fusion/Dialect/Fusion/IR/Fusion.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::fusion;

LogicalResult fusion::verifySizes(Operation *op, ValueRange sizes,
                                  RankedTensorType type) {
  int64_t expected = type.getNumDynamicDims();
  if (static_cast<int64_t>(sizes.size()) != expected) {
    return op->emitOpError("expected ")
           << expected << " sizes, one per dynamic dim of the result, but got "
           << sizes.size();
  }
  return success();
}

LogicalResult fusion::verifySameElementType(Operation *op) {
  Type from = getElementTypeOrSelf(op->getOperand(0));
  Type to = getElementTypeOrSelf(op->getResult(0));
  if (from != to) {
    return op->emitOpError("expected a result of element type ")
           << from << ", but got " << to;
  }
  return success();
}

DenseElementsAttr fusion::resizeSplat(Attribute attr, RankedTensorType type) {
  auto splat = dyn_cast_or_null<SplatElementsAttr>(attr);
  return splat && type.hasStaticShape() ? splat.resizeSplat(type) : nullptr;
}

//===----------------------------------------------------------------------===//
// constant
//===----------------------------------------------------------------------===//

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValue(); }

LogicalResult
ConstantOp::reifyResultShapes(OpBuilder &builder,
                              ReifiedRankedShapedTypeDims &shapes) {
  shapes.push_back(
      getAsIndexOpFoldResult(getContext(), getResult().getType().getShape()));
  return success();
}

//===----------------------------------------------------------------------===//
// broadcast
//===----------------------------------------------------------------------===//

void BroadcastOp::build(OpBuilder &builder, OperationState &state, Value input,
                        ArrayRef<OpFoldResult> shape, ArrayRef<int64_t> dims) {
  SmallVector<int64_t> staticShape;
  SmallVector<Value> sizes;
  dispatchIndexOpFoldResults(shape, sizes, staticShape);
  auto type = RankedTensorType::get(staticShape, getElementTypeOrSelf(input));
  build(builder, state, type, input, dims, sizes);
}

LogicalResult BroadcastOp::verify() {
  RankedTensorType from = getInput().getType();
  RankedTensorType to = getResult().getType();
  // (C1)
  if (static_cast<int64_t>(getDims().size()) != from.getRank()) {
    return emitOpError("expected dims to have ")
           << from.getRank() << " entries, but got " << getDims().size();
  }
  int64_t previous = -1;
  for (int64_t dim : getDims()) {
    if (dim <= previous || dim >= to.getRank()) {
      return emitOpError("expected dims to be ascending and below rank ")
             << to.getRank() << ", but got [" << getDims() << "]";
    }
    previous = dim;
  }
  // (C2)
  for (auto [source, dim] : llvm::enumerate(getDims())) {
    int64_t size = from.getDimSize(source);
    int64_t wanted = to.getDimSize(dim);
    bool repeats = size == 1;
    bool fits = ShapedType::isDynamic(size) || ShapedType::isDynamic(wanted) ||
                size == wanted;
    if (!repeats && !fits) {
      return emitOpError("expected dim ")
             << source << " of the input to be 1 or " << wanted << ", but got "
             << size;
    }
  }
  // (C3), (C4)
  return failure(failed(verifySizes(*this, getSizes(), to)) ||
                 failed(verifySameElementType(*this)));
}

LogicalResult
BroadcastOp::reifyResultShapes(OpBuilder &builder,
                               ReifiedRankedShapedTypeDims &shapes) {
  shapes.push_back(
      getMixedValues(getResult().getType().getShape(), getSizes(), builder));
  return success();
}

OpFoldResult BroadcastOp::fold(FoldAdaptor adaptor) {
  // Dynamic dims do not repeat, so that the same type means the same value.
  if (getInput().getType() == getResult().getType()) {
    return getInput();
  }
  return resizeSplat(adaptor.getInput(), getResult().getType());
}

namespace {
/// Makes one broadcast of two. The sizes of the inner one need not be kept:
/// a dim that repeats in it has its size in the outer one, or is of size 1.
struct ComposeBroadcasts : OpRewritePattern<BroadcastOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(BroadcastOp op,
                                PatternRewriter &rewriter) const override {
    auto inner = op.getInput().getDefiningOp<BroadcastOp>();
    if (!inner) {
      return failure();
    }
    RankedTensorType source = inner.getInput().getType();
    SmallVector<int64_t> dims;
    for (auto [index, dim] : llvm::enumerate(inner.getDims())) {
      // A size that only the result of `inner` knows to be 1 may repeat in
      // `op`, but not where it is dynamic.
      if (source.isDynamicDim(index) &&
          inner.getResult().getType().getDimSize(dim) == 1) {
        return failure();
      }
      dims.push_back(op.getDims()[dim]);
    }
    rewriter.modifyOpInPlace(op, [&] {
      op.getInputMutable().assign(inner.getInput());
      op.setDims(dims);
    });
    return success();
  }
};
} // namespace

void BroadcastOp::getCanonicalizationPatterns(RewritePatternSet &results,
                                              MLIRContext *context) {
  results.add<ComposeBroadcasts>(context);
}

//===----------------------------------------------------------------------===//
// transpose
//===----------------------------------------------------------------------===//

LogicalResult TransposeOp::inferReturnTypes(MLIRContext *context,
                                            std::optional<Location> loc,
                                            Adaptor op,
                                            SmallVectorImpl<Type> &results) {
  auto input = cast<RankedTensorType>(op.getInput().getType());
  // (C1)
  SmallVector<int64_t> sorted(op.getPerm());
  llvm::sort(sorted);
  if (!llvm::equal(sorted, llvm::seq<int64_t>(0, input.getRank()))) {
    return emitOptionalError(loc, "expected perm to be a permutation of ",
                             input.getRank(), " dims, but got [", op.getPerm(),
                             "]");
  }
  // (C2)
  SmallVector<int64_t> shape;
  for (int64_t dim : op.getPerm()) {
    shape.push_back(input.getDimSize(dim));
  }
  results.push_back(input.clone(shape));
  return success();
}

LogicalResult TransposeOp::verify() { return verifyInferredType(*this); }

LogicalResult
TransposeOp::reifyResultShapes(OpBuilder &builder,
                               ReifiedRankedShapedTypeDims &shapes) {
  SmallVector<OpFoldResult> shape;
  for (int64_t dim : getPerm()) {
    shape.push_back(tensor::getMixedSize(builder, getLoc(), getInput(), dim));
  }
  shapes.push_back(std::move(shape));
  return success();
}

OpFoldResult TransposeOp::fold(FoldAdaptor adaptor) {
  ArrayRef<int64_t> perm = getPerm();
  if (llvm::equal(perm, llvm::seq<int64_t>(0, perm.size()))) {
    return getInput();
  }
  if (auto inner = getInput().getDefiningOp<TransposeOp>()) {
    SmallVector<int64_t> composed;
    for (int64_t dim : perm) {
      composed.push_back(inner.getPerm()[dim]);
    }
    getInputMutable().assign(inner.getInput());
    setPerm(composed);
    return getResult();
  }
  return resizeSplat(adaptor.getInput(), getResult().getType());
}

//===----------------------------------------------------------------------===//
// reshape
//===----------------------------------------------------------------------===//

void ReshapeOp::build(OpBuilder &builder, OperationState &state, Value input,
                      ArrayRef<OpFoldResult> shape) {
  SmallVector<int64_t> staticShape;
  SmallVector<Value> sizes;
  dispatchIndexOpFoldResults(shape, sizes, staticShape);
  auto type = RankedTensorType::get(staticShape, getElementTypeOrSelf(input));
  build(builder, state, type, input, sizes);
}

LogicalResult ReshapeOp::verify() {
  RankedTensorType from = getInput().getType();
  RankedTensorType to = getResult().getType();
  // (C1)
  if (failed(verifySizes(*this, getSizes(), to))) {
    return failure();
  }
  // (C2)
  if (from.hasStaticShape() && to.hasStaticShape() &&
      from.getNumElements() != to.getNumElements()) {
    return emitOpError("expected a result of ")
           << from.getNumElements() << " elements, but got "
           << to.getNumElements();
  }
  return verifySameElementType(*this); // (C3)
}

LogicalResult
ReshapeOp::reifyResultShapes(OpBuilder &builder,
                             ReifiedRankedShapedTypeDims &shapes) {
  shapes.push_back(
      getMixedValues(getResult().getType().getShape(), getSizes(), builder));
  return success();
}

OpFoldResult ReshapeOp::fold(FoldAdaptor adaptor) {
  RankedTensorType type = getResult().getType();
  // With one dynamic dim its size follows from the number of elements, unless
  // there are none.
  bool settled = type.getNumDynamicDims() == 0 ||
                 (type.getNumDynamicDims() == 1 &&
                  !llvm::is_contained(type.getShape(), 0));
  if (getInput().getType() == type && settled) {
    return getInput();
  }
  if (auto inner = getInput().getDefiningOp<ReshapeOp>()) {
    getInputMutable().assign(inner.getInput());
    return getResult();
  }
  auto elements = dyn_cast_or_null<DenseElementsAttr>(adaptor.getInput());
  return elements && type.hasStaticShape() ? elements.reshape(type) : nullptr;
}
