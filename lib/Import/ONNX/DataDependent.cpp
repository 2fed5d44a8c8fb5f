//===- DataDependent.cpp - ops whose result's shape is data ---------------===//
//
// They can be imported where the data is known when the model is compiled: the
// results are constants then, or the positions to gather from.
//
//===----------------------------------------------------------------------===//

#include "OpRegistry.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::onnx;

/// The contents of input `index`, of which the result's shape depends.
static FailureOr<DenseElementsAttr>
readDeciding(NodeImporter &node, unsigned index, StringRef what) {
  auto contents = node.constant(index, what);
  if (failed(contents)) {
    return failure();
  }
  auto dense = dyn_cast<DenseElementsAttr>(*contents);
  if (!dense) {
    return node.emitError() << "input " << index << " (" << what
                            << ") decides on the result's shape, and is too "
                               "large to be looked at";
  }
  return dense;
}

/// A constant result.
static NamedValue makeConstant(NodeImporter &node, DenseElementsAttr contents) {
  NamedValue value;
  value.elementType = contents.getElementType();
  ArrayRef<int64_t> shape = contents.getType().getShape();
  value.dims.assign(shape.begin(), shape.end());
  value.constant = contents;
  value.loc = node.getLoc();
  return value;
}

static NamedValue makeIndices(NodeImporter &node, ArrayRef<int64_t> values,
                              ArrayRef<int64_t> shape) {
  auto type =
      RankedTensorType::get(shape, node.getBuilder().getIntegerType(64));
  return makeConstant(node, DenseElementsAttr::get(type, values));
}

/// Which elements are not zero.
static SmallVector<bool> findNonZeros(DenseElementsAttr contents) {
  SmallVector<bool> result;
  if (isa<FloatType>(contents.getElementType())) {
    for (const APFloat &element : contents.getValues<APFloat>()) {
      result.push_back(!element.isZero());
    }
    return result;
  }
  for (const APInt &element : contents.getValues<APInt>()) {
    result.push_back(!element.isZero());
  }
  return result;
}

/// The slices along an axis at which the condition holds.
static LogicalResult convertCompress(NodeImporter &node) {
  bool hasAxis = node.hasAttribute("axis");
  int64_t attribute = node.getInt("axis", 0);
  auto condition = readDeciding(node, 1, "condition");
  auto input = node.tensor(0);
  if (failed(condition) || failed(input)) {
    return failure();
  }
  if (!hasAxis) {
    auto size = checkedProduct(node.getDimTable(), input->dims);
    input = node.reshape(*input, {*size});
    if (failed(input)) {
      return failure();
    }
  }
  auto axis = node.normalizeAxis(attribute, input->getRank());
  if (failed(axis)) {
    return failure();
  }
  SmallVector<int64_t> kept;
  for (auto [index, holds] : llvm::enumerate(findNonZeros(*condition))) {
    if (holds) {
      kept.push_back(index);
    }
  }
  Tensor indices =
      node.constantIndices(kept, {static_cast<int64_t>(kept.size())});
  return node.setResult(node.gather(*input, indices, *axis));
}

/// The positions of the elements that are not zero, one column each.
static LogicalResult convertNonZero(NodeImporter &node) {
  auto contents = readDeciding(node, 0, "X");
  if (failed(contents)) {
    return failure();
  }
  ArrayRef<int64_t> shape = contents->getType().getShape();
  int64_t rank = std::max<int64_t>(shape.size(), 1);
  SmallVector<SmallVector<int64_t>> positions(rank);
  for (auto [number, isKept] : llvm::enumerate(findNonZeros(*contents))) {
    if (!isKept) {
      continue;
    }
    int64_t rest = number;
    for (int64_t dim = rank; dim-- > 0;) {
      int64_t size = shape.empty() ? 1 : shape[dim];
      positions[dim].push_back(rest % size);
      rest /= size;
    }
  }
  SmallVector<int64_t> all;
  for (ArrayRef<int64_t> row : positions) {
    llvm::append_range(all, row);
  }
  int64_t count = positions.front().size();
  return node.setResult(makeIndices(node, all, {rank, count}));
}

//===----------------------------------------------------------------------===//
// Unique
//===----------------------------------------------------------------------===//

namespace {
/// The slices of a constant along one axis, and their order.
class Slices {
public:
  Slices(DenseElementsAttr contents, int64_t axis) : contents(contents) {
    ArrayRef<int64_t> shape = contents.getType().getShape();
    count = shape[axis];
    for (int64_t dim = 0; dim < static_cast<int64_t>(shape.size()); ++dim) {
      (dim < axis ? outer : inner) *= dim == axis ? 1 : shape[dim];
    }
    elements = llvm::to_vector(contents.getValues<Attribute>());
  }

  int64_t size() const { return count; }

  /// The number of the element `index` of slice `slice`.
  int64_t locate(int64_t slice, int64_t index) const {
    return (index / inner * count + slice) * inner + index % inner;
  }
  Attribute get(int64_t slice, int64_t index) const {
    return elements[locate(slice, index)];
  }

  /// Lexicographic order: negative, 0 or positive. A NaN equals nothing, and
  /// comes after all numbers.
  int compare(int64_t a, int64_t b) const {
    for (int64_t index = 0; index < outer * inner; ++index) {
      if (int order = compareElements(get(a, index), get(b, index))) {
        return order;
      }
    }
    return 0;
  }

private:
  int compareElements(Attribute a, Attribute b) const {
    if (auto x = dyn_cast<FloatAttr>(a)) {
      APFloat left = x.getValue(), right = cast<FloatAttr>(b).getValue();
      if (left.isNaN() || right.isNaN()) {
        return left.isNaN() ? 1 : -1;
      }
      APFloat::cmpResult order = left.compare(right);
      return order == APFloat::cmpLessThan      ? -1
             : order == APFloat::cmpGreaterThan ? 1
                                                : 0;
    }
    APInt left = cast<IntegerAttr>(a).getValue();
    APInt right = cast<IntegerAttr>(b).getValue();
    Type type = contents.getElementType();
    bool isUnsigned = type.isUnsignedInteger() || type.isInteger(1);
    bool isLess = isUnsigned ? left.ult(right) : left.slt(right);
    return isLess ? -1 : left == right ? 0 : 1;
  }

  DenseElementsAttr contents;
  SmallVector<Attribute> elements;
  int64_t count = 0, outer = 1, inner = 1;
};

/// The different slices: where each is first, how often, and which one each
/// slice is.
struct Classes {
  SmallVector<int64_t> first, counts, inverse;
};
} // namespace

static Classes findClasses(const Slices &slices, bool sorted) {
  Classes classes;
  SmallVector<int64_t> order =
      llvm::to_vector(llvm::seq<int64_t>(0, slices.size()));
  llvm::sort(order, [&](int64_t a, int64_t b) {
    int compared = slices.compare(a, b);
    return compared == 0 ? a < b : compared < 0;
  });
  classes.inverse.resize(slices.size());
  for (auto [index, slice] : llvm::enumerate(order)) {
    bool isNew = index == 0 || slices.compare(order[index - 1], slice) != 0;
    if (isNew) {
      classes.first.push_back(slice);
      classes.counts.push_back(0);
    }
    ++classes.counts.back();
    classes.inverse[slice] = classes.first.size() - 1;
  }
  if (sorted) {
    return classes;
  }
  // In the order in which they first stand.
  SmallVector<int64_t> byPlace =
      llvm::to_vector(llvm::seq<int64_t>(0, classes.first.size()));
  llvm::sort(byPlace, [&](int64_t a, int64_t b) {
    return classes.first[a] < classes.first[b];
  });
  Classes renamed;
  SmallVector<int64_t> newNumber(byPlace.size());
  for (auto [index, old] : llvm::enumerate(byPlace)) {
    newNumber[old] = index;
    renamed.first.push_back(classes.first[old]);
    renamed.counts.push_back(classes.counts[old]);
  }
  for (int64_t old : classes.inverse) {
    renamed.inverse.push_back(newNumber[old]);
  }
  return renamed;
}

static LogicalResult convertUnique(NodeImporter &node) {
  bool hasAxis = node.hasAttribute("axis");
  int64_t attribute = node.getInt("axis", 0);
  bool sorted = node.getInt("sorted", 1) != 0;
  auto contents = readDeciding(node, 0, "X");
  if (failed(contents)) {
    return failure();
  }
  DenseElementsAttr input = *contents;
  if (!hasAxis) {
    input = input.reshape(RankedTensorType::get({input.getNumElements()},
                                                input.getElementType()));
  }
  auto axis = node.normalizeAxis(attribute, input.getType().getRank());
  if (failed(axis)) {
    return failure();
  }
  Slices slices(input, *axis);
  Classes classes = findClasses(slices, sorted);
  SmallVector<int64_t> shape(input.getType().getShape());
  shape[*axis] = classes.first.size();
  auto type = RankedTensorType::get(shape, input.getElementType());
  // The results' elements, in the order of their numbers.
  Slices target(
      DenseElementsAttr::get(type, Attribute(node.getBuilder().getZeroAttr(
                                       input.getElementType()))),
      *axis);
  SmallVector<Attribute> elements(type.getNumElements());
  int64_t perSlice =
      classes.first.empty() ? 0 : type.getNumElements() / classes.first.size();
  for (auto [number, slice] : llvm::enumerate(classes.first)) {
    for (int64_t index = 0; index < perSlice; ++index) {
      elements[target.locate(number, index)] = slices.get(slice, index);
    }
  }
  std::vector<NamedValue> &results = node.getResults();
  results.push_back(makeConstant(node, DenseElementsAttr::get(type, elements)));
  for (ArrayRef<int64_t> indices :
       {ArrayRef<int64_t>(classes.first), ArrayRef<int64_t>(classes.inverse),
        ArrayRef<int64_t>(classes.counts)}) {
    int64_t size = indices.size();
    results.push_back(makeIndices(node, indices, {size}));
  }
  return success();
}

/// What only a run can tell, whatever is known.
static LogicalResult refuseDataDependent(NodeImporter &node) {
  return node.emitError()
         << "the shape of its result depends on the data, which is not "
            "supported";
}

void onnx::addDataDependentOps(OpRegistry &registry) {
  registry.add("Compress", 9, {2, 2}, convertCompress);
  registry.add("NonMaxSuppression", 10, {0, kAnyNumber}, refuseDataDependent);
  registry.add("NonZero", 9, {1, 1}, convertNonZero);
  registry.add("Unique", 11, {1, 1}, convertUnique);
}
