//===- TurnedTensors.cpp - tensors with another dim last ------------------===//

#include "TurnedTensors.h"

#include "fusion/Dialect/Fusion/IR/Directives.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::fusion;

SmallVector<int64_t> fusion::getTurnedOrder(int64_t rank, int64_t dim) {
  SmallVector<int64_t> order;
  for (int64_t other = 0; other < rank; ++other) {
    if (other != dim) {
      order.push_back(other);
    }
  }
  order.push_back(dim);
  return order;
}

AffineMap fusion::turnMap(AffineMap map, int64_t dim) {
  SmallVector<AffineExpr> results;
  for (int64_t old : getTurnedOrder(map.getNumResults(), dim)) {
    results.push_back(map.getResult(old));
  }
  return AffineMap::get(map.getNumDims(), map.getNumSymbols(), results,
                        map.getContext());
}

Value fusion::makeTurnedEmpty(OpBuilder &builder, Location loc, Value like,
                              int64_t dim) {
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(builder, loc, like);
  SmallVector<OpFoldResult> turned;
  for (int64_t old : getTurnedOrder(sizes.size(), dim)) {
    turned.push_back(sizes[old]);
  }
  return tensor::EmptyOp::create(builder, loc, turned,
                                 getElementTypeOrSelf(like.getType()));
}

/// Recognises what pads a tensor and may be computed in another order.
static std::optional<PaddedRead> getPadding(Value value) {
  auto op = value.getDefiningOp<linalg::GenericOp>();
  return op && !isDirected(op) ? matchPaddedRead(op) : std::nullopt;
}

std::optional<int64_t> TurnedTensors::getComputedDim(Value value) const {
  std::optional<PaddedRead> padded = getPadding(value);
  auto found = computed.find(padded ? padded->source : value);
  return found == computed.end() ? std::nullopt : std::optional(found->second);
}

Value TurnedTensors::turnPadding(Location loc, linalg::GenericOp op,
                                 const PaddedRead &padded, int64_t dim) {
  int64_t rank = op.getNumLoops();
  SmallVector<int64_t> order = getTurnedOrder(rank, dim);
  SmallVector<int64_t> positions(rank);
  for (auto [position, old] : llvm::enumerate(order)) {
    positions[old] = position;
  }
  Value source = get(loc, padded.source, dim);
  Value init = makeTurnedEmpty(builder, op.getLoc(), op.getResult(0), dim);
  auto turned = linalg::GenericOp::create(
      builder, op.getLoc(), init.getType(), ValueRange(), init,
      op.getIndexingMapsArray(), op.getIteratorTypesArray());
  IRMapping mapping;
  op.getRegion().cloneInto(&turned.getRegion(), mapping);
  turned.walk(
      [&](linalg::IndexOp index) { index.setDim(positions[index.getDim()]); });
  turned.walk([&](tensor::ExtractOp read) {
    SmallVector<Value> indices;
    for (int64_t old : order) {
      indices.push_back(read.getIndices()[old]);
    }
    read.getTensorMutable().assign(source);
    read.getIndicesMutable().assign(indices);
  });
  return turned.getResult(0);
}

Value TurnedTensors::get(Location loc, Value value, int64_t dim) {
  if (Value found = known.lookup({value, dim})) {
    return found;
  }
  Value turned;
  if (std::optional<PaddedRead> padded = getPadding(value)) {
    turned = turnPadding(loc, value.getDefiningOp<linalg::GenericOp>(), *padded,
                         dim);
  } else {
    int64_t rank = cast<RankedTensorType>(value.getType()).getRank();
    Value init = makeTurnedEmpty(builder, loc, value, dim);
    turned = linalg::TransposeOp::create(builder, loc, value, init,
                                         getTurnedOrder(rank, dim))
                 ->getResult(0);
  }
  known[{value, dim}] = turned;
  return turned;
}
