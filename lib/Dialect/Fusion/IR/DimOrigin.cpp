//===- DimOrigin.cpp - where the size of a dim comes from -----------------===//

#include "fusion/Dialect/Fusion/IR/DimOrigin.h"

#include "fusion/Dialect/Fusion/IR/Fusion.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::fusion;

/// The number of operations that a size is followed through; bounds the time of
/// long chains.
static constexpr int kMaxSteps = 64;

/// Dim `dim` of the result of an operation as dim `second` of its operand
/// `first`.
using DimSource = std::optional<std::pair<Value, int64_t>>;

static DimSource getReduceSource(ReduceOp op, int64_t dim) {
  for (int64_t reduced : op.getDims()) {
    dim += reduced <= dim;
  }
  return std::make_pair(op.getInput(), dim);
}

static DimSource getMatmulSource(MatmulOp op, int64_t dim) {
  int64_t rank = op.getResult().getType().getRank();
  if (dim == rank - 2) {
    return std::make_pair(op.getLhs(), op.getDimM());
  }
  if (dim == rank - 1) {
    return std::make_pair(op.getRhs(), op.getDimN());
  }
  return std::make_pair(op.getLhs(), dim);
}

/// Returns where the operation that makes `tensor` takes its dim `dim` from.
static DimSource getOperandSource(Value tensor, int64_t dim) {
  Operation *op = tensor.getDefiningOp();
  if (!op) {
    return std::nullopt;
  }
  return TypeSwitch<Operation *, DimSource>(op)
      .Case([&](ReduceOp reduce) { return getReduceSource(reduce, dim); })
      .Case([&](MatmulOp matmul) { return getMatmulSource(matmul, dim); })
      .Case([&](TransposeOp transpose) {
        return std::make_pair(transpose.getInput(), transpose.getPerm()[dim]);
      })
      .Case<SoftmaxOp, LogSoftmaxOp, LayerNormOp, RmsNormOp>(
          [&](Operation *sameShape) {
            return std::make_pair(sameShape->getOperand(0), dim);
          })
      .Default([&](Operation *other) -> DimSource {
        bool isOurs = isa<FusionDialect>(other->getDialect());
        if (!isOurs || !other->hasTrait<OpTrait::Elementwise>()) {
          return std::nullopt;
        }
        return std::make_pair(other->getOperand(0), dim);
      });
}

/// Returns the operand that gives the size of dim `dim` of `tensor`, if any.
static Value getSizeOperand(Value tensor, int64_t dim) {
  ValueRange sizes;
  if (auto broadcast = tensor.getDefiningOp<BroadcastOp>()) {
    sizes = broadcast.getSizes();
  } else if (auto reshape = tensor.getDefiningOp<ReshapeOp>()) {
    sizes = reshape.getSizes();
  } else if (auto empty = tensor.getDefiningOp<tensor::EmptyOp>()) {
    sizes = empty.getDynamicSizes();
  } else {
    return nullptr;
  }
  auto type = cast<RankedTensorType>(tensor.getType());
  return sizes[type.getDynamicDimIndex(dim)];
}

DimOrigin fusion::getDimOrigin(Value tensor, int64_t dim) {
  for (int step = 0; step < kMaxSteps; ++step) {
    auto type = cast<RankedTensorType>(tensor.getType());
    if (!type.isDynamicDim(dim)) {
      return {nullptr, type.getDimSize(dim)};
    }
    if (DimSource source = getOperandSource(tensor, dim)) {
      std::tie(tensor, dim) = *source;
      continue;
    }
    Value size = getSizeOperand(tensor, dim);
    if (!size) {
      return {tensor, dim};
    }
    if (std::optional<int64_t> constant = getConstantIntValue(size)) {
      return {nullptr, *constant};
    }
    auto dimOp = size.getDefiningOp<tensor::DimOp>();
    std::optional<int64_t> index =
        dimOp ? dimOp.getConstantIndex() : std::nullopt;
    if (!index || !isa<RankedTensorType>(dimOp.getSource().getType())) {
      return {size, 0};
    }
    tensor = dimOp.getSource();
    dim = *index;
  }
  return {tensor, dim};
}

DimOrigin fusion::getDimOrigin(OpFoldResult size) {
  if (std::optional<int64_t> constant = getConstantIntValue(size)) {
    return {nullptr, *constant};
  }
  auto value = cast<Value>(size);
  auto dimOp = value.getDefiningOp<tensor::DimOp>();
  std::optional<int64_t> index =
      dimOp ? dimOp.getConstantIndex() : std::nullopt;
  if (!index || !isa<RankedTensorType>(dimOp.getSource().getType())) {
    return {value, 0};
  }
  return getDimOrigin(dimOp.getSource(), *index);
}
