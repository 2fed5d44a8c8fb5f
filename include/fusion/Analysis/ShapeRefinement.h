//===- ShapeRefinement.h - what two shapes of a tensor both cut -*- C++ -*-===//
//
// A tensor that one op makes as 16x324 and another reads as 2x32x9x9 has the
// same elements in the same order. Both can run on 2x8x4x9x9.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_ANALYSIS_SHAPEREFINEMENT_H
#define FUSION_ANALYSIS_SHAPEREFINEMENT_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace mlir::fusion {

/// A shape that two shapes both collapse to by joining adjacent dims.
struct ShapeRefinement {
  /// At most one of them is ShapedType::kDynamic.
  SmallVector<int64_t> sizes;
  /// For each dim of the first and of the second shape, how many adjacent dims
  /// of `sizes` it consists of, at least one.
  SmallVector<int64_t> first, second;
};

/// Returns the coarsest shape that `first` and `second`, two shapes of the same
/// elements in the same order, both consist of; nothing where there is none
/// (4x6 and 6x4), where a size is zero, or where dynamic sizes leave it open.
std::optional<ShapeRefinement> getCommonRefinement(ArrayRef<int64_t> first,
                                                   ArrayRef<int64_t> second);

} // namespace mlir::fusion

#endif // FUSION_ANALYSIS_SHAPEREFINEMENT_H
