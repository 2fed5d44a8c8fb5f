//===- Remainder.cpp - the remainder of a division of floats --------------===//

#include "FloatMath.h"

using namespace mlir;
using namespace mlir::fusion;

namespace {
/// |x| = mantissa * 2^(exponent - 150), both integers; the mantissa an i64.
struct Parts {
  Value mantissa, exponent;
};
} // namespace

static Parts split(FloatMath &m, Value x) {
  Value bits = m.bits(m.abs(x));
  Value field = m.shiftRight(bits, 23);
  Value fraction = m.andInt(bits, m.integer(0x007FFFFF));
  // Denormals have the exponent of the least normal and no hidden bit.
  Value denormal = m.equalInt(field, m.integer(0));
  Value hidden = m.select(denormal, m.integer(0), m.integer(0x00800000));
  return {m.widenUnsigned(m.orInt(fraction, hidden)),
          m.select(denormal, m.integer(1), field)};
}

/// 2^power modulo `modulus` (an i64 below 2^24), by squaring; `power` is an i32
/// of nine bits.
static Value emitPowerOfTwo(FloatMath &m, Value power, Value modulus) {
  Value one = m.integerLike(modulus, 1);
  Value result = m.remainderUnsigned(one, modulus);
  for (int bit = 8; bit >= 0; --bit) {
    Value digit = m.andInt(m.shiftRight(power, bit), m.integer(1));
    Value square = m.mulInt(result, result);
    // Times two where the digit is set: still below 2^49.
    square = m.shiftLeft(square, m.widenUnsigned(digit));
    result = m.remainderUnsigned(square, modulus);
  }
  return result;
}

Value fusion::expandRemainder(FloatMath &m, Value x, Value y) {
  // x = mx 2^d in units of y's last place: mx 2^d modulo my, exact.
  Parts px = split(m, x), py = split(m, y);
  Value modulus = py.mantissa;
  Value isZero = m.equalInt(modulus, m.integerLike(modulus, 0));
  modulus = m.select(isZero, m.integerLike(modulus, 1), modulus);
  Value distance = m.subInt(px.exponent, py.exponent);
  Value smaller = m.less(m.abs(x), m.abs(y));
  distance = m.select(smaller, m.integer(0), distance);
  Value power = emitPowerOfTwo(m, distance, modulus);
  Value rest = m.remainderUnsigned(m.mulInt(px.mantissa, power), modulus);
  // rest 2^(exponent - 150), in two factors: the whole may be below the
  // normals. No rounding: the result is a multiple of y's last place.
  Value scaled = m.mul(m.toFloat(m.narrowInt(rest)), m.constant(0x1p-23));
  Value factor = m.powerOfTwo(m.subInt(py.exponent, m.integer(127)));
  Value magnitude = m.mul(scaled, factor);
  Value result = m.select(smaller, x, m.copysign(magnitude, x));
  // A finite x and a y that is neither zero nor NaN, else NaN.
  Value proper =
      m.both(m.less(m.abs(x), m.infinity()), m.less(m.constant(0.0), m.abs(y)));
  return m.select(proper, result, m.nan());
}
