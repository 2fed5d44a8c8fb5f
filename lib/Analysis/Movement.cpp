//===- Movement.cpp - ops that only rearrange a tensor --------------------===//

#include "fusion/Analysis/Movement.h"

#include "fusion/Analysis/IndexingMaps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::fusion;
using linalg::LinalgOp;

std::optional<Movement> fusion::getMovement(LinalgOp op) {
  if (!op.hasPureTensorSemantics() || !op.isAllParallelLoops() ||
      op.getNumDpsInputs() != 1 || op->getNumResults() != 1) {
    return std::nullopt;
  }
  OpOperand *input = op.getDpsInputOperand(0);
  Block &body = *op.getBlock();
  if (!isa<RankedTensorType>(input->get().getType()) ||
      body.getTerminator()->getNumOperands() != 1 ||
      body.getTerminator()->getOperand(0) != body.getArgument(0)) {
    return std::nullopt;
  }
  AffineMap read = op.getMatchingIndexingMap(input);
  AffineMap written = op.getIndexingMapMatchingResult(op->getResult(0));
  if (!written.isPermutation() || !isProjectedPermutationWithZeros(read) ||
      !readsWholeDims(read,
                      cast<ShapedType>(input->get().getType()).getShape())) {
    return std::nullopt;
  }
  return Movement{input->get(), read.compose(inversePermutation(written))};
}

Movement fusion::traceMovement(Value value) {
  unsigned rank = cast<RankedTensorType>(value.getType()).getRank();
  Movement traced{value,
                  AffineMap::getMultiDimIdentityMap(rank, value.getContext())};
  while (auto op = traced.source.getDefiningOp<LinalgOp>()) {
    std::optional<Movement> step = getMovement(op);
    if (!step || op->hasAttr("fusion.no_fuse")) {
      break;
    }
    traced = {step->source, step->map.compose(traced.map)};
  }
  return traced;
}

/// Returns the start where `index` is the loop `loop` plus it, or nothing.
static std::optional<int64_t> getStart(Value index, unsigned loop) {
  APInt start(64, 0);
  if (auto sum = index.getDefiningOp<arith::AddIOp>()) {
    bool first = matchPattern(sum.getLhs(), m_ConstantInt(&start));
    if (!first && !matchPattern(sum.getRhs(), m_ConstantInt(&start))) {
      return std::nullopt;
    }
    index = first ? sum.getRhs() : sum.getLhs();
  }
  auto at = index.getDefiningOp<linalg::IndexOp>();
  return at && at.getDim() == loop ? std::optional(start.getSExtValue())
                                   : std::nullopt;
}

std::optional<Slice> fusion::getSlice(LinalgOp op) {
  if (!op.hasPureTensorSemantics() || !op.isAllParallelLoops() ||
      op.getNumDpsInputs() != 0 || op->getNumResults() != 1 ||
      !op.getIndexingMapMatchingResult(op->getResult(0)).isIdentity()) {
    return std::nullopt;
  }
  auto read = op.getBlock()
                  ->getTerminator()
                  ->getOperand(0)
                  .getDefiningOp<tensor::ExtractOp>();
  if (!read || read->getBlock() != op.getBlock()) {
    return std::nullopt;
  }
  auto source = cast<RankedTensorType>(read.getTensor().getType());
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  if (!source.hasStaticShape() || !type.hasStaticShape() ||
      source.getRank() != type.getRank()) {
    return std::nullopt;
  }
  Slice slice{read.getTensor(), {}};
  for (auto [dim, index] : llvm::enumerate(read.getIndices())) {
    std::optional<int64_t> start = getStart(index, dim);
    if (!start || *start < 0 ||
        *start + type.getDimSize(dim) > source.getDimSize(dim)) {
      return std::nullopt;
    }
    slice.starts.push_back(*start);
  }
  return slice;
}
