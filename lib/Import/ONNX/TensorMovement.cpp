//===- TensorMovement.cpp - movement of tensors of known dims -------------===//

#include "TensorBuilder.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::onnx;

FailureOr<Tensor> TensorBuilder::slice(const Tensor &input, int64_t axis,
                                       const Dim &start, const Dim &count,
                                       int64_t step) {
  if (start.is(0) && step == 1 && count == input.dims[axis]) {
    return input;
  }
  SmallVector<Dim, 4> starts(input.getRank(), Dim(0)), dims = input.dims;
  SmallVector<int64_t> steps(input.getRank(), 1);
  starts[axis] = start;
  dims[axis] = count;
  // Of one element the step says nothing.
  steps[axis] = count.is(1) ? 1 : step;
  if (failed(typeFor(dims, input.getElementType()))) {
    return failure();
  }
  auto op = SliceOp::create(builder, loc, input.value, getSizes(starts),
                            getSizes(dims), steps);
  return Tensor{op.getResult(), dims};
}

FailureOr<Tensor> TensorBuilder::take(const Tensor &input, int64_t axis,
                                      const Dim &index) {
  auto one = slice(input, axis, index, 1);
  if (failed(one)) {
    return failure();
  }
  SmallVector<Dim, 4> dims = one->dims;
  dims.erase(dims.begin() + axis);
  return reshape(*one, dims);
}

FailureOr<Tensor> TensorBuilder::concat(ArrayRef<Tensor> inputs, int64_t axis) {
  if (inputs.size() == 1) {
    return inputs.front();
  }
  SmallVector<Dim, 4> dims = inputs.front().dims;
  dims[axis] = 0;
  SmallVector<Value> values;
  for (const Tensor &input : inputs) {
    dims[axis] = dimTable.add(dims[axis], input.dims[axis]);
    values.push_back(input.value);
  }
  auto type = typeFor(dims, inputs.front().getElementType());
  if (failed(type)) {
    return failure();
  }
  auto op = ConcatOp::create(builder, loc, *type, values, axis);
  return Tensor{op.getResult(), dims};
}

FailureOr<Tensor> TensorBuilder::stack(ArrayRef<Tensor> inputs, int64_t axis) {
  SmallVector<Tensor> columns;
  for (const Tensor &input : inputs) {
    auto column = unsqueeze(input, axis);
    if (failed(column)) {
      return failure();
    }
    columns.push_back(*column);
  }
  return concat(columns, axis);
}

FailureOr<Tensor> TensorBuilder::pad(const Tensor &input, ArrayRef<int64_t> low,
                                     ArrayRef<int64_t> high, double value) {
  auto isZero = [](int64_t entry) { return entry == 0; };
  if (llvm::all_of(low, isZero) && llvm::all_of(high, isZero)) {
    return input;
  }
  SmallVector<Dim, 4> dims;
  for (auto [dim, before, after] : llvm::zip(input.dims, low, high)) {
    dims.push_back(dimTable.add(dim, before + after));
  }
  auto type = typeFor(dims, input.getElementType());
  if (failed(type)) {
    return failure();
  }
  auto op =
      PadOp::create(builder, loc, *type, PadMode::constant, input.value,
                    scalar(value, input.getElementType()).value, low, high);
  return Tensor{op.getResult(), dims};
}

FailureOr<Tensor> TensorBuilder::gather(const Tensor &input,
                                        const Tensor &indices, int64_t axis) {
  SmallVector<Dim, 4> dims(input.dims.begin(), input.dims.begin() + axis);
  llvm::append_range(dims, indices.dims);
  llvm::append_range(dims, ArrayRef<Dim>(input.dims).drop_front(axis + 1));
  auto type = typeFor(dims, input.getElementType());
  if (failed(type)) {
    return failure();
  }
  auto op =
      GatherOp::create(builder, loc, *type, input.value, indices.value, axis);
  return Tensor{op.getResult(), dims};
}

Tensor TensorBuilder::gatherElements(const Tensor &input, const Tensor &indices,
                                     int64_t axis) {
  auto type = indices.getType().clone(input.getElementType());
  auto op = GatherElementsOp::create(builder, loc, type, input.value,
                                     indices.value, axis);
  return {op.getResult(), indices.dims};
}

Tensor TensorBuilder::positions(ArrayRef<Dim> dims, int64_t axis,
                                Type elementType) {
  auto op = IotaOp::create(builder, loc, elementType, getSizes(dims), axis);
  return {op.getResult(), SmallVector<Dim, 4>(dims)};
}

FailureOr<Tensor> TensorBuilder::unsqueeze(const Tensor &input, int64_t axis) {
  SmallVector<Dim, 4> dims = input.dims;
  dims.insert(dims.begin() + axis, Dim(1));
  return reshape(input, dims);
}

FailureOr<Tensor> TensorBuilder::multiply(const Tensor &lhs, const Tensor &rhs,
                                          bool transposeA, bool transposeB,
                                          Type resultType) {
  if (lhs.getElementType() != rhs.getElementType()) {
    return emitError() << "expected operands of one element type, but got "
                       << lhs.getElementType() << " and "
                       << rhs.getElementType();
  }
  int64_t row = lhs.getRank() - 2, column = lhs.getRank() - 1;
  const Dim &lhsK = lhs.dims[transposeA ? row : column];
  const Dim &rhsK = rhs.dims[transposeB ? column : row];
  if (lhsK != rhsK) {
    bool known = dimTable.equal(lhsK, rhsK).has_value();
    return emitError() << (known ? "expected" : "cannot tell whether")
                       << " the contracted sizes of " << toString(lhs.dims)
                       << " and " << toString(rhs.dims)
                       << (known ? " to be equal" : " are equal");
  }
  SmallVector<Dim, 4> dims(lhs.dims.begin(), lhs.dims.end() - 2);
  dims.push_back(lhs.dims[transposeA ? column : row]);
  dims.push_back(rhs.dims[transposeB ? row : column]);
  auto type = typeFor(dims, resultType ? resultType : lhs.getElementType());
  if (failed(type)) {
    return failure();
  }
  auto op = MatmulOp::create(builder, loc, *type, lhs.value, rhs.value,
                             transposeA, transposeB);
  return Tensor{op.getResult(), dims};
}
