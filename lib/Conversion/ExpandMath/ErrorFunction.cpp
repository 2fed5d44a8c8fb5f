//===- ErrorFunction.cpp - erf, erfc --------------------------------------===//

#include "FloatMath.h"

using namespace mlir;
using namespace mlir::fusion;

/// erf x / x - 1 in x^2 for |x| < 0.93, error 2^-30.
static constexpr double kSmall[] = {
    0x1.06eba8p-3, -0x1.812740p-2,  0x1.ce2d60p-4, -0x1.b80080p-6,
    0x1.54426ep-8, -0x1.a5ba96p-11, 0x1.4e459cp-14};
/// -ln(erfc x) / x for 0.92 < x < 4; the error in erf is 2^-30.
static constexpr double kLarge[] = {
    0x1.20ef5ap+0, 0x1.453082p-1,   0x1.b34150p-4, -0x1.85b406p-6,
    0x1.deeba0p-9, -0x1.557f54p-12, 0x1.82b320p-17};

Value fusion::expandErf(FloatMath &m, Value x) {
  Value size = m.abs(x);
  Value small = m.fma(m.polynomial(m.mul(x, x), kSmall), x, x);
  // From 4 on the result is 1.
  Value limited = m.atMost(size, 4.0);
  Value exponent = m.neg(m.mul(limited, m.polynomial(limited, kLarge)));
  Value large = m.sub(m.constant(1.0), emitSmallExp(m, exponent));
  return m.select(m.less(size, m.constant(0.93)), small, m.copysign(large, x));
}

/// -log2(erfc x) / x for 0 < x < 4, error in erf 2^-25.
static constexpr double kWhole[] = {
    0x1.a0be9ep+0,  0x1.d63aacp-1,  0x1.301720p-3,   -0x1.cee880p-6,
    0x1.961f72p-11, 0x1.867372p-10, -0x1.d32736p-12, 0x1.7c803ep-15};

Value fusion::expandErfBesideOne(FloatMath &m, Value x) {
  Value size = m.atMost(m.abs(x), 4.0);
  Value exponent = m.mul(size, m.polynomial(size, kWhole));
  Value power = m.hardwareExp2(m.neg(exponent), /*denormals=*/false);
  return m.copysign(m.sub(m.constant(1.0), power), x);
}

/// ln(erfc x) + x^2 - ln t in t = 1 / (1 + x / 2), 0.4 < x < 10.3, error 2^-32.
static constexpr double kTail[] = {
    -1.2655129683002122,  1.0000092738982846,    0.37517141242836244,
    0.078891727614115115, -0.042370895886607932, -0.39144182509915931,
    0.81424892151014272,  -2.165557526964438,    3.5949899902958546,
    -3.1576125962426516,  1.4227940887179726,    -0.26361854299114124};

Value fusion::expandErfc(FloatMath &m, Value x) {
  // Near zero 1 - erf x, elsewhere t exp(kTail(t) - x^2) in f64.
  Value size = m.abs(x);
  Value small = m.fma(m.polynomial(m.mul(x, x), kSmall), x, x);
  small = m.sub(m.constant(1.0), small);
  Value wide = m.widen(m.clamp(size, 0.0, 10.3));
  Value one = m.constantLike(wide, 1.0);
  Value t = m.div(one, m.fma(wide, m.constantLike(wide, 0.5), one));
  Value exponent = m.fma(m.neg(wide), wide, m.polynomial(t, kTail));
  Value tail = m.mul(
      t, emitWideExp2(
             m, m.mul(exponent, m.constantLike(wide, 1.4426950408889634))));
  Value mirrored = m.sub(m.constantLike(wide, 2.0), tail);
  Value negative = m.less(x, m.constant(0.0));
  Value large = m.select(negative, m.narrow(mirrored), m.narrow(tail));
  Value result = m.select(m.less(size, m.constant(0.45)), small, large);
  return m.select(m.isNaN(x), x, result);
}
