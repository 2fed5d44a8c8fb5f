//===- DoubleExponential.cpp - exp, log and what follows from them in f64
//--===//

#include "DoubleMath.h"

using namespace mlir;
using namespace mlir::fusion;

/// (e^r - 1 - r) / r^2 on |r| <= ln 2 / 2; the next term is below 2^-57.
static constexpr auto kExp = f64::inverseFactorials<12>(2);
/// (2 atanh s - 2 s) / s^3 in s^2, |s| < 0.1716; the next term is below 2^-60.
static constexpr auto kAtanh = f64::inverseOdds<11>(3, 2.0);
/// Adding 1.5 * 2^52 leaves the nearest integer in the low bits.
static constexpr double kShifter = 0x1.8p52;

static Value c(FloatMath &m, Value like, double value) {
  return m.constantLike(like, value);
}

static Value infinityLike(FloatMath &m, Value x) {
  return c(m, x, std::numeric_limits<double>::infinity());
}

static Value nanLike(FloatMath &m, Value x) {
  return c(m, x, std::numeric_limits<double>::quiet_NaN());
}

/// 2^n for an i64 `n` in [-1022, 1023].
static Value powerOfTwo(FloatMath &m, Value n) {
  return m.fromBits(m.shiftLeft(m.addInt(n, m.integerLike(n, 1023)), 52));
}

/// x 2^n in two factors, rounded once where the result is denormal.
static Value scale(FloatMath &m, Value x, Value n) {
  Value half = m.shiftRightSigned(n, 1);
  return m.mul(m.mul(x, powerOfTwo(m, half)), powerOfTwo(m, m.subInt(n, half)));
}

namespace {
/// e^x = 2^exponent (1 + tail).
struct Split {
  Value exponent, tail;
};
} // namespace

/// |x| <= 1100.
static Split splitExp(FloatMath &m, f64::Pair x) {
  Value shifter = c(m, x.high, kShifter);
  Value shifted = m.fma(x.high, c(m, x.high, f64::kLog2E), shifter);
  Value number = m.sub(shifted, shifter);
  Value exponent = m.subInt(m.bits(shifted), m.bits(shifter));
  Value r = m.fma(number, c(m, number, -f64::kLn2), x.high);
  Value low = m.mul(number, c(m, number, -f64::kLn2Low));
  low = x.low ? m.add(low, x.low) : low;
  r = m.add(r, low);
  return {exponent, m.fma(m.mul(r, r), m.polynomial(r, kExp), r)};
}

Value f64::emitExp(FloatMath &m, Pair x) {
  Split split = splitExp(m, x);
  return scale(m, m.add(split.tail, c(m, split.tail, 1.0)), split.exponent);
}

Value f64::expandExp(FloatMath &m, Value x) {
  // Beyond these the result is 0 or infinity whatever x is.
  return emitExp(m, {m.clamp(x, -750.0, 715.0), Value()});
}

Value f64::expandExp2(FloatMath &m, Value x) {
  x = m.clamp(x, -1080.0, 1030.0);
  Value shifter = c(m, x, kShifter);
  Value shifted = m.add(x, shifter);
  Value r = m.sub(x, m.sub(shifted, shifter));
  // r ln 2 in one number: what is lost is below 2^-54 of the result.
  Value exponent = m.subInt(m.bits(shifted), m.bits(shifter));
  r = m.mul(r, c(m, r, 0x1.62e42fefa39efp-1));
  Value tail = m.fma(m.mul(r, r), m.polynomial(r, kExp), r);
  return scale(m, m.add(tail, c(m, tail, 1.0)), exponent);
}

Value f64::expandExpM1(FloatMath &m, Value x) {
  // Below -40 the result is -1; above 710 infinity.
  Split split = splitExp(m, {m.clamp(x, -40.0, 710.0), Value()});
  // 2^n (tail + 1) - 1 at a quarter of its size: no f64 holds 2^1024.
  Value two = m.integerLike(split.exponent, 2);
  Value power = powerOfTwo(m, m.subInt(split.exponent, two));
  Value quarter = m.fma(split.tail, power, m.sub(power, c(m, power, 0.25)));
  Value result = m.mul(quarter, c(m, quarter, 4.0));
  // Tiny arguments and -0 are their own result.
  return m.select(m.less(m.abs(x), c(m, x, 0x1p-54)), x, result);
}

//===----------------------------------------------------------------------===//
// Logarithms
//===----------------------------------------------------------------------===//

f64::Factors f64::splitNumber(FloatMath &m, Value x) {
  // Denormals are scaled first.
  Value isDenormal = m.less(x, c(m, x, 0x1p-1022));
  x = m.select(isDenormal, m.mul(x, c(m, x, 0x1p54)), x);
  Value bits = m.bits(x);
  // The bits of 1/sqrt 2, where the mantissa's range begins.
  Value offset = m.subInt(bits, m.integerLike(bits, 0x3FE6A09E667F3BCD));
  Value number = m.shiftRightSigned(offset, 52);
  Value mantissa = m.fromBits(m.subInt(bits, m.shiftLeft(number, 52)));
  Value exponent = m.toWideFloat(number);
  Value less = m.select(isDenormal, c(m, x, 54.0), c(m, x, 0.0));
  return {m.sub(exponent, less), m.sub(mantissa, c(m, x, 1.0))};
}

/// exponent ln 2 + ln(1 + offset) + correction.
static Value emitLog(FloatMath &m, Value exponent, Value f, Value correction) {
  Value s = m.div(f, m.add(f, c(m, f, 2.0)));
  Value square = m.mul(s, s);
  Value rest = m.mul(square, m.polynomial(square, kAtanh));
  Value half = m.mul(m.mul(f, c(m, f, 0.5)), f);
  // ln(1 + f) = f - (f^2 / 2 - s (f^2 / 2 + rest)).
  Value low = m.fma(exponent, c(m, f, f64::kLn2Low), correction);
  low = m.fma(s, m.add(half, rest), low);
  Value tail = m.sub(m.sub(half, low), f);
  return m.fma(exponent, c(m, f, f64::kLn2), m.neg(tail));
}

/// `result` for positive finite x; the logarithm of other x.
static Value fixLog(FloatMath &m, Value x, Value result) {
  Value zero = c(m, x, 0.0), infinity = infinityLike(m, x);
  result = m.select(m.equal(x, zero), m.neg(infinity), result);
  result = m.select(m.less(x, infinity), result, x); // Infinity and NaN.
  return m.select(m.less(x, zero), nanLike(m, x), result);
}

Value f64::expandLog(FloatMath &m, Value x) {
  Factors factors = splitNumber(m, x);
  Value zero = c(m, x, 0.0);
  return fixLog(m, x, emitLog(m, factors.exponent, factors.offset, zero));
}

/// The logarithm to another base, of which 1 / ln(base) is `factor`.
static Value emitLogTo(FloatMath &m, Value x, double factor,
                       double perExponent) {
  f64::Factors factors = f64::splitNumber(m, x);
  Value zero = c(m, x, 0.0);
  Value mantissa = emitLog(m, zero, factors.offset, zero);
  Value result = m.mul(mantissa, c(m, x, factor));
  result = m.fma(factors.exponent, c(m, x, perExponent), result);
  return fixLog(m, x, result);
}

Value f64::expandLog2(FloatMath &m, Value x) {
  return emitLogTo(m, x, kLog2E, 1.0);
}

Value f64::expandLog10(FloatMath &m, Value x) {
  return emitLogTo(m, x, 0x1.bcb7b1526e50ep-2, 0x1.34413509f79ffp-2);
}

Value f64::expandLog1p(FloatMath &m, Value x) {
  Value one = c(m, x, 1.0), zero = c(m, x, 0.0);
  Value sum = m.add(x, one);
  Factors factors = splitNumber(m, sum);
  // What the sum lost, over the sum; nothing where x is the offset itself.
  Value isSmall = m.equal(factors.exponent, zero);
  Value lost = m.select(m.less(one, x), m.sub(one, m.sub(sum, x)),
                        m.sub(x, m.sub(sum, one)));
  Value correction = m.select(isSmall, zero, m.div(lost, sum));
  Value offset = m.select(isSmall, x, factors.offset);
  Value result =
      fixLog(m, sum, emitLog(m, factors.exponent, offset, correction));
  return m.select(m.less(m.abs(x), c(m, x, 0x1p-54)), x, result);
}

//===----------------------------------------------------------------------===//
// Hyperbolic functions
//===----------------------------------------------------------------------===//

Value f64::expandTanh(FloatMath &m, Value x) {
  Value t = f64::expandExpM1(m, m.mul(m.abs(x), c(m, x, -2.0)));
  Value result = m.div(m.neg(t), m.add(t, c(m, x, 2.0)));
  return m.copysign(result, x);
}

/// e^|x| / 2 for large |x|, which may be beyond what e^|x| can hold.
static Value emitHalfExp(FloatMath &m, Value size) {
  Value root = f64::expandExp(m, m.mul(size, c(m, size, 0.5)));
  return m.mul(m.mul(root, c(m, size, 0.5)), root);
}

Value f64::expandSinh(FloatMath &m, Value x) {
  Value size = m.abs(x), half = c(m, x, 0.5), one = c(m, x, 1.0);
  Value t = f64::expandExpM1(m, size);
  Value ratio = m.div(t, m.add(t, one));
  Value small = m.sub(m.add(t, t), m.mul(t, ratio));
  Value result = m.select(m.less(size, one), small, m.add(t, ratio));
  result = m.mul(result, half);
  Value isLarge = m.less(c(m, x, 700.0), size);
  result = m.select(isLarge, emitHalfExp(m, size), result);
  return m.copysign(m.select(m.isNaN(x), x, result), x);
}

Value f64::expandCosh(FloatMath &m, Value x) {
  Value size = m.abs(x), half = c(m, x, 0.5);
  Value exp = f64::expandExp(m, size);
  Value result = m.fma(exp, half, m.div(half, exp));
  Value isLarge = m.less(c(m, x, 700.0), size);
  return m.select(isLarge, emitHalfExp(m, size), result);
}

/// ln(2 x) for large x.
static Value emitLogOfTwice(FloatMath &m, Value x) {
  return m.add(f64::expandLog(m, x), c(m, x, 0x1.62e42fefa39efp-1));
}

Value f64::expandAsinh(FloatMath &m, Value x) {
  Value size = m.abs(x), one = c(m, x, 1.0);
  Value square = m.mul(size, size);
  Value root = m.sqrt(m.add(square, one));
  Value result =
      f64::expandLog1p(m, m.add(size, m.div(square, m.add(root, one))));
  Value isLarge = m.less(c(m, x, 0x1p28), size);
  result = m.select(isLarge, emitLogOfTwice(m, size), result);
  return m.copysign(result, x);
}

Value f64::expandAcosh(FloatMath &m, Value x) {
  // With t = x - 1, exact: ln(1 + t + sqrt(t (t + 2))).
  Value one = c(m, x, 1.0);
  Value t = m.sub(x, one);
  Value root = m.sqrt(m.mul(t, m.add(t, c(m, x, 2.0))));
  Value result = f64::expandLog1p(m, m.add(t, root));
  Value isLarge = m.less(c(m, x, 0x1p28), x);
  result = m.select(isLarge, emitLogOfTwice(m, x), result);
  return m.select(m.less(x, one), nanLike(m, x), result);
}

Value f64::expandAtanh(FloatMath &m, Value x) {
  Value size = m.abs(x), one = c(m, x, 1.0);
  Value twice = m.add(size, size), rest = m.sub(one, size);
  // 2 x / (1 - x), as 2 x + 2 x^2 / (1 - x) where x is small.
  Value small = m.add(twice, m.div(m.mul(twice, size), rest));
  Value ratio = m.select(m.less(size, c(m, x, 0.5)), small, m.div(twice, rest));
  Value result = m.mul(f64::expandLog1p(m, ratio), c(m, x, 0.5));
  result = m.select(m.less(one, size), nanLike(m, x), result);
  return m.copysign(result, x);
}

//===----------------------------------------------------------------------===//
// Error functions
//===----------------------------------------------------------------------===//

/// erf(x) / x in x^2 on |x| <= 1, relative error 2^-62.
static constexpr double kErf[] = {
    1.1283791670955126,      -0.3761263890318375,     0.11283791670954879,
    -0.026866170645076792,   0.0052239776248180145,   -0.000854832698083379,
    0.0001205533111164271,   -1.4925595266831182e-05, 1.6461000484121368e-06,
    -1.6350312701054695e-07, 1.4659775274047436e-08,  -1.1372848856791674e-09,
    5.957176147748911e-11};
/// e^(x^2) erfc(x) (x + 1/2) in (x - 4) / (x + 4), x in [1/2, 28], error 2^-60.
static constexpr double kErfc[] = {
    0.6164975593127763,     -0.06981055842028125,    0.0076898260513099505,
    0.03404852712734422,    -0.05051953301815715,    0.04686641749926717,
    -0.03316518290598398,   0.01858375776689736,     -0.008098867030529554,
    0.00251598500928213,    -0.00037888663174865777, -9.962848276963933e-05,
    7.531077795068581e-05,  -1.2199028666998206e-05, -5.610834471147972e-06,
    2.853247360073127e-06,  1.4656593211848044e-07,  -4.0975425417297826e-07,
    3.770233675072293e-08,  5.16283345365075e-08,    -9.203335525701983e-09,
    -4.826106760543802e-09, 9.858828382524897e-10};

static Value emitSmallErf(FloatMath &m, Value x) {
  return m.mul(x, m.polynomial(m.mul(x, x), kErf));
}

/// erfc of x in [1/2, 28]; larger ones are cut.
static Value emitLargeErfc(FloatMath &m, Value x) {
  x = m.atMost(x, 28.0);
  Value square = m.mul(x, x);
  Value lost = m.fma(x, x, m.neg(square));
  Value decay = f64::emitExp(m, {m.neg(square), m.neg(lost)});
  Value t = m.div(m.sub(x, c(m, x, 4.0)), m.add(x, c(m, x, 4.0)));
  Value factor = m.div(m.polynomial(t, kErfc), m.add(x, c(m, x, 0.5)));
  return m.mul(decay, factor);
}

Value f64::expandErf(FloatMath &m, Value x) {
  Value size = m.abs(x), one = c(m, x, 1.0);
  Value large = m.copysign(m.sub(one, emitLargeErfc(m, size)), x);
  return m.select(m.less(one, size), large, emitSmallErf(m, x));
}

Value f64::expandErfc(FloatMath &m, Value x) {
  Value size = m.abs(x), zero = c(m, x, 0.0);
  Value large = emitLargeErfc(m, size);
  large = m.select(m.less(x, zero), m.sub(c(m, x, 2.0), large), large);
  Value small = m.sub(c(m, x, 1.0), emitSmallErf(m, x));
  return m.select(m.less(c(m, x, 0.5), size), large, small);
}
