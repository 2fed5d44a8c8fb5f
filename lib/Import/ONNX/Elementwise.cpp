//===- Elementwise.cpp - arithmetic, comparisons, logic, casts ------------===//

#include "OpRegistry.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/STLExtras.h"
#include <limits>

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::onnx;

//===----------------------------------------------------------------------===//
// One fusion op for one ONNX op
//===----------------------------------------------------------------------===//

template <typename OpTy> static LogicalResult convertUnary(NodeImporter &node) {
  auto input = node.tensor(0);
  return failed(input) ? failure() : node.setResult(node.apply<OpTy>(*input));
}

/// The two inputs, broadcast to their common shape.
static FailureOr<std::pair<Tensor, Tensor>>
broadcastOperands(NodeImporter &node) {
  auto operands = node.tensors();
  if (failed(operands) || failed(node.broadcastTogether(*operands))) {
    return failure();
  }
  if ((*operands)[0].getElementType() != (*operands)[1].getElementType()) {
    return node.emitError() << "expected operands of one element type, but got "
                            << (*operands)[0].getElementType() << " and "
                            << (*operands)[1].getElementType();
  }
  return std::make_pair((*operands)[0], (*operands)[1]);
}

template <typename OpTy>
static LogicalResult convertBinary(NodeImporter &node) {
  auto operands = broadcastOperands(node);
  if (failed(operands)) {
    return failure();
  }
  return node.setResult(node.apply<OpTy>(operands->first, operands->second));
}

template <ComparePredicate predicate>
static LogicalResult convertCompare(NodeImporter &node) {
  auto operands = broadcastOperands(node);
  if (failed(operands)) {
    return failure();
  }
  return node.setResult(
      node.compare(predicate, operands->first, operands->second));
}

//===----------------------------------------------------------------------===//
// Any number of operands
//===----------------------------------------------------------------------===//

/// All inputs, broadcast, joined from the left by `OpTy`.
template <typename OpTy>
static FailureOr<Tensor> foldOperands(NodeImporter &node, bool widen) {
  auto operands = node.tensors();
  if (failed(operands) || failed(node.broadcastTogether(*operands))) {
    return failure();
  }
  Type elementType = operands->front().getElementType();
  std::optional<Tensor> joined;
  for (const Tensor &operand : *operands) {
    if (operand.getElementType() != elementType) {
      return node.emitError()
             << "expected operands of one element type, but got " << elementType
             << " and " << operand.getElementType();
    }
    Tensor next = widen ? node.widen(operand) : operand;
    joined = joined ? node.apply<OpTy>(*joined, next) : next;
  }
  return *joined;
}

template <typename OpTy>
static LogicalResult convertVariadic(NodeImporter &node) {
  return node.setResult(foldOperands<OpTy>(node, /*widen=*/false));
}

static LogicalResult convertSum(NodeImporter &node) {
  auto sum = foldOperands<AddOp>(node, /*widen=*/true);
  return failed(sum)
             ? failure()
             : node.setResult(node.narrow(*sum, node.getElementType(0)));
}

static LogicalResult convertMean(NodeImporter &node) {
  auto sum = foldOperands<AddOp>(node, /*widen=*/true);
  if (failed(sum)) {
    return failure();
  }
  Tensor mean = node.apply<DivOp>(*sum, node.splat(node.getNumInputs(), *sum));
  return node.setResult(node.narrow(mean, node.getElementType(0)));
}

//===----------------------------------------------------------------------===//
// Choices and limits
//===----------------------------------------------------------------------===//

static LogicalResult convertWhere(NodeImporter &node) {
  auto operands = node.tensors();
  if (failed(operands) || failed(node.broadcastTogether(*operands))) {
    return failure();
  }
  ArrayRef<Tensor> all = *operands;
  if (all[1].getElementType() != all[2].getElementType()) {
    return node.emitError()
           << "expected values of one element type, but got "
           << all[1].getElementType() << " and " << all[2].getElementType();
  }
  return node.setResult(node.select(all[0], all[1], all[2]));
}

/// Limits `input` by those that are given.
static FailureOr<Tensor> clip(NodeImporter &node, const Tensor &input,
                              std::optional<Tensor> low,
                              std::optional<Tensor> high) {
  for (std::optional<Tensor> *limit : {&low, &high}) {
    if (!*limit) {
      continue;
    }
    if ((*limit)->getElementType() != input.getElementType()) {
      return node.emitError()
             << "expected limits of type " << input.getElementType()
             << ", but got " << (*limit)->getElementType();
    }
    auto wide = node.broadcast(**limit, input.dims);
    if (failed(wide)) {
      return failure();
    }
    *limit = *wide;
  }
  if (low && high) {
    return node.apply<ClampOp>(input, *low, *high);
  }
  if (low) {
    return node.apply<MaxOp>(input, *low);
  }
  return high ? node.apply<MinOp>(input, *high) : input;
}

/// Before operator set 11 the limits are attributes.
static LogicalResult convertClipByAttributes(NodeImporter &node) {
  auto input = node.tensor(0);
  if (failed(input)) {
    return failure();
  }
  node.ignore({"consumed_inputs"});
  std::optional<Tensor> low, high;
  constexpr double kLargest = std::numeric_limits<float>::max();
  if (node.hasAttribute("min")) {
    low = node.splat(node.getFloat("min", -kLargest), *input);
  }
  if (node.hasAttribute("max")) {
    high = node.splat(node.getFloat("max", kLargest), *input);
  }
  return node.setResult(clip(node, *input, low, high));
}

static LogicalResult convertClip(NodeImporter &node) {
  auto input = node.tensor(0);
  if (failed(input)) {
    return failure();
  }
  std::optional<Tensor> limits[2];
  for (unsigned i : {1u, 2u}) {
    if (node.hasInput(i)) {
      auto limit = node.tensor(i);
      if (failed(limit)) {
        return failure();
      }
      limits[i - 1] = *limit;
    }
  }
  return node.setResult(clip(node, *input, limits[0], limits[1]));
}

//===----------------------------------------------------------------------===//
// Classes of floats, casts
//===----------------------------------------------------------------------===//

static LogicalResult convertIsNaN(NodeImporter &node) {
  auto input = node.tensor(0);
  return failed(input) ? failure()
                       : node.setResult(node.compare(ComparePredicate::ne,
                                                     *input, *input));
}

/// Moves the bits of unsigned integers.
static LogicalResult convertBitShift(NodeImporter &node) {
  std::string direction = node.getString("direction", "");
  auto operands = broadcastOperands(node);
  if (failed(operands)) {
    return failure();
  }
  auto [x, y] = *operands;
  if (direction == "LEFT") {
    return node.setResult(node.apply<ShlOp>(x, y));
  }
  if (direction == "RIGHT") {
    return node.setResult(node.apply<ShrOp>(x, y));
  }
  return node.emitError() << "expected direction to be 'LEFT' or 'RIGHT', but "
                             "got '"
                          << direction << "'";
}

static LogicalResult convertIsInf(NodeImporter &node) {
  bool negative = node.getInt("detect_negative", 1) != 0;
  bool positive = node.getInt("detect_positive", 1) != 0;
  auto input = node.tensor(0);
  if (failed(input)) {
    return failure();
  }
  if (!isa<FloatType>(input->getElementType())) {
    return node.emitError()
           << "expected floats, but got " << input->getElementType();
  }
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  Tensor isNegative = node.compare(ComparePredicate::eq, *input,
                                   node.splat(-kInfinity, *input));
  Tensor isPositive =
      node.compare(ComparePredicate::eq, *input, node.splat(kInfinity, *input));
  if (negative && positive) {
    return node.setResult(node.apply<OrOp>(isNegative, isPositive));
  }
  if (!negative && !positive) {
    return node.setResult(node.splat(0, isPositive));
  }
  return node.setResult(negative ? isNegative : isPositive);
}

static LogicalResult convertTo(NodeImporter &node, Type elementType) {
  // How values are treated that 8-bit floats cannot hold; we have none.
  node.ignore({"saturate", "round_mode"});
  auto input = node.tensor(0);
  return failed(input) ? failure()
                       : node.setResult(node.cast(*input, elementType));
}

static LogicalResult convertCast(NodeImporter &node) {
  int64_t to = node.getInt("to", 0);
  bool fits = to >= 0 && to <= std::numeric_limits<int32_t>::max();
  Type elementType =
      fits ? elementTypeFor(to, node.getBuilder().getContext()) : Type();
  if (!elementType) {
    return node.emitError()
           << "casts to element type " << elementTypeName(fits ? to : -1)
           << " are not supported";
  }
  return convertTo(node, elementType);
}

static LogicalResult convertCastLike(NodeImporter &node) {
  return convertTo(node, node.getElementType(1));
}

void onnx::addElementwiseOps(OpRegistry &registry) {
  constexpr Arity kOne{1, 1}, kTwo{2, 2}, kMany{1, kAnyNumber};
  registry.add("Abs", 6, kOne, convertUnary<AbsOp>);
  registry.add("Acos", 7, kOne, convertUnary<AcosOp>);
  registry.add("Acosh", 9, kOne, convertUnary<AcoshOp>);
  registry.add("Asin", 7, kOne, convertUnary<AsinOp>);
  registry.add("Asinh", 9, kOne, convertUnary<AsinhOp>);
  registry.add("Atan", 7, kOne, convertUnary<AtanOp>);
  registry.add("Atanh", 9, kOne, convertUnary<AtanhOp>);
  registry.add("Cosh", 9, kOne, convertUnary<CoshOp>);
  registry.add("Sinh", 9, kOne, convertUnary<SinhOp>);
  registry.add("Tan", 7, kOne, convertUnary<TanOp>);
  registry.add("Ceil", 6, kOne, convertUnary<CeilOp>);
  registry.add("Cos", 7, kOne, convertUnary<CosOp>);
  registry.add("Erf", 9, kOne, convertUnary<ErfOp>);
  registry.add("Exp", 6, kOne, convertUnary<ExpOp>);
  registry.add("Floor", 6, kOne, convertUnary<FloorOp>);
  registry.add("Log", 6, kOne, convertUnary<LogOp>);
  registry.add("Neg", 6, kOne, convertUnary<NegOp>);
  registry.add("Not", 1, kOne, convertUnary<NotOp>);
  registry.add("BitwiseNot", 18, kOne, convertUnary<NotOp>);
  registry.add("Reciprocal", 6, kOne, convertUnary<ReciprocalOp>);
  registry.add("Round", 11, kOne, convertUnary<RoundOp>);
  registry.add("Sign", 9, kOne, convertUnary<SignOp>);
  registry.add("Sin", 7, kOne, convertUnary<SinOp>);
  registry.add("Sqrt", 6, kOne, convertUnary<SqrtOp>);

  registry.add("Add", 7, kTwo, convertBinary<AddOp>);
  registry.add("Sub", 7, kTwo, convertBinary<SubOp>);
  registry.add("Mul", 7, kTwo, convertBinary<MulOp>);
  registry.add("Div", 7, kTwo, convertBinary<DivOp>);
  registry.add("And", 7, kTwo, convertBinary<AndOp>);
  registry.add("Or", 7, kTwo, convertBinary<OrOp>);
  registry.add("Xor", 7, kTwo, convertBinary<XorOp>);
  registry.add("BitShift", 11, kTwo, convertBitShift);
  registry.add("BitwiseAnd", 18, kTwo, convertBinary<AndOp>);
  registry.add("BitwiseOr", 18, kTwo, convertBinary<OrOp>);
  registry.add("BitwiseXor", 18, kTwo, convertBinary<XorOp>);

  registry.add("Equal", 7, kTwo, convertCompare<ComparePredicate::eq>);
  registry.add("Less", 7, kTwo, convertCompare<ComparePredicate::lt>);
  registry.add("LessOrEqual", 12, kTwo, convertCompare<ComparePredicate::le>);
  registry.add("Greater", 7, kTwo, convertCompare<ComparePredicate::gt>);
  registry.add("GreaterOrEqual", 12, kTwo,
               convertCompare<ComparePredicate::ge>);

  registry.add("Max", 8, kMany, convertVariadic<MaxOp>);
  registry.add("Min", 8, kMany, convertVariadic<MinOp>);
  registry.add("Sum", 8, kMany, convertSum);
  registry.add("Mean", 8, kMany, convertMean);

  registry.add("Where", 9, {3, 3}, convertWhere);
  registry.add("Clip", 6, kOne, convertClipByAttributes);
  registry.add("Clip", 11, {1, 3}, convertClip);
  registry.add("IsNaN", 9, kOne, convertIsNaN);
  registry.add("IsInf", 10, kOne, convertIsInf);
  registry.add("Cast", 6, kOne, convertCast);
  registry.add("CastLike", 15, kTwo, convertCastLike);
}
