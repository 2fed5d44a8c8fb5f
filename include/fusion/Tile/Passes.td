//===- Passes.td - passes on tile programs --------------------------------===//

#ifndef FUSION_TILE_PASSES_TD
#define FUSION_TILE_PASSES_TD

include "mlir/Pass/PassBase.td"

def TilePipelineCopies : Pass<"tile-pipeline-copies", "::mlir::ModuleOp"> {
  let summary = "Turn loops of loads and dots into rings of shared memory";
  let description = [{
    Rewrites each `scf.for` whose body feeds `tile.load`s to `tile.dot`s: the
    loads become asynchronous copies to a ring of shared-memory stages, the dots
    `tile.mma`s on them. The kernel's `tile.schedule` says how: kind `wgmma`
    splits the kernel into a producer warpgroup, whose one thread issues bulk
    tensor copies, and consumer warpgroups (`tile.warp_specialize`); the launches
    of the kernel then pass tensor maps. Kinds `mma` and `fma` copy `stages - 1`
    steps ahead with all threads.

    Fails on an operand of a dot that is not a load, on a loop that carries
    anything but the dots' accumulators from zero, and, for `wgmma`, on arrays
    that a tensor map cannot describe. Tiles must have layouts
    (`tile-assign-layouts`).
  }];
  let dependentDialects = ["::mlir::fusion::tile::TileDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect"];
}

def TileAssignLayouts : Pass<"tile-assign-layouts", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Say which thread holds which element of each tile";
  let description = [{
    Gives every tile of every kernel an encoding. Anchors are the accumulators of
    dots, whose layout follows from the kernel's `tile.schedule`, else the global
    accesses, which get a layout that vectorizes them. Layouts spread from there
    through elementwise code and loops; reductions and broadcasts relate slices.
    Operands of `tile.dot` keep no layout: they live in shared memory.
  }];
  let dependentDialects = ["::mlir::fusion::tile::TileDialect"];
}

#endif // FUSION_TILE_PASSES_TD
