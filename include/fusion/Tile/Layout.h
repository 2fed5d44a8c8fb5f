//===- Layout.h - the layout algebra of tiles -------------------*- C++ -*-===//
//
// Which thread holds which element of a tile. See #tile.layout for the
// representation; everything here is small integer arithmetic without IR.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_TILE_LAYOUT_H
#define FUSION_TILE_LAYOUT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>
#include <string>

namespace mlir::fusion::tile {

/// Element coordinates, one number per dim of the tile.
using Coords = llvm::SmallVector<int64_t, 4>;

/// A distributed layout: (register, lane, warp) -> coordinates.
class TileLayout {
public:
  TileLayout() = default;
  TileLayout(llvm::SmallVector<Coords> reg, llvm::SmallVector<Coords> lane,
             llvm::SmallVector<Coords> warp, llvm::SmallVector<int64_t> repeat)
      : reg(std::move(reg)), lane(std::move(lane)), warp(std::move(warp)),
        repeat(std::move(repeat)) {}

  /// Spreads `shape` over `warps` warps (a power of two). Each thread holds
  /// `vector` consecutive elements along `order[0]`; lanes, then warps, then
  /// repeats follow along `order`, dims later in `order` as soon as an earlier
  /// one is covered. `vector` is a power of two. Sides need not be powers of
  /// two, but must be a power of two times an odd repeat that is not split.
  /// Threads that find no more elements hold copies.
  static TileLayout blocked(llvm::ArrayRef<int64_t> shape, int64_t warps,
                            int64_t vector, llvm::ArrayRef<int64_t> order);

  /// The accumulator of `wgmma` (m64nNk16) for warps/4 warpgroups stacked
  /// along M: lane l of warp w holds rows 16w + l/4 and eight below, columns
  /// 8j + 2(l%4) and the next. `m` is a multiple of 16 * warps, `n` of 8.
  static TileLayout wgmmaAccumulator(int64_t m, int64_t n, int64_t warps);

  /// The accumulator of `mma.sync` m16n8k16: `warpsM` x `warpsN` warps, each
  /// with atoms of 16 x 16 (two n8 blocks side by side).
  static TileLayout mmaAccumulator(int64_t m, int64_t n, int64_t warpsM,
                                   int64_t warpsN);

  /// The accumulator of scalar multiply-adds: a thread holds blocks of 4 rows
  /// and 4 columns eight apart (so that the eight lanes of a row read
  /// neighbouring columns, free of bank conflicts), a warp 4 x 8 threads,
  /// `warpsM` x `warpsN` warps.
  static TileLayout fmaAccumulator(int64_t m, int64_t n, int64_t warpsM,
                                   int64_t warpsN);

  /// The layout of this layout's tile with dim `dim` left out (reduced, or
  /// before a broadcast along it): registers along `dim` collapse, lanes and
  /// warps along it hold copies.
  TileLayout slice(int64_t dim) const;

  int64_t getRank() const { return repeat.size(); }
  int64_t getRegisters() const;
  int64_t getWarps() const { return int64_t(1) << warp.size(); }
  /// Sides of the atom, and of the whole tile.
  Coords getAtomShape() const;
  Coords getShape() const;

  /// The element that register `reg` of lane `lane` of warp `warp` holds; it
  /// is the sum of the three parts below.
  Coords at(int64_t reg, int64_t lane, int64_t warp) const;
  Coords atRegister(int64_t reg) const { return at(reg, 0, 0); }
  /// The register of this layout that holds what lies at `coords` less its
  /// lane and warp parts (`coords` as atRegister gives them); none if no
  /// register does.
  std::optional<int64_t> findRegister(llvm::ArrayRef<int64_t> coords) const;

  /// The number of consecutive elements along `dim` that consecutive registers
  /// 0, 1, ... of one thread hold, a power of two.
  int64_t getVectorWidth(int64_t dim) const;

  /// Empty if well formed, else what is wrong.
  std::string check() const;

  bool operator==(const TileLayout &other) const {
    return reg == other.reg && lane == other.lane && warp == other.warp &&
           repeat == other.repeat;
  }

  llvm::SmallVector<Coords> reg, lane, warp;
  llvm::SmallVector<int64_t> repeat;
};

/// The byte offset of element (row, column) in one stage of shared memory:
/// panels of `panelColumns` columns, rows one after the other, 16-byte chunks
/// exchanged by the swizzle (0, 32, 64 or 128 bytes). With swizzle 0 a row
/// takes panelColumns * elementBytes + padding bytes.
int64_t sharedOffset(int64_t row, int64_t column, int64_t rows,
                     int64_t panelColumns, int64_t elementBytes,
                     int64_t swizzle, int64_t padding);

/// The largest number of lanes of a warp that hit one bank with different
/// words when lane l accesses `bytes` bytes at offsets[l]; 1 is free of
/// conflicts. Accesses of 8 and 16 bytes go in halves and quarters of a warp.
int64_t bankConflicts(llvm::ArrayRef<int64_t> offsets, int64_t bytes);

} // namespace mlir::fusion::tile

#endif // FUSION_TILE_LAYOUT_H
