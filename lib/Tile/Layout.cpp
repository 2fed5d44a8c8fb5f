//===- Layout.cpp - the layout algebra of tiles ---------------------------===//

#include "fusion/Tile/Layout.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cassert>
#include <map>
#include <set>

using namespace mlir::fusion::tile;
using llvm::ArrayRef;
using llvm::SmallVector;

static constexpr int64_t laneBits = 5;

/// The vector of `rank` zeros but for `value` at `dim`.
static Coords unit(int64_t rank, int64_t dim, int64_t value) {
  Coords basis(rank, 0);
  basis[dim] = value;
  return basis;
}

/// The largest power of two that divides `value`.
static int64_t powerOfTwoPart(int64_t value) { return value & -value; }

//===----------------------------------------------------------------------===//
// Constructors
//===----------------------------------------------------------------------===//

namespace {
/// Hands out the bits of a tile's dims, each dim's from the lowest up.
class BitAllocator {
public:
  explicit BitAllocator(ArrayRef<int64_t> shape)
      : shape(shape), used(shape.size(), 1) {}

  bool hasBit(int64_t dim) const {
    return used[dim] * 2 <= powerOfTwoPart(shape[dim]);
  }
  /// The next bit of `dim`.
  Coords take(int64_t dim) {
    Coords basis = unit(shape.size(), dim, used[dim]);
    used[dim] *= 2;
    return basis;
  }
  /// The next bit of the first dim of `order` that has one, else zero.
  Coords takeFirst(ArrayRef<int64_t> order) {
    for (int64_t dim : order) {
      if (hasBit(dim)) {
        return take(dim);
      }
    }
    return Coords(shape.size(), 0);
  }
  /// How often the atom of the bits taken so far lies along each dim.
  SmallVector<int64_t> repeats() const {
    SmallVector<int64_t> result;
    for (auto [size, atom] : llvm::zip(shape, used)) {
      result.push_back(size / atom);
    }
    return result;
  }

private:
  ArrayRef<int64_t> shape;
  SmallVector<int64_t> used;
};
} // namespace

TileLayout TileLayout::blocked(ArrayRef<int64_t> shape, int64_t warps,
                               int64_t vector, ArrayRef<int64_t> order) {
  assert(llvm::isPowerOf2_64(warps) && llvm::isPowerOf2_64(vector) &&
         "warps and vector width are powers of two");
  BitAllocator bits(shape);
  TileLayout layout;
  for (int64_t v = 1; v < vector && bits.hasBit(order[0]); v *= 2) {
    layout.reg.push_back(bits.take(order[0]));
  }
  for (int64_t i = 0; i < laneBits; ++i) {
    layout.lane.push_back(bits.takeFirst(order));
  }
  for (int64_t w = 1; w < warps; w *= 2) {
    layout.warp.push_back(bits.takeFirst(order));
  }
  layout.repeat = bits.repeats();
  return layout;
}

TileLayout TileLayout::wgmmaAccumulator(int64_t m, int64_t n, int64_t warps) {
  assert(m % (16 * warps) == 0 && n % 8 == 0 && "not a wgmma shape");
  TileLayout layout;
  layout.reg = {{0, 1}, {8, 0}};
  layout.lane = {{0, 2}, {0, 4}, {1, 0}, {2, 0}, {4, 0}};
  for (int64_t w = 1; w < warps; w *= 2) {
    layout.warp.push_back({16 * w, 0});
  }
  layout.repeat = {m / (16 * warps), n / 8};
  return layout;
}

TileLayout TileLayout::mmaAccumulator(int64_t m, int64_t n, int64_t warpsM,
                                      int64_t warpsN) {
  assert(m % (16 * warpsM) == 0 && n % (16 * warpsN) == 0 &&
         "not an mma.sync shape");
  TileLayout layout;
  layout.reg = {{0, 1}, {8, 0}, {0, 8}};
  layout.lane = {{0, 2}, {0, 4}, {1, 0}, {2, 0}, {4, 0}};
  for (int64_t w = 1; w < warpsM; w *= 2) {
    layout.warp.push_back({16 * w, 0});
  }
  for (int64_t w = 1; w < warpsN; w *= 2) {
    layout.warp.push_back({0, 16 * w});
  }
  layout.repeat = {m / (16 * warpsM), n / (16 * warpsN)};
  return layout;
}

TileLayout TileLayout::fmaAccumulator(int64_t m, int64_t n, int64_t warpsM,
                                      int64_t warpsN) {
  assert(m % (16 * warpsM) == 0 && n % (32 * warpsN) == 0 &&
         "not a multiply-add shape");
  TileLayout layout;
  layout.reg = {{0, 8}, {0, 16}, {1, 0}, {2, 0}};
  layout.lane = {{0, 1}, {0, 2}, {0, 4}, {4, 0}, {8, 0}};
  for (int64_t w = 1; w < warpsM; w *= 2) {
    layout.warp.push_back({16 * w, 0});
  }
  for (int64_t w = 1; w < warpsN; w *= 2) {
    layout.warp.push_back({0, 32 * w});
  }
  layout.repeat = {m / (16 * warpsM), n / (32 * warpsN)};
  return layout;
}

//===----------------------------------------------------------------------===//
// Queries
//===----------------------------------------------------------------------===//

static Coords without(ArrayRef<int64_t> coords, int64_t dim) {
  Coords result(coords);
  result.erase(result.begin() + dim);
  return result;
}

TileLayout TileLayout::slice(int64_t dim) const {
  TileLayout result;
  for (const Coords &basis : reg) {
    if (basis[dim] == 0) {
      result.reg.push_back(without(basis, dim));
    }
  }
  for (const Coords &basis : lane) {
    result.lane.push_back(without(basis, dim));
  }
  for (const Coords &basis : warp) {
    result.warp.push_back(without(basis, dim));
  }
  result.repeat = repeat;
  result.repeat.erase(result.repeat.begin() + dim);
  return result;
}

int64_t TileLayout::getRegisters() const {
  int64_t count = int64_t(1) << reg.size();
  for (int64_t r : repeat) {
    count *= r;
  }
  return count;
}

Coords TileLayout::getAtomShape() const {
  Coords shape(getRank(), 1);
  for (const auto *bases : {&reg, &lane, &warp}) {
    for (const Coords &basis : *bases) {
      for (int64_t d = 0; d < getRank(); ++d) {
        shape[d] *= basis[d] ? 2 : 1;
      }
    }
  }
  return shape;
}

Coords TileLayout::getShape() const {
  Coords shape = getAtomShape();
  for (int64_t d = 0; d < getRank(); ++d) {
    shape[d] *= repeat[d];
  }
  return shape;
}

/// Adds the bases of the bits set in `number` to `coords`.
static void addBases(ArrayRef<Coords> bases, int64_t number, Coords &coords) {
  for (auto [bit, basis] : llvm::enumerate(bases)) {
    if (number >> bit & 1) {
      for (size_t d = 0; d < coords.size(); ++d) {
        coords[d] += basis[d];
      }
    }
  }
}

Coords TileLayout::at(int64_t r, int64_t l, int64_t w) const {
  Coords coords(getRank(), 0);
  int64_t atom = r >> reg.size();
  Coords atomShape = getAtomShape();
  for (int64_t d = getRank(); d-- > 0;) {
    coords[d] = atom % repeat[d] * atomShape[d];
    atom /= repeat[d];
  }
  addBases(reg, r & ((int64_t(1) << reg.size()) - 1), coords);
  addBases(lane, l, coords);
  addBases(warp, w, coords);
  return coords;
}

std::optional<int64_t>
TileLayout::findRegister(ArrayRef<int64_t> coords) const {
  Coords atomShape = getAtomShape();
  int64_t atom = 0;
  Coords rest(coords);
  for (int64_t d = 0; d < getRank(); ++d) {
    int64_t index = coords[d] / atomShape[d];
    if (coords[d] < 0 || index >= repeat[d]) {
      return std::nullopt;
    }
    atom = atom * repeat[d] + index;
    rest[d] = coords[d] % atomShape[d];
  }
  int64_t bits = 0;
  for (auto [bit, basis] : llvm::enumerate(reg)) {
    for (int64_t d = 0; d < getRank(); ++d) {
      if (basis[d] && (rest[d] & basis[d])) {
        bits |= int64_t(1) << bit;
        rest[d] -= basis[d];
      }
    }
  }
  if (llvm::any_of(rest, [](int64_t r) { return r != 0; })) {
    return std::nullopt;
  }
  return atom << reg.size() | bits;
}

int64_t TileLayout::getVectorWidth(int64_t dim) const {
  int64_t width = 1;
  for (const Coords &basis : reg) {
    if (basis != unit(getRank(), dim, width)) {
      break;
    }
    width *= 2;
  }
  return width;
}

std::string TileLayout::check() const {
  int64_t rank = getRank();
  std::map<std::pair<int64_t, int64_t>, int64_t> seen;
  if (lane.size() != laneBits) {
    return "expected five lane bases, but got " + std::to_string(lane.size());
  }
  for (const auto *bases : {&reg, &lane, &warp}) {
    for (const Coords &basis : *bases) {
      if (int64_t(basis.size()) != rank) {
        return "expected every basis to have the rank of 'repeat'";
      }
      int64_t moved = 0;
      for (int64_t d = 0; d < rank; ++d) {
        if (basis[d] != 0) {
          ++moved;
          ++seen[{d, basis[d]}];
        }
      }
      if (moved > 1) {
        return "expected a basis to move along one dim at most";
      }
    }
  }
  Coords atom = getAtomShape();
  for (auto &[key, count] : seen) {
    auto [d, value] = key;
    if (value < 0 || !llvm::isPowerOf2_64(value) || value >= atom[d] ||
        count != 1) {
      return "expected the bases along a dim to be 1, 2, 4, ..., each once";
    }
  }
  if (llvm::any_of(repeat, [](int64_t r) { return r < 1; })) {
    return "expected positive repeats";
  }
  return "";
}

//===----------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------===//

int64_t mlir::fusion::tile::sharedOffset(int64_t row, int64_t column,
                                         int64_t rows, int64_t panelColumns,
                                         int64_t elementBytes, int64_t swizzle,
                                         int64_t padding) {
  int64_t rowBytes = panelColumns * elementBytes + padding;
  int64_t panel = column / panelColumns;
  int64_t inRow = column % panelColumns * elementBytes;
  int64_t offset = panel * rows * rowBytes + row * rowBytes + inRow;
  if (swizzle == 0) {
    return offset;
  }
  // Address bits 4.. are exchanged with bits 7..: three of them for 128 bytes,
  // two for 64, one for 32.
  int64_t mask = swizzle / 16 - 1;
  return offset ^ ((offset >> 7 & mask) << 4);
}

int64_t mlir::fusion::tile::bankConflicts(ArrayRef<int64_t> offsets,
                                          int64_t bytes) {
  int64_t lanesAtOnce = bytes <= 4 ? 32 : bytes == 8 ? 16 : 8;
  int64_t worst = 1;
  for (size_t first = 0; first < offsets.size(); first += lanesAtOnce) {
    std::map<int64_t, std::set<int64_t>> words;
    for (int64_t offset : offsets.slice(
             first, std::min<size_t>(lanesAtOnce, offsets.size() - first))) {
      for (int64_t b = 0; b < std::max<int64_t>(bytes, 4); b += 4) {
        int64_t word = (offset + b) / 4;
        words[word % 32].insert(word);
      }
    }
    for (auto &[bank, set] : words) {
      worst = std::max<int64_t>(worst, set.size());
    }
  }
  return worst;
}
