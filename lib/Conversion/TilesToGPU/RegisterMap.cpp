//===- RegisterMap.cpp - which register of one layout is which of another -===//

#include "RegisterMap.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::tile;
using llvm::ArrayRef;
using llvm::SmallVector;

static Coords project(ArrayRef<int64_t> coords, ArrayRef<int64_t> dims) {
  Coords result;
  for (int64_t dim : dims) {
    result.push_back(coords[dim]);
  }
  return result;
}

std::map<Coords, int64_t> fusion::getFirstRegisters(const TileLayout &layout,
                                                    ArrayRef<int64_t> dims) {
  std::map<Coords, int64_t> firsts;
  for (int64_t reg = 0, e = layout.getRegisters(); reg < e; ++reg) {
    firsts.try_emplace(project(layout.atRegister(reg), dims), reg);
  }
  return firsts;
}

/// Whether the bits of a thread number move both layouts alike; bits that only
/// one has move nothing in the other.
static bool moveAlike(ArrayRef<Coords> source, ArrayRef<Coords> result,
                      ArrayRef<int64_t> dims) {
  for (size_t bit = 0, e = std::max(source.size(), result.size()); bit < e;
       ++bit) {
    Coords zero(dims.size(), 0);
    Coords from = bit < source.size() ? source[bit] : zero;
    Coords to = bit < result.size() ? project(result[bit], dims) : zero;
    if (from != to) {
      return false;
    }
  }
  return true;
}

std::optional<SmallVector<int64_t>>
fusion::getRegisterMap(const TileLayout &source, const TileLayout &result,
                       ArrayRef<int64_t> dims) {
  if (!moveAlike(source.lane, result.lane, dims) ||
      !moveAlike(source.warp, result.warp, dims)) {
    return std::nullopt;
  }
  auto sourceDims =
      llvm::to_vector(llvm::seq<int64_t>(0, static_cast<int64_t>(dims.size())));
  std::map<Coords, int64_t> firsts = getFirstRegisters(source, sourceDims);
  SmallVector<int64_t> map;
  for (int64_t reg = 0, e = result.getRegisters(); reg < e; ++reg) {
    auto it = firsts.find(project(result.atRegister(reg), dims));
    if (it == firsts.end()) {
      return std::nullopt;
    }
    map.push_back(it->second);
  }
  return map;
}
