//===- Movement.cpp - ops that only rearrange a tensor --------------------===//

#include "fusion/Analysis/Movement.h"

#include "fusion/Analysis/IndexingMaps.h"

using namespace mlir;
using namespace mlir::fusion;
using linalg::LinalgOp;

/// Returns whether `map` is zero only where the dim's size is one.
static bool readsWholeDims(AffineMap map, ShapedType type) {
  for (unsigned dim = 0, e = map.getNumResults(); dim < e; ++dim) {
    if (!getLoopAt(map, dim) && type.getDimSize(dim) != 1) {
      return false;
    }
  }
  return true;
}

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
      !readsWholeDims(read, cast<ShapedType>(input->get().getType()))) {
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
