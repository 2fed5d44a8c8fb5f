//===- IndexingMaps.h - how a consumer reads its producer -------*- C++ -*-===//
//
// A producer writes a tensor through its result map, a consumer reads it
// through an operand map. What matters for fusion is the two composed: which
// producer iteration a consumer iteration needs.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_ANALYSIS_INDEXINGMAPS_H
#define FUSION_ANALYSIS_INDEXINGMAPS_H

#include "mlir/IR/AffineMap.h"

namespace mlir::fusion {

/// What a map from consumer iterations to producer iterations does.
enum class MapRelation {
  Identity,    ///< (a, b) -> (a, b)
  Permutation, ///< (a, b) -> (b, a): every loop once, another order
  Broadcast,   ///< (a, b) -> (b), (a, 0): some loops repeat the value, in order
  Projection,  ///< (a, b, c) -> (c, a): repeats, in another order
  Other        ///< anything that is not a projected permutation, e.g. a + b
};

/// Returns the name of `relation` as reports and tests spell it.
llvm::StringRef stringifyMapRelation(MapRelation relation);

/// Classifies a map from loops to positions. Constant results 0 count as
/// repeated (a dim of size one).
MapRelation classifyMap(AffineMap map);

/// Returns the loop at result `dim` of `map`, or nothing where the result is
/// not a plain loop (a constant, a sum).
std::optional<unsigned> getLoopAt(AffineMap map, unsigned dim);

/// Returns whether every result of `map` is a loop or the constant 0, and no
/// loop occurs twice.
bool isProjectedPermutationWithZeros(AffineMap map);

/// Returns the map from consumer loops to those producer loops that index the
/// producer's result, in loop order; null where either map is not a projected
/// permutation. `producerResult` maps producer loops to tensor dims,
/// `consumerOperand` consumer loops to the same tensor dims.
AffineMap composeProducerConsumer(AffineMap producerResult,
                                  AffineMap consumerOperand);

} // namespace mlir::fusion

#endif // FUSION_ANALYSIS_INDEXINGMAPS_H
