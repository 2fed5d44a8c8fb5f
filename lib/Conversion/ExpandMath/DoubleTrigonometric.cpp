//===- DoubleTrigonometric.cpp - sin, cos, tan and their inverses in f64 --===//

#include "DoubleMath.h"

using namespace mlir;
using namespace mlir::fusion;

/// (sin r - r) / r^3 and (cos r - 1 + r^2 / 2) / r^4 in r^2, |r| <= pi / 4; the
/// next terms are below 2^-62 and 2^-58.
static constexpr auto kSin = [] {
  auto series = f64::inverseFactorials<8>(3, 2, /*alternate=*/true);
  for (double &coefficient : series) {
    coefficient = -coefficient;
  }
  return series;
}();
static constexpr auto kCos =
    f64::inverseFactorials<7>(4, 2, /*alternate=*/true);
/// (atan x - x) / x^3 in x^2, |x| <= tan(pi / 8); the next term is below 2^-58.
static constexpr auto kAtan = f64::inverseOdds<21>(3, -1.0, /*alternate=*/true);

/// pi / 2 in two parts.
static constexpr double kHalfPi = 0x1.921fb54442d18p+0;
static constexpr double kHalfPiLow = 0x1.1a62633145c07p-54;

/// The first bits of 2 / pi, behind two words of zeros.
static constexpr uint32_t kTwoOverPi[] = {
    0x00000000, 0x00000000, 0xA2F9836E, 0x4E441529, 0xFC2757D1, 0xF534DDC0,
    0xDB629599, 0x3C439041, 0xFE5163AB, 0xDEBBC561, 0xB7246E3A, 0x424DD2E0,
    0x06492EEA, 0x09D1921C, 0xFE1DEB1C, 0xB129A73E, 0xE88235F5, 0x2EBB4484,
    0xE99C7026, 0xB45F7E41, 0x3991D639, 0x835339F4, 0x9C845F8B, 0xBDF9283B,
    0x1FF897FF, 0xDE05980F, 0xEF2F118B, 0x5A0A6D1F, 0x6D367ECF, 0x27CB09B7,
    0x4F463F66, 0x9E5FEA2D, 0x7527BAC7, 0xEBE5F17B, 0x3D0739F7, 0x8A5292EA,
    0x6BFB5FB1, 0x1F8D5D08, 0x56033046, 0xFC7B6BAB};
static constexpr unsigned kWindowWords = 6;

static Value c(FloatMath &m, Value like, double value) {
  return m.constantLike(like, value);
}

/// The words of 2 / pi that matter for the window that starts at bit `start`
/// (an i64), the first of them most significant: i64 numbers of 32 bits.
static SmallVector<Value> selectWindow(FloatMath &m, Value start) {
  SmallVector<Value> words;
  for (uint32_t word : kTwoOverPi) {
    words.push_back(m.integerLike(start, word));
  }
  Value first = m.shiftRight(start, 5);
  // Moves by 32, 16, ... words where the first word's number says so.
  for (unsigned step = 32; step != 0; step /= 2) {
    Value bit = m.andInt(first, m.integerLike(start, step));
    Value stays = m.equalInt(bit, m.integerLike(start, 0));
    SmallVector<Value> moved;
    for (unsigned i = 0; i < kWindowWords + step; ++i) {
      bool exists = i + step < words.size();
      Value other = exists ? words[i + step] : m.integerLike(start, 0);
      Value own = i < words.size() ? words[i] : m.integerLike(start, 0);
      moved.push_back(m.select(stays, own, other));
    }
    words = std::move(moved);
  }
  Value shift = m.andInt(start, m.integerLike(start, 31));
  Value back = m.subInt(m.integerLike(start, 32), shift);
  Value mask = m.integerLike(start, 0xFFFFFFFF);
  SmallVector<Value> window;
  for (unsigned i = 0; i < kWindowWords; ++i) {
    Value high = m.andInt(m.shiftLeft(words[i], shift), mask);
    window.push_back(m.orInt(high, m.shiftRight(words[i + 1], back)));
  }
  return window;
}

/// The window times the mantissa, modulo 2^192: words, the first least
/// significant.
static SmallVector<Value> multiply(FloatMath &m, ArrayRef<Value> window,
                                   Value mantissa) {
  Value mask = m.integerLike(mantissa, 0xFFFFFFFF);
  Value low = m.andInt(mantissa, mask), high = m.shiftRight(mantissa, 32);
  Value carry = m.integerLike(mantissa, 0), below = carry;
  SmallVector<Value> product;
  for (Value word : llvm::reverse(window)) {
    Value x = m.mulInt(word, low), y = m.mulInt(below, high);
    Value sum = m.addInt(m.andInt(x, mask), m.andInt(y, mask));
    sum = m.addInt(sum, carry);
    product.push_back(m.andInt(sum, mask));
    carry = m.addInt(m.shiftRight(x, 32), m.shiftRight(y, 32));
    carry = m.addInt(carry, m.shiftRight(sum, 32));
    below = word;
  }
  return product;
}

namespace {
/// |x| = quadrant (an i64) * pi / 2 + rest, |rest| <= pi / 4.
struct Reduced {
  Value quadrant;
  f64::Pair rest;
};
} // namespace

/// `x` with 2^-62 as its unit (an i64), plus what follows it in units of 2^-94
/// and 2^-126, times pi / 2.
static f64::Pair toAngle(FloatMath &m, Value x, Value next, Value last) {
  Value upper = m.toWideFloat(m.shiftRightSigned(x, 31));
  Value lower = m.toWideFloat(m.andInt(x, m.integerLike(x, 0x7FFFFFFF)));
  upper = m.mul(upper, c(m, upper, 0x1p-31));
  lower = m.mul(lower, c(m, upper, 0x1p-62));
  Value rest = m.fma(m.toWideFloat(last), c(m, upper, 0x1p-126),
                     m.mul(m.toWideFloat(next), c(m, upper, 0x1p-94)));
  Value sum = m.add(upper, lower);
  rest = m.add(rest, m.sub(lower, m.sub(sum, upper)));
  Value high = m.add(sum, rest);
  Value low = m.sub(rest, m.sub(high, sum));
  Value angle = m.mul(high, c(m, high, kHalfPi));
  Value lost = m.fma(high, c(m, high, kHalfPi), m.neg(angle));
  lost = m.fma(high, c(m, high, kHalfPiLow), lost);
  return {angle, m.fma(low, c(m, high, kHalfPi), lost)};
}

/// Reduces |x| in integers (Payne and Hanek), for every finite x.
static Reduced reduce(FloatMath &m, Value x) {
  Value size = m.abs(x);
  Value bits = m.bits(size);
  auto integer = [&](int64_t value) { return m.integerLike(bits, value); };
  Value mantissa = m.orInt(m.andInt(bits, integer((int64_t(1) << 52) - 1)),
                           integer(int64_t(1) << 52));
  // x = mantissa * 2^(exponent - 1075); the window starts where a bit of the
  // mantissa times a bit of 2 / pi weighs less than 4. Smaller x than 2^-1 and
  // no numbers are not used.
  Value exponent = m.shiftRight(bits, 52);
  Value start = m.andInt(m.subInt(exponent, integer(1013)), integer(2047));
  SmallVector<Value> product = multiply(m, selectWindow(m, start), mantissa);
  Value turns = m.orInt(m.shiftLeft(product[5], 32), product[4]);
  constexpr int64_t half = int64_t(1) << 61;
  Value shifted = m.addInt(turns, integer(half));
  Value quadrant = m.shiftRight(shifted, 62);
  Value rest = m.subInt(m.andInt(shifted, integer((int64_t(1) << 62) - 1)),
                        integer(half));
  f64::Pair angle = toAngle(m, rest, product[3], product[2]);
  Value isSmall = m.less(size, c(m, size, 0x1.921fb54442d18p-1));
  return {m.select(isSmall, integer(0), quadrant),
          {m.select(isSmall, size, angle.high),
           m.select(isSmall, c(m, size, 0.0), angle.low)}};
}

static Value emitSmallSine(FloatMath &m, f64::Pair r) {
  Value square = m.mul(r.high, r.high);
  Value cube = m.mul(square, r.high);
  // sin(h + l) = sin h + l cos h; 1 - h^2 / 2 does for the cosine.
  Value slope = m.fma(square, c(m, square, -0.5), c(m, square, 1.0));
  Value low = m.mul(r.low, slope);
  return m.add(r.high, m.fma(cube, m.polynomial(square, kSin), low));
}

static Value emitSmallCosine(FloatMath &m, f64::Pair r) {
  Value square = m.mul(r.high, r.high), one = c(m, square, 1.0);
  Value half = m.mul(square, c(m, square, 0.5));
  Value first = m.sub(one, half);
  Value lost = m.sub(m.sub(one, first), half);
  Value fourth = m.mul(square, square);
  Value tail =
      m.fma(fourth, m.polynomial(square, kCos), m.neg(m.mul(r.high, r.low)));
  return m.add(first, m.add(lost, tail));
}

static Value isOdd(FloatMath &m, Value quadrant) {
  Value one = m.integerLike(quadrant, 1);
  return m.equalInt(m.andInt(quadrant, one), one);
}

/// The sine of a reduced argument.
static Value emitSine(FloatMath &m, const Reduced &reduced) {
  Value value =
      m.select(isOdd(m, reduced.quadrant), emitSmallCosine(m, reduced.rest),
               emitSmallSine(m, reduced.rest));
  // The upper bit of the quadrant is the sign.
  Value sign = m.shiftLeft(m.shiftRight(reduced.quadrant, 1), 63);
  return m.fromBits(m.xorInt(m.bits(value), sign));
}

/// `value` for finite x, else NaN.
static Value finiteOnly(FloatMath &m, Value x, Value value) {
  Value infinity = c(m, x, std::numeric_limits<double>::infinity());
  Value nan = c(m, x, std::numeric_limits<double>::quiet_NaN());
  return m.select(m.less(m.abs(x), infinity), value, nan);
}

/// `value` with the sign changed where x is negative.
static Value oddIn(FloatMath &m, Value x, Value value) {
  Value bits = m.bits(x);
  Value sign = m.andInt(bits, m.integerLike(bits, INT64_MIN));
  return m.fromBits(m.xorInt(m.bits(value), sign));
}

Value f64::expandSin(FloatMath &m, Value x) {
  return finiteOnly(m, x, oddIn(m, x, emitSine(m, reduce(m, x))));
}

Value f64::expandCos(FloatMath &m, Value x) {
  Reduced reduced = reduce(m, x);
  Value next = m.addInt(reduced.quadrant, m.integerLike(reduced.quadrant, 1));
  reduced.quadrant = m.andInt(next, m.integerLike(next, 3));
  return finiteOnly(m, x, emitSine(m, reduced));
}

Value f64::expandTan(FloatMath &m, Value x) {
  Reduced reduced = reduce(m, x);
  Value sine = emitSmallSine(m, reduced.rest);
  Value cosine = emitSmallCosine(m, reduced.rest);
  Value odd = isOdd(m, reduced.quadrant);
  Value tangent =
      m.div(m.select(odd, m.neg(cosine), sine), m.select(odd, sine, cosine));
  return finiteOnly(m, x, oddIn(m, x, tangent));
}

//===----------------------------------------------------------------------===//
// Inverses
//===----------------------------------------------------------------------===//

/// atan of a slope in [0, 1]: above tan(pi / 8) as pi / 4 plus a smaller one.
static Value emitSmallAtan(FloatMath &m, Value slope) {
  Value one = c(m, slope, 1.0);
  Value isSteep = m.less(c(m, slope, 0x1.a827999fcef32p-2), slope);
  Value rotated = m.div(m.sub(slope, one), m.add(slope, one));
  Value z = m.select(isSteep, rotated, slope);
  Value square = m.mul(z, z);
  Value tail = m.mul(m.mul(z, square), m.polynomial(square, kAtan));
  Value low = m.add(tail, c(m, z, kHalfPiLow / 2));
  Value steep = m.add(c(m, z, kHalfPi / 2), m.add(z, low));
  return m.select(isSteep, steep, m.add(z, tail));
}

/// `number` * pi / 2 - x.
static Value fromRightAngles(FloatMath &m, double number, Value x) {
  Value low = m.sub(x, c(m, x, number * kHalfPiLow));
  return m.sub(c(m, x, number * kHalfPi), low);
}

Value f64::expandAtan(FloatMath &m, Value x) {
  Value size = m.abs(x), one = c(m, x, 1.0);
  Value isSteep = m.less(one, size);
  Value angle = emitSmallAtan(m, m.select(isSteep, m.div(one, size), size));
  angle = m.select(isSteep, fromRightAngles(m, 1, angle), angle);
  return m.copysign(angle, x);
}

Value f64::expandAtan2(FloatMath &m, Value y, Value x) {
  Value run = m.abs(x), rise = m.abs(y), zero = c(m, x, 0.0);
  Value infinity = c(m, x, std::numeric_limits<double>::infinity());
  Value isSteep = m.less(run, rise);
  Value larger = m.select(isSteep, rise, run);
  Value smaller = m.select(isSteep, run, rise);
  // 0 / 0 and inf / inf: the corners of the square.
  Value slope = m.div(smaller, larger);
  Value isCorner = m.both(m.equal(smaller, larger), m.equal(larger, infinity));
  slope = m.select(isCorner, c(m, x, 1.0), slope);
  slope = m.select(m.equal(larger, zero), zero, slope);
  Value angle = emitSmallAtan(m, slope);
  angle = m.select(isSteep, fromRightAngles(m, 1, angle), angle);
  Value sign = m.shiftRight(m.bits(x), 63);
  Value isLeft = m.equalInt(sign, m.integerLike(sign, 1));
  angle = m.select(isLeft, fromRightAngles(m, 2, angle), angle);
  angle = m.copysign(angle, y);
  Value nan = c(m, x, std::numeric_limits<double>::quiet_NaN());
  return m.select(m.either(m.isNaN(x), m.isNaN(y)), nan, angle);
}

Value f64::expandAsin(FloatMath &m, Value x) {
  Value one = c(m, x, 1.0), size = m.abs(x);
  Value rest = m.sqrt(m.mul(m.sub(one, size), m.add(one, size)));
  return f64::expandAtan(m, m.div(x, rest));
}

Value f64::expandAcos(FloatMath &m, Value x) {
  Value one = c(m, x, 1.0);
  Value half = m.sqrt(m.div(m.sub(one, x), m.add(one, x)));
  Value angle = f64::expandAtan(m, half);
  return m.add(angle, angle);
}
