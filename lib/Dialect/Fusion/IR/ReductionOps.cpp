//===- ReductionOps.cpp - contractions, reductions, normalizations --------===//

#include "InferredType.h"
#include "TypeChecks.h"
#include "fusion/Dialect/Fusion/IR/Fusion.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::fusion;

//===----------------------------------------------------------------------===//
// matmul
//===----------------------------------------------------------------------===//

/// Checks (C1) to (C4) of a matmul with these operands.
static LogicalResult verifyMatmulOperands(std::optional<Location> loc,
                                          MatmulOp::Adaptor op) {
  auto lhs = cast<RankedTensorType>(op.getLhs().getType());
  auto rhs = cast<RankedTensorType>(op.getRhs().getType());
  int64_t rank = lhs.getRank();
  // (C1)
  if (rank != rhs.getRank() || rank < 2) {
    return emitOptionalError(
        loc, "expected operands of the same rank, 2 or more, but got ranks ",
        rank, " and ", rhs.getRank());
  }
  // (C2)
  if (lhs.getElementType() != rhs.getElementType()) {
    return emitOptionalError(
        loc, "expected operands of the same element type, but got ",
        lhs.getElementType(), " and ", rhs.getElementType());
  }
  // (C3)
  for (int64_t dim : llvm::seq<int64_t>(0, rank - 2)) {
    if (!mayBeEqual(lhs.getDimSize(dim), rhs.getDimSize(dim))) {
      return emitOptionalError(loc, "expected batch dim ", dim,
                               " to agree, but got ", lhs.getDimSize(dim),
                               " and ", rhs.getDimSize(dim));
    }
  }
  // (C4)
  int64_t lhsK = lhs.getDimSize(rank - (op.getTransposeA() ? 2 : 1));
  int64_t rhsK = rhs.getDimSize(rank - (op.getTransposeB() ? 1 : 2));
  if (!mayBeEqual(lhsK, rhsK)) {
    return emitOptionalError(loc, "expected contracted dims to agree, but got ",
                             lhsK, " and ", rhsK);
  }
  return success();
}

LogicalResult MatmulOp::inferReturnTypes(MLIRContext *context,
                                         std::optional<Location> loc,
                                         Adaptor op,
                                         SmallVectorImpl<Type> &results) {
  if (failed(verifyMatmulOperands(loc, op))) {
    return failure();
  }
  auto lhs = cast<RankedTensorType>(op.getLhs().getType());
  auto rhs = cast<RankedTensorType>(op.getRhs().getType());
  int64_t rank = lhs.getRank();
  SmallVector<int64_t> shape(lhs.getShape().drop_back(2));
  for (auto [dim, size] : llvm::enumerate(shape)) {
    size = ShapedType::isDynamic(size) ? rhs.getDimSize(dim) : size;
  }
  shape.push_back(lhs.getDimSize(rank - (op.getTransposeA() ? 1 : 2)));
  shape.push_back(rhs.getDimSize(rank - (op.getTransposeB() ? 2 : 1)));
  results.push_back(RankedTensorType::get(shape, lhs.getElementType()));
  return success();
}

/// Whether every value of `narrow` is one of `wide`, and both are of one kind.
static bool isSameOrWider(Type wide, Type narrow) {
  if (wide == narrow) {
    return true;
  }
  if (auto from = dyn_cast<FloatType>(narrow)) {
    auto to = dyn_cast<FloatType>(wide);
    return to && to.getWidth() > from.getWidth();
  }
  auto from = cast<IntegerType>(narrow);
  auto to = dyn_cast<IntegerType>(wide);
  return to && to.getSignedness() == from.getSignedness() &&
         to.getWidth() > from.getWidth();
}

/// (C5), (C6): the shape is as inferred, the element type may be wider.
bool MatmulOp::isCompatibleReturnTypes(TypeRange inferred, TypeRange actual) {
  if (inferred.size() != 1 || actual.size() != 1) {
    return false;
  }
  auto narrow = cast<RankedTensorType>(inferred[0]);
  auto wide = dyn_cast<RankedTensorType>(actual[0]);
  return wide && wide.getShape() == narrow.getShape() &&
         isSameOrWider(wide.getElementType(), narrow.getElementType());
}

LogicalResult MatmulOp::verify() { return verifyInferredType(*this); }

LogicalResult MatmulOp::reifyResultShapes(OpBuilder &builder,
                                          ReifiedRankedShapedTypeDims &shapes) {
  RankedTensorType type = getResult().getType();
  SmallVector<OpFoldResult> shape;
  auto push = [&](Value operand, int64_t dim) {
    int64_t size = type.getDimSize(shape.size());
    if (ShapedType::isStatic(size)) {
      shape.push_back(builder.getIndexAttr(size));
      return;
    }
    shape.push_back(tensor::getMixedSize(builder, getLoc(), operand, dim));
  };
  for (int64_t dim : llvm::seq<int64_t>(0, type.getRank() - 2)) {
    push(getLhs(), dim);
  }
  push(getLhs(), getDimM());
  push(getRhs(), getDimN());
  shapes.push_back(std::move(shape));
  return success();
}

/// Returns the source of a transpose of just the last two dims, else null.
static Value getMatrixTransposeSource(Value value) {
  auto transpose = value.getDefiningOp<TransposeOp>();
  if (!transpose || transpose.getPerm().size() < 2) {
    return nullptr;
  }
  SmallVector<int64_t> swap =
      llvm::to_vector(llvm::seq<int64_t>(0, transpose.getPerm().size()));
  std::swap(swap[swap.size() - 1], swap[swap.size() - 2]);
  return ArrayRef(swap) == transpose.getPerm() ? transpose.getInput() : nullptr;
}

namespace {
/// Turns transposes of the operands into `transpose_a` and `transpose_b`.
struct AbsorbTransposes : OpRewritePattern<MatmulOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(MatmulOp op,
                                PatternRewriter &rewriter) const override {
    Value lhs = getMatrixTransposeSource(op.getLhs());
    Value rhs = getMatrixTransposeSource(op.getRhs());
    if (!lhs && !rhs) {
      return failure();
    }
    rewriter.modifyOpInPlace(op, [&] {
      if (lhs) {
        op.getLhsMutable().assign(lhs);
        op.setTransposeA(!op.getTransposeA());
      }
      if (rhs) {
        op.getRhsMutable().assign(rhs);
        op.setTransposeB(!op.getTransposeB());
      }
    });
    return success();
  }
};
} // namespace

void MatmulOp::getCanonicalizationPatterns(RewritePatternSet &results,
                                           MLIRContext *context) {
  results.add<AbsorbTransposes>(context);
}

//===----------------------------------------------------------------------===//
// reduce
//===----------------------------------------------------------------------===//

/// (C1)
static LogicalResult verifyReducedDims(std::optional<Location> loc,
                                       ArrayRef<int64_t> dims, int64_t rank) {
  int64_t previous = -1;
  for (int64_t dim : dims) {
    if (dim <= previous || dim >= rank) {
      return emitOptionalError(loc, "expected ascending dims below rank ", rank,
                               ", but got [", dims, "]");
    }
    previous = dim;
  }
  return success();
}

LogicalResult ReduceOp::inferReturnTypes(MLIRContext *context,
                                         std::optional<Location> loc,
                                         Adaptor op,
                                         SmallVectorImpl<Type> &results) {
  auto input = cast<RankedTensorType>(op.getInput().getType());
  if (failed(verifyReducedDims(loc, op.getDims(), input.getRank()))) {
    return failure();
  }
  SmallVector<int64_t> shape;
  for (auto [dim, size] : llvm::enumerate(input.getShape())) {
    if (!llvm::is_contained(op.getDims(), static_cast<int64_t>(dim))) {
      shape.push_back(size);
    }
  }
  results.push_back(input.clone(shape));
  return success();
}

LogicalResult ReduceOp::verify() {
  if (failed(verifyInferredType(*this))) {
    return failure();
  }
  // (C3)
  Type element = getInput().getType().getElementType();
  bool isExtreme = getKind() == ReduceKind::max || getKind() == ReduceKind::min;
  if (getKind() == ReduceKind::mean && !isa<FloatType>(element)) {
    return emitOpError("expected a float element type for mean, but got ")
           << element;
  }
  if (element.isInteger(1) && !isExtreme) {
    return emitOpError("expected max or min for element type i1, but got ")
           << stringifyReduceKind(getKind());
  }
  return success();
}

LogicalResult ReduceOp::reifyResultShapes(OpBuilder &builder,
                                          ReifiedRankedShapedTypeDims &shapes) {
  SmallVector<OpFoldResult> shape;
  for (int64_t dim : llvm::seq<int64_t>(0, getInput().getType().getRank())) {
    if (!llvm::is_contained(getDims(), dim)) {
      shape.push_back(tensor::getMixedSize(builder, getLoc(), getInput(), dim));
    }
  }
  shapes.push_back(std::move(shape));
  return success();
}

OpFoldResult ReduceOp::fold(FoldAdaptor) {
  // Over no dims every element is its own sum, mean, extreme and product.
  return getDims().empty() ? getInput() : Value();
}

//===----------------------------------------------------------------------===//
// Normalizations
//===----------------------------------------------------------------------===//

LogicalResult fusion::verifyDim(Operation *op, StringRef name, int64_t dim,
                                RankedTensorType type) {
  if (dim < 0 || dim >= type.getRank()) {
    return op->emitOpError("expected ")
           << name << " to be below rank " << type.getRank() << ", but got "
           << dim;
  }
  return success();
}

LogicalResult SoftmaxOp::verify() {
  return verifyDim(*this, "dim", getDim(), getInput().getType()); // (C2)
}

LogicalResult LogSoftmaxOp::verify() {
  return verifyDim(*this, "dim", getDim(), getInput().getType()); // (C2)
}

/// Checks that `parameter` (may be null) has the type of the normalized dims.
static LogicalResult verifyNormParameter(Operation *op, StringRef name,
                                         Value parameter, int64_t axis,
                                         RankedTensorType input) {
  if (!parameter) {
    return success();
  }
  auto expected = input.clone(input.getShape().drop_front(axis));
  if (parameter.getType() != expected) {
    return op->emitOpError("expected ") << name << " of type " << expected
                                        << ", but got " << parameter.getType();
  }
  return success();
}

LogicalResult LayerNormOp::verify() {
  RankedTensorType input = getInput().getType();
  int64_t axis = getAxis();
  if (failed(verifyDim(*this, "axis", axis, input))) { // (C2)
    return failure();
  }
  // (C3)
  return failure(
      failed(verifyNormParameter(*this, "scale", getScale(), axis, input)) ||
      failed(verifyNormParameter(*this, "bias", getBias(), axis, input)));
}

LogicalResult RmsNormOp::verify() {
  RankedTensorType input = getInput().getType();
  int64_t axis = getAxis();
  if (failed(verifyDim(*this, "axis", axis, input))) { // (C2)
    return failure();
  }
  return verifyNormParameter(*this, "scale", getScale(), axis, input); // (C3)
}
