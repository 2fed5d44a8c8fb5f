//===- Power.cpp - pow, cbrt, and the f64 functions behind them -----------===//

#include "FloatMath.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::fusion;

/// (2^r - 1) / r on |r| <= 0.5, relative error 2^-40.
static constexpr double kExp2[] = {
    0.69314718054611468,    0.24022650695577094,   0.055504109407824138,
    0.0096181292147951517,  0.0013333450853885303, 0.00015403418341596549,
    1.5310020722390171e-05, 1.3262941932831664e-06};
/// log2(1 + f) / f on [1/sqrt 2 - 1, sqrt 2 - 1], relative error 2^-41.
static constexpr double kLog2[] = {
    1.4426950408893544,   -0.72134752042497075, 0.48089834658554598,
    -0.36067376589969574, 0.28853907067464335,  -0.24044872727869385,
    0.20609526678624612,  -0.18035040444395031, 0.16042522865499573,
    -0.14412616194657243, 0.12914414534065669,  -0.11962583827653415,
    0.12612352943096297,  -0.12351967283895045, 0.063180764349693649};

Value fusion::emitWideExp2(FloatMath &m, Value x) {
  // Adding 1.5 * 2^52 leaves the nearest integer in the low bits.
  constexpr double shifter = 0x1.8p52;
  Value shifted = m.add(x, m.constantLike(x, shifter));
  Value r = m.sub(x, m.sub(shifted, m.constantLike(x, shifter)));
  Value mantissa = m.fma(r, m.polynomial(r, kExp2), m.constantLike(x, 1.0));
  Value number = m.shiftLeft(m.bits(shifted), 52);
  return m.fromBits(m.addInt(m.bits(mantissa), number));
}

Value fusion::emitWideLog2(FloatMath &m, Value x) {
  Value bits = m.bits(x);
  // The bits of 1/sqrt 2, where the mantissa's range begins.
  Value offset = m.subInt(bits, m.integerLike(bits, 0x3FE6A09E667F3BCD));
  Value number = m.shiftRightSigned(offset, 52);
  Value mantissa = m.fromBits(m.subInt(bits, m.shiftLeft(number, 52)));
  Value f = m.sub(mantissa, m.constantLike(x, 1.0));
  Value exponent = m.widen(m.toFloat(m.narrowInt(number)));
  return m.fma(f, m.polynomial(f, kLog2), exponent);
}

/// The exponents, but for 1, whose powers are products or a quotient.
static constexpr double kSmallPowers[] = {2.0, 3.0, -1.0};

/// x^n for one of `kSmallPowers`.
static Value emitSmallPower(FloatMath &m, Value x, double exponent) {
  if (exponent < 0.0) {
    return m.div(m.constant(1.0), x);
  }
  Value square = m.mul(x, x);
  return exponent == 2.0 ? square : m.mul(square, x);
}

/// x^y for a constant y that is 1 or in `kSmallPowers`, else null. The result
/// is that of the general formula, to the bit.
static Value emitConstantPower(FloatMath &m, Value x, Value y) {
  FloatAttr scalar;
  DenseFPElementsAttr splat;
  double exponent;
  if (matchPattern(y, m_Constant(&scalar))) {
    exponent = scalar.getValueAsDouble();
  } else if (matchPattern(y, m_Constant(&splat)) && splat.isSplat()) {
    exponent = splat.getSplatValue<FloatAttr>().getValueAsDouble();
  } else {
    return Value();
  }
  if (exponent == 1.0) {
    return x;
  }
  return llvm::is_contained(kSmallPowers, exponent)
             ? emitSmallPower(m, x, exponent)
             : Value();
}

/// |x|^y for any x and y but the cases that C fixes to 1.
static Value emitMagnitude(FloatMath &m, Value x, Value y) {
  // Every finite f32 but zero is a normal f64.
  Value wide = m.widen(m.abs(x));
  Value log = emitWideLog2(m, wide);
  Value infinity =
      m.constantLike(wide, std::numeric_limits<double>::infinity());
  log =
      m.select(m.equal(wide, m.constantLike(wide, 0.0)), m.neg(infinity), log);
  log = m.select(m.less(wide, infinity), log, wide);
  Value product = m.mul(log, m.widen(y));
  // Beyond these the result is 0 or infinity in f32.
  return m.narrow(emitWideExp2(m, m.clamp(product, -200.0, 200.0)));
}

Value fusion::expandPow(FloatMath &m, Value x, Value y) {
  if (Value power = emitConstantPower(m, x, y)) {
    return power;
  }
  Value zero = m.constant(0.0), one = m.constant(1.0);
  Value result = emitMagnitude(m, x, y);
  // NaN in the polynomial's bits is no NaN any more.
  result = m.select(m.either(m.isNaN(x), m.isNaN(y)), m.nan(), result);
  Value size = m.abs(x);
  // 1^y and (-1)^(+-inf).
  Value endless = m.equal(m.abs(y), m.infinity());
  result = m.select(m.both(m.equal(size, one), endless), one, result);
  // A negative base: odd powers are negative, broken ones NaN.
  Value whole = m.equal(m.trunc(y), y);
  Value half = m.mul(y, m.constant(0.5));
  Value odd = m.both(whole, m.differs(m.trunc(half), half));
  Value negative = m.equalInt(m.shiftRight(m.bits(x), 31), m.integer(1));
  result = m.select(m.both(negative, odd), m.neg(result), result);
  // (-0)^y and (-inf)^y are no errors; trunc(inf) is inf: whole.
  Value proper = m.both(m.less(x, zero), m.less(size, m.infinity()));
  Value broken = m.both(proper, m.differs(m.trunc(y), y));
  result = m.select(broken, m.nan(), result);
  // What is a constant here may be in memory there: the same products.
  for (double exponent : kSmallPowers) {
    Value power = emitSmallPower(m, x, exponent);
    result = m.select(m.equal(y, m.constant(exponent)), power, result);
  }
  // 1 to any power and any base to the power 0, NaN too.
  return m.select(m.either(m.equal(y, zero), m.equal(x, one)), one, result);
}

Value fusion::expandCbrt(FloatMath &m, Value x) {
  Value size = m.abs(x);
  Value log = emitWideLog2(m, m.widen(size));
  Value third = m.constantLike(log, 1.0 / 3.0);
  Value root = m.narrow(emitWideExp2(m, m.mul(log, third)));
  Value zero = m.constant(0.0);
  // Zeros, infinities and NaN are their own root.
  Value usual = m.both(m.less(zero, size), m.less(size, m.infinity()));
  return m.select(usual, m.copysign(root, x), x);
}
