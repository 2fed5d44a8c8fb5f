//===- Trigonometric.cpp - sin, cos, tan and their inverses ---------------===//

#include "FloatMath.h"

using namespace mlir;
using namespace mlir::fusion;

/// (sin r - r) / r^3 and (cos r - 1 + r^2 / 2) / r^4 in r^2, |r| <= pi / 4,
/// relative errors 2^-28 and 2^-33.
static constexpr double kSin[] = {-0x1.555546p-3, 0x1.11077ap-7,
                                  -0x1.9954b8p-13};
static constexpr double kCos[] = {0x1.55554ap-5, -0x1.6c0c1ap-10,
                                  0x1.99e0ecp-16};
/// (f(x) - x) / x^3 in x^2: tan on |x| <= pi / 4, asin on 0.5, atan on 1;
/// relative errors 2^-29, 2^-31, 2^-31.
static constexpr double kTan[] = {0x1.555560p-2, 0x1.110d9ep-3, 0x1.bad9bep-5,
                                  0x1.5cc134p-6, 0x1.62c820p-7, 0x1.9ea91ep-14,
                                  0x1.1e8b6cp-8};
static constexpr double kAsin[] = {0x1.55554cp-3, 0x1.3338acp-4, 0x1.6ca750p-5,
                                   0x1.04d366p-5, 0x1.d5129ep-7, 0x1.34cf36p-5};
static constexpr double kAtan[] = {
    -0x1.555552p-2, 0x1.99981cp-3, -0x1.247620p-3, 0x1.c51170p-4,
    -0x1.6953bcp-4, 0x1.150a00p-4, -0x1.7080bap-5, 0x1.753040p-6,
    -0x1.e6a0ecp-8, 0x1.29687ep-10};

/// pi / 2 in two parts; the first is the nearest f32.
static constexpr double kHalfPi = 0x1.921fb6p+0;
static constexpr double kHalfPiLow = -0x1.777a5cp-25;

/// The first bits of 2 / pi, behind a word of zeros.
static constexpr uint32_t kTwoOverPi[] = {0x00000000, 0xA2F9836E, 0x4E441529,
                                          0xFC2757D1, 0xF534DDC0, 0xDB629599,
                                          0x3C439041, 0xFE5163AB};

namespace {
/// |x| = quadrant * pi / 2 + rest, |rest| <= pi / 4; `rest` is an f64.
struct Reduced {
  Value quadrant, rest;
};
} // namespace

/// The 96 bits of 2 / pi that matter for the exponent whose window starts at
/// bit `start`: those before make multiples of 4 quadrants, those behind are
/// too small.
static SmallVector<Value, 3> selectWindow(FloatMath &m, Value start) {
  Value word = m.shiftRight(start, 5);
  Value shift = m.andInt(start, m.integer(31));
  SmallVector<Value, 4> words;
  for (int i = 0; i < 4; ++i) {
    Value selected = m.integer(kTwoOverPi[i]);
    for (int first = 1; first <= 4; ++first) {
      selected = m.select(m.equalInt(word, m.integer(first)),
                          m.integer(kTwoOverPi[i + first]), selected);
    }
    words.push_back(selected);
  }
  Value back = m.subInt(m.integer(31), shift);
  SmallVector<Value, 3> window;
  for (int i = 0; i < 3; ++i) {
    Value low = m.shiftRight(m.shiftRight(words[i + 1], 1), back);
    window.push_back(m.orInt(m.shiftLeft(words[i], shift), low));
  }
  return window;
}

/// Reduces |x| in integers (Payne and Hanek), exact for every finite x.
static Reduced reduce(FloatMath &m, Value x) {
  Value size = m.abs(x);
  Value bits = m.bits(size);
  Value mantissa = m.widenUnsigned(
      m.orInt(m.andInt(bits, m.integer(0x007FFFFF)), m.integer(0x00800000)));
  // x = mantissa * 2^(exponent - 150); the window starts where a bit of the
  // mantissa times a bit of 2 / pi weighs less than 4. Smaller x than 2^-1 and
  // no numbers are not used.
  Value exponent = m.shiftRight(bits, 23);
  Value start = m.andInt(m.subInt(exponent, m.integer(120)), m.integer(255));
  SmallVector<Value, 3> window = selectWindow(m, start);
  SmallVector<Value, 3> products;
  for (Value word : window) {
    products.push_back(m.mulInt(m.widenUnsigned(word), mantissa));
  }
  // The upper 64 bits of the product modulo 2^96: units of 2^-62 quadrants.
  Value turns = m.addInt(m.shiftLeft(products[0], 32), products[1]);
  turns = m.addInt(turns, m.shiftRight(products[2], 32));
  constexpr int64_t half = int64_t(1) << 61;
  Value shifted = m.addInt(turns, m.integerLike(turns, half));
  Value quadrant = m.narrowInt(m.shiftRight(shifted, 62));
  Value rest = m.subInt(
      m.andInt(shifted, m.integerLike(shifted, (int64_t(1) << 62) - 1)),
      m.integerLike(shifted, half));
  Value wide = m.toWideFloat(rest);
  // pi / 2 * 2^-62.
  wide = m.mul(wide, m.constantLike(wide, 0x1.921fb54442d18p-62));
  Value isSmall = m.less(size, m.constant(0x1.921fb4p-1));
  return {m.select(isSmall, m.integer(0), quadrant),
          m.select(isSmall, m.widen(size), wide)};
}

/// The sine of a reduced argument.
static Value emitSine(FloatMath &m, Value quadrant, Value wideRest) {
  Value rest = m.narrow(wideRest);
  Value square = m.mul(rest, rest);
  Value sine = m.oddPolynomial(rest, kSin);
  Value cosine = m.fma(square, m.polynomial(square, kCos), m.constant(-0.5));
  cosine = m.fma(square, cosine, m.constant(1.0));
  Value one = m.integer(1);
  Value swapped = m.equalInt(m.andInt(quadrant, one), one);
  Value value = m.select(swapped, cosine, sine);
  // The upper bit of the quadrant is the sign.
  Value sign = m.shiftLeft(m.shiftRight(quadrant, 1), 31);
  return m.fromBits(m.xorInt(m.bits(value), sign));
}

/// `value` for finite x, else NaN.
static Value finiteOnly(FloatMath &m, Value x, Value value) {
  return m.select(m.less(m.abs(x), m.infinity()), value, m.nan());
}

/// `value` with the sign changed where x is negative.
static Value oddIn(FloatMath &m, Value x, Value value) {
  Value sign = m.andInt(m.bits(x), m.integer(static_cast<int32_t>(0x80000000)));
  return m.fromBits(m.xorInt(m.bits(value), sign));
}

Value fusion::expandSin(FloatMath &m, Value x) {
  Reduced reduced = reduce(m, x);
  Value sine = emitSine(m, reduced.quadrant, reduced.rest);
  return finiteOnly(m, x, oddIn(m, x, sine));
}

Value fusion::expandCos(FloatMath &m, Value x) {
  Reduced reduced = reduce(m, x);
  Value next = m.andInt(m.addInt(reduced.quadrant, m.integer(1)), m.integer(3));
  return finiteOnly(m, x, emitSine(m, next, reduced.rest));
}

Value fusion::expandTan(FloatMath &m, Value x) {
  Reduced reduced = reduce(m, x);
  // In odd quadrants it is divided by: the last steps in f64.
  Value rest = m.narrow(reduced.rest);
  Value square = m.mul(rest, rest);
  Value cubic = m.mul(m.mul(rest, square), m.polynomial(square, kTan));
  Value tangent = m.add(reduced.rest, m.widen(cubic));
  Value one = m.integer(1);
  Value odd = m.equalInt(m.andInt(reduced.quadrant, one), one);
  Value inverse = m.div(m.constantLike(tangent, -1.0), tangent);
  tangent = m.narrow(m.select(odd, inverse, tangent));
  return finiteOnly(m, x, oddIn(m, x, tangent));
}

/// `number` * pi / 2 - x.
static Value fromRightAngles(FloatMath &m, double number, Value x) {
  Value low = m.sub(x, m.constant(number * kHalfPiLow));
  return m.sub(m.constant(number * kHalfPi), low);
}

Value fusion::expandAtan(FloatMath &m, Value x) {
  Value size = m.abs(x);
  Value steep = m.less(m.constant(1.0), size);
  Value slope = m.select(steep, m.div(m.constant(1.0), size), size);
  Value angle = m.oddPolynomial(slope, kAtan);
  angle = m.select(steep, fromRightAngles(m, 1, angle), angle);
  return m.copysign(angle, x);
}

Value fusion::expandAtan2(FloatMath &m, Value y, Value x) {
  Value run = m.abs(x), rise = m.abs(y);
  Value steep = m.less(run, rise);
  Value larger = m.select(steep, rise, run),
        smaller = m.select(steep, run, rise);
  // 0 / 0 and inf / inf: the corners of the square.
  Value slope = m.div(smaller, larger);
  Value isCorner =
      m.both(m.equal(smaller, larger), m.equal(larger, m.infinity()));
  slope = m.select(isCorner, m.constant(1.0), slope);
  slope = m.select(m.equal(larger, m.constant(0.0)), m.constant(0.0), slope);
  Value angle = m.oddPolynomial(slope, kAtan);
  angle = m.select(steep, fromRightAngles(m, 1, angle), angle);
  Value left = m.equalInt(m.shiftRight(m.bits(x), 31), m.integer(1));
  angle = m.select(left, fromRightAngles(m, 2, angle), angle);
  angle = m.copysign(angle, y);
  return m.select(m.either(m.isNaN(x), m.isNaN(y)), m.nan(), angle);
}

/// asin sqrt((1 - |x|) / 2): half the angle to 1; NaN for |x| > 1.
static Value emitHalfAngle(FloatMath &m, Value size) {
  Value square = m.mul(m.sub(m.constant(1.0), size), m.constant(0.5));
  Value root = m.sqrt(square);
  return m.fma(m.mul(root, square), m.polynomial(square, kAsin), root);
}

Value fusion::expandAsin(FloatMath &m, Value x) {
  Value size = m.abs(x);
  Value half = emitHalfAngle(m, size);
  // Twice the half angle is near pi / 2 where it matters: the first difference
  // is exact or nearly so.
  Value large = m.fma(half, m.constant(-2.0), m.constant(kHalfPi));
  large = m.add(large, m.constant(kHalfPiLow));
  Value small = m.oddPolynomial(size, kAsin);
  Value result = m.select(m.lessEqual(size, m.constant(0.5)), small, large);
  return m.copysign(result, x);
}

Value fusion::expandAcos(FloatMath &m, Value x) {
  Value half = emitHalfAngle(m, m.abs(x));
  Value twice = m.add(half, half);
  Value isLeft = m.less(x, m.constant(0.0));
  Value large = m.select(isLeft, fromRightAngles(m, 2, twice), twice);
  Value small = fromRightAngles(m, 1, m.oddPolynomial(x, kAsin));
  return m.select(m.lessEqual(m.abs(x), m.constant(0.5)), small, large);
}
