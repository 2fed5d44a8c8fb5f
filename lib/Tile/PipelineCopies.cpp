//===- PipelineCopies.cpp - rings for loops of loads and dots -------------===//

#include "fusion/Tile/PipelineCopies.h"
#include "fusion/Tile/Passes.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::fusion {
#define GEN_PASS_DEF_TILEPIPELINECOPIES
#include "fusion/Tile/Passes.h.inc"
} // namespace mlir::fusion

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::tile;

FailureOr<MultiplySchedule>
mlir::fusion::tile::readMultiplySchedule(gpu::GPUFuncOp kernel) {
  auto schedule = kernel->getAttrOfType<DictionaryAttr>("tile.schedule");
  if (!schedule) {
    return kernel.emitOpError("expected a 'tile.schedule' for its multiplies");
  }
  auto kind = schedule.getAs<StringAttr>("kind");
  auto stages = schedule.getAs<IntegerAttr>("stages");
  if (!kind || !llvm::is_contained({"wgmma", "mma", "fma"}, kind.getValue())) {
    return kernel.emitOpError(
        "expected a 'tile.schedule' of kind 'wgmma', 'mma' or 'fma'");
  }
  if (!stages || stages.getInt() < 2) {
    return kernel.emitOpError("expected a 'tile.schedule' of 2 or more stages");
  }
  bool isWarpSpecialized =
      kind.getValue() == "wgmma" && !schedule.contains("pipeline");
  return MultiplySchedule{kind.getValue(), stages.getInt(), isWarpSpecialized};
}

/// Erases what picks memory that nothing reads any more.
static void eraseUnusedChoices(gpu::GPUFuncOp kernel) {
  SmallVector<Operation *> ops;
  kernel.walk([&](Operation *op) {
    if (isa<arith::SelectOp, memref::LoadOp>(op)) {
      ops.push_back(op);
    }
  });
  for (Operation *op : llvm::reverse(ops)) {
    if (op->use_empty()) {
      op->erase();
    }
  }
}

void mlir::fusion::tile::dropUnusedArguments(gpu::GPUFuncOp kernel,
                                             ArrayRef<LaunchOp> launches) {
  eraseUnusedChoices(kernel);
  for (unsigned i = kernel.getNumArguments(); i-- > 0;) {
    if (!kernel.getArgument(i).use_empty()) {
      continue;
    }
    (void)kernel.eraseArgument(i);
    for (LaunchOp launch : launches) {
      launch.getArgsMutable().erase(i);
    }
  }
}

/// Rewrites the loops over k of one kernel.
static LogicalResult pipelineKernel(gpu::GPUFuncOp kernel,
                                    ArrayRef<LaunchOp> launches) {
  SmallVector<scf::ForOp> loops = findDotLoops(kernel);
  if (loops.empty()) {
    return success();
  }
  FailureOr<MultiplySchedule> schedule = readMultiplySchedule(kernel);
  if (failed(schedule)) {
    return failure();
  }
  if (schedule->isWarpSpecialized && loops.size() != 1) {
    return kernel.emitOpError("expected one loop over k in a warp-specialised "
                              "kernel, but got ")
           << loops.size();
  }
  for (scf::ForOp loop : loops) {
    if (!schedule->isWarpSpecialized && isChainedLoop(loop)) {
      if (failed(pipelineChained(kernel, loop, schedule->kind,
                                 schedule->stages))) {
        return failure();
      }
      continue;
    }
    FailureOr<DotLoop> dots = readDotLoop(
        loop, schedule->kind, /*bulkCopies=*/schedule->isWarpSpecialized);
    if (failed(dots)) {
      return failure();
    }
    LogicalResult done =
        schedule->isWarpSpecialized
            ? pipelineWarpSpecialized(kernel, *dots, schedule->stages, launches)
            : pipelineMultistage(kernel, *dots, schedule->kind,
                                 schedule->stages);
    if (failed(done)) {
      return failure();
    }
  }
  dropUnusedArguments(kernel, launches);
  return success();
}

namespace {
struct TilePipelineCopies
    : fusion::impl::TilePipelineCopiesBase<TilePipelineCopies> {
  void runOnOperation() override {
    llvm::MapVector<Attribute, SmallVector<LaunchOp>> launches;
    getOperation().walk([&](LaunchOp launch) {
      launches[launch.getKernelAttr().getLeafReference()].push_back(launch);
    });
    WalkResult walk = getOperation().walk([&](gpu::GPUFuncOp kernel) {
      return failed(pipelineKernel(kernel, launches[kernel.getNameAttr()]))
                 ? WalkResult::interrupt()
                 : WalkResult::skip();
    });
    if (walk.wasInterrupted()) {
      signalPassFailure();
    }
  }
};
} // namespace
