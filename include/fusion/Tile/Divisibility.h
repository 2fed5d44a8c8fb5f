//===- Divisibility.h - what divides an index -------------------*- C++ -*-===//

#ifndef FUSION_TILE_DIVISIBILITY_H
#define FUSION_TILE_DIVISIBILITY_H

#include "mlir/IR/Value.h"

namespace mlir::fusion::tile {

/// A number that is known to divide `value` (1 if nothing is known; a large
/// power of two for zero). Looks through constants, sums, differences,
/// products, remainders,
/// selects, and induction variables of loops, at most a few ops deep.
int64_t getKnownDivisor(Value value);

} // namespace mlir::fusion::tile

#endif // FUSION_TILE_DIVISIBILITY_H
