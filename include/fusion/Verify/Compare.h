//===- Compare.h - are two results the same? --------------------*- C++ -*-===//
//
// The tolerances are explained in docs/Numerics.md, "Verification tolerances".
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_VERIFY_COMPARE_H
#define FUSION_VERIFY_COMPARE_H

#include "fusion/Verify/HostArray.h"
#include <string>

namespace mlir::fusion {

/// An element agrees where |got - want| <= relative * |want| + absolute *
/// scale, with `scale` the root mean square of the finite elements of `want`.
struct Tolerance {
  double relative = 0;
  double absolute = 0;
};

/// The tolerance for results of type `dtype` that are sums of `reductionLength`
/// products or terms accumulated in f32 (1 where nothing is summed), made of
/// values that were rounded to floats `spacing` apart above 1 (0 where none
/// were). Integers agree exactly.
Tolerance getTolerance(FusionDType dtype, int64_t reductionLength,
                       double spacing = 0);

/// What was found when two arrays were compared.
struct Comparison {
  bool agrees = true;
  /// The largest |got - want|, and the largest of it over max(|want|, scale).
  double maxAbsolute = 0, maxRelative = 0;
  /// Elements beyond the tolerance, and the first of them.
  int64_t numWrong = 0, firstWrong = -1;
  double firstGot = 0, firstWant = 0;
  /// What the first wrong element may differ by.
  double firstAllowed = 0;
};

/// Compares two arrays of equal type and shape (asserted). NaN agrees with NaN
/// only, an infinity with itself only.
Comparison compareArrays(const HostArray &got, const HostArray &want,
                         Tolerance tolerance);

/// "ok", or how many elements of an array of shape `dims` are wrong and which
/// first, with the errors.
std::string describe(const Comparison &comparison, ArrayRef<int64_t> dims);

} // namespace mlir::fusion

#endif // FUSION_VERIFY_COMPARE_H
