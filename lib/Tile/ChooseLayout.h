//===- ChooseLayout.h - layouts for tiles that nothing else fixes -*- C++ -*-=//

#ifndef FUSION_TILE_CHOOSELAYOUT_H
#define FUSION_TILE_CHOOSELAYOUT_H

#include "fusion/Tile/AssignLayouts.h"

namespace mlir::fusion::tile {

/// The tile dim along which a load or store walks through memory, -1 if none.
int64_t getContiguousDim(Operation *access);

/// The layout for a tile of `type` that the loads and stores `accesses` move:
/// vectors along the dim that is contiguous for most bytes, as wide as 16 bytes
/// and the arrays' strides allow. `reducedDims` are dims that something
/// reduces: warps go along the others first. No vector is wider than
/// `mostVector` elements.
TileLayout chooseLayout(RankedTensorType type, ArrayRef<Operation *> accesses,
                        ArrayRef<int64_t> reducedDims, int64_t warps,
                        int64_t mostVector = 16);

} // namespace mlir::fusion::tile

#endif // FUSION_TILE_CHOOSELAYOUT_H
