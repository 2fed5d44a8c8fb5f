//===- RegisterMap.h - which register of one layout is which of another -*- C++
//-*-===//

#ifndef FUSION_LIB_CONVERSION_TILESTOGPU_REGISTERMAP_H
#define FUSION_LIB_CONVERSION_TILESTOGPU_REGISTERMAP_H

#include "fusion/Tile/Layout.h"
#include <map>

namespace mlir::fusion {

/// The first register at each set of coordinates along `dims`.
std::map<tile::Coords, int64_t>
getFirstRegisters(const tile::TileLayout &layout, llvm::ArrayRef<int64_t> dims);

/// Dim `i` of `source` is dim `dims[i]` of `result`: for each register of
/// `result` the register of `source` in the same thread that holds the element
/// with the same coordinates along those dims. None if it is in another thread.
std::optional<llvm::SmallVector<int64_t>>
getRegisterMap(const tile::TileLayout &source, const tile::TileLayout &result,
               llvm::ArrayRef<int64_t> dims);

} // namespace mlir::fusion

#endif // FUSION_LIB_CONVERSION_TILESTOGPU_REGISTERMAP_H
