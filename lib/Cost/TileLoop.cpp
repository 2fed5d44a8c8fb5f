//===- TileLoop.cpp - the time of a loop over tiles -----------------------===//

#include "fusion/Cost/TileLoop.h"

#include <algorithm>
#include <cmath>

using namespace mlir::fusion;

// Shares of the peaks. Scalar: an f32 matmul of 1024^3, 62 us. mma.sync:
// attention of widths 64 and 128, and that Hopper's mma.sync has 0.62 of the
// peak. wgmma: gelu of an f16 matmul of 8192^3, 1488 us, and 4096^3, 193 us.
constexpr double kScalarShare = 0.55;
constexpr double kMMAShare = 0.65;
constexpr double kWarpgroupShare = 0.8;

// What one multiprocessor fetches in one cycle. Lines: f16 matmuls of 2048^3
// and of 4096 x 4096 x 1024 with six tiles each. Stray elements: an f16 matmul
// of 4095^3, 1390 us. Elements of windows: 3x3 convolutions of 32 images, by
// mma.sync and by wgmma: what is carried in registers over a step of wgmma is
// selected and packed. 16 bytes of windows cost the issue of some ten
// instructions (estimated).
constexpr double kLineBytesPerClock = 58;
constexpr double kStrayElementsPerClock = 3.2;
constexpr double kWindowElementsPerClock = 3.5;
constexpr double kCarriedElementsPerClock = 2.6;
constexpr double kWindowPiecesPerClock = 8;
// Vector operations of one cycle: 128 lanes that do one of the two halves of a
// multiply-add (gelu, tanh and sigmoid of 16384 x 8192: 280 us).
constexpr double kVectorOpsPerClock = 128;
// The warps that keep a multiprocessor busy.
constexpr unsigned kWarpsToFill = 8;

// From the start of a step to that of the next in which nothing is left to wait
// for: f32 matmul of 129 x 128 x 1000; convolutions of one image; f16 matmul of
// 512 x 512 x 4096.
static double getLatencyUs(MultiplyUnit unit) {
  switch (unit) {
  case MultiplyUnit::FMA:
    return 0.12;
  case MultiplyUnit::MMA:
    return 0.3;
  case MultiplyUnit::WGMMA:
    return 0.03;
  }
  return 0;
}

/// From the last store of a step to the first multiply of the next, where all
/// warps do both (estimated).
constexpr double kBarrierUs = 0.15;

/// The end of a tile: the last products arrive, results are stored.
constexpr double kTileUs = 0.6;

/// Floating-point operations of one multiprocessor in a microsecond.
static double getMultiplyRate(MultiplyUnit unit, const DeviceModel &device) {
  double perTFlops = 1e6 / device.multiprocessors;
  if (unit == MultiplyUnit::FMA || !device.hasTensorCores()) {
    return device.vectorTFlops * perTFlops * kScalarShare;
  }
  double share = unit == MultiplyUnit::WGMMA ? kWarpgroupShare
                                             : kMMAShare * device.mmaShare;
  return device.tensorTFlops * perTFlops * share;
}

/// A piece of rows arrives and is added up: as in kernels of rows
/// (Roofline.cpp).
constexpr double kPieceUs = 0.5;

namespace {
/// Microseconds of a step.
struct StepTime {
  double busy;  ///< of the multiprocessor
  double alone; ///< of a block that has it for itself
};
} // namespace

static StepTime getStepTime(const TileLoop &loop, const DeviceModel &device) {
  double perUs = device.clockGHz * 1e3; // cycles
  double multiply = loop.multiplyFlops / getMultiplyRate(loop.unit, device);
  double vector = loop.vectorOps / (kVectorOpsPerClock * perUs);
  double perElement = loop.unit == MultiplyUnit::WGMMA
                          ? 1 / kCarriedElementsPerClock
                          : 1 / kWindowElementsPerClock;
  double fetch = (loop.lineBytes / kLineBytesPerClock +
                  loop.strayElements / kStrayElementsPerClock +
                  loop.windowElements * perElement +
                  loop.windowPieces / kWindowPiecesPerClock) /
                 perUs;
  double latency = getLatencyUs(loop.unit);
  if (loop.bulkCopies) {
    double step = std::max(multiply + vector, latency + fetch);
    return {step, step};
  }
  double warps = std::max(1u, loop.block.threads / device.warpSize);
  double idle = kWarpsToFill / std::min<double>(warps, kWarpsToFill);
  if (loop.unit == MultiplyUnit::WGMMA) {
    // Loads have a whole step to arrive in, as they have for mma.sync.
    double own = vector * idle + fetch;
    return {std::max(multiply, vector + fetch),
            std::max(
                {multiply, getLatencyUs(MultiplyUnit::MMA), kBarrierUs + own})};
  }
  // Scalar multiplies leave time to issue loads, mma.sync waits for them.
  double busy = loop.unit == MultiplyUnit::FMA
                    ? std::max(multiply + vector, fetch)
                    : multiply + vector + fetch;
  return {busy, latency + busy + (multiply + vector) * (idle - 1)};
}

namespace {
/// Microseconds of a tile.
struct TileTime {
  double busy = 0;     ///< of the multiprocessor
  double alone = 0;    ///< of a block that has it for itself
  double epilogue = 0; ///< of the multiprocessor, at the end
};
} // namespace

/// Returns how many blocks of `loop` a multiprocessor holds.
static unsigned getHeld(const TileLoop &loop, const DeviceModel &device) {
  // Blocks whose warps fetch for each other stay, and take one tile after
  // another.
  return loop.bulkCopies ? 1 : std::max(1u, getBlocksPerSM(loop.block, device));
}

double mlir::fusion::estimateLoops(llvm::ArrayRef<TileLoop> loops,
                                   const DeviceModel &device) {
  double tiles = 0, longest = 0;
  unsigned held = device.maxBlocksPerSM;
  TileTime mean;
  for (const TileLoop &loop : loops) {
    StepTime step = getStepTime(loop, device);
    double epilogue =
        loop.epilogueOps / (kVectorOpsPerClock * device.clockGHz * 1e3);
    double pieces = loop.pieces * kPieceUs;
    double fetched =
        loop.pieceBytes / (kLineBytesPerClock * device.clockGHz * 1e3);
    mean.busy += loop.tiles * (loop.steps * step.busy + fetched);
    mean.alone += loop.tiles * (loop.steps * step.alone + pieces);
    // The next tile's operands arrive meanwhile.
    bool overlaps = loop.bulkCopies;
    mean.epilogue += loop.tiles * epilogue * (overlaps ? 0.5 : 1);
    longest = std::max(longest, loop.steps * step.alone + pieces + epilogue);
    held = std::min(held, getHeld(loop, device));
    tiles += loop.tiles;
  }
  if (tiles <= 0) {
    return 0;
  }
  // The multiprocessor is busy, or each place for a block is.
  double perSM = std::ceil(tiles / device.multiprocessors);
  double rounds = std::ceil(perSM / held);
  double time = std::max(rounds * mean.alone, perSM * mean.busy) / tiles +
                perSM * mean.epilogue / tiles + rounds * kTileUs;
  return std::max(time, longest + kTileUs);
}
