//===- ScalarCast.cpp - conversion of one element -------------------------===//

#include "ScalarCast.h"
#include "LinalgBuilder.h"
#include "fusion/Dialect/Fusion/IR/Fusion.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::fusion;

/// Rounds towards zero. `arith.fptosi` is undefined where the value does not
/// fit, so that those cases select the nearest value, and NaN 0.
static Value floatToInt(ImplicitLocOpBuilder &b, Value value, IntegerType type,
                        bool isUnsigned) {
  auto from = cast<FloatType>(value.getType());
  unsigned width = type.getWidth();
  APInt least =
      isUnsigned ? APInt::getMinValue(width) : APInt::getSignedMinValue(width);
  APInt most =
      isUnsigned ? APInt::getMaxValue(width) : APInt::getSignedMaxValue(width);
  // The first value above the range is a power of two: exact in f32 and f64.
  APFloat above(from.getFloatSemantics());
  above.convertFromAPInt(most.zext(width + 1) + 1, /*IsSigned=*/false,
                         APFloat::rmNearestTiesToEven);
  APFloat lowest(from.getFloatSemantics());
  lowest.convertFromAPInt(least, !isUnsigned, APFloat::rmNearestTiesToEven);

  auto constant = [&](TypedAttr attr) -> Value {
    return arith::ConstantOp::create(b, attr);
  };
  auto compare = [&](arith::CmpFPredicate predicate, const APFloat &bound) {
    return arith::CmpFOp::create(b, predicate, value,
                                 constant(b.getFloatAttr(from, bound)));
  };
  Value result = isUnsigned
                     ? arith::FPToUIOp::create(b, type, value).getResult()
                     : arith::FPToSIOp::create(b, type, value).getResult();
  Value isBelow = compare(arith::CmpFPredicate::OLT, lowest);
  result = arith::SelectOp::create(
      b, isBelow, constant(b.getIntegerAttr(type, least)), result);
  Value isAbove = compare(arith::CmpFPredicate::OGE, above);
  result = arith::SelectOp::create(
      b, isAbove, constant(b.getIntegerAttr(type, most)), result);
  Value isNan =
      arith::CmpFOp::create(b, arith::CmpFPredicate::UNO, value, value);
  return arith::SelectOp::create(b, isNan, constant(b.getIntegerAttr(type, 0)),
                                 result);
}

/// Returns whether `value` is not zero (a NaN is not).
static Value isNonZero(ImplicitLocOpBuilder &b, Value value) {
  Value zero = arith::ConstantOp::create(b, b.getZeroAttr(value.getType()));
  if (isa<FloatType>(value.getType())) {
    return arith::CmpFOp::create(b, arith::CmpFPredicate::UNE, value, zero);
  }
  return arith::CmpIOp::create(b, arith::CmpIPredicate::ne, value, zero);
}

/// Extends by the sign of the source, or keeps the low bits.
static Value intToInt(ImplicitLocOpBuilder &b, Value value, IntegerType type,
                      bool isUnsigned) {
  if (value.getType().getIntOrFloatBitWidth() > type.getWidth()) {
    return arith::TruncIOp::create(b, type, value);
  }
  return widenScalar(b, value, type, isUnsigned);
}

Value fusion::castScalar(ImplicitLocOpBuilder &b, Value value, Type from,
                         Type to) {
  Type type = getComputeType(to);
  bool fromFloat = isa<FloatType>(from);
  if (auto toFloat = dyn_cast<FloatType>(type)) {
    if (!fromFloat) {
      return isUnsignedElement(from)
                 ? arith::UIToFPOp::create(b, type, value).getResult()
                 : arith::SIToFPOp::create(b, type, value).getResult();
    }
    bool narrows =
        cast<FloatType>(value.getType()).getWidth() > toFloat.getWidth();
    return narrows ? narrowScalar(b, value, type, /*marked=*/false)
                   : widenScalar(b, value, type);
  }
  auto toInt = cast<IntegerType>(type);
  if (toInt.isInteger(1)) {
    return from.isInteger(1) ? value : isNonZero(b, value);
  }
  return fromFloat ? floatToInt(b, value, toInt, to.isUnsignedInteger())
                   : intToInt(b, value, toInt, isUnsignedElement(from));
}
