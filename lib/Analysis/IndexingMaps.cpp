//===- IndexingMaps.cpp - what a map from loops to positions does ---------===//

#include "fusion/Analysis/IndexingMaps.h"

#include "mlir/IR/AffineExpr.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace mlir::fusion;

std::optional<unsigned> fusion::getLoopAt(AffineMap map, unsigned dim) {
  auto loop = dyn_cast<AffineDimExpr>(map.getResult(dim));
  if (!loop) {
    return std::nullopt;
  }
  return loop.getPosition();
}

bool fusion::isProjectedPermutationWithZeros(AffineMap map) {
  // Not AffineMap::isProjectedPermutation: it refuses (a) -> (a, 0).
  llvm::SmallBitVector seen(map.getNumDims());
  for (AffineExpr result : map.getResults()) {
    if (auto loop = dyn_cast<AffineDimExpr>(result)) {
      if (seen.test(loop.getPosition())) {
        return false;
      }
      seen.set(loop.getPosition());
      continue;
    }
    auto constant = dyn_cast<AffineConstantExpr>(result);
    if (!constant || constant.getValue() != 0) {
      return false;
    }
  }
  return true;
}

bool fusion::readsWholeDims(AffineMap map, ArrayRef<int64_t> sizes) {
  return llvm::all_of(llvm::enumerate(sizes), [&](auto size) {
    return size.value() == 1 || getLoopAt(map, size.index());
  });
}

MapRelation fusion::classifyMap(AffineMap map) {
  if (!isProjectedPermutationWithZeros(map)) {
    return MapRelation::Other;
  }
  bool inOrder = true;
  unsigned numLoops = 0;
  std::optional<unsigned> last;
  for (unsigned dim = 0, e = map.getNumResults(); dim < e; ++dim) {
    std::optional<unsigned> loop = getLoopAt(map, dim);
    if (!loop) {
      continue;
    }
    ++numLoops;
    inOrder &= !last || *last < *loop;
    last = loop;
  }
  if (numLoops == map.getNumDims() && numLoops == map.getNumResults()) {
    return inOrder ? MapRelation::Identity : MapRelation::Permutation;
  }
  return inOrder ? MapRelation::Broadcast : MapRelation::Projection;
}
