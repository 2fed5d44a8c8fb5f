//===- Tile.h - the tile dialect --------------------------------*- C++ -*-===//

#ifndef FUSION_TILE_IR_TILE_H
#define FUSION_TILE_IR_TILE_H

#include "fusion/Tile/Layout.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "fusion/Tile/IR/TileDialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "fusion/Tile/IR/TileAttrs.h.inc"

#define GET_TYPEDEF_CLASSES
#include "fusion/Tile/IR/TileTypes.h.inc"

#define GET_OP_CLASSES
#include "fusion/Tile/IR/TileOps.h.inc"

namespace mlir::fusion::tile {

/// The attribute for a layout, and back.
LayoutAttr getLayoutAttr(MLIRContext *context, const TileLayout &layout);
TileLayout getLayout(LayoutAttr attr);

/// The layout of a tile type; its encoding must be a #tile.layout.
TileLayout getLayout(RankedTensorType tile);
inline TileLayout getLayout(Value tile) {
  return getLayout(cast<RankedTensorType>(tile.getType()));
}

/// How far one step of `coordinate` moves along each result of a linear map.
SmallVector<int64_t> getSteps(AffineMap map, unsigned coordinate);

/// Bytes of an element in global or shared memory: i1 and index take 1 and 8.
int64_t getElementBytes(Type type);

} // namespace mlir::fusion::tile

#endif // FUSION_TILE_IR_TILE_H
