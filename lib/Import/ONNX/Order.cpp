//===- Order.cpp - ops that compare the elements of a row -----------------===//

#include "OpRegistry.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::onnx;

/// ArgMax and ArgMin.
template <ReduceKind kind>
static LogicalResult convertArgReduce(NodeImporter &node) {
  int64_t attribute = node.getInt("axis", 0);
  bool keepDims = node.getInt("keepdims", 1) != 0;
  bool last = node.getInt("select_last_index", 0) != 0;
  auto input = node.tensor(0);
  if (failed(input)) {
    return failure();
  }
  auto axis = node.normalizeAxis(attribute, input->getRank());
  if (failed(axis)) {
    return failure();
  }
  SmallVector<Dim, 4> dims = input->dims, kept = input->dims;
  dims.erase(dims.begin() + *axis);
  kept[*axis] = 1;
  auto type = node.typeFor(dims, node.getBuilder().getI64Type());
  if (failed(type)) {
    return failure();
  }
  auto op = ArgReduceOp::create(node.getBuilder(), node.getLoc(), *type, kind,
                                input->value, *axis, last);
  Tensor result{op.getResult(), dims};
  return keepDims ? node.setResult(node.reshape(result, kept))
                  : node.setResult(result);
}

/// How many elements TopK keeps: an attribute before operator set 10.
static FailureOr<Dim> readCount(NodeImporter &node) {
  if (node.getOpset() < 10) {
    return Dim(node.getInt("k", 0));
  }
  auto given = node.integers(1, "k");
  if (failed(given)) {
    return failure();
  }
  if (given->size() != 1) {
    return node.emitError() << "expected one k, but got " << given->size();
  }
  return given->front();
}

static LogicalResult convertTopK(NodeImporter &node) {
  int64_t attribute = node.getInt("axis", -1);
  bool largest = node.getInt("largest", 1) != 0;
  node.ignore({"sorted"}); // Any order will do without it.
  auto count = readCount(node);
  auto input = node.tensor(0);
  if (failed(count) || failed(input)) {
    return failure();
  }
  auto axis = node.normalizeAxis(attribute, input->getRank());
  if (failed(axis)) {
    return failure();
  }
  DimTable &table = node.getDimTable();
  const Dim &size = input->dims[*axis];
  if (table.less(size, *count) == std::optional<bool>(true)) {
    return node.emitError()
           << "expected k to be at most " << table.toString(size)
           << ", but got " << table.toString(*count);
  }
  SmallVector<Dim, 4> dims = input->dims;
  dims[*axis] = *count;
  if (failed(node.typeFor(dims, input->getElementType()))) {
    return failure();
  }
  auto op = TopKOp::create(node.getBuilder(), node.getLoc(), input->value,
                           *axis, !largest, node.getSizes({*count}).front());
  node.addResult({op.getValues(), dims});
  node.addResult({op.getIndices(), dims});
  return success();
}

void onnx::addOrderOps(OpRegistry &registry) {
  registry.add("ArgMax", 1, {1, 1}, convertArgReduce<ReduceKind::max>);
  registry.add("ArgMin", 1, {1, 1}, convertArgReduce<ReduceKind::min>);
  registry.add("TopK", 1, {1, 1}, convertTopK);
  registry.add("TopK", 10, {2, 2}, convertTopK);
}
