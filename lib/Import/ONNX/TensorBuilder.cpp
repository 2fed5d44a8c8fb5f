//===- TensorBuilder.cpp - fusion ops on tensors of known dims ------------===//

#include "TensorBuilder.h"
#include "TensorData.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::onnx;

FailureOr<RankedTensorType> TensorBuilder::typeFor(ArrayRef<Dim> dims,
                                                   Type elementType) {
  if (static_cast<int64_t>(dims.size()) > kMaxRank) {
    return emitError() << "expected a rank of at most " << kMaxRank
                       << ", but got " << dims.size();
  }
  SmallVector<int64_t> shape;
  for (const Dim &dim : dims) {
    if (dim.isStatic() && dim.getStatic() < 0) {
      return emitError() << "expected sizes that are not negative, but got "
                         << toString(dims);
    }
    shape.push_back(dim.isStatic() ? dim.getStatic() : ShapedType::kDynamic);
  }
  // In bytes, of the widest element.
  SmallVector<Dim> bytes(dims);
  bytes.push_back(8);
  if (!checkedProduct(dimTable, bytes)) {
    return emitError() << "shape " << toString(dims) << " is too large";
  }
  return RankedTensorType::get(shape, elementType);
}

std::string TensorBuilder::toString(ArrayRef<Dim> dims) const {
  auto texts = llvm::map_range(
      dims, [&](const Dim &dim) { return dimTable.toString(dim); });
  return "[" + llvm::join(texts, ", ") + "]";
}

SmallVector<OpFoldResult> TensorBuilder::getSizes(ArrayRef<Dim> dims) {
  return llvm::map_to_vector(dims, [&](const Dim &dim) -> OpFoldResult {
    if (dim.isStatic()) {
      return builder.getIndexAttr(dim.getStatic());
    }
    return dimTable.materialize(dim, loc);
  });
}

//===----------------------------------------------------------------------===//
// Elementwise
//===----------------------------------------------------------------------===//

Tensor TensorBuilder::compare(ComparePredicate predicate, const Tensor &lhs,
                              const Tensor &rhs) {
  auto type = lhs.getType().clone(builder.getI1Type());
  return {CompareOp::create(builder, loc, type, predicate, lhs.value, rhs.value)
              .getResult(),
          lhs.dims};
}

Tensor TensorBuilder::select(const Tensor &condition, const Tensor &ifTrue,
                             const Tensor &ifFalse) {
  return {SelectOp::create(builder, loc, ifTrue.getType(), condition.value,
                           ifTrue.value, ifFalse.value)
              .getResult(),
          ifTrue.dims};
}

Tensor TensorBuilder::cast(const Tensor &input, Type elementType) {
  if (input.getElementType() == elementType) {
    return input;
  }
  return {CastOp::create(builder, loc, input.value, elementType).getResult(),
          input.dims};
}

Tensor TensorBuilder::widen(const Tensor &input) {
  Type type = input.getElementType();
  return type.isF16() || type.isBF16() ? cast(input, builder.getF32Type())
                                       : input;
}

Tensor TensorBuilder::narrow(const Tensor &input, Type elementType) {
  if (input.getElementType() == elementType) {
    return input;
  }
  return {CastOp::create(builder, loc, input.value, elementType,
                         /*rounding=*/true)
              .getResult(),
          input.dims};
}

Tensor TensorBuilder::scalar(double value, Type elementType) {
  auto type = RankedTensorType::get({}, elementType);
  DenseElementsAttr attr;
  if (auto floatType = dyn_cast<FloatType>(elementType)) {
    attr = DenseElementsAttr::get(type,
                                  Attribute(FloatAttr::get(floatType, value)));
  } else {
    attr = DenseElementsAttr::get(
        type,
        Attribute(IntegerAttr::get(
            elementType, APInt(elementType.getIntOrFloatBitWidth(),
                               static_cast<int64_t>(value), /*isSigned=*/true,
                               /*implicitTrunc=*/true))));
  }
  return {ConstantOp::create(builder, loc, type, attr).getResult(), {}};
}

/// Numbers as the contents of a tensor of `type`, rounded to its elements.
static DenseElementsAttr makeContents(RankedTensorType type,
                                      ArrayRef<double> values) {
  Type elementType = type.getElementType();
  if (elementType.isF64()) {
    return DenseElementsAttr::get(type, values);
  }
  if (elementType.isF32()) {
    return DenseElementsAttr::get<float>(
        type, SmallVector<float>(values.begin(), values.end()));
  }
  SmallVector<Attribute> elements;
  for (double value : values) {
    if (isa<FloatType>(elementType)) {
      elements.push_back(FloatAttr::get(elementType, value));
      continue;
    }
    APInt bits(elementType.getIntOrFloatBitWidth(), static_cast<int64_t>(value),
               /*isSigned=*/true, /*implicitTrunc=*/true);
    elements.push_back(IntegerAttr::get(elementType, bits));
  }
  return DenseElementsAttr::get(type, elements);
}

Tensor TensorBuilder::constantTensor(ArrayRef<double> values,
                                     ArrayRef<int64_t> shape,
                                     Type elementType) {
  auto type = RankedTensorType::get(shape, elementType);
  auto op = ConstantOp::create(builder, loc, type, makeContents(type, values));
  return {op.getResult(), SmallVector<Dim, 4>(shape.begin(), shape.end())};
}

Tensor TensorBuilder::constantIndices(ArrayRef<int64_t> values,
                                      ArrayRef<int64_t> shape) {
  auto type = RankedTensorType::get(shape, builder.getI64Type());
  auto contents = DenseElementsAttr::get(type, values);
  return {ConstantOp::create(builder, loc, type, contents).getResult(),
          SmallVector<Dim, 4>(shape.begin(), shape.end())};
}

Tensor TensorBuilder::splat(double value, const Tensor &like) {
  Tensor single = scalar(value, like.getElementType());
  if (like.dims.empty()) {
    return single;
  }
  return {BroadcastOp::create(builder, loc, single.value, getSizes(like.dims),
                              ArrayRef<int64_t>{})
              .getResult(),
          like.dims};
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

FailureOr<SmallVector<Dim, 4>> TensorBuilder::broadcastDims(ArrayRef<Dim> a,
                                                            ArrayRef<Dim> b) {
  if (a.size() < b.size()) {
    std::swap(a, b);
  }
  SmallVector<Dim, 4> dims(a);
  for (auto [dim, other] :
       llvm::zip(MutableArrayRef<Dim>(dims).take_back(b.size()), b)) {
    if (dim == other || other.is(1)) {
      continue;
    }
    if (dim.is(1)) {
      dim = other;
      continue;
    }
    if (dim.isStatic() && other.isStatic()) {
      return emitError() << "shapes " << toString(a) << " and " << toString(b)
                         << " do not broadcast: " << dim.getStatic() << " and "
                         << other.getStatic() << " differ";
    }
    return emitError() << "cannot tell whether sizes '"
                       << dimTable.toString(dim) << "' and '"
                       << dimTable.toString(other) << "' are equal, so shapes "
                       << toString(a) << " and " << toString(b)
                       << " may not broadcast";
  }
  return dims;
}

FailureOr<Tensor> TensorBuilder::broadcast(const Tensor &input,
                                           ArrayRef<Dim> dims) {
  if (ArrayRef<Dim>(input.dims) == dims) {
    return input;
  }
  auto common = broadcastDims(input.dims, dims);
  if (failed(common)) {
    return failure();
  }
  if (ArrayRef<Dim>(*common) != dims) {
    return emitError() << "expected a shape that broadcasts to "
                       << toString(dims) << ", but got "
                       << toString(input.dims);
  }
  auto type = typeFor(dims, input.getElementType());
  if (failed(type)) {
    return failure();
  }
  int64_t offset = static_cast<int64_t>(dims.size()) - input.getRank();
  auto positions = llvm::to_vector(
      llvm::seq<int64_t>(offset, static_cast<int64_t>(dims.size())));
  auto op =
      BroadcastOp::create(builder, loc, input.value, getSizes(dims), positions);
  return Tensor{op.getResult(), SmallVector<Dim, 4>(dims)};
}

LogicalResult
TensorBuilder::broadcastTogether(MutableArrayRef<Tensor> tensors) {
  SmallVector<Dim, 4> dims = tensors.front().dims;
  for (const Tensor &tensor : tensors.drop_front()) {
    auto common = broadcastDims(dims, tensor.dims);
    if (failed(common)) {
      return failure();
    }
    dims = *common;
  }
  for (Tensor &tensor : tensors) {
    auto result = broadcast(tensor, dims);
    if (failed(result)) {
      return failure();
    }
    tensor = *result;
  }
  return success();
}

FailureOr<Tensor> TensorBuilder::reshape(const Tensor &input,
                                         ArrayRef<Dim> dims) {
  if (ArrayRef<Dim>(input.dims) == dims) {
    return input;
  }
  auto type = typeFor(dims, input.getElementType());
  if (failed(type)) {
    return failure();
  }
  auto from = checkedProduct(dimTable, input.dims);
  auto to = checkedProduct(dimTable, dims);
  if (dimTable.equal(*from, *to) == std::optional<bool>(false)) {
    return emitError() << "expected a shape of " << dimTable.toString(*from)
                       << " elements, but " << toString(dims) << " has "
                       << dimTable.toString(*to);
  }
  auto op = ReshapeOp::create(builder, loc, input.value, getSizes(dims));
  return Tensor{op.getResult(), SmallVector<Dim, 4>(dims)};
}

Tensor TensorBuilder::transpose(const Tensor &input, ArrayRef<int64_t> perm) {
  if (llvm::equal(perm, llvm::seq<int64_t>(0, input.getRank()))) {
    return input;
  }
  SmallVector<Dim, 4> dims;
  SmallVector<int64_t> shape;
  for (int64_t from : perm) {
    dims.push_back(input.dims[from]);
    shape.push_back(input.getType().getDimSize(from));
  }
  auto type = RankedTensorType::get(shape, input.getElementType());
  return {
      TransposeOp::create(builder, loc, type, input.value, perm).getResult(),
      dims};
}

FailureOr<Tensor> TensorBuilder::reduce(ReduceKind kind, const Tensor &input,
                                        ArrayRef<int64_t> axes, bool keepDims) {
  SmallVector<Dim, 4> dims, kept;
  SmallVector<int64_t> shape;
  for (int64_t i = 0, e = input.getRank(); i < e; ++i) {
    if (llvm::is_contained(axes, i)) {
      kept.push_back(1);
      continue;
    }
    kept.push_back(input.dims[i]);
    dims.push_back(input.dims[i]);
    shape.push_back(input.getType().getDimSize(i));
  }
  auto type = RankedTensorType::get(shape, input.getElementType());
  auto op = ReduceOp::create(builder, loc, type, kind, input.value, axes);
  Tensor reduced{op.getResult(), dims};
  return keepDims ? reshape(reduced, kept) : FailureOr<Tensor>(reduced);
}

FailureOr<Tensor> TensorBuilder::broadcastChannels(const Tensor &channels,
                                                   ArrayRef<Dim> dims) {
  if (channels.getRank() != 1) {
    return emitError() << "expected one element per channel, but got "
                       << toString(channels.dims);
  }
  SmallVector<Dim, 4> column(dims.size() - 1, Dim(1));
  column.front() = channels.dims.front();
  auto shaped = reshape(channels, column);
  return failed(shaped) ? shaped : broadcast(*shaped, dims);
}
