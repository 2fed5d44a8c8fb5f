//===- Logarithm.cpp - log, log2, log10, log1p ----------------------------===//
//
// x = 2^e (1 + f), then a minimax polynomial in f and the part of e.
//
//===----------------------------------------------------------------------===//

#include "FloatMath.h"

using namespace mlir;
using namespace mlir::fusion;

/// (ln(1 + f) - f) / f^2 on [-1/3, 1/3], relative error of ln 2^-30.
static constexpr double kLog[] = {
    -0x1.000000p-1, 0x1.555556p-2, -0x1.ffff18p-3, 0x1.9997eep-3,
    -0x1.55978cp-3, 0x1.24eb6ep-3, -0x1.f3b02cp-4, 0x1.b91efap-4,
    -0x1.06c2bap-3, 0x1.e9d18ap-4};
/// The same over ln 2 and over ln 10, on [1/sqrt 2 - 1, sqrt 2 - 1].
static constexpr double kLog2[] = {
    -0x1.715476p-1, 0x1.ec708cp-2, -0x1.7154acp-2, 0x1.277e66p-2,
    -0x1.ec71d4p-3, 0x1.a42aa4p-3, -0x1.6eeef4p-3, 0x1.5f5b38p-3,
    -0x1.574d52p-3, 0x1.8af572p-4};
static constexpr double kLog10[] = {
    -0x1.bcb7b2p-3, 0x1.287a70p-3, -0x1.bcb75cp-4, 0x1.63cd1ep-4,
    -0x1.2887eep-4, 0x1.fa4a26p-5, -0x1.b90a9cp-5, 0x1.a43be6p-5,
    -0x1.9f1a2ap-5, 0x1.e8fa9ap-6};

/// The bits of 2/3 and of 1/sqrt 2: where the mantissa's range begins.
static constexpr int64_t kTwoThirds = 0x3F2AAAAB;
static constexpr int64_t kRootHalf = 0x3F3504F3;

namespace {
/// x = 2^exponent (1 + fraction), the exponent as a float.
struct Split {
  Value exponent, fraction;
};
} // namespace

/// For finite positive x; 1 + fraction starts at the float with bits `start`.
static Split splitLog(FloatMath &m, Value x, int64_t start) {
  Value denormal = m.less(x, m.constant(0x1p-126));
  Value normal = m.select(denormal, m.mul(x, m.constant(0x1p23)), x);
  Value bias = m.select(denormal, m.constant(-23.0), m.constant(0.0));
  Value bits = m.bits(normal);
  Value exponent = m.andInt(m.subInt(bits, m.integer(start)),
                            m.integer(static_cast<int32_t>(0xFF800000)));
  Value mantissa = m.fromBits(m.subInt(bits, exponent));
  // The exponent's bits stand at 2^23.
  Value number = m.fma(m.toFloat(exponent), m.constant(0x1p-23), bias);
  return {number, m.sub(mantissa, m.constant(1.0))};
}

/// `result` for finite positive x, else what IEEE 754 says.
static Value withSpecials(FloatMath &m, Value x, Value result) {
  Value zero = m.constant(0.0);
  // Infinity and NaN are their own logarithm.
  result = m.select(m.less(x, m.infinity()), result, x);
  result = m.select(m.less(x, zero), m.nan(), result);
  return m.select(m.equal(x, zero), m.neg(m.infinity()), result);
}

Value fusion::expandLog(FloatMath &m, Value x) {
  Split split = splitLog(m, x, kTwoThirds);
  Value f = split.fraction;
  Value log = m.fma(m.mul(f, f), m.polynomial(f, kLog), f);
  log = m.fma(split.exponent, m.constant(0x1.62e430p-1), log);
  return withSpecials(m, x, log);
}

/// log(1 + f) / ln base: first[0] + first[1] is 1 / ln base in two parts.
static Value emitFraction(FloatMath &m, Value f, double first, double rest,
                          ArrayRef<double> polynomial) {
  Value tail = m.fma(m.mul(f, f), m.polynomial(f, polynomial),
                     m.mul(f, m.constant(rest)));
  return m.fma(f, m.constant(first), tail);
}

Value fusion::expandLog2(FloatMath &m, Value x) {
  Split split = splitLog(m, x, kRootHalf);
  Value log =
      emitFraction(m, split.fraction, 0x1.715476p+0, 0x1.4ae0cp-26, kLog2);
  return withSpecials(m, x, m.add(split.exponent, log));
}

Value fusion::expandLog10(FloatMath &m, Value x) {
  Split split = splitLog(m, x, kRootHalf);
  Value log =
      emitFraction(m, split.fraction, 0x1.bcb7b2p-2, -0x1.5b235ep-27, kLog10);
  // log10 2 in two parts.
  log = m.fma(split.exponent, m.constant(-0x1.ec10c0p-27), log);
  log = m.fma(split.exponent, m.constant(0x1.344136p-2), log);
  return withSpecials(m, x, log);
}

Value fusion::expandLog1p(FloatMath &m, Value x) {
  // 1 + x = 2^e (1 + f) where f = 2^-e x + (2^-e - 1) is rounded just once.
  Value sum = m.add(x, m.constant(1.0));
  Value bits = m.subInt(m.bits(sum), m.integer(kTwoThirds));
  Value exponent = m.andInt(bits, m.integer(static_cast<int32_t>(0xFF800000)));
  // 2^-e may be denormal: start from 4 * 2^-e.
  Value power = m.mul(m.fromBits(m.subInt(m.integer(0x40800000), exponent)),
                      m.constant(0.25));
  Value f = m.fma(power, x, m.sub(power, m.constant(1.0)));
  Value log = m.fma(m.mul(f, f), m.polynomial(f, kLog), f);
  Value number = m.mul(m.toFloat(exponent), m.constant(0x1p-23));
  log = m.fma(number, m.constant(0x1.62e430p-1), log);
  log = m.select(m.less(x, m.infinity()), log, x);
  Value minusOne = m.constant(-1.0);
  log = m.select(m.less(x, minusOne), m.nan(), log);
  log = m.select(m.equal(x, minusOne), m.neg(m.infinity()), log);
  // -0 and denormals are their own result.
  return m.select(m.less(m.abs(x), m.constant(0x1p-30)), x, log);
}
