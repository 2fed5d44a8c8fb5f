//===- IntegerFolding.cpp - shape arithmetic while importing --------------===//
//
// Exporters compute shapes in the graph: Shape, Gather, Concat, Mul and so on
// over small tensors of integers. Here such nodes are computed on known
// integers and on sizes, so that Reshape and its like see what they need.
//
//===----------------------------------------------------------------------===//

#include "OpRegistry.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <numeric>

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::onnx;

/// Results of more elements are left to the graph.
static constexpr int64_t kMaxElements = 1024;

namespace {
/// A small tensor of known integers.
struct Integers {
  SmallVector<int64_t, 2> shape;
  SmallVector<Dim, 4> elements;

  int64_t getRank() const { return static_cast<int64_t>(shape.size()); }
  int64_t getSize() const { return static_cast<int64_t>(elements.size()); }
};

/// A function of elements; none where it is not known.
using ElementwiseFn = std::optional<Dim> (*)(DimTable &, ArrayRef<Dim>);
/// Computes a whole node; none where it is not known.
using FoldFn = std::optional<Integers> (*)(NodeImporter &, ArrayRef<Integers>);
} // namespace

//===----------------------------------------------------------------------===//
// Elementwise
//===----------------------------------------------------------------------===//

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

/// numpy's common shape; none if there is none or it is too large.
static std::optional<SmallVector<int64_t, 2>>
commonShape(ArrayRef<Integers> operands) {
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
    if (size > kMaxElements) {
      return std::nullopt;
    }
  }
  return shape;
}

/// The element of `operand` at the place `index` of a tensor of shape `shape`
/// that it broadcasts to.
static const Dim &elementAt(const Integers &operand, ArrayRef<int64_t> shape,
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

static std::optional<Integers> foldElementwise(NodeImporter &node,
                                               ArrayRef<Integers> operands,
                                               ElementwiseFn compute) {
  auto shape = commonShape(operands);
  if (!shape) {
    return std::nullopt;
  }
  Integers result{*shape, {}};
  for (int64_t i = 0, e = ShapedType::getNumElements(*shape); i < e; ++i) {
    SmallVector<Dim> arguments;
    for (const Integers &operand : operands) {
      arguments.push_back(elementAt(operand, *shape, i));
    }
    std::optional<Dim> element = compute(node.getDimTable(), arguments);
    if (!element) {
      return std::nullopt;
    }
    result.elements.push_back(std::move(*element));
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Selections
//===----------------------------------------------------------------------===//

/// The numbers in `operand`; none if one is a size known only to a run.
static std::optional<SmallVector<int64_t>> getNumbers(const Integers &operand) {
  SmallVector<int64_t> numbers;
  for (const Dim &dim : operand.elements) {
    if (!dim.isStatic()) {
      return std::nullopt;
    }
    numbers.push_back(dim.getStatic());
  }
  return numbers;
}

static std::optional<Integers> foldGather(NodeImporter &node,
                                          ArrayRef<Integers> operands) {
  int64_t axis = node.getInt("axis", 0);
  auto indices = getNumbers(operands[1]);
  if (operands[0].getRank() != 1 || (axis != 0 && axis != -1) || !indices) {
    return std::nullopt;
  }
  Integers result{operands[1].shape, {}};
  int64_t size = operands[0].getSize();
  for (int64_t index : *indices) {
    if (index < -size || index >= size) {
      return std::nullopt;
    }
    result.elements.push_back(
        operands[0].elements[index < 0 ? index + size : index]);
  }
  return result;
}

static std::optional<Integers> foldConcat(NodeImporter &node,
                                          ArrayRef<Integers> operands) {
  int64_t axis = node.getInt("axis", 0);
  Integers result{{0}, {}};
  for (const Integers &operand : operands) {
    if (operand.getRank() != 1 || (axis != 0 && axis != -1)) {
      return std::nullopt;
    }
    llvm::append_range(result.elements, operand.elements);
  }
  if (result.getSize() > kMaxElements) {
    return std::nullopt;
  }
  result.shape[0] = result.getSize();
  return result;
}

/// The elements from `start` to before `end` in steps.
static std::optional<Integers> slice(const Integers &input, int64_t start,
                                     int64_t end, int64_t step) {
  int64_t size = input.getSize();
  if (step == 0 || step == INT64_MIN) {
    return std::nullopt;
  }
  auto normalize = [&](int64_t position, int64_t least, int64_t most) {
    return std::clamp(position < 0 ? position + size : position, least, most);
  };
  bool backwards = step < 0;
  start =
      backwards ? normalize(start, -1, size - 1) : normalize(start, 0, size);
  end = backwards ? normalize(end, -1, size - 1) : normalize(end, 0, size);
  step = std::clamp(step, -size - 1, size + 1);
  Integers result{{0}, {}};
  for (int64_t i = start; backwards ? i > end : i < end; i += step) {
    result.elements.push_back(input.elements[i]);
  }
  result.shape[0] = result.getSize();
  return result;
}

static std::optional<Integers> foldSlice(NodeImporter &node,
                                         ArrayRef<Integers> operands) {
  if (operands[0].getRank() != 1) {
    return std::nullopt;
  }
  SmallVector<std::optional<SmallVector<int64_t>>> arguments;
  if (node.getOpset() < 10) {
    arguments = {node.getInts("starts"), node.getInts("ends"),
                 node.getInts("axes")};
  } else {
    for (const Integers &operand : operands.drop_front()) {
      arguments.push_back(getNumbers(operand));
    }
  }
  // starts, ends, axes, steps: at most one of each for a vector.
  auto single = [&](size_t index, int64_t ifAbsent) -> std::optional<int64_t> {
    if (index >= arguments.size() || !arguments[index]) {
      bool isAbsent = index >= arguments.size() || node.getOpset() < 10;
      return isAbsent && index >= 2 ? std::optional<int64_t>(ifAbsent)
                                    : std::nullopt;
    }
    return arguments[index]->size() == 1
               ? std::optional<int64_t>(arguments[index]->front())
               : std::nullopt;
  };
  auto start = single(0, 0), end = single(1, 0), axis = single(2, 0),
       step = single(3, 1);
  if (!start || !end || !axis || !step || (*axis != 0 && *axis != -1)) {
    return std::nullopt;
  }
  return slice(operands[0], *start, *end, *step);
}

/// start, start + delta, ... before limit; all must be numbers.
static std::optional<Integers> foldRange(NodeImporter &node,
                                         ArrayRef<Integers> operands) {
  SmallVector<int64_t> numbers;
  for (const Integers &operand : operands) {
    auto number = getNumbers(operand);
    if (!number || number->size() != 1) {
      return std::nullopt;
    }
    numbers.push_back(number->front());
  }
  auto [start, limit, delta] = std::tie(numbers[0], numbers[1], numbers[2]);
  constexpr int64_t kBound = INT64_C(1) << 40;
  if (delta == 0 || std::abs(start) > kBound || std::abs(limit) > kBound ||
      std::abs(delta) > kBound) {
    return std::nullopt;
  }
  Integers result{{0}, {}};
  for (int64_t i = start; delta > 0 ? i < limit : i > limit; i += delta) {
    if (result.getSize() == kMaxElements) {
      return std::nullopt;
    }
    result.elements.push_back(i);
  }
  result.shape[0] = result.getSize();
  return result;
}

//===----------------------------------------------------------------------===//
// Shapes of integers
//===----------------------------------------------------------------------===//

/// The axes of a node: an input since operator set `asInput`.
static std::optional<SmallVector<int64_t>>
readAxes(NodeImporter &node, ArrayRef<Integers> operands, int64_t asInput) {
  if (node.getOpset() < asInput) {
    return node.getInts("axes");
  }
  return operands.size() > 1 ? getNumbers(operands[1]) : std::nullopt;
}

static std::optional<Integers> foldUnsqueeze(NodeImporter &node,
                                             ArrayRef<Integers> operands) {
  auto axes = readAxes(node, operands, 13);
  if (!axes) {
    return std::nullopt;
  }
  int64_t rank = operands[0].getRank() + static_cast<int64_t>(axes->size());
  auto added = node.normalizeAxes(*axes, rank);
  if (failed(added)) {
    return std::nullopt;
  }
  Integers result{{}, operands[0].elements};
  auto next = operands[0].shape.begin();
  for (int64_t i = 0; i < rank; ++i) {
    result.shape.push_back(llvm::is_contained(*added, i) ? 1 : *next++);
  }
  return result;
}

static std::optional<Integers> foldSqueeze(NodeImporter &node,
                                           ArrayRef<Integers> operands) {
  auto axes = readAxes(node, operands, 13);
  int64_t rank = operands[0].getRank();
  if (!axes && operands.size() > 1) {
    return std::nullopt;
  }
  auto dropped =
      node.normalizeAxes(axes.value_or(SmallVector<int64_t>()), rank);
  if (failed(dropped)) {
    return std::nullopt;
  }
  Integers result{{}, operands[0].elements};
  for (int64_t i = 0; i < rank; ++i) {
    bool isOne = operands[0].shape[i] == 1;
    bool drop = axes ? llvm::is_contained(*dropped, i) : isOne;
    if (drop && !isOne) {
      return std::nullopt;
    }
    if (!drop) {
      result.shape.push_back(operands[0].shape[i]);
    }
  }
  return result;
}

static std::optional<Integers> foldReshape(NodeImporter &node,
                                           ArrayRef<Integers> operands) {
  auto shape = operands.size() == 2 ? getNumbers(operands[1]) : std::nullopt;
  if (!shape || node.getInt("allowzero", 0) != 0) {
    return std::nullopt;
  }
  // The usual ones only: a scalar as a vector, a vector as it is, or a scalar.
  int64_t size = operands[0].getSize();
  bool isVector = shape->size() == 1 &&
                  ((*shape)[0] == -1 || (*shape)[0] == size) && size != 0;
  if (isVector) {
    return Integers{{size}, operands[0].elements};
  }
  if (shape->empty() && size == 1) {
    return Integers{{}, operands[0].elements};
  }
  return std::nullopt;
}

static std::optional<Integers> foldExpand(NodeImporter &node,
                                          ArrayRef<Integers> operands) {
  auto numbers = getNumbers(operands[1]);
  if (!numbers || llvm::any_of(*numbers, [](int64_t n) { return n < 0; })) {
    return std::nullopt;
  }
  Integers target{SmallVector<int64_t, 2>(numbers->begin(), numbers->end()),
                  {}};
  auto shape = commonShape({operands[0], target});
  if (!shape) {
    return std::nullopt;
  }
  Integers result{*shape, {}};
  for (int64_t i = 0, e = ShapedType::getNumElements(*shape); i < e; ++i) {
    result.elements.push_back(elementAt(operands[0], *shape, i));
  }
  return result;
}

/// The product over all elements: how exporters count them.
static std::optional<Integers> foldReduceProd(NodeImporter &node,
                                              ArrayRef<Integers> operands) {
  auto axes = readAxes(node, operands, 18);
  bool keepDims = node.getInt("keepdims", 1) != 0;
  bool isNoop = node.getInt("noop_with_empty_axes", 0) != 0 && !axes;
  bool overAll =
      !axes || (axes->size() == 1 && ((*axes)[0] == 0 || (*axes)[0] == -1));
  if (operands[0].getRank() != 1 || isNoop || !overAll) {
    return std::nullopt;
  }
  Dim product = 1;
  for (const Dim &dim : operands[0].elements) {
    product = node.getDimTable().mul(product, dim);
  }
  Integers result{{}, {product}};
  if (keepDims) {
    result.shape.push_back(1);
  }
  return result;
}

static FoldFn getFold(StringRef opType) {
  return llvm::StringSwitch<FoldFn>(opType)
      .Case("Concat", foldConcat)
      .Case("Expand", foldExpand)
      .Case("Gather", foldGather)
      .Case("Range", foldRange)
      .Case("ReduceProd", foldReduceProd)
      .Case("Reshape", foldReshape)
      .Case("Slice", foldSlice)
      .Case("Squeeze", foldSqueeze)
      .Case("Unsqueeze", foldUnsqueeze)
      .Default(nullptr);
}

//===----------------------------------------------------------------------===//
// Entry
//===----------------------------------------------------------------------===//

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
  ElementwiseFn elementwise = getElementwise(opType);
  FoldFn fold = getFold(opType);
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
    result = elementwise ? foldElementwise(node, *operands, elementwise)
                         : fold(node, *operands);
  }
  if (!result || !fits(result->elements, type)) {
    return false;
  }
  if (isCast && type.isInteger(1)) {
    return false;
  }
  return succeeded(node.setIntegers(result->shape, result->elements, type));
}

/// Ops that are imported only where they fold.
static LogicalResult refuseTensors(NodeImporter &node) {
  return node.emitError()
         << "this op is supported only on known integers, such as sizes";
}

void onnx::addIntegerOps(OpRegistry &registry) {
  registry.add("Concat", 4, {1, kAnyNumber}, refuseTensors);
  registry.add("Gather", 1, {2, 2}, refuseTensors);
  registry.add("Range", 11, {3, 3}, refuseTensors);
  registry.add("Slice", 1, {1, 1}, refuseTensors);
  registry.add("Slice", 10, {3, 5}, refuseTensors);
}
