//===- Movement.h - ops that only rearrange a tensor ------------*- C++ -*-===//
//
// Transposes and broadcasts: every element of the result is one of the source,
// at a position that an affine map of the result's gives.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_ANALYSIS_MOVEMENT_H
#define FUSION_ANALYSIS_MOVEMENT_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::fusion {

/// Where the elements of a tensor come from.
struct Movement {
  Value source;
  /// From positions in the result to positions in `source`: distinct dims, and
  /// zeros where the source's dim has size one.
  AffineMap map;
};

/// Returns how `op` moves elements if it does nothing else: all loops parallel,
/// one operand, which the body passes on; nothing otherwise.
std::optional<Movement> getMovement(linalg::LinalgOp op);

/// Returns where the elements of `value` come from through all movement ops
/// behind it that do not forbid fusion (`fusion.no_fuse`); `value` itself with
/// the identity where there is none.
Movement traceMovement(Value value);

/// A part of a tensor: element `i` of the result is `starts + i` of the source.
struct Slice {
  Value source;
  SmallVector<int64_t> starts;
};

/// Returns what `op` cuts out of a tensor if it does nothing else, by steps of
/// one from known starts, all sizes known; nothing otherwise.
std::optional<Slice> getSlice(linalg::LinalgOp op);

} // namespace mlir::fusion

#endif // FUSION_ANALYSIS_MOVEMENT_H
