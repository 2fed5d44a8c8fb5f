//===- SplitTiles.h - a tile for each layout that is wanted -----*- C++ -*-===//

#ifndef FUSION_LIB_TILE_SPLITTILES_H
#define FUSION_LIB_TILE_SPLITTILES_H

#include "fusion/Tile/IR/Tile.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace mlir::fusion::tile {

/// Gives each use of a constant tile one of its own, which costs nothing: so it
/// ties no tiles.
void rematerialiseConstants(gpu::GPUFuncOp kernel);

/// Loads twice what is multiplied as it is and also computed with: the one goes
/// to shared memory, the other to registers.
void splitLoads(gpu::GPUFuncOp kernel);

/// Returns the kind of the kernel's multiplies, empty where its schedule says
/// none.
StringRef getMultiplyKind(gpu::GPUFuncOp kernel);

/// Returns whether `use` is an operand of a multiply, which reads it from
/// shared memory.
bool isMultiplied(OpOperand &use);

} // namespace mlir::fusion::tile

#endif // FUSION_LIB_TILE_SPLITTILES_H
