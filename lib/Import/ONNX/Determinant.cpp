//===- Determinant.cpp - determinants of small matrices -------------------===//

#include "OpRegistry.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::onnx;

/// Larger matrices are refused: the graph grows with the square of the size.
static constexpr int64_t kLargest = 16;

namespace {
/// Gaussian elimination of one column, on all matrices of a batch at once.
class Elimination {
public:
  explicit Elimination(NodeImporter &node) : node(node) {}

  /// The rows of square matrices: [batch, size].
  SmallVector<Tensor> rows;
  /// The product of pivots so far, with the sign of the swaps: [batch].
  std::optional<Tensor> product;

  /// Brings the largest element of the first column to the top, subtracts the
  /// top row from the others, and drops it with the column.
  LogicalResult step();

private:
  LogicalResult swapIfLarger(Tensor &top, Tensor &other);
  FailureOr<Tensor> head(const Tensor &row) { return node.slice(row, 1, 0, 1); }

  NodeImporter &node;
};
} // namespace

LogicalResult Elimination::swapIfLarger(Tensor &top, Tensor &other) {
  auto first = head(top), second = head(other);
  if (failed(first) || failed(second)) {
    return failure();
  }
  Tensor isLarger =
      node.compare(ComparePredicate::gt, node.apply<AbsOp>(*second),
                   node.apply<AbsOp>(*first));
  auto wide = node.broadcast(isLarger, top.dims);
  auto flag = node.reshape(isLarger, product->dims);
  if (failed(wide) || failed(flag)) {
    return failure();
  }
  Tensor newTop = node.select(*wide, other, top);
  other = node.select(*wide, top, other);
  top = newTop;
  product = node.select(*flag, node.apply<NegOp>(*product), *product);
  return success();
}

LogicalResult Elimination::step() {
  Tensor &top = rows.front();
  for (Tensor &other : MutableArrayRef(rows).drop_front()) {
    if (failed(swapIfLarger(top, other))) {
      return failure();
    }
  }
  auto pivot = head(top);
  auto flat = failed(pivot) ? pivot : node.reshape(*pivot, product->dims);
  if (failed(flat)) {
    return failure();
  }
  product = node.apply<MulOp>(*product, *flat);
  // A column of zeros makes the product 0 whatever follows.
  Tensor isZero = node.compareTo(ComparePredicate::eq, *pivot, 0);
  Tensor divisor = node.select(isZero, node.splat(1, *pivot), *pivot);
  SmallVector<Tensor> rest;
  Dim size = top.dims[1].getStatic() - 1;
  for (const Tensor &row : ArrayRef(rows).drop_front()) {
    auto own = head(row);
    auto topTail = node.slice(top, 1, 1, size);
    auto tail = node.slice(row, 1, 1, size);
    if (failed(own) || failed(topTail) || failed(tail)) {
      return failure();
    }
    auto factor = node.broadcast(node.apply<DivOp>(*own, divisor), tail->dims);
    if (failed(factor)) {
      return failure();
    }
    rest.push_back(
        node.apply<SubOp>(*tail, node.apply<MulOp>(*factor, *topTail)));
  }
  rows = rest;
  return success();
}

static LogicalResult convertDet(NodeImporter &node) {
  auto input = node.tensor(0);
  if (failed(input)) {
    return failure();
  }
  int64_t rank = input->getRank();
  bool isSquare = rank >= 2 && input->dims[rank - 1].isStatic() &&
                  input->dims[rank - 1] == input->dims[rank - 2];
  int64_t size = isSquare ? input->dims[rank - 1].getStatic() : 0;
  if (size < 1 || size > kLargest || !isa<FloatType>(input->getElementType())) {
    return node.emitError()
           << "expected square matrices of floats, of a "
              "static size of 1 to "
           << kLargest << ", but got " << node.toString(input->dims) << " of "
           << input->getElementType();
  }
  SmallVector<Dim, 4> batchDims(input->dims.begin(), input->dims.end() - 2);
  Dim batch = *checkedProduct(node.getDimTable(), batchDims);
  auto matrices = node.reshape(node.widen(*input), {batch, size, size});
  if (failed(matrices)) {
    return failure();
  }
  Elimination elimination(node);
  for (int64_t row = 0; row < size; ++row) {
    auto one = node.take(*matrices, 1, row);
    if (failed(one)) {
      return failure();
    }
    elimination.rows.push_back(*one);
  }
  auto ones =
      node.broadcast(node.scalar(1, matrices->getElementType()), {batch});
  if (failed(ones)) {
    return failure();
  }
  elimination.product = *ones;
  while (!elimination.rows.empty()) {
    if (failed(elimination.step())) {
      return failure();
    }
  }
  auto shaped = node.reshape(*elimination.product, batchDims);
  return failed(shaped)
             ? failure()
             : node.setResult(node.narrow(*shaped, input->getElementType()));
}

void onnx::addDeterminantOps(OpRegistry &registry) {
  registry.add("Det", 11, {1, 1}, convertDet);
}
