//===- IntegerMovement.cpp - selecting and reshaping known integers -------===//

#include "IntegerFolding.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::onnx;

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
  if (result.getSize() > kMaxFoldedElements) {
    return std::nullopt;
  }
  result.shape[0] = result.getSize();
  return result;
}

/// The part of `input` along `axis` from `start` to before `end` in steps.
static std::optional<Integers> slice(const Integers &input, int64_t axis,
                                     int64_t start, int64_t end, int64_t step) {
  if (step == 0 || step == INT64_MIN) {
    return std::nullopt;
  }
  int64_t size = input.shape[axis];
  auto normalize = [&](int64_t position, int64_t least, int64_t most) {
    return std::clamp(position < 0 ? position + size : position, least, most);
  };
  bool backwards = step < 0;
  start =
      backwards ? normalize(start, -1, size - 1) : normalize(start, 0, size);
  end = backwards ? normalize(end, -1, size - 1) : normalize(end, 0, size);
  step = std::clamp(step, -size - 1, size + 1);
  SmallVector<int64_t> positions;
  for (int64_t i = start; backwards ? i > end : i < end; i += step) {
    positions.push_back(i);
  }
  ArrayRef<int64_t> shape = input.shape;
  int64_t outer = ShapedType::getNumElements(shape.take_front(axis));
  int64_t inner = ShapedType::getNumElements(shape.drop_front(axis + 1));
  Integers result{input.shape, {}};
  result.shape[axis] = positions.size();
  for (int64_t i = 0; i < outer; ++i) {
    for (int64_t position : positions) {
      llvm::append_range(
          result.elements,
          ArrayRef(input.elements).slice((i * size + position) * inner, inner));
    }
  }
  return result;
}

/// What `foldSlice` reads: starts, ends, axes and steps, the last two of the
/// usual values where they are not there.
static std::optional<std::array<SmallVector<int64_t>, 4>>
readSlice(NodeImporter &node, ArrayRef<Integers> operands) {
  constexpr StringRef kNames[] = {"starts", "ends", "axes", "steps"};
  std::array<SmallVector<int64_t>, 4> read;
  for (auto [number, name] : llvm::enumerate(kNames)) {
    std::optional<SmallVector<int64_t>> numbers;
    bool isThere = number + 1 < operands.size();
    if (node.getOpset() < 10) {
      numbers = number < 3 ? node.getInts(name) : std::nullopt;
      isThere = numbers.has_value();
    } else if (isThere) {
      numbers = getNumbers(operands[number + 1]);
    }
    if (!numbers && (isThere || number < 2)) {
      return std::nullopt;
    }
    for (size_t i = 0; !numbers && i < read[0].size(); ++i) {
      read[number].push_back(number == 2 ? i : 1);
    }
    if (numbers) {
      read[number] = std::move(*numbers);
    }
    if (read[number].size() != read[0].size()) {
      return std::nullopt;
    }
  }
  return read;
}

static std::optional<Integers> foldSlice(NodeImporter &node,
                                         ArrayRef<Integers> operands) {
  auto read = readSlice(node, operands);
  if (!read) {
    return std::nullopt;
  }
  auto &[starts, ends, axes, steps] = *read;
  auto normal = node.normalizeAxes(axes, operands[0].getRank());
  if (failed(normal)) {
    return std::nullopt;
  }
  std::optional<Integers> result = operands[0];
  for (size_t i = 0; result && i < starts.size(); ++i) {
    result = slice(*result, (*normal)[i], starts[i], ends[i], steps[i]);
  }
  return result;
}

static std::optional<Integers> foldTranspose(NodeImporter &node,
                                             ArrayRef<Integers> operands) {
  const Integers &input = operands[0];
  int64_t rank = input.getRank();
  auto order = node.getInts("perm").value_or(
      llvm::to_vector(llvm::reverse(llvm::seq<int64_t>(rank))));
  if (static_cast<int64_t>(order.size()) != rank ||
      !llvm::all_of(llvm::seq<int64_t>(rank), [&](int64_t dim) {
        return llvm::is_contained(order, dim);
      })) {
    return std::nullopt;
  }
  SmallVector<int64_t> strides = computeStrides(input.shape);
  Integers result{{}, {}};
  for (int64_t dim : order) {
    result.shape.push_back(input.shape[dim]);
  }
  SmallVector<int64_t> resultStrides = computeStrides(result.shape);
  for (int64_t i = 0; i < input.getSize(); ++i) {
    int64_t at = 0;
    for (auto [position, dim] :
         llvm::zip_equal(delinearize(i, resultStrides), order)) {
      at += position * strides[dim];
    }
    result.elements.push_back(input.elements[at]);
  }
  return result;
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
    if (result.getSize() == kMaxFoldedElements) {
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
  if (!shape || node.getInt("allowzero", 0) != 0 ||
      llvm::count(*shape, -1) > 1) {
    return std::nullopt;
  }
  const Integers &input = operands[0];
  int64_t known = 1;
  for (auto [position, dim] : llvm::enumerate(*shape)) {
    if (dim == 0 && static_cast<int64_t>(position) < input.getRank()) {
      dim = input.shape[position];
    }
    if (dim < -1 || dim > kMaxFoldedElements || known > kMaxFoldedElements) {
      return std::nullopt;
    }
    known *= dim == -1 ? 1 : dim;
  }
  for (int64_t &dim : *shape) {
    if (dim == -1 && known != 0) {
      dim = input.getSize() / known;
      known *= dim;
    }
  }
  if (known != input.getSize() || llvm::is_contained(*shape, -1)) {
    return std::nullopt;
  }
  return Integers{SmallVector<int64_t, 2>(shape->begin(), shape->end()),
                  input.elements};
}

static std::optional<Integers> foldExpand(NodeImporter &node,
                                          ArrayRef<Integers> operands) {
  auto numbers = getNumbers(operands[1]);
  if (!numbers || llvm::any_of(*numbers, [](int64_t n) { return n < 0; })) {
    return std::nullopt;
  }
  Integers target{SmallVector<int64_t, 2>(numbers->begin(), numbers->end()),
                  {}};
  auto shape = getCommonShape({operands[0], target});
  if (!shape) {
    return std::nullopt;
  }
  Integers result{*shape, {}};
  for (int64_t i = 0, e = ShapedType::getNumElements(*shape); i < e; ++i) {
    result.elements.push_back(getElement(operands[0], *shape, i));
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

FoldFn onnx::getMovingFold(StringRef opType) {
  return llvm::StringSwitch<FoldFn>(opType)
      .Case("Concat", foldConcat)
      .Case("Expand", foldExpand)
      .Case("Gather", foldGather)
      .Case("Range", foldRange)
      .Case("ReduceProd", foldReduceProd)
      .Case("Reshape", foldReshape)
      .Case("Slice", foldSlice)
      .Case("Squeeze", foldSqueeze)
      .Case("Transpose", foldTranspose)
      .Case("Unsqueeze", foldUnsqueeze)
      .Default(nullptr);
}
