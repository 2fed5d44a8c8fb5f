//===- Rounding.cpp - rounding of halves away from zero -------------------===//

#include "FloatMath.h"

using namespace mlir;
using namespace mlir::fusion;

/// What is cut off is exact; a sum with a half would not be.
Value fusion::expandRound(FloatMath &m, Value x) {
  Value whole = m.trunc(x);
  Value rest = m.abs(m.sub(x, whole)); // NaN for infinities: they stay
  Value away = m.add(whole, m.copysign(m.constantLike(x, 1), x));
  return m.select(m.lessEqual(m.constantLike(x, 0.5), rest), away, whole);
}
