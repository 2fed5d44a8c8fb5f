//===- Elementwise.cpp - random ops on single elements, and branches ------===//

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

bool Generator::addUnary() {
  Value value = pick([&](Value v) { return isNumber(v); });
  if (!value) {
    return false;
  }
  StringRef name = random.pick<StringRef>({"neg", "abs", "relu"});
  if (isFloat(value) && random.chance(75)) {
    name = random.pick(ArrayRef<llvm::StringLiteral>(functions));
  } else if (isExact(value) && random.chance(30)) {
    name = isFloat(value) ? random.pick(ArrayRef<llvm::StringLiteral>(jumps))
                          : StringRef("sign");
  }
  addElementwise(name, value, {});
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
  add(CastOp::create(builder, loc, value, element), shape);
  return true;
}

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

void Generator::fillBranch(Block &block, Value start) {
  OpBuilder::InsertionGuard guard(builder);
  SmallVector<Value> outside = values;
  builder.setInsertionPointToEnd(&block);
  RankedTensorType type = getType(start);
  Shape shape(getShape(start));
  Value result = start;
  for (int64_t i = random.below(4); i > 0; --i) {
    if (depth < 2 && random.chance(10)) {
      addIf();
    } else if (random.chance(15)) {
      step();
    } else if (random.chance(50) && isFloat(start)) {
      result = addElementwise(
          random.pick(ArrayRef<llvm::StringLiteral>(functions)), result, {});
    } else if (isNumber(start)) {
      Value other = getLike(result);
      result = addElementwise(random.pick<StringRef>({"add", "mul", "max"}),
                              {result, other}, {});
    }
  }
  Value other = pick([&](Value v) {
    return v.getType() == type && getShape(v) == ArrayRef(shape);
  });
  result = other && random.chance(25) ? other : result;
  YieldOp::create(builder, loc, ValueRange{result});
  // What is inside cannot be used outside; arguments made on the way can.
  for (Value value : values) {
    if (isa<BlockArgument>(value) && !llvm::is_contained(outside, value)) {
      outside.push_back(value);
    }
  }
  values = outside;
}

bool Generator::addIf() {
  Value condition =
      pick([&](Value v) { return isBool(v) && getRank(v) == 0 && isExact(v); });
  if (!condition || random.chance(30)) {
    condition = makeArgument(builder.getI1Type(), {});
  }
  Value start = pick([](Value) { return true; });
  Shape shape(getShape(start));
  auto branch = IfOp::create(builder, loc, start.getType(), condition);
  ++depth;
  fillBranch(branch.getThenRegion().emplaceBlock(), start);
  fillBranch(branch.getElseRegion().emplaceBlock(), start);
  --depth;
  add(branch, shape);
  return true;
}
