//===- DoubleMath.h - functions on f64 --------------------------*- C++ -*-===//
//
// Expansions with the accuracy of f64, for devices without a library. What is
// computed in two parts (`high` + `low`) has about 100 bits.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_CONVERSION_EXPANDMATH_DOUBLEMATH_H
#define FUSION_LIB_CONVERSION_EXPANDMATH_DOUBLEMATH_H

#include "FloatMath.h"
#include <array>

namespace mlir::fusion::f64 {

Value expandExp(FloatMath &m, Value x);
Value expandExp2(FloatMath &m, Value x);
Value expandExpM1(FloatMath &m, Value x);
Value expandLog(FloatMath &m, Value x);
Value expandLog2(FloatMath &m, Value x);
Value expandLog10(FloatMath &m, Value x);
Value expandLog1p(FloatMath &m, Value x);
Value expandTanh(FloatMath &m, Value x);
Value expandSinh(FloatMath &m, Value x);
Value expandCosh(FloatMath &m, Value x);
Value expandAsinh(FloatMath &m, Value x);
Value expandAcosh(FloatMath &m, Value x);
Value expandAtanh(FloatMath &m, Value x);
Value expandErf(FloatMath &m, Value x);
Value expandErfc(FloatMath &m, Value x);
Value expandSin(FloatMath &m, Value x);
Value expandCos(FloatMath &m, Value x);
Value expandTan(FloatMath &m, Value x);
Value expandAsin(FloatMath &m, Value x);
Value expandAcos(FloatMath &m, Value x);
Value expandAtan(FloatMath &m, Value x);
Value expandAtan2(FloatMath &m, Value y, Value x);
Value expandPow(FloatMath &m, Value x, Value y);
Value expandCbrt(FloatMath &m, Value x);
/// Scalars only: a loop.
Value expandRemainder(FloatMath &m, Value x, Value y);

/// A number in two parts.
struct Pair {
  Value high, low;
};

/// x = 2^exponent (1 + offset), 1 + offset in [1/sqrt 2, sqrt 2); the exponent
/// as an f64. x is finite and positive.
struct Factors {
  Value exponent, offset;
};
Factors splitNumber(FloatMath &m, Value x);

/// e^(x.high + x.low) for |x| <= 1100.
Value emitExp(FloatMath &m, Pair x);

/// ln 2 = kLn2 + kLn2Low; the first has 39 bits, so that multiples by exponents
/// are exact.
constexpr double kLn2 = 0x1.62e42fefa0000p-1;
constexpr double kLn2Low = 0x1.cf79abc9e3b3ap-40;
constexpr double kLog2E = 0x1.71547652b82fep+0;

/// 1 / first!, 1 / (first + step)!, ...: what Taylor's series are made of. (All
/// factorials up to 22! are f64 numbers.)
template <size_t count>
constexpr std::array<double, count> inverseFactorials(int first, int step = 1,
                                                      bool alternate = false) {
  std::array<double, count> result{};
  double factorial = 1, sign = 1;
  for (int i = 2; i <= first; ++i) {
    factorial *= i;
  }
  for (size_t k = 0; k < count; ++k) {
    result[k] = sign / factorial;
    sign = alternate ? -sign : sign;
    for (int i = 0; i < step; ++i) {
      factorial *= ++first;
    }
  }
  return result;
}

/// factor / first, factor / (first + 2), ...
template <size_t count>
constexpr std::array<double, count> inverseOdds(int first, double factor,
                                                bool alternate = false) {
  std::array<double, count> result{};
  for (size_t k = 0; k < count; ++k) {
    result[k] = factor / (first + 2 * static_cast<int>(k));
    factor = alternate ? -factor : factor;
  }
  return result;
}

} // namespace mlir::fusion::f64

#endif // FUSION_LIB_CONVERSION_EXPANDMATH_DOUBLEMATH_H
