//===- ConstantFolding.cpp - elementwise evaluation at compile time -------===//

#include "ConstantFolding.h"
#include "fusion/Dialect/Fusion/IR/Fusion.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APSInt.h"

#include <cmath>

using namespace mlir;
using namespace mlir::fusion;

/// Returns `attr` if its elements are to be computed with, else null.
static DenseElementsAttr getFoldable(Attribute attr) {
  auto elements = dyn_cast_or_null<DenseElementsAttr>(attr);
  if (!elements || elements.empty()) {
    return nullptr;
  }
  bool small =
      elements.isSplat() || elements.getNumElements() <= kMaxFoldedElements;
  return small ? elements : nullptr;
}

/// Maps pairs of elements (read as `In`) to elements of `result`.
template <typename In, typename Function>
static Attribute mapPairs(DenseElementsAttr lhs, DenseElementsAttr rhs,
                          ShapedType result, Function function) {
  using Out = decltype(function(std::declval<In>(), std::declval<In>()));
  if (lhs.isSplat() && rhs.isSplat()) {
    Out value = function(lhs.getSplatValue<In>(), rhs.getSplatValue<In>());
    return DenseElementsAttr::get(result, ArrayRef<Out>(value));
  }
  SmallVector<Out> values;
  values.reserve(lhs.getNumElements());
  for (auto [a, b] : llvm::zip(lhs.getValues<In>(), rhs.getValues<In>())) {
    values.push_back(function(a, b));
  }
  return DenseElementsAttr::get(result, ArrayRef<Out>(values));
}

Attribute fusion::foldBinary(Attribute lhs, Attribute rhs,
                             FloatFunction onFloats, IntFunction onInts) {
  DenseElementsAttr a = getFoldable(lhs);
  DenseElementsAttr b = getFoldable(rhs);
  if (!a || !b || a.getType() != b.getType()) {
    return nullptr;
  }
  if (isa<FloatType>(a.getElementType())) {
    return onFloats ? mapPairs<APFloat>(a, b, a.getType(), onFloats) : nullptr;
  }
  return onInts ? mapPairs<APInt>(a, b, a.getType(), onInts) : nullptr;
}

Attribute fusion::foldCompare(
    Attribute lhs, Attribute rhs, ShapedType result,
    llvm::function_ref<bool(const APFloat &, const APFloat &)> onFloats,
    llvm::function_ref<bool(const APInt &, const APInt &)> onInts) {
  DenseElementsAttr a = getFoldable(lhs);
  DenseElementsAttr b = getFoldable(rhs);
  if (!a || !b || a.getType() != b.getType()) {
    return nullptr;
  }
  if (isa<FloatType>(a.getElementType())) {
    return mapPairs<APFloat>(a, b, result,
                             [&](const APFloat &x, const APFloat &y) {
                               return APInt(1, onFloats(x, y));
                             });
  }
  return mapPairs<APInt>(a, b, result, [&](const APInt &x, const APInt &y) {
    return APInt(1, onInts(x, y));
  });
}

/// Rounds `value` to the semantics of `type`, towards even on a tie; on the
/// way from f64 to f16 or bf16 through f32, as the lowering does.
static APFloat convertFloat(APFloat value, FloatType type) {
  bool losesInfo = false;
  if (type.getWidth() == 16 &&
      &value.getSemantics() == &APFloat::IEEEdouble()) {
    value.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven,
                  &losesInfo);
  }
  value.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                &losesInfo);
  return value;
}

/// Returns `value` of an integer type as a float of type `to`.
static APFloat intToFloat(const APInt &value, bool isSigned, FloatType to) {
  const llvm::fltSemantics &semantics =
      to.getWidth() == 16 ? APFloat::IEEEsingle() : to.getFloatSemantics();
  APFloat result(semantics);
  result.convertFromAPInt(value, isSigned, APFloat::rmNearestTiesToEven);
  return convertFloat(result, to);
}

/// Rounds towards zero; out of range gives the nearest value, NaN gives 0.
static APInt floatToInt(const APFloat &value, IntegerType to) {
  if (to.isInteger(1)) {
    return APInt(1, !value.isZero());
  }
  APSInt result(to.getWidth(), to.isUnsigned());
  bool isExact = false;
  value.convertToInteger(result, APFloat::rmTowardZero, &isExact);
  return result;
}

/// Keeps the low bits, or extends by the source's sign; to i1: is it not zero?
static APInt intToInt(const APInt &value, bool isSigned, IntegerType to) {
  if (to.isInteger(1)) {
    return APInt(1, !value.isZero());
  }
  return isSigned ? value.sextOrTrunc(to.getWidth())
                  : value.zextOrTrunc(to.getWidth());
}

/// Returns the square root of `value`, taken in f32 of narrower types.
static APFloat squareRoot(const APFloat &value) {
  const llvm::fltSemantics &semantics = value.getSemantics();
  if (value.isNegative() && !value.isZero()) {
    return APFloat::getNaN(semantics);
  }
  if (&semantics == &APFloat::IEEEdouble()) {
    return APFloat(std::sqrt(value.convertToDouble()));
  }
  APFloat root(std::sqrt(value.convertToFloat()));
  bool losesInfo = false;
  root.convert(semantics, APFloat::rmNearestTiesToEven, &losesInfo);
  return root;
}

Attribute fusion::foldSqrt(Attribute input) {
  return foldUnary(
      input, [](const APFloat &x, const APFloat &) { return squareRoot(x); },
      nullptr);
}

Attribute fusion::foldReciprocal(Attribute input) {
  return foldUnary(
      input,
      [](const APFloat &x, const APFloat &) {
        return APFloat::getOne(x.getSemantics()) / x;
      },
      nullptr);
}

Attribute fusion::foldCast(Attribute input, ShapedType result) {
  DenseElementsAttr from = getFoldable(input);
  if (!from) {
    return nullptr;
  }
  bool isSigned = !isUnsignedElement(from.getElementType());
  bool fromFloat = isa<FloatType>(from.getElementType());
  if (auto to = dyn_cast<FloatType>(result.getElementType())) {
    if (fromFloat) {
      return mapPairs<APFloat>(from, from, result,
                               [&](const APFloat &x, const APFloat &) {
                                 return convertFloat(x, to);
                               });
    }
    return mapPairs<APInt>(from, from, result,
                           [&](const APInt &x, const APInt &) {
                             return intToFloat(x, isSigned, to);
                           });
  }
  auto to = cast<IntegerType>(result.getElementType());
  if (fromFloat) {
    return mapPairs<APFloat>(
        from, from, result,
        [&](const APFloat &x, const APFloat &) { return floatToInt(x, to); });
  }
  return mapPairs<APInt>(
      from, from, result,
      [&](const APInt &x, const APInt &) { return intToInt(x, isSigned, to); });
}

bool fusion::isFloatSplat(Attribute attr, double value) {
  auto elements = dyn_cast_or_null<DenseElementsAttr>(attr);
  if (!elements || !elements.isSplat() ||
      !isa<FloatType>(elements.getElementType())) {
    return false;
  }
  APFloat actual = elements.getSplatValue<APFloat>();
  bool losesInfo = false;
  actual.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                 &losesInfo);
  return actual.bitwiseIsEqual(APFloat(value));
}

bool fusion::isIntSplat(Attribute attr, int64_t value) {
  auto elements = dyn_cast_or_null<DenseElementsAttr>(attr);
  if (!elements || !elements.isSplat() ||
      !isa<IntegerType>(elements.getElementType())) {
    return false;
  }
  APInt actual = elements.getSplatValue<APInt>();
  return actual ==
         APInt(64, value, /*isSigned=*/true).trunc(actual.getBitWidth());
}
