//===- MatMul.cpp - matrix products ---------------------------------------===//

#include "OpRegistry.h"
#include "Operands.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::onnx;

FailureOr<Tensor> fusion::onnx::multiplyBatches(NodeImporter &node, Tensor lhs,
                                                Tensor rhs) {
  auto batchOf = [](const Tensor &tensor) {
    return ArrayRef<Dim>(tensor.dims).drop_back(2);
  };
  auto batch = node.broadcastDims(batchOf(lhs), batchOf(rhs));
  if (failed(batch)) {
    return failure();
  }
  for (Tensor *operand : {&lhs, &rhs}) {
    SmallVector<Dim, 4> dims = *batch;
    llvm::append_range(dims, ArrayRef<Dim>(operand->dims).take_back(2));
    auto wide = node.broadcast(*operand, dims);
    if (failed(wide)) {
      return failure();
    }
    *operand = *wide;
  }
  return node.multiply(lhs, rhs);
}

/// Multiplies all rows of `lhs` by the one matrix `rhs`: one product of two
/// matrices, whatever the rank of `lhs`.
static FailureOr<Tensor> multiplyRows(NodeImporter &node, const Tensor &lhs,
                                      const Tensor &rhs) {
  auto rows =
      checkedProduct(node.getDimTable(), ArrayRef<Dim>(lhs.dims).drop_back());
  auto flat = node.reshape(lhs, {*rows, lhs.dims.back()});
  if (failed(flat)) {
    return failure();
  }
  auto product = node.multiply(*flat, rhs);
  if (failed(product)) {
    return failure();
  }
  SmallVector<Dim, 4> dims = lhs.dims;
  dims.back() = rhs.dims.back();
  return node.reshape(*product, dims);
}

/// numpy's matmul: vectors are a row on the left, a column on the right, and
/// that dim is dropped from the result.
static LogicalResult convertMatMul(NodeImporter &node) {
  auto operands = node.tensors();
  if (failed(operands)) {
    return failure();
  }
  Tensor lhs = (*operands)[0], rhs = (*operands)[1];
  bool isRow = lhs.getRank() == 1, isColumn = rhs.getRank() == 1;
  if (lhs.getRank() == 0 || rhs.getRank() == 0) {
    return node.emitError() << "expected operands of rank 1 or more";
  }
  auto left =
      isRow ? node.reshape(lhs, {1, lhs.dims[0]}) : FailureOr<Tensor>(lhs);
  auto right =
      isColumn ? node.reshape(rhs, {rhs.dims[0], 1}) : FailureOr<Tensor>(rhs);
  if (failed(left) || failed(right)) {
    return failure();
  }
  bool oneMatrix = right->getRank() == 2 && left->getRank() > 2;
  auto product = oneMatrix ? multiplyRows(node, *left, *right)
                           : multiplyBatches(node, *left, *right);
  if (failed(product)) {
    return failure();
  }
  SmallVector<Dim, 4> dims = product->dims;
  if (isColumn) {
    dims.pop_back();
  }
  if (isRow) {
    dims.erase(dims.end() - (isColumn ? 1 : 2));
  }
  return node.setResult(node.reshape(*product, dims));
}

/// alpha * A' * B' + beta * C, C broadcast to the product and never wider.
static LogicalResult convertGemm(NodeImporter &node) {
  double alpha = node.getFloat("alpha", 1), beta = node.getFloat("beta", 1);
  bool transposeA = node.getInt("transA", 0) != 0;
  bool transposeB = node.getInt("transB", 0) != 0;
  auto lhs = node.tensor(0), rhs = node.tensor(1);
  if (failed(lhs) || failed(rhs)) {
    return failure();
  }
  if (lhs->getRank() != 2 || rhs->getRank() != 2) {
    return node.emitError() << "expected matrices, but got ranks "
                            << lhs->getRank() << " and " << rhs->getRank();
  }
  auto product = node.multiply(*lhs, *rhs, transposeA, transposeB);
  if (failed(product)) {
    return failure();
  }
  Tensor sum = *product;
  if (alpha != 1) {
    sum = node.apply<MulOp>(sum, node.splat(alpha, sum));
  }
  if (!node.hasInput(2) || beta == 0) {
    return node.setResult(sum);
  }
  auto addend = node.tensor(2);
  if (failed(addend)) {
    return failure();
  }
  if (addend->getElementType() != sum.getElementType()) {
    return node.emitError() << "expected C of type " << sum.getElementType()
                            << ", but got " << addend->getElementType();
  }
  if (beta != 1) {
    addend = node.apply<MulOp>(*addend, node.splat(beta, *addend));
  }
  auto wide = node.broadcast(*addend, sum.dims);
  return failed(wide) ? failure()
                      : node.setResult(node.apply<AddOp>(sum, *wide));
}

void onnx::addMatMulOps(OpRegistry &registry) {
  registry.add("MatMul", 1, {2, 2}, convertMatMul);
  registry.add("Gemm", 7, {3, 3}, convertGemm);
  registry.add("Gemm", 11, {2, 3}, convertGemm);
}
