//===- PipelineCopies.h - rings for loops of loads and dots -----*- C++ -*-===//

#ifndef FUSION_TILE_PIPELINECOPIES_H
#define FUSION_TILE_PIPELINECOPIES_H

#include "fusion/Tile/DotLoop.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace mlir::fusion::tile {

/// What `tile.schedule` of a kernel says about its multiplies.
struct MultiplySchedule {
  StringRef kind;
  int64_t stages;
  /// Warps of their own fetch by bulk copies (kind wgmma).
  bool isWarpSpecialized;
};

/// Reads `tile.schedule`; emits an error where an entry is missing or bad.
FailureOr<MultiplySchedule> readMultiplySchedule(gpu::GPUFuncOp kernel);

/// Splits `kernel` into a producer warpgroup that fills the rings of its one
/// loop over k by bulk tensor copies, and consumers that run all else. The
/// tensor maps become new kernel arguments, passed by `launches`.
LogicalResult pipelineWarpSpecialized(gpu::GPUFuncOp kernel, DotLoop &dots,
                                      int64_t stages,
                                      ArrayRef<LaunchOp> launches);

/// Rewrites one loop over k so that all threads copy `stages - 1` steps ahead;
/// one less for wgmma, whose multiplies run on while the next step begins.
LogicalResult pipelineMultistage(gpu::GPUFuncOp kernel, DotLoop &dots,
                                 StringRef kind, int64_t stages);

/// Rewrites a loop in which multiplies depend on each other: all threads copy
/// the operands `stages - 1` steps ahead.
LogicalResult pipelineChained(gpu::GPUFuncOp kernel, scf::ForOp loop,
                              StringRef kind, int64_t stages);

/// Drops kernel arguments without uses, in the kernel and its launches.
void dropUnusedArguments(gpu::GPUFuncOp kernel, ArrayRef<LaunchOp> launches);

} // namespace mlir::fusion::tile

#endif // FUSION_TILE_PIPELINECOPIES_H
