//===- Hyperbolic.cpp - tanh, sinh, cosh and their inverses ---------------===//

#include "FloatMath.h"

using namespace mlir;
using namespace mlir::fusion;

// (f(x) - x) / x^3 in x^2.
/// |x| < 0.6, relative error of tanh 2^-28.
static constexpr double kTanh[] = {-0x1.55553ep-2, 0x1.1109c2p-3,
                                   -0x1.b89b94p-5, 0x1.54cadap-6,
                                   -0x1.82ac94p-8};
/// |x| < 1, 2^-31.
static constexpr double kSinh[] = {0x1.555556p-3, 0x1.1110e0p-7, 0x1.a022bcp-13,
                                   0x1.756c1ep-19};
/// |x| < 0.5, 2^-33.
static constexpr double kAsinh[] = {-0x1.555554p-3, 0x1.33323ap-4,
                                    -0x1.6d7ebcp-5, 0x1.ec11ecp-6,
                                    -0x1.487e0ep-6, 0x1.2f523ep-7};
/// |x| < 0.5, 2^-32.
static constexpr double kAtanh[] = {0x1.555558p-2, 0x1.99979ep-3, 0x1.24d1bap-3,
                                    0x1.bfab12p-4, 0x1.af151cp-4, 0x1.15dedap-6,
                                    0x1.7b2a4cp-3};

static constexpr double kLog2E = 1.4426950408889634;
static constexpr double kLn2 = 0.69314718055994531;

/// 1 / x for x in [1, 2^100], error about one ulp, without a division: a guess
/// from the bits (12 %) and three Newton steps, or the GPU's instruction.
static Value emitReciprocal(FloatMath &m, Value x) {
  if (m.target.hardwareExp) {
    return m.hardwareReciprocal(x);
  }
  Value guess = m.fromBits(m.subInt(m.integer(0x7EF311C7), m.bits(x)));
  for (int step = 0; step < 3; ++step) {
    Value error = m.fma(m.neg(x), guess, m.constant(1.0));
    guess = m.fma(guess, error, guess);
  }
  return guess;
}

Value fusion::expandTanh(FloatMath &m, Value x) {
  Value size = m.abs(x);
  Value small = m.oddPolynomial(size, kTanh);
  // From 9.02 on the result is 1.
  Value limited = m.atMost(size, 10.0);
  Value exp = emitSmallExp(m, m.add(limited, limited));
  Value reciprocal = emitReciprocal(m, m.add(exp, m.constant(1.0)));
  Value large = m.fma(reciprocal, m.constant(-2.0), m.constant(1.0));
  Value result = m.select(m.less(size, m.constant(0.6)), small, large);
  return m.copysign(result, x);
}

/// e^|x| / 2 and e^-|x| / 2 in f64; |x| is cut at 100.
static std::pair<Value, Value> emitHalves(FloatMath &m, Value x) {
  Value wide = m.widen(m.clamp(m.abs(x), 0.0, 100.0));
  Value power = m.mul(wide, m.constantLike(wide, kLog2E));
  Value half = m.constantLike(wide, 0.5);
  Value rising = m.mul(emitWideExp2(m, power), half);
  Value falling = m.mul(emitWideExp2(m, m.neg(power)), half);
  return {rising, falling};
}

Value fusion::expandSinh(FloatMath &m, Value x) {
  auto [rising, falling] = emitHalves(m, x);
  Value large = m.copysign(m.narrow(m.sub(rising, falling)), x);
  Value small = m.oddPolynomial(x, kSinh);
  return m.select(m.less(m.abs(x), m.constant(1.0)), small, large);
}

Value fusion::expandCosh(FloatMath &m, Value x) {
  auto [rising, falling] = emitHalves(m, x);
  return m.narrow(m.add(rising, falling));
}

/// ln x of a positive finite f64.
static Value emitWideLog(FloatMath &m, Value x) {
  return m.mul(emitWideLog2(m, x), m.constantLike(x, kLn2));
}

Value fusion::expandAsinh(FloatMath &m, Value x) {
  Value size = m.abs(x), wide = m.widen(size);
  Value root = m.sqrt(m.fma(wide, wide, m.constantLike(wide, 1.0)));
  Value large = m.narrow(emitWideLog(m, m.add(wide, root)));
  // Infinity and NaN are their own result.
  large = m.select(m.less(size, m.infinity()), large, size);
  Value small = m.oddPolynomial(size, kAsinh);
  return m.copysign(m.select(m.less(size, m.constant(0.5)), small, large), x);
}

Value fusion::expandAcosh(FloatMath &m, Value x) {
  // With t = x - 1, exact in f64: ln(1 + t + sqrt(t (t + 2))).
  Value wide = m.widen(x);
  Value one = m.constantLike(wide, 1.0);
  Value t = m.sub(wide, one);
  Value root = m.sqrt(m.mul(t, m.add(wide, one)));
  Value result = m.narrow(emitWideLog(m, m.add(wide, root)));
  result = m.select(m.less(x, m.infinity()), result, x);
  return m.select(m.less(x, m.constant(1.0)), m.nan(), result);
}

Value fusion::expandAtanh(FloatMath &m, Value x) {
  Value wide = m.widen(m.abs(x));
  Value one = m.constantLike(wide, 1.0);
  Value ratio = m.div(m.add(one, wide), m.sub(one, wide));
  Value half = m.constantLike(wide, 0.5);
  Value large = m.narrow(m.mul(emitWideLog(m, ratio), half));
  Value size = m.abs(x), limit = m.constant(1.0);
  large = m.select(m.equal(size, limit), m.infinity(), large);
  large = m.select(m.lessEqual(size, limit), m.copysign(large, x), m.nan());
  return m.select(m.less(size, m.constant(0.5)), m.oddPolynomial(x, kAtanh),
                  large);
}
