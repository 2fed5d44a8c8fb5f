//===- DoublePower.cpp - pow, cbrt and the remainder in f64 ---------------===//

#include "DoubleMath.h"

using namespace mlir;
using namespace mlir::fusion;

/// (2 atanh s - 2 s - 2/3 s^3) / s^5 in s^2, |s| < 0.1716.
static constexpr auto kAtanhTail = f64::inverseOdds<10>(5, 2.0);
/// 2 / 3 in two parts.
static constexpr double kTwoThirds = 0x1.5555555555555p-1;
static constexpr double kTwoThirdsLow = 0x1.5555555555555p-55;

static Value c(FloatMath &m, Value like, double value) {
  return m.constantLike(like, value);
}

/// ln x of a positive finite x, to about 2^-64 of its size.
static f64::Pair emitLog(FloatMath &m, Value x) {
  auto [exponent, f] = f64::splitNumber(m, x);
  // s = f / (2 + f) in two parts; then 2 s + 2/3 s^3 so, and the rest in one.
  Value sum = m.add(f, c(m, f, 2.0));
  Value sumLow = m.sub(f, m.sub(sum, c(m, f, 2.0)));
  Value s = m.div(f, sum);
  Value rest = m.fma(m.neg(s), sum, f);
  Value low = m.div(m.fma(m.neg(s), sumLow, rest), sum);
  Value square = m.mul(s, s), twice = m.add(s, s);
  Value squareLow = m.fma(twice, low, m.fma(s, s, m.neg(square)));
  Value cube = m.mul(square, s);
  Value cubeLow = m.fma(square, low, m.fma(square, s, m.neg(cube)));
  cubeLow = m.fma(squareLow, s, cubeLow);
  Value factor = c(m, f, kTwoThirds);
  Value term = m.mul(cube, factor);
  Value termLow = m.fma(cube, factor, m.neg(term));
  termLow = m.fma(cube, c(m, f, kTwoThirdsLow), termLow);
  termLow = m.fma(cubeLow, factor, termLow);
  Value tail = m.mul(m.mul(cube, square), m.polynomial(square, kAtanhTail));
  Value high = m.add(twice, term);
  Value lost = m.sub(term, m.sub(high, twice));
  lost = m.add(m.add(lost, termLow), m.add(m.add(low, low), tail));
  Value whole = m.mul(exponent, c(m, f, f64::kLn2)); // Exact.
  Value result = m.add(whole, high);
  lost = m.add(lost, m.sub(high, m.sub(result, whole)));
  return {result, m.fma(exponent, c(m, f, f64::kLn2Low), lost)};
}

/// |x|^y for any x and y but the cases that C fixes to 1.
static Value emitMagnitude(FloatMath &m, Value size, Value y) {
  Value zero = c(m, size, 0.0);
  Value infinity = c(m, size, std::numeric_limits<double>::infinity());
  f64::Pair log = emitLog(m, size);
  Value high = m.select(m.equal(size, zero), m.neg(infinity), log.high);
  high = m.select(m.less(size, infinity), high, size);
  Value product = m.mul(high, y);
  Value low = m.fma(y, log.low, m.fma(high, y, m.neg(product)));
  // Beyond these the result is 0 or infinity.
  Value isUsual = m.less(m.abs(product), c(m, size, 1000.0));
  return f64::emitExp(
      m, {m.clamp(product, -1000.0, 1000.0), m.select(isUsual, low, zero)});
}

Value f64::expandPow(FloatMath &m, Value x, Value y) {
  Value zero = c(m, x, 0.0), one = c(m, x, 1.0);
  Value nan = c(m, x, std::numeric_limits<double>::quiet_NaN());
  Value infinity = c(m, x, std::numeric_limits<double>::infinity());
  Value size = m.abs(x);
  Value result = emitMagnitude(m, size, y);
  result = m.select(m.either(m.isNaN(x), m.isNaN(y)), nan, result);
  // 1^y and (-1)^(+-inf).
  Value endless = m.equal(m.abs(y), infinity);
  result = m.select(m.both(m.equal(size, one), endless), one, result);
  // A negative base: odd powers are negative, broken ones NaN.
  Value whole = m.equal(m.trunc(y), y);
  Value half = m.mul(y, c(m, y, 0.5));
  Value odd = m.both(whole, m.differs(m.trunc(half), half));
  Value sign = m.shiftRight(m.bits(x), 63);
  Value negative = m.equalInt(sign, m.integerLike(sign, 1));
  result = m.select(m.both(negative, odd), m.neg(result), result);
  // (-0)^y and (-inf)^y are no errors; trunc(inf) is inf: whole.
  Value proper = m.both(m.less(x, zero), m.less(size, infinity));
  Value broken = m.both(proper, m.differs(m.trunc(y), y));
  result = m.select(broken, nan, result);
  // 1 to any power and any base to the power 0, NaN too.
  return m.select(m.either(m.equal(y, zero), m.equal(x, one)), one, result);
}

Value f64::expandCbrt(FloatMath &m, Value x) {
  Value size = m.abs(x), zero = c(m, x, 0.0);
  Value infinity = c(m, x, std::numeric_limits<double>::infinity());
  // Small ones are scaled by a cube: the step below needs their last places.
  Value isSmall = m.less(size, c(m, x, 0x1p-900));
  Value scaled = m.select(isSmall, m.mul(size, c(m, x, 0x1p810)), size);
  Value log = f64::expandLog(m, scaled);
  Value root = f64::expandExp(m, m.div(log, c(m, x, 3.0)));
  // One step of Newton's, with the cube in two parts.
  Value square = m.mul(root, root);
  Value squareLow = m.fma(root, root, m.neg(square));
  Value error = m.fma(square, root, m.neg(scaled));
  error = m.fma(squareLow, root, error);
  root = m.sub(root, m.div(error, m.mul(square, c(m, x, 3.0))));
  root = m.select(isSmall, m.mul(root, c(m, x, 0x1p-270)), root);
  // Zeros, infinities and NaN are their own root.
  Value usual = m.both(m.less(zero, size), m.less(size, infinity));
  return m.select(usual, m.copysign(root, x), x);
}

namespace {
/// |x| = mantissa * 2^(exponent - 1075), both i64.
struct Parts {
  Value mantissa, exponent;
};
} // namespace

static Parts split(FloatMath &m, Value x) {
  Value bits = m.bits(m.abs(x));
  auto integer = [&](int64_t value) { return m.integerLike(bits, value); };
  Value field = m.shiftRight(bits, 52);
  Value fraction = m.andInt(bits, integer((int64_t(1) << 52) - 1));
  // Denormals have the exponent of the least normal and no hidden bit.
  Value denormal = m.equalInt(field, integer(0));
  Value hidden = m.select(denormal, integer(0), integer(int64_t(1) << 52));
  return {m.orInt(fraction, hidden), m.select(denormal, integer(1), field)};
}

Value f64::expandRemainder(FloatMath &m, Value x, Value y) {
  Parts px = split(m, x), py = split(m, y);
  auto integer = [&](int64_t value) {
    return m.integerLike(px.mantissa, value);
  };
  Value modulus =
      m.select(m.equalInt(py.mantissa, integer(0)), integer(1), py.mantissa);
  Value smaller = m.less(m.abs(x), m.abs(y));
  Value distance = m.subInt(px.exponent, py.exponent);
  // A NaN may have the larger exponent: no loop of a negative length.
  Value isNegative = m.less(m.toWideFloat(distance), c(m, x, 0.0));
  distance = m.select(m.either(smaller, isNegative), integer(0), distance);
  // The mantissa of x times 2^distance modulo that of y, ten bits at a time:
  // what is shifted stays below 2^63.
  Value rest = m.remainderUnsigned(px.mantissa, modulus);
  Value steps = m.divideUnsigned(distance, integer(10));
  rest = m.repeat(steps, rest, [&](Value rest) {
    return m.remainderUnsigned(m.shiftLeft(rest, 10), modulus);
  });
  Value last = m.subInt(distance, m.mulInt(steps, integer(10)));
  rest = m.remainderUnsigned(m.shiftLeft(rest, last), modulus);
  // rest 2^(exponent - 1075) in two factors; nothing is rounded.
  Value power = m.subInt(py.exponent, integer(52));
  Value isLow = m.less(m.toWideFloat(power), c(m, x, 1.0));
  Value high = m.select(isLow, m.addInt(power, integer(52)), power);
  Value scaled = m.mul(m.toWideFloat(rest), m.fromBits(m.shiftLeft(high, 52)));
  scaled = m.mul(scaled, m.select(isLow, c(m, x, 0x1p-52), c(m, x, 1.0)));
  Value result = m.select(smaller, x, m.copysign(scaled, x));
  // A finite x and a y that is neither zero nor NaN, else NaN.
  Value infinity = c(m, x, std::numeric_limits<double>::infinity());
  Value proper =
      m.both(m.less(m.abs(x), infinity), m.less(c(m, x, 0.0), m.abs(y)));
  return m.select(proper, result,
                  c(m, x, std::numeric_limits<double>::quiet_NaN()));
}
