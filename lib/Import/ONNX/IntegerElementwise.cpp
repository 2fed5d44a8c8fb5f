//===- IntegerElementwise.cpp - shape arithmetic, element by element ------===//

#include "IntegerFolding.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <numeric>

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::onnx;

/// A function of elements; none where it is not known.
using ElementwiseFn = std::optional<Dim> (*)(DimTable &, ArrayRef<Dim>);

/// An integer for a truth value that is known.
static std::optional<Dim> toDim(std::optional<bool> truth) {
  return truth ? std::optional<Dim>(Dim(*truth ? 1 : 0)) : std::nullopt;
}

static std::optional<Dim> negate(std::optional<Dim> truth) {
  return truth ? std::optional<Dim>(Dim(truth->is(0) ? 1 : 0)) : std::nullopt;
}

/// The elementwise function for `opType`, or null.
static ElementwiseFn getElementwise(StringRef opType) {
  using Args = ArrayRef<Dim>;
  using Result = std::optional<Dim>;
  return llvm::StringSwitch<ElementwiseFn>(opType)
      .Case("Add",
            [](DimTable &t, Args x) -> Result { return t.add(x[0], x[1]); })
      .Case("Sub",
            [](DimTable &t, Args x) -> Result { return t.sub(x[0], x[1]); })
      .Case("Mul",
            [](DimTable &t, Args x) -> Result { return t.mul(x[0], x[1]); })
      .Case("Div",
            [](DimTable &t, Args x) -> Result { return t.div(x[0], x[1]); })
      .Case("Mod",
            [](DimTable &, Args x) -> Result {
              // With both of one sign it is the same for either `fmod`.
              bool known = x[0].isStatic() && x[1].isStatic() &&
                           x[0].getStatic() >= 0 && x[1].getStatic() > 0;
              return known ? Result(Dim(x[0].getStatic() % x[1].getStatic()))
                           : std::nullopt;
            })
      .Case("Neg",
            [](DimTable &t, Args x) -> Result { return t.mul(x[0], -1); })
      .Case("Abs",
            [](DimTable &t, Args x) -> Result {
              std::optional<bool> negative = t.less(x[0], 0);
              return negative ? Result(*negative ? t.mul(x[0], -1) : x[0])
                              : std::nullopt;
            })
      .Case("Min",
            [](DimTable &t, Args x) -> Result {
              return std::accumulate(
                  x.begin() + 1, x.end(), x[0],
                  [&](const Dim &a, const Dim &b) { return t.min(a, b); });
            })
      .Case("Max",
            [](DimTable &t, Args x) -> Result {
              return std::accumulate(
                  x.begin() + 1, x.end(), x[0],
                  [&](const Dim &a, const Dim &b) { return t.max(a, b); });
            })
      .Case("Equal",
            [](DimTable &t, Args x) { return toDim(t.equal(x[0], x[1])); })
      .Case("Less",
            [](DimTable &t, Args x) { return toDim(t.less(x[0], x[1])); })
      .Case("Greater",
            [](DimTable &t, Args x) { return toDim(t.less(x[1], x[0])); })
      .Case(
          "LessOrEqual",
          [](DimTable &t, Args x) { return negate(toDim(t.less(x[1], x[0]))); })
      .Case(
          "GreaterOrEqual",
          [](DimTable &t, Args x) { return negate(toDim(t.less(x[0], x[1]))); })
      .Case("Not", [](DimTable &t, Args x) { return negate(x[0]); })
      .Case("Where",
            [](DimTable &t, Args x) -> Result {
              return x[0].isStatic() ? Result(x[0].is(0) ? x[2] : x[1])
                                     : std::nullopt;
            })
      .Default(nullptr);
}

std::optional<SmallVector<int64_t, 2>>
onnx::getCommonShape(ArrayRef<Integers> operands) {
  SmallVector<int64_t, 2> shape;
  for (const Integers &operand : operands) {
    if (shape.size() < operand.shape.size()) {
      shape.insert(shape.begin(), operand.shape.size() - shape.size(), 1);
    }
    auto aligned =
        MutableArrayRef<int64_t>(shape).take_back(operand.shape.size());
    for (auto [dim, other] : llvm::zip(aligned, operand.shape)) {
      if (dim != other && dim != 1 && other != 1) {
        return std::nullopt;
      }
      dim = dim == 1 ? other : dim;
    }
  }
  int64_t size = 1;
  for (int64_t dim : shape) {
    size *= dim;
    if (size > kMaxFoldedElements) {
      return std::nullopt;
    }
  }
  return shape;
}

const Dim &onnx::getElement(const Integers &operand, ArrayRef<int64_t> shape,
                            int64_t index) {
  int64_t offset = 0, stride = 1;
  for (int64_t i = static_cast<int64_t>(shape.size()) - 1,
               j = operand.getRank() - 1;
       j >= 0; --i, --j) {
    offset += operand.shape[j] == 1 ? 0 : index % shape[i] * stride;
    index /= shape[i];
    stride *= operand.shape[j];
  }
  return operand.elements[offset];
}

bool onnx::foldsElementwise(StringRef opType) {
  return getElementwise(opType) != nullptr;
}

std::optional<Integers> onnx::foldElementwise(NodeImporter &node,
                                              ArrayRef<Integers> operands) {
  ElementwiseFn compute = getElementwise(node.getOpType());
  auto shape = getCommonShape(operands);
  if (!shape || !compute) {
    return std::nullopt;
  }
  Integers result{*shape, {}};
  for (int64_t i = 0, e = ShapedType::getNumElements(*shape); i < e; ++i) {
    SmallVector<Dim> arguments;
    for (const Integers &operand : operands) {
      arguments.push_back(getElement(operand, *shape, i));
    }
    std::optional<Dim> element = compute(node.getDimTable(), arguments);
    if (!element) {
      return std::nullopt;
    }
    result.elements.push_back(std::move(*element));
  }
  return result;
}
