//===- WindowChannels.cpp - which dims of a convolution are channels ------===//

#include "WindowChannels.h"

#include "ProductLoops.h"

#include "fusion/Analysis/IndexingMaps.h"

using namespace mlir;
using namespace mlir::fusion;
using linalg::LinalgOp;

int64_t fusion::getLastDim(Value value) {
  ArrayRef<int64_t> sizes = cast<ShapedType>(value.getType()).getShape();
  int64_t last = sizes.size() - 1;
  while (last > 0 && sizes[last] == 1) {
    --last;
  }
  return last;
}

bool fusion::isReduced(LinalgOp op, unsigned loop) {
  return op.getIteratorTypesArray()[loop] == utils::IteratorType::reduction;
}

FusionDecision fusion::findChannels(LinalgOp op, unsigned number,
                                    std::optional<int64_t> &channels) {
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInputOperand(number));
  Value value = op.getDpsInputs()[number];
  auto type = cast<ShapedType>(value.getType());
  SmallVector<int64_t> found;
  for (unsigned dim = 0; dim < map.getNumResults(); ++dim) {
    std::optional<unsigned> loop = getLoopAt(map, dim);
    if (loop && isReduced(op, *loop) && type.getDimSize(dim) != 1) {
      found.push_back(dim);
    }
  }
  if (found.empty()) {
    return FusionDecision::allow();
  }
  int64_t size = type.getDimSize(found.front());
  bool isKnown = !ShapedType::isDynamic(size);
  bool isWhole = isKnown && size * getElementBytes(value) % 16 == 0;
  if (found.size() == 1 && isWhole) {
    channels = found.front();
  }
  if (channels || found.back() >= getLastDim(value)) {
    return FusionDecision::allow();
  }
  return FusionDecision::forbid(
      found.size() > 1 ? "its channels are several dims"
      : isKnown ? "its channels side by side are no whole pieces of 16 bytes"
                : "how many channels it has is known only at run time");
}

std::optional<int64_t> fusion::findFilters(LinalgOp op, unsigned image) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  auto type = cast<ShapedType>(op.getDpsInits()[0].getType());
  std::optional<int64_t> found;
  for (unsigned dim = 0; dim < maps.back().getNumResults(); ++dim) {
    std::optional<unsigned> loop = getLoopAt(maps.back(), dim);
    if (!loop) {
      return std::nullopt;
    }
    if (type.getDimSize(dim) != 1 && !maps[image].isFunctionOfDim(*loop) &&
        maps[1 - image].isFunctionOfDim(*loop)) {
      if (found) {
        return std::nullopt;
      }
      found = dim;
    }
  }
  return found;
}

std::optional<int64_t> fusion::findAcross(LinalgOp op, unsigned number,
                                          unsigned loop) {
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInputOperand(number));
  for (unsigned dim = 0; dim < map.getNumResults(); ++dim) {
    if (getLoopAt(map, dim) == loop) {
      bool last = int64_t(dim) >= getLastDim(op.getDpsInputs()[number]);
      return last ? std::nullopt : std::optional<int64_t>(dim);
    }
  }
  return std::nullopt;
}
