//===- SharedAddress.h - pointers into buffers and barriers -----*- C++ -*-===//

#ifndef FUSION_LIB_CONVERSION_TILESTOGPU_SHAREDADDRESS_H
#define FUSION_LIB_CONVERSION_TILESTOGPU_SHAREDADDRESS_H

#include "KernelLowering.h"

namespace mlir::fusion {

/// Bytes of an mbarrier, threads of a warpgroup.
constexpr int64_t barrierBytes = 8;
constexpr int64_t warpgroupThreads = 128;

/// `pointer` plus a number of bytes (an i32, or a constant).
Value offsetPointer(KernelLowering &lk, Value pointer, Value bytes);
Value offsetPointer(KernelLowering &lk, Value pointer, int64_t bytes);

/// Where stage `stage` (a lowered index) of a buffer starts.
Value stagePointer(KernelLowering &lk, Value buffer, Value stage);

/// Where the element at `at` of a tile of `layout`, moved by the thread's own
/// part, lies in the stage that starts at `stage`.
Value elementPointer(KernelLowering &lk, tile::BufferType buffer, Value stage,
                     const tile::TileLayout &layout, ArrayRef<int64_t> at);

/// A place in a stage: `bytes` behind that of `row` and `column`, whatever rows
/// and columns a thread adds to both.
struct SharedPlace {
  int64_t row, column, bytes;
};

/// Splits off whole periods of the swizzle, so that the addresses of a thread's
/// elements have as few forms as there are places within one.
SharedPlace splitPlace(tile::BufferType buffer, int64_t row, int64_t column);

/// The barrier `stage` of a row of barriers.
Value barrierPointer(KernelLowering &lk, Value barriers, Value stage);

/// An i32 of a lowered index (an i64).
Value toI32(KernelLowering &lk, Value index);

/// An i32: the warpgroup within the partition, known to be uniform in a warp.
Value warpgroupInPartition(KernelLowering &lk);

/// Emits `build` under `if (condition)`.
void emitIf(KernelLowering &lk, Value condition, function_ref<void()> build);

/// Whether this thread is number 0 of its group of `group` threads (a power of
/// two) in the partition.
Value isFirstOf(KernelLowering &lk, int64_t group);

/// The 32-bit word that holds two 16-bit floats, the first in the low half.
Value packPair(KernelLowering &lk, Value low, Value high);

} // namespace mlir::fusion

#endif // FUSION_LIB_CONVERSION_TILESTOGPU_SHAREDADDRESS_H
