//===- Power.cpp - powers and remainders ----------------------------------===//

#include "OpRegistry.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::onnx;

//===----------------------------------------------------------------------===//
// Powers
//===----------------------------------------------------------------------===//

/// `base` raised to a known power that is not negative, by squaring.
static Tensor raiseToKnown(NodeImporter &node, Tensor base, uint64_t exponent) {
  std::optional<Tensor> power;
  for (; exponent != 0; exponent >>= 1) {
    if (exponent & 1) {
      power = power ? node.apply<MulOp>(*power, base) : base;
    }
    if (exponent > 1) {
      base = node.apply<MulOp>(base, base);
    }
  }
  return power ? *power : node.splat(1, base);
}

/// Integers raised to integers, wrapping: by squaring, one step per bit of the
/// exponent. A negative exponent gives 0, but for bases of 1 and -1.
static Tensor raiseIntegers(NodeImporter &node, Tensor base,
                            const Tensor &exponent) {
  Type type = exponent.getElementType();
  bool isUnsigned = type.isUnsignedInteger();
  Tensor given = base, power = node.splat(1, base);
  Tensor low = node.splat(1, exponent);
  unsigned count = type.getIntOrFloatBitWidth() - (isUnsigned ? 0 : 1);
  for (unsigned bit = 0; bit < count; ++bit) {
    Tensor moved = bit == 0
                       ? exponent
                       : node.apply<ShrOp>(exponent, node.splat(bit, exponent));
    Tensor isSet =
        node.compareTo(ComparePredicate::ne, node.apply<AndOp>(moved, low), 0);
    power = node.select(isSet, node.apply<MulOp>(power, base), power);
    base = node.apply<MulOp>(base, base);
  }
  if (isUnsigned) {
    return power;
  }
  Tensor one = node.splat(1, given);
  Tensor isOne = node.compareTo(ComparePredicate::eq, given, 1);
  Tensor isMinusOne = node.compareTo(ComparePredicate::eq, given, -1);
  Tensor isOdd =
      node.compareTo(ComparePredicate::ne, node.apply<AndOp>(exponent, low), 0);
  Tensor inverse = node.select(isOne, one, node.splat(0, given));
  inverse = node.select(isMinusOne, node.select(isOdd, given, one), inverse);
  Tensor isNegative = node.compareTo(ComparePredicate::lt, exponent, 0);
  return node.select(isNegative, inverse, power);
}

/// The exponent if it is one known integer that is not negative.
static std::optional<uint64_t> getKnownExponent(NodeImporter &node) {
  if (!isa<IntegerType>(node.getElementType(1)) || !node.hasIntegers(1)) {
    return std::nullopt;
  }
  auto exponent = node.integers(1, "exponent");
  bool isOne = exponent->size() == 1 && exponent->front().isStatic();
  return isOne && exponent->front().getStatic() >= 0
             ? std::optional<uint64_t>(exponent->front().getStatic())
             : std::nullopt;
}

/// The result has the type of the base. Integers to floats go through f64,
/// which rounds like the operators' reference does.
static LogicalResult convertPow(NodeImporter &node) {
  auto operands = node.tensors();
  if (failed(operands) || failed(node.broadcastTogether(*operands))) {
    return failure();
  }
  Tensor base = (*operands)[0], exponent = (*operands)[1];
  Type type = base.getElementType();
  if (isa<FloatType>(type)) {
    return node.setResult(node.apply<PowOp>(base, node.cast(exponent, type)));
  }
  if (auto known = getKnownExponent(node)) {
    return node.setResult(raiseToKnown(node, base, *known));
  }
  if (isa<IntegerType>(exponent.getElementType())) {
    return node.setResult(raiseIntegers(node, base, exponent));
  }
  Type wide = node.getBuilder().getF64Type();
  Tensor power =
      node.apply<PowOp>(node.cast(base, wide), node.cast(exponent, wide));
  return node.setResult(node.cast(power, type));
}

//===----------------------------------------------------------------------===//
// Remainders
//===----------------------------------------------------------------------===//

/// With `fmod` the remainder has the sign of the dividend, else the divisor's.
static LogicalResult convertMod(NodeImporter &node) {
  bool hasDividendsSign = node.getInt("fmod", 0) != 0;
  auto operands = node.tensors();
  if (failed(operands) || failed(node.broadcastTogether(*operands))) {
    return failure();
  }
  Tensor x = (*operands)[0], y = (*operands)[1];
  Type elementType = x.getElementType();
  if (y.getElementType() != elementType) {
    return node.emitError() << "expected operands of one element type, but got "
                            << elementType << " and " << y.getElementType();
  }
  Tensor remainder = node.apply<RemOp>(x, y);
  if (hasDividendsSign || elementType.isUnsignedInteger()) {
    return node.setResult(remainder);
  }
  if (isa<FloatType>(elementType) && node.getOpset() < 28) {
    return node.emitError() << "expected fmod = 1 for floats";
  }
  Tensor zero = node.splat(0, x);
  Tensor isNegative = node.compare(ComparePredicate::lt, remainder, zero);
  Tensor isDivisorNegative = node.compare(ComparePredicate::lt, y, zero);
  Tensor signsDiffer = node.apply<XorOp>(isNegative, isDivisorNegative);
  Tensor isOff = node.apply<AndOp>(
      signsDiffer, node.compare(ComparePredicate::ne, remainder, zero));
  return node.setResult(
      node.select(isOff, node.apply<AddOp>(remainder, y), remainder));
}

void onnx::addPowerOps(OpRegistry &registry) {
  registry.add("Pow", 7, {2, 2}, convertPow);
  registry.add("Mod", 10, {2, 2}, convertMod);
}
