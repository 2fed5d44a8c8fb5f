//===- Exponential.cpp - exp, exp2, expm1 ---------------------------------===//
//
// x = n ln 2 + r with |r| <= ln 2 / 2 in two steps (Cody and Waite), then a
// minimax polynomial in r and a multiplication by 2^n.
//
//===----------------------------------------------------------------------===//

#include "FloatMath.h"

using namespace mlir;
using namespace mlir::fusion;

static constexpr double kLog2E = 0x1.715476p+0;
static constexpr double kLog2ELow = 0x1.4ae0cp-26;
/// ln 2 in two parts; the first is the nearest f32.
static constexpr double kLn2 = 0x1.62e430p-1;
static constexpr double kLn2Low = -0x1.05c610p-29;

/// (e^r - 1 - r) / r^2 on |r| < 0.3475, error in e^r 2^-28.
static constexpr double kExp[] = {0x1.000000p-1, 0x1.555490p-3, 0x1.5554bep-5,
                                  0x1.123b18p-7, 0x1.6d7ca6p-10};
/// The same for e^r - 1, relative error 2^-31.
static constexpr double kExpM1[] = {0x1.000000p-1,  0x1.555556p-3,
                                    0x1.5554f6p-5,  0x1.111004p-7,
                                    0x1.6d3cecp-10, 0x1.a242fep-13};
/// (2^r - 1) / r on |r| <= 0.5, relative error 2^-28.
static constexpr double kExp2[] = {0x1.62e430p-1,  0x1.ebfbe0p-3,
                                   0x1.c6af7ap-5,  0x1.3b2a28p-7,
                                   0x1.5f0960p-10, 0x1.4447b8p-13};

namespace {
/// e^x = mantissa * 2^exponent.
struct Split {
  Value mantissa, exponent;
};
} // namespace

/// |x| < 2000.
static Split splitExp(FloatMath &m, Value x) {
  Value product = m.mul(x, m.constant(kLog2E));
  auto [n, exponent] = m.roundToInteger(product);
  Value r = m.fma(n, m.constant(-kLn2), x);
  r = m.fma(n, m.constant(-kLn2Low), r);
  Value square = m.mul(r, r);
  Value tail = m.fma(square, m.polynomial(r, kExp), r);
  return {m.add(tail, m.constant(1.0)), exponent};
}

/// e^x for |x| < 128 by the GPU's 2^h. h is x log2 e in one f32; what its
/// rounding loses, at most 2^-17, is made up for by a factor of 2^low.
static Value emitHardwareExp(FloatMath &m, Value x, bool denormals) {
  Value h = m.mul(x, m.constant(kLog2E));
  Value low = m.fma(x, m.constant(kLog2E), m.neg(h));
  low = m.fma(x, m.constant(kLog2ELow), low);
  Value factor = m.fma(low, m.constant(kLn2), m.constant(1.0));
  return m.mul(m.hardwareExp2(h, denormals), factor);
}

Value fusion::expandExp(FloatMath &m, Value x) {
  // Beyond these the result is 0 or infinity whatever x is.
  x = m.clamp(x, -105.0, 90.0);
  if (m.target.hardwareExp) {
    return emitHardwareExp(m, x, /*denormals=*/true);
  }
  Split split = splitExp(m, x);
  return m.scale(split.mantissa, split.exponent);
}

Value fusion::expandApproximateExp(FloatMath &m, Value x) {
  return m.hardwareExp2(m.mul(x, m.constant(kLog2E)), /*denormals=*/true);
}

Value fusion::emitSmallExp(FloatMath &m, Value x) {
  if (m.target.hardwareExp) {
    return emitHardwareExp(m, x, /*denormals=*/false);
  }
  Split split = splitExp(m, x);
  return m.mul(split.mantissa, m.powerOfTwo(split.exponent));
}

Value fusion::expandExp2(FloatMath &m, Value x) {
  if (m.target.hardwareExp) {
    return m.hardwareExp2(x, /*denormals=*/true);
  }
  x = m.clamp(x, -152.0, 130.0);
  auto [n, exponent] = m.roundToInteger(x);
  Value r = m.sub(x, n);
  Value mantissa = m.fma(r, m.polynomial(r, kExp2), m.constant(1.0));
  return m.scale(mantissa, exponent);
}

Value fusion::expandExpM1(FloatMath &m, Value x) {
  // Below -18 the result is -1; above 89.5 infinity.
  Value limited = m.clamp(x, -18.0, 89.5);
  auto [n, exponent] = m.roundToInteger(m.mul(limited, m.constant(kLog2E)));
  Value r = m.fma(n, m.constant(-kLn2), limited);
  r = m.fma(n, m.constant(-kLn2Low), r);
  Value tail = m.fma(m.mul(r, r), m.polynomial(r, kExpM1), r);
  // 2^n (tail + 1) - 1 at a quarter of its size: no float holds 2^129.
  Value power = m.powerOfTwo(m.subInt(exponent, m.integer(2)));
  Value quarter = m.fma(tail, power, m.sub(power, m.constant(0.25)));
  Value result = m.mul(quarter, m.constant(4.0));
  // Tiny arguments and -0 are their own result.
  Value tiny = m.less(m.abs(x), m.constant(0x1p-25));
  return m.select(tiny, x, result);
}
