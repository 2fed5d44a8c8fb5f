//===- IndexingMaps.h - what a map from loops to positions does -*- C++ -*-===//
//
// An op reads and writes tensors through maps from its loops. Most of them only
// pick loops; which ones, and in what order, decides what can be fused.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_ANALYSIS_INDEXINGMAPS_H
#define FUSION_ANALYSIS_INDEXINGMAPS_H

#include "mlir/IR/AffineMap.h"

namespace mlir::fusion {

/// What a map from loops to positions does.
enum class MapRelation {
  Identity,    ///< (a, b) -> (a, b)
  Permutation, ///< (a, b) -> (b, a): every loop once, another order
  Broadcast,   ///< (a, b) -> (b), (a, 0): some loops repeat the value, in order
  Projection,  ///< (a, b, c) -> (c, a): repeats, in another order
  Other        ///< anything that is not a projected permutation, e.g. a + b
};

/// Classifies a map from loops to positions. Constant results 0 count as
/// repeated (a dim of size one).
MapRelation classifyMap(AffineMap map);

/// Returns the loop at result `dim` of `map`, or nothing where the result is
/// not a plain loop (a constant, a sum).
std::optional<unsigned> getLoopAt(AffineMap map, unsigned dim);

/// Returns whether every result of `map` is a loop or the constant 0, and no
/// loop occurs twice.
bool isProjectedPermutationWithZeros(AffineMap map);

/// Returns whether every result of `map` that is no loop stands at a dim of
/// size one: of `sizes`, one for each result.
bool readsWholeDims(AffineMap map, ArrayRef<int64_t> sizes);

} // namespace mlir::fusion

#endif // FUSION_ANALYSIS_INDEXINGMAPS_H
