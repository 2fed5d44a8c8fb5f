//===- Elementwise.cpp - random ops on single elements ------------------===//

#include "Generator.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::fuzz;

/// Functions whose results jump.
static constexpr llvm::StringLiteral jumps[] = {"floor", "ceil", "round",
                                                "sign"};
static constexpr llvm::StringLiteral functions[] = {
    "exp",   "log",  "sqrt", "rsqrt",   "reciprocal", "erf",   "tanh",
    "silu",  "sin",  "cos",  "sigmoid", "tan",        "asin",  "acos",
    "atan",  "sinh", "cosh", "asinh",   "acosh",      "atanh", "expm1",
    "log1p", "tanh", "silu", "exp",     "gelu"};

Value Generator::addElementwise(StringRef name, ValueRange operands,
                                Type result) {
  Shape shape(getShape(operands[0]));
  OperationState state(loc, ("fusion." + name).str());
  state.addOperands(operands);
  state.addTypes(result ? result : operands[0].getType());
  if (name == "gelu") {
    state.addAttribute(
        "approximate",
        GeluApproximationAttr::get(context, random.chance(50)
                                                ? GeluApproximation::none
                                                : GeluApproximation::tanh));
  }
  return add(builder.create(state), shape);
}

Value Generator::addFunction(Value value) {
  bool isNamed = isFloat(value) && random.chance(75);
  return addElementwise(
      isNamed ? StringRef(random.pick(ArrayRef<llvm::StringLiteral>(functions)))
              : random.pick<StringRef>({"neg", "abs", "relu"}),
      value, {});
}

Value Generator::addCastTo(Value value, Type element) {
  if (getElement(value) == element) {
    return value;
  }
  Shape shape(getShape(value));
  return add(CastOp::create(builder, loc, value, element), shape);
}

Value Generator::makeConstant(double number, Value like) {
  Type element = getElement(like);
  Attribute attribute =
      isa<FloatType>(element)
          ? Attribute(builder.getFloatAttr(element, number))
          : Attribute(IntegerAttr::get(element, int64_t(number)));
  auto constant = ConstantOp::create(
      builder, loc,
      DenseElementsAttr::get(RankedTensorType::get({}, element), attribute));
  exactness.visit(constant);
  shapes[constant.getResult()] = {};
  return broadcast(constant, like, {});
}

bool Generator::addUnary() {
  Value value = pick([&](Value v) { return isNumber(v); });
  if (!value) {
    return false;
  }
  if (isExact(value) && random.chance(20)) {
    StringRef name = isFloat(value)
                         ? random.pick(ArrayRef<llvm::StringLiteral>(jumps))
                         : StringRef("sign");
    addElementwise(name, value, {});
    return true;
  }
  addFunction(value);
  return true;
}

bool Generator::addBinary() {
  Value value = pick([&](Value v) { return isNumber(v); });
  if (!value) {
    return false;
  }
  Value other = getLike(value);
  StringRef name = random.pick<StringRef>(
      {"add", "add", "sub", "mul", "mul", "div", "min", "max"});
  if (isFloat(value) && random.chance(4)) {
    name = "pow";
  } else if (isExact(value) && isExact(other) && random.chance(5)) {
    name = "rem";
  }
  if (random.chance(25)) {
    std::swap(value, other);
  }
  addElementwise(name, {value, other}, {});
  return true;
}

bool Generator::addBits() {
  Value value = pick([&](Value v) { return !isFloat(v); });
  if (!value) {
    return false;
  }
  if (random.chance(20)) {
    addElementwise("not", value, {});
    return true;
  }
  Value other = getLike(value);
  StringRef name = random.pick<StringRef>({"and", "or", "xor"});
  if (isNumber(value) && random.chance(30)) {
    name = random.pick<StringRef>({"shl", "shr"});
  }
  addElementwise(name, {value, other}, {});
  return true;
}

bool Generator::addCompare() {
  Value value = pick([&](Value v) { return isExact(v); });
  if (!value) {
    return false;
  }
  Value other = getLike(value, /*exactOnly=*/true);
  auto predicate = static_cast<ComparePredicate>(random.below(6));
  Shape shape(getShape(value));
  add(CompareOp::create(builder, loc, predicate, value, other), shape);
  return true;
}

bool Generator::addSelect() {
  Value value = pick([](Value) { return true; });
  RankedTensorType type = getType(value).clone(builder.getI1Type());
  Shape shape(getShape(value));
  Value condition = pick([&](Value v) {
    return v.getType() == type && getShape(v) == ArrayRef(shape);
  });
  if (!condition) {
    if (random.chance(60)) {
      return false;
    }
    condition = makeArgument(type, shape);
  }
  Value other = getLike(value);
  addElementwise("select", {condition, value, other}, value.getType());
  return true;
}

bool Generator::addClamp() {
  Value value = pick([&](Value v) { return isNumber(v); });
  if (!value) {
    return false;
  }
  Value low = getLike(value), high = getLike(value);
  addElementwise("clamp", {value, low, high}, {});
  return true;
}

bool Generator::addCast() {
  Type element = pickElement();
  Value value = pick([&](Value v) {
    return getElement(v) != element && (isa<FloatType>(element) || isExact(v));
  });
  if (!value) {
    return false;
  }
  Shape shape(getShape(value));
  Type from = getElement(value);
  // Decompositions make such: it may be left out where kernels are fused.
  bool isRounding =
      isa<FloatType>(from) && isa<FloatType>(element) &&
      element.getIntOrFloatBitWidth() < from.getIntOrFloatBitWidth() &&
      random.chance(25);
  add(CastOp::create(builder, loc, value, element, isRounding), shape);
  return true;
}
