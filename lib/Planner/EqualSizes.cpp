//===- EqualSizes.cpp - sizes that are equal whatever they are ------------===//
//
// Both sizes are followed backwards at once. Origins that differ may still be
// computed alike (a flattened tensor of the same sizes, the same arithmetic),
// so they are compared by what they are made of.
//
//===----------------------------------------------------------------------===//

#include "EqualSizes.h"

#include "SizeOrigin.h"

#include "fusion/Dialect/Fusion/IR/Fusion.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::fusion;

/// At most so many pairs are compared: what is larger counts as unequal.
static constexpr size_t kMostPairs = 64;

namespace {
/// Two sizes that have to be equal.
using SizePair = std::pair<SizeOrigin, SizeOrigin>;
} // namespace

/// Follows `origin` through an op that keeps the size: a branch gives what
/// either of its regions yields, insertions keep what they write to.
static SizeOrigin skipOps(SizeOrigin origin) {
  while (origin.value && origin.dim >= 0) {
    Operation *def = origin.value.getDefiningOp();
    unsigned number = def ? cast<OpResult>(origin.value).getResultNumber() : 0;
    if (auto branch = dyn_cast_or_null<IfOp>(def)) {
      origin =
          getSizeOrigin(branch.getThenYield().getValues()[number], origin.dim);
    } else if (auto insert = dyn_cast_or_null<tensor::InsertSliceOp>(def)) {
      origin = getSizeOrigin(insert.getDest(), origin.dim);
    } else if (auto extract = dyn_cast_or_null<tensor::ExtractSliceOp>(def)) {
      if (extract.getType().getRank() != extract.getSourceType().getRank()) {
        break;
      }
      origin = getSizeOrigin(extract.getMixedSizes()[origin.dim]);
    } else {
      break;
    }
  }
  return origin;
}

/// Adds to `pairs` what must be equal for dim `dim` of the results of `first`
/// and `second`, ops on tensors of one name. Returns whether that is known.
static bool addTensorPairs(Operation *first, Operation *second, int64_t dim,
                           SmallVectorImpl<SizePair> &pairs) {
  auto addAll = [&](ValueRange ours, ValueRange theirs, int64_t dim) {
    for (auto [a, b] : llvm::zip_equal(ours, theirs)) {
      pairs.push_back({getSizeOrigin(a, dim), getSizeOrigin(b, dim)});
    }
  };
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(first)) {
    auto other = cast<tensor::CollapseShapeOp>(second);
    ReassociationIndices ours = collapse.getReassociationIndices()[dim];
    ReassociationIndices theirs = other.getReassociationIndices()[dim];
    if (ours.size() != theirs.size()) {
      return false;
    }
    for (auto [a, b] : llvm::zip_equal(ours, theirs)) {
      pairs.push_back({getSizeOrigin(collapse.getSrc(), a),
                       getSizeOrigin(other.getSrc(), b)});
    }
    return true;
  }
  if (auto concat = dyn_cast<tensor::ConcatOp>(first)) {
    auto other = cast<tensor::ConcatOp>(second);
    bool alike = concat->getNumOperands() == other->getNumOperands() &&
                 concat.getDim() == other.getDim();
    if (alike) {
      addAll(concat.getInputs(), other.getInputs(), dim);
    }
    return alike;
  }
  if (auto pad = dyn_cast<tensor::PadOp>(first)) {
    auto other = cast<tensor::PadOp>(second);
    addAll(pad.getSource(), other.getSource(), dim);
    pairs.push_back({getSizeOrigin(pad.getMixedLowPad()[dim]),
                     getSizeOrigin(other.getMixedLowPad()[dim])});
    pairs.push_back({getSizeOrigin(pad.getMixedHighPad()[dim]),
                     getSizeOrigin(other.getMixedHighPad()[dim])});
    return true;
  }
  return false;
}

/// Adds to `pairs` the operands of `first` and `second`, the same arithmetic on
/// indices. Returns whether it is.
static bool addIndexPairs(Operation *first, Operation *second,
                          SmallVectorImpl<SizePair> &pairs) {
  bool alike = isMemoryEffectFree(first) && first->getNumRegions() == 0 &&
               first->getNumOperands() == second->getNumOperands() &&
               first->getAttrDictionary() == second->getAttrDictionary();
  if (!alike) {
    return false;
  }
  for (auto [a, b] :
       llvm::zip_equal(first->getOperands(), second->getOperands())) {
    if (a == b) {
      continue;
    }
    if (!a.getType().isIndex() || !b.getType().isIndex()) {
      return false;
    }
    pairs.push_back({getSizeOrigin(a), getSizeOrigin(b)});
  }
  return true;
}

/// Returns whether two sizes are equal.
static bool areEqual(SizeOrigin first, SizeOrigin second) {
  SmallVector<SizePair> pairs{{first, second}};
  for (size_t i = 0; i < pairs.size(); ++i) {
    SizeOrigin ours = skipOps(pairs[i].first);
    SizeOrigin theirs = skipOps(pairs[i].second);
    if (ours == theirs) {
      continue;
    }
    Operation *a = ours.value ? ours.value.getDefiningOp() : nullptr;
    Operation *b = theirs.value ? theirs.value.getDefiningOp() : nullptr;
    bool comparable = a && b && a->getName() == b->getName() &&
                      cast<OpResult>(ours.value).getResultNumber() ==
                          cast<OpResult>(theirs.value).getResultNumber() &&
                      ours.dim == theirs.dim && pairs.size() < kMostPairs;
    if (!comparable ||
        !(ours.dim < 0 ? addIndexPairs(a, b, pairs)
                       : addTensorPairs(a, b, ours.dim, pairs))) {
      return false;
    }
  }
  return true;
}

std::optional<int64_t> fusion::findUnequalDim(Value first, Value second) {
  auto type = cast<RankedTensorType>(first.getType());
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    if (type.isDynamicDim(dim) &&
        !areEqual(getSizeOrigin(first, dim), getSizeOrigin(second, dim))) {
      return dim;
    }
  }
  return std::nullopt;
}
