//===- ElementwiseOps.cpp - folds and verifiers of elementwise ops --------===//
//
// A fold must hold for every value of the type: x + 0 is not x where x is -0,
// and x * 0 is not 0 where x is NaN.
//
//===----------------------------------------------------------------------===//

#include "ConstantFolding.h"
#include "fusion/Dialect/Fusion/IR/Fusion.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::fusion;

/// Whether the elements of `tensor` are integers.
static bool isInt(Value tensor) {
  return isa<IntegerType>(getElementTypeOrSelf(tensor));
}

//===----------------------------------------------------------------------===//
// Unary
//===----------------------------------------------------------------------===//

OpFoldResult NegOp::fold(FoldAdaptor adaptor) {
  if (auto producer = getInput().getDefiningOp<NegOp>()) {
    return producer.getInput();
  }
  return foldUnary(
      adaptor.getInput(),
      [](const APFloat &x, const APFloat &) { return llvm::neg(x); },
      [](const APInt &x, const APInt &) { return -x; });
}

OpFoldResult AbsOp::fold(FoldAdaptor adaptor) {
  if (getInput().getDefiningOp<AbsOp>()) {
    return getInput();
  }
  bool isUnsigned = isUnsignedElement(getElementTypeOrSelf(getInput()));
  return foldUnary(
      adaptor.getInput(),
      [](const APFloat &x, const APFloat &) { return llvm::abs(x); },
      [&](const APInt &x, const APInt &) { return isUnsigned ? x : x.abs(); });
}

OpFoldResult ReluOp::fold(FoldAdaptor) {
  return getInput().getDefiningOp<ReluOp>() ? getInput() : Value();
}

OpFoldResult NotOp::fold(FoldAdaptor adaptor) {
  if (auto producer = getInput().getDefiningOp<NotOp>()) {
    return producer.getInput();
  }
  return foldUnary(adaptor.getInput(), nullptr,
                   [](const APInt &x, const APInt &) { return ~x; });
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

OpFoldResult AddOp::fold(FoldAdaptor adaptor) {
  // Only -0 is neutral: -0 + +0 is +0.
  if (isFloatSplat(adaptor.getRhs(), -0.0) || isIntSplat(adaptor.getRhs(), 0)) {
    return getLhs();
  }
  return foldBinary(
      adaptor.getLhs(), adaptor.getRhs(),
      [](const APFloat &x, const APFloat &y) { return x + y; },
      [](const APInt &x, const APInt &y) { return x + y; });
}

OpFoldResult SubOp::fold(FoldAdaptor adaptor) {
  // Only +0 is neutral: -0 - -0 is +0.
  if (isFloatSplat(adaptor.getRhs(), 0.0) || isIntSplat(adaptor.getRhs(), 0)) {
    return getLhs();
  }
  return foldBinary(
      adaptor.getLhs(), adaptor.getRhs(),
      [](const APFloat &x, const APFloat &y) { return x - y; },
      [](const APInt &x, const APInt &y) { return x - y; });
}

OpFoldResult MulOp::fold(FoldAdaptor adaptor) {
  if (isFloatSplat(adaptor.getRhs(), 1.0) || isIntSplat(adaptor.getRhs(), 1)) {
    return getLhs();
  }
  if (isIntSplat(adaptor.getRhs(), 0)) {
    return getRhs();
  }
  return foldBinary(
      adaptor.getLhs(), adaptor.getRhs(),
      [](const APFloat &x, const APFloat &y) { return x * y; },
      [](const APInt &x, const APInt &y) { return x * y; });
}

OpFoldResult DivOp::fold(FoldAdaptor adaptor) {
  if (isFloatSplat(adaptor.getRhs(), 1.0) || isIntSplat(adaptor.getRhs(), 1)) {
    return getLhs();
  }
  bool isUnsigned = isUnsignedElement(getElementTypeOrSelf(getLhs()));
  return foldBinary(
      adaptor.getLhs(), adaptor.getRhs(),
      [](const APFloat &x, const APFloat &y) { return x / y; },
      [&](const APInt &x, const APInt &y) {
        if (y.isZero()) {
          return APInt::getAllOnes(x.getBitWidth());
        }
        return isUnsigned ? x.udiv(y) : x.sdiv(y);
      });
}

OpFoldResult RemOp::fold(FoldAdaptor adaptor) {
  bool isUnsigned = isUnsignedElement(getElementTypeOrSelf(getLhs()));
  return foldBinary(
      adaptor.getLhs(), adaptor.getRhs(),
      [](const APFloat &x, const APFloat &y) {
        APFloat result = x;
        result.mod(y);
        return result;
      },
      [&](const APInt &x, const APInt &y) {
        if (y.isZero()) {
          return x;
        }
        return isUnsigned ? x.urem(y) : x.srem(y);
      });
}

OpFoldResult MinOp::fold(FoldAdaptor adaptor) {
  if (getLhs() == getRhs()) {
    return getLhs();
  }
  bool isUnsigned = isUnsignedElement(getElementTypeOrSelf(getLhs()));
  return foldBinary(
      adaptor.getLhs(), adaptor.getRhs(),
      [](const APFloat &x, const APFloat &y) { return llvm::minimum(x, y); },
      [&](const APInt &x, const APInt &y) {
        return (isUnsigned ? x.ult(y) : x.slt(y)) ? x : y;
      });
}

OpFoldResult MaxOp::fold(FoldAdaptor adaptor) {
  if (getLhs() == getRhs()) {
    return getLhs();
  }
  bool isUnsigned = isUnsignedElement(getElementTypeOrSelf(getLhs()));
  return foldBinary(
      adaptor.getLhs(), adaptor.getRhs(),
      [](const APFloat &x, const APFloat &y) { return llvm::maximum(x, y); },
      [&](const APInt &x, const APInt &y) {
        return (isUnsigned ? x.ugt(y) : x.sgt(y)) ? x : y;
      });
}

//===----------------------------------------------------------------------===//
// Bits
//===----------------------------------------------------------------------===//

OpFoldResult AndOp::fold(FoldAdaptor adaptor) {
  if (getLhs() == getRhs() || isIntSplat(adaptor.getRhs(), -1)) {
    return getLhs();
  }
  if (isIntSplat(adaptor.getRhs(), 0)) {
    return getRhs();
  }
  return foldBinary(adaptor.getLhs(), adaptor.getRhs(), nullptr,
                    [](const APInt &x, const APInt &y) { return x & y; });
}

OpFoldResult OrOp::fold(FoldAdaptor adaptor) {
  if (getLhs() == getRhs() || isIntSplat(adaptor.getRhs(), 0)) {
    return getLhs();
  }
  if (isIntSplat(adaptor.getRhs(), -1)) {
    return getRhs();
  }
  return foldBinary(adaptor.getLhs(), adaptor.getRhs(), nullptr,
                    [](const APInt &x, const APInt &y) { return x | y; });
}

OpFoldResult XorOp::fold(FoldAdaptor adaptor) {
  if (isIntSplat(adaptor.getRhs(), 0)) {
    return getLhs();
  }
  return foldBinary(adaptor.getLhs(), adaptor.getRhs(), nullptr,
                    [](const APInt &x, const APInt &y) { return x ^ y; });
}

//===----------------------------------------------------------------------===//
// compare, select
//===----------------------------------------------------------------------===//

/// Whether `predicate` holds where `x` orders before, with or after `y`.
static bool holds(ComparePredicate predicate, bool less, bool equal,
                  bool greater) {
  switch (predicate) {
  case ComparePredicate::eq:
    return equal;
  case ComparePredicate::ne:
    return !equal;
  case ComparePredicate::lt:
    return less;
  case ComparePredicate::le:
    return less || equal;
  case ComparePredicate::gt:
    return greater;
  case ComparePredicate::ge:
    return greater || equal;
  }
  llvm_unreachable("all predicates are handled");
}

OpFoldResult CompareOp::fold(FoldAdaptor adaptor) {
  ComparePredicate predicate = getPredicate();
  RankedTensorType type = getResult().getType();
  if (getLhs() == getRhs() && isInt(getLhs()) && type.hasStaticShape()) {
    bool value = holds(predicate, false, true, false);
    return DenseElementsAttr::get(type, ArrayRef<bool>(value));
  }
  bool isUnsigned = isUnsignedElement(getElementTypeOrSelf(getLhs()));
  return foldCompare(
      adaptor.getLhs(), adaptor.getRhs(), type,
      [&](const APFloat &x, const APFloat &y) {
        APFloat::cmpResult order = x.compare(y);
        return holds(predicate, order == APFloat::cmpLessThan,
                     order == APFloat::cmpEqual,
                     order == APFloat::cmpGreaterThan);
      },
      [&](const APInt &x, const APInt &y) {
        bool less = isUnsigned ? x.ult(y) : x.slt(y);
        return holds(predicate, less, x == y, !less && x != y);
      });
}

OpFoldResult SelectOp::fold(FoldAdaptor adaptor) {
  if (getTrueValue() == getFalseValue()) {
    return getTrueValue();
  }
  if (isIntSplat(adaptor.getCondition(), -1)) {
    return getTrueValue();
  }
  return isIntSplat(adaptor.getCondition(), 0) ? getFalseValue() : Value();
}

//===----------------------------------------------------------------------===//
// cast
//===----------------------------------------------------------------------===//

void CastOp::build(OpBuilder &builder, OperationState &state, Value input,
                   Type elementType, bool rounding) {
  auto type = cast<RankedTensorType>(input.getType()).clone(elementType);
  build(builder, state, type, input, rounding);
}

/// Whether every value of `narrow` is a value of `wide`.
static bool holdsExactly(Type wide, Type narrow) {
  auto from = dyn_cast<FloatType>(narrow);
  if (auto to = dyn_cast<FloatType>(wide); from && to) {
    return to.getWidth() > from.getWidth();
  }
  auto fromInt = dyn_cast<IntegerType>(narrow);
  if (auto to = dyn_cast<IntegerType>(wide); fromInt && to) {
    return !to.isInteger(1) && to.getWidth() > fromInt.getWidth();
  }
  return false;
}

OpFoldResult CastOp::fold(FoldAdaptor adaptor) {
  if (getInput().getType() == getResult().getType()) {
    return getInput();
  }
  // There and back, through a type that holds every value: nothing is lost.
  // (To i1 a cast compares with 0, which undoes an extension as well.)
  if (auto producer = getInput().getDefiningOp<CastOp>()) {
    Type original = producer.getInput().getType();
    if (original == getResult().getType() &&
        holdsExactly(getElementTypeOrSelf(getInput()),
                     getElementTypeOrSelf(original))) {
      return producer.getInput();
    }
  }
  return foldCast(adaptor.getInput(), getResult().getType());
}

LogicalResult CastOp::verify() {
  RankedTensorType from = getInput().getType();
  RankedTensorType to = getResult().getType();
  // (C1)
  if (from.getShape() != to.getShape()) {
    return emitOpError("expected a result of the shape of ")
           << from << ", but got " << to;
  }
  // (C2)
  auto wide = dyn_cast<FloatType>(from.getElementType());
  auto narrow = dyn_cast<FloatType>(to.getElementType());
  bool rounds = wide && narrow && wide.getWidth() > narrow.getWidth();
  if (getRounding() && !rounds) {
    return emitOpError("expected 'rounding' on a conversion to a narrower "
                       "floating-point type, but got one from ")
           << from.getElementType() << " to " << to.getElementType();
  }
  return success();
}
