//===- TileLoop.h - the time of a loop over tiles ---------------*- C++ -*-===//
//
// A kernel of matrix products spends its time in one loop: each block fetches a
// step of its operands, multiplies, and goes on. What that takes depends on the
// schedule (the unit that multiplies, the tile, how it is fetched, how many
// blocks share a multiprocessor), not on the peak of the device. In one step of
// one block, rates being those of one multiprocessor (SM) of `clock` GHz:
//
//   multiply = multiplyFlops / (share x peak / SMs)
//   vector   = vectorOps / (128 x clock)
//   fetch    = lineBytes / (58 x clock) + strayElements / (3.2 x clock)
//              + windowElements / (3.5 x clock) + windowPieces / (8 x clock)
//              (of wgmma: windowElements / (2.6 x clock))
//   busy     = multiply + vector + fetch       what the SM is busy with
//              (FMA: max(multiply + vector, fetch))
//   alone    = latency + busy + (multiply + vector) x (8 / min(8, warps) - 1)
//              one block on an SM, whose few warps leave units idle
//
// With bulk copies (wgmma) a warp of its own fetches, and the two overlap:
// busy = max(multiply + vector, latency + fetch), for any number of warps.
// Where all warps fetch for wgmma, which multiplies meanwhile,
//
//   busy  = max(multiply, vector + fetch)
//   alone = max(multiply, latency + vector x 8 / min(8, warps) + fetch)
//
// with the latency of mma.sync, whose loads and barriers it has. An SM that
// works off T tiles, of which it holds H at a time (Occupancy.h), takes
//
//   max(T x (steps x busy + pieceBytes / (58 x clock)),
//       ceil(T / H) x (steps x alone + pieces x 0.5))
//     + T x epilogueOps / (128 x clock) + ceil(T / H) x 0.6
//
// with T = ceil(tiles / SMs): partial waves and partial tiles count as whole.
//
// The constants were fitted to an H200 at 1.83 GHz; each is named with the
// measurement that fixed it in TileLoop.cpp (docs/CostModel.md has the table).
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_COST_TILELOOP_H
#define FUSION_COST_TILELOOP_H

#include "fusion/Cost/Occupancy.h"
#include "llvm/ADT/ArrayRef.h"

namespace mlir::fusion {

/// What multiplies.
enum class MultiplyUnit {
  FMA,  ///< scalar multiply-adds
  MMA,  ///< mma.sync
  WGMMA ///< warpgroup multiplies, asynchronous
};

/// What the blocks of a kernel do. Counts are per step of one block.
struct TileLoop {
  double tiles = 0; ///< of all blocks; 0: the kernel has no such loop
  double steps = 1; ///< of one tile
  MultiplyUnit unit = MultiplyUnit::FMA;
  bool bulkCopies = false;   ///< a warp of its own fetches by them (WGMMA)
  double multiplyFlops = 0;  ///< 2 for each multiply-accumulate
  double vectorOps = 0;      ///< other arithmetic
  double lineBytes = 0;      ///< fetched 16 bytes and more at a time
  double strayElements = 0;  ///< fetched one by one: rows that are not aligned
  double windowElements = 0; ///< fetched one by one, at computed positions
  double windowPieces = 0;   ///< of `lineBytes`, at computed positions
  double epilogueOps = 0;    ///< per tile
  /// Per tile, before its first step: how often the block loads a piece of its
  /// rows, which it reduces, and waits for it; the bytes of these pieces.
  double pieces = 0, pieceBytes = 0;
  BlockResources block;
};

/// Returns the microseconds that blocks of all `loops` take in one launch on
/// `device`, from the first load to the end of the last tile; 0 where there is
/// no loop. Several share the rounds: the mean of their tiles counts.
double estimateLoops(llvm::ArrayRef<TileLoop> loops, const DeviceModel &device);

} // namespace mlir::fusion

#endif // FUSION_COST_TILELOOP_H
