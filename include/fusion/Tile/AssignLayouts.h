//===- AssignLayouts.h - which thread holds what ----------------*- C++ -*-===//

#ifndef FUSION_TILE_ASSIGNLAYOUTS_H
#define FUSION_TILE_ASSIGNLAYOUTS_H

#include "fusion/Tile/IR/Tile.h"

namespace mlir::fusion::tile {

/// Spreads a tile whose sides are powers of two: `vector` consecutive elements
/// along `laneOrder[0]` in each thread, lanes along `laneOrder`, warps along
/// `warpOrder`, what is left as repeats. Threads that find no more elements
/// hold copies.
TileLayout spread(ArrayRef<int64_t> shape, int64_t warps, int64_t vector,
                  ArrayRef<int64_t> laneOrder, ArrayRef<int64_t> warpOrder);

/// The layout of an `m` x `n` accumulator of multiplies of `kind` (wgmma, mma
/// or fma) by `warps` warps, as square as it goes for each warp, or with
/// `rowsOfWarps` all warps along the rows; none if the sides don't divide.
std::optional<TileLayout> getAccumulatorLayout(StringRef kind, int64_t m,
                                               int64_t n, int64_t warps,
                                               bool rowsOfWarps = false);

/// Gives each tile of the kernel but the operands of `tile.dot` an encoding,
/// and adds `tile.convert_layout` where two meet. Needs the attributes
/// `tile.warps` and, with multiplies, `tile.schedule`.
LogicalResult assignLayouts(gpu::GPUFuncOp kernel);

} // namespace mlir::fusion::tile

#endif // FUSION_TILE_ASSIGNLAYOUTS_H
