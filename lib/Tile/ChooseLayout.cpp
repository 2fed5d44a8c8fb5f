//===- ChooseLayout.cpp - layouts for tiles that nothing else fixes -------===//

#include "ChooseLayout.h"

#include "fusion/Tile/Divisibility.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::fusion::tile;

TileLayout mlir::fusion::tile::spread(ArrayRef<int64_t> shape, int64_t warps,
                                      int64_t vector,
                                      ArrayRef<int64_t> laneOrder,
                                      ArrayRef<int64_t> warpOrder) {
  SmallVector<int64_t> used(shape.size(), 1);
  auto take = [&](ArrayRef<int64_t> order) {
    Coords basis(shape.size(), 0);
    for (int64_t dim : order) {
      if (shape[dim] % (used[dim] * 2) == 0) {
        basis[dim] = used[dim];
        used[dim] *= 2;
        break;
      }
    }
    return basis;
  };
  TileLayout layout;
  for (int64_t v = 1; v < vector; v *= 2) {
    layout.reg.push_back(take(laneOrder.take_front(1)));
  }
  for (int64_t lane = 1; lane < 32; lane *= 2) {
    layout.lane.push_back(take(laneOrder));
  }
  for (int64_t warp = 1; warp < warps; warp *= 2) {
    layout.warp.push_back(take(warpOrder));
  }
  for (auto [size, taken] : llvm::zip_equal(shape, used)) {
    layout.repeat.push_back(size / taken);
  }
  return layout;
}

std::optional<TileLayout>
mlir::fusion::tile::getAccumulatorLayout(StringRef kind, int64_t m, int64_t n,
                                         int64_t warps, bool rowsOfWarps) {
  if (kind == "wgmma") {
    bool fits = warps % 4 == 0 && m % (16 * warps) == 0 && n % 8 == 0;
    return fits ? std::optional(TileLayout::wgmmaAccumulator(m, n, warps))
                : std::nullopt;
  }
  int64_t atomN = kind == "mma" ? 16 : 32;
  int64_t bestM = 0, bestSides = 0;
  for (int64_t warpsM = rowsOfWarps ? warps : 1; warpsM <= warps; warpsM *= 2) {
    int64_t warpsN = warps / warpsM;
    if (m % (16 * warpsM) || n % (atomN * warpsN)) {
      continue;
    }
    int64_t sides = m / warpsM + n / warpsN;
    if (bestM == 0 || sides < bestSides) {
      bestM = warpsM;
      bestSides = sides;
    }
  }
  if (bestM == 0) {
    return std::nullopt;
  }
  return kind == "mma" ? TileLayout::mmaAccumulator(m, n, bestM, warps / bestM)
                       : TileLayout::fmaAccumulator(m, n, bestM, warps / bestM);
}

namespace {
/// One load or store, as the layout sees it.
struct Access {
  int64_t contiguousDim; ///< tile dim that runs along memory, -1 if none
  int64_t vector;        ///< elements in one access
  int64_t bytes;         ///< of one element
};
} // namespace

/// The widest vector along the last dim of `memref` from `indices` on: at most
/// 16 bytes, and no row may end or begin inside one.
static int64_t getVector(MemRefType memref, ValueRange indices) {
  int64_t vector = 16 / getElementBytes(memref.getElementType());
  int64_t last = memref.getShape().back();
  if (memref.getRank() > 1) {
    vector = ShapedType::isDynamic(last) ? 1 : std::gcd(vector, last);
  }
  return std::gcd(vector, getKnownDivisor(indices.back()));
}

static Access describe(Operation *op) {
  auto get = [](MemRefType memref, ValueRange indices,
                ArrayRef<int64_t> dims) -> Access {
    int64_t bytes = getElementBytes(memref.getElementType());
    if (dims.empty() || dims.back() < 0) {
      return {-1, 1, bytes};
    }
    return {dims.back(), getVector(memref, indices), bytes};
  };
  if (auto load = dyn_cast<LoadOp>(op)) {
    return get(cast<MemRefType>(load.getMemref().getType()), load.getIndices(),
               load.getDims());
  }
  auto store = cast<StoreOp>(op);
  return get(cast<MemRefType>(store.getMemref().getType()), store.getIndices(),
             store.getDims());
}

int64_t mlir::fusion::tile::getContiguousDim(Operation *access) {
  return describe(access).contiguousDim;
}

TileLayout mlir::fusion::tile::chooseLayout(RankedTensorType type,
                                            ArrayRef<Operation *> ops,
                                            ArrayRef<int64_t> reducedDims,
                                            int64_t warps, int64_t mostVector) {
  int64_t rank = type.getRank();
  SmallVector<int64_t> bytes(rank, 0);
  SmallVector<Access> accesses;
  for (Operation *op : ops) {
    accesses.push_back(describe(op));
    if (accesses.back().contiguousDim >= 0) {
      bytes[accesses.back().contiguousDim] += accesses.back().bytes;
    }
  }
  int64_t inner = rank - 1;
  for (int64_t dim = rank; dim-- > 0;) {
    inner = bytes[dim] > bytes[inner] ? dim : inner;
  }
  int64_t vector = ops.empty() ? 4 : 1;
  for (const Access &access : accesses) {
    if (access.contiguousDim == inner) {
      vector = std::max(vector, access.vector);
    }
  }
  // No wider than gives every thread a vector.
  int64_t each = std::max<int64_t>(1, type.getNumElements() / (warps * 32));
  vector =
      std::min({vector, mostVector, int64_t(llvm::bit_floor(uint64_t(each))),
                type.getDimSize(inner) & -type.getDimSize(inner)});

  SmallVector<int64_t> laneOrder = {inner};
  for (int64_t dim = rank; dim-- > 0;) {
    if (dim != inner) {
      laneOrder.push_back(dim);
    }
  }
  SmallVector<int64_t> warpOrder;
  for (bool reduced : {false, true}) {
    llvm::copy_if(laneOrder, std::back_inserter(warpOrder), [&](int64_t dim) {
      return llvm::is_contained(reducedDims, dim) == reduced;
    });
  }
  return spread(type.getShape(), warps, vector, laneOrder, warpOrder);
}
