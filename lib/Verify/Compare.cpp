//===- Compare.cpp - are two results the same? ------------------*- C++ -*-===//

#include "fusion/Verify/Compare.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <cassert>
#include <cmath>
#include <cstring>

using namespace mlir;
using namespace mlir::fusion;

/// The spacing of the floats just above 1.
static double getEpsilon(FusionDType dtype) {
  switch (dtype) {
  case FUSION_F64:
    return 0x1p-52;
  case FUSION_F32:
    return 0x1p-23;
  case FUSION_F16:
    return 0x1p-10;
  case FUSION_BF16:
    return 0x1p-7;
  default:
    return 0;
  }
}

Tolerance mlir::fusion::getTolerance(FusionDType dtype, int64_t reductionLength,
                                     double spacing) {
  double epsilon = getEpsilon(dtype);
  if (epsilon == 0) {
    return {};
  }
  // Math functions are good to a few units, and a few rounded values meet in
  // one group. The errors of a sum's terms are independent: they grow with the
  // root of its length.
  double accumulator = dtype == FUSION_F64 ? epsilon : 0x1p-23;
  // What is between two floats goes to either of them by the least error.
  epsilon = std::max(epsilon, spacing);
  double growth = std::sqrt(double(std::max<int64_t>(reductionLength, 1)));
  return {4 * epsilon + 8 * accumulator,
          4 * epsilon + 4 * accumulator * growth};
}

/// The root mean square of the finite elements.
static double getScale(const HostArray &array) {
  double sum = 0;
  int64_t count = 0;
  for (int64_t i = 0, e = array.getNumElements(); i < e; ++i) {
    double value = array.get(i);
    if (std::isfinite(value)) {
      sum += value * value;
      ++count;
    }
  }
  return count ? std::sqrt(sum / double(count)) : 0;
}

/// Whether element `i` of two arrays is the same where a double may not tell:
/// of 64-bit integers.
static bool sameIntegers(const HostArray &a, const HostArray &b, int64_t i) {
  if (a.getDType() != FUSION_I64 && a.getDType() != FUSION_U64) {
    return true;
  }
  return std::memcmp(a.getData() + 8 * i, b.getData() + 8 * i, 8) == 0;
}

Comparison mlir::fusion::compareArrays(const HostArray &got,
                                       const HostArray &want,
                                       Tolerance tolerance) {
  assert(got.getDType() == want.getDType() && got.getDims() == want.getDims() &&
         "expected arrays of equal type and shape");
  Comparison result;
  double scale = getScale(want);
  for (int64_t i = 0, e = want.getNumElements(); i < e; ++i) {
    double a = got.get(i), b = want.get(i);
    if ((a == b && sameIntegers(got, want, i)) ||
        (std::isnan(a) && std::isnan(b))) {
      continue;
    }
    // An infinite or NaN difference never agrees.
    double error = std::fabs(a - b);
    double magnitude = std::max(std::fabs(b), scale);
    double allowed =
        tolerance.relative * std::fabs(b) + tolerance.absolute * scale;
    // Of integers that a double cannot tell apart only the bits are different.
    bool agrees = std::isfinite(error) && error != 0 && error <= allowed;
    error = std::isnan(error) ? INFINITY : error;
    result.maxAbsolute = std::max(result.maxAbsolute, error);
    result.maxRelative =
        std::max(result.maxRelative,
                 std::isfinite(error) ? error / magnitude : INFINITY);
    if (!agrees && result.numWrong++ == 0) {
      result.firstWrong = i;
      result.firstGot = a;
      result.firstWant = b;
      result.firstAllowed = allowed;
    }
  }
  result.agrees = result.numWrong == 0;
  return result;
}

/// Element `index` of an array of shape `dims`: "[1, 0, 2]".
static std::string describeIndex(int64_t index, ArrayRef<int64_t> dims) {
  std::string text;
  for (int64_t dim : llvm::reverse(dims)) {
    text = std::to_string(index % dim) + (text.empty() ? "" : ", ") + text;
    index /= dim;
  }
  return "[" + text + "]";
}

std::string mlir::fusion::describe(const Comparison &comparison,
                                   ArrayRef<int64_t> dims) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << llvm::format("largest error %.2e absolute, %.2e relative",
                     comparison.maxAbsolute, comparison.maxRelative);
  if (comparison.agrees) {
    os << ", ok";
  } else {
    os << ", WRONG in " << comparison.numWrong << " elements, first at "
       << describeIndex(comparison.firstWrong, dims)
       << llvm::format(": expected %.9g within %.2e, but got %.9g",
                       comparison.firstWant, comparison.firstAllowed,
                       comparison.firstGot);
  }
  return text;
}
