//===- FloatMath.h - writes floating-point formulas -------------*- C++ -*-===//
//
// Thin names over arith and math, for scalars and vectors alike, so that the
// expansions read like the formulas they are.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_CONVERSION_EXPANDMATH_FLOATMATH_H
#define FUSION_LIB_CONVERSION_EXPANDMATH_FLOATMATH_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

namespace mlir {
class RewritePatternSet;
} // namespace mlir

namespace mlir::fusion {

/// Which instructions an expansion may use.
struct ExpandMathTarget {
  /// The GPU's 2^x.
  bool hardwareExp = false;
};

/// Builds formulas on values of one shape: scalars, or vectors of one size.
/// `like` settles the shape; floats are f32 (see f64 functions below).
class FloatMath {
public:
  FloatMath(OpBuilder &b, Location loc, Type like, ExpandMathTarget target)
      : target(target), b(b), loc(loc), like(like) {}

  // Constants: of the type of `to`, f32 and i32 without it.
  Value constant(double value);
  Value constantLike(Value to, double value);
  Value integer(int64_t value);
  Value infinity();
  Value nan();

  // Arithmetic; both sides of one type, f32 or f64.
  Value add(Value x, Value y);
  Value sub(Value x, Value y);
  Value mul(Value x, Value y);
  Value div(Value x, Value y);
  Value fma(Value x, Value y, Value z);
  Value neg(Value x);
  Value abs(Value x);
  Value sqrt(Value x);
  Value trunc(Value x);
  Value copysign(Value magnitude, Value sign);

  // Comparisons, ordered: false if a side is NaN. `differs` is true then.
  Value less(Value x, Value y);
  Value lessEqual(Value x, Value y);
  Value equal(Value x, Value y);
  Value differs(Value x, Value y);
  Value isNaN(Value x) { return differs(x, x); }
  Value both(Value x, Value y);
  Value either(Value x, Value y);
  Value select(Value condition, Value x, Value y);

  /// The smaller of x and `high`; NaN stays NaN.
  Value atMost(Value x, double high);
  /// x within [low, high]; NaN stays NaN.
  Value clamp(Value x, double low, double high);

  // Integers of the width that the bits have.
  Value bits(Value x);
  Value fromBits(Value x);
  Value addInt(Value x, Value y);
  Value subInt(Value x, Value y);
  Value andInt(Value x, Value y);
  Value orInt(Value x, Value y);
  Value xorInt(Value x, Value y);
  Value mulInt(Value x, Value y);
  Value remainderUnsigned(Value x, Value y);
  Value divideUnsigned(Value x, Value y);
  Value shiftLeft(Value x, int64_t by);
  Value shiftRight(Value x, int64_t by);
  Value shiftRightSigned(Value x, int64_t by);
  Value shiftLeft(Value x, Value by);
  Value shiftRight(Value x, Value by);
  Value integerLike(Value to, int64_t value);
  Value equalInt(Value x, Value y);
  Value toFloat(Value integer);     // signed, to f32
  Value toWideFloat(Value integer); // signed, to f64

  /// `body` applied to `init` `count` times (an i64): a loop, on scalars only.
  Value repeat(Value count, Value init, llvm::function_ref<Value(Value)> body);

  // Between widths.
  Value widen(Value x);         // f32 to f64
  Value narrow(Value x);        // f64 to f32
  Value widenUnsigned(Value x); // i32 to i64
  Value narrowInt(Value x);     // i64 to i32

  /// c[0] + c[1] x + ... by Horner's rule in fused multiply-adds.
  Value polynomial(Value x, ArrayRef<double> c);
  /// x + x^3 (c[0] + c[1] x^2 + ...): an odd function near zero.
  Value oddPolynomial(Value x, ArrayRef<double> c);

  /// 2^n for an i32 `n` in [-126, 127].
  Value powerOfTwo(Value n);
  /// x 2^n for `n` in [-252, 254], rounded once where the result is denormal.
  Value scale(Value x, Value n);
  /// The nearest integer to x, |x| < 2^22, as a float and as an i32.
  std::pair<Value, Value> roundToInteger(Value x);

  /// 2^x by the GPU, error 2 ulp (PTX ISA, ex2.approx); results below 2^-126
  /// are zero without `denormals`.
  Value hardwareExp2(Value x, bool denormals);
  /// 1 / x by the GPU for normal x with a normal result, error 1 ulp.
  Value hardwareReciprocal(Value x);

  ExpandMathTarget target;

private:
  /// An intrinsic of the GPU on each element of an f32.
  Value callIntrinsic(StringRef name, Value x);
  Type withElement(Type element) const;
  TypedAttr splat(Type type, TypedAttr value) const;

  OpBuilder &b;
  Location loc;
  Type like;
};

// The functions on f32, in the files of their names. Those that take part in
// others are declared here; errors are listed in docs/Numerics.md.
Value expandExp(FloatMath &m, Value x);
/// e^x by the GPU's 2^x with a relative error of 2^-22 + |x| 2^-23.
Value expandApproximateExp(FloatMath &m, Value x);
Value expandExp2(FloatMath &m, Value x);
Value expandExpM1(FloatMath &m, Value x);
/// e^x for |x| <= 87 only; no special values but NaN.
Value emitSmallExp(FloatMath &m, Value x);
Value expandLog(FloatMath &m, Value x);
Value expandLog2(FloatMath &m, Value x);
Value expandLog10(FloatMath &m, Value x);
Value expandLog1p(FloatMath &m, Value x);
/// To the nearest whole number, halves away from zero; of f32 and f64.
Value expandRound(FloatMath &m, Value x);
Value expandTanh(FloatMath &m, Value x);
Value expandSinh(FloatMath &m, Value x);
Value expandCosh(FloatMath &m, Value x);
Value expandAsinh(FloatMath &m, Value x);
Value expandAcosh(FloatMath &m, Value x);
Value expandAtanh(FloatMath &m, Value x);
Value expandErf(FloatMath &m, Value x);
/// erf x by the GPU's 2^x to an absolute error of 2^-22, a third of the work:
/// enough where 1 is added to it.
Value expandErfBesideOne(FloatMath &m, Value x);
Value expandErfc(FloatMath &m, Value x);
Value expandSin(FloatMath &m, Value x);
Value expandCos(FloatMath &m, Value x);
Value expandTan(FloatMath &m, Value x);
Value expandAsin(FloatMath &m, Value x);
Value expandAcos(FloatMath &m, Value x);
Value expandAtan(FloatMath &m, Value x);
Value expandAtan2(FloatMath &m, Value y, Value x);
Value expandPow(FloatMath &m, Value x, Value y);
Value expandCbrt(FloatMath &m, Value x);
Value expandRemainder(FloatMath &m, Value x, Value y);

// On f64 values, with about 40 correct bits: what rounds to a good f32.
/// 2^x for |x| <= 1000.
Value emitWideExp2(FloatMath &m, Value x);
/// log2 x of a finite positive normal x.
Value emitWideLog2(FloatMath &m, Value x);

/// Adds patterns for what asks whether a float is NaN, infinite or finite.
void populateNumberClassPatterns(RewritePatternSet &patterns);

} // namespace mlir::fusion

#endif // FUSION_LIB_CONVERSION_EXPANDMATH_FLOATMATH_H
