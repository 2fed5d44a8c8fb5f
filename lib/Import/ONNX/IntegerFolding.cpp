//===- IntegerFolding.cpp - shape arithmetic while importing --------------===//

#include "IntegerFolding.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::onnx;

/// All inputs as known integers; none unless they are.
static std::optional<SmallVector<Integers>> readOperands(NodeImporter &node) {
  SmallVector<Integers> operands;
  for (unsigned i = 0, e = node.getNumInputs(); i < e; ++i) {
    if (!node.hasInput(i) || !node.hasIntegers(i)) {
      return std::nullopt;
    }
    Integers operand{{}, {}};
    for (const Dim &dim : node.getDims(i)) {
      operand.shape.push_back(dim.getStatic());
    }
    auto elements = node.integers(i, "");
    operand.elements.assign(elements->begin(), elements->end());
    operands.push_back(std::move(operand));
  }
  return operands;
}

/// Whether arithmetic at 64 bits is what the node does: on int64, on truth
/// values, and on int32 as long as numbers stay small, which `fits` checks.
static bool isFoldableType(Type type) {
  return type.isSignlessInteger(64) || type.isSignlessInteger(32) ||
         type.isSignlessInteger(1);
}

/// Whether each element is a value of `type`.
static bool fits(ArrayRef<Dim> elements, Type type) {
  unsigned width = type.getIntOrFloatBitWidth();
  return llvm::all_of(elements, [&](const Dim &dim) {
    return width == 64 || (dim.isStatic() && width == 1) ||
           (dim.isStatic() && llvm::isIntN(width, dim.getStatic())) ||
           (!dim.isStatic() && width == 32);
  });
}

/// The element type of the result of a folded node.
static Type getResultType(NodeImporter &node) {
  StringRef opType = node.getOpType();
  if (llvm::is_contained(
          {"Equal", "Less", "Greater", "LessOrEqual", "GreaterOrEqual"},
          opType)) {
    return node.getBuilder().getI1Type();
  }
  if (opType == "Cast") {
    int64_t to = node.getInt("to", 0);
    return to > 0 && to < INT32_MAX
               ? elementTypeFor(to, node.getBuilder().getContext())
               : Type();
  }
  return node.getElementType(opType == "Where" ? 1 : 0);
}

bool onnx::foldIntegerNode(NodeImporter &node) {
  StringRef opType = node.getOpType();
  bool elementwise = foldsElementwise(opType);
  FoldFn fold = getMovingFold(opType);
  bool isCast = opType == "Cast";
  if ((!elementwise && !fold && !isCast) || node.getNumInputs() == 0) {
    return false;
  }
  auto operands = readOperands(node);
  if (!operands) {
    return false;
  }
  Type type = getResultType(node);
  if (!type || !isFoldableType(type) ||
      !isFoldableType(node.getElementType(0))) {
    return false;
  }
  std::optional<Integers> result;
  if (isCast) {
    result = (*operands)[0];
  } else {
    result =
        elementwise ? foldElementwise(node, *operands) : fold(node, *operands);
  }
  if (!result || !fits(result->elements, type)) {
    return false;
  }
  if (isCast && type.isInteger(1)) {
    return false;
  }
  return succeeded(node.setIntegers(result->shape, result->elements, type));
}
