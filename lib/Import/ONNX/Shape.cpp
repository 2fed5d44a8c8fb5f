//===- Shape.cpp - ops that move or rename elements -----------------------===//

#include "OpRegistry.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::onnx;

//===----------------------------------------------------------------------===//
// The value passed on
//===----------------------------------------------------------------------===//

static LogicalResult convertIdentity(NodeImporter &node) {
  return node.setResult(node.getInput(0));
}

/// Whether the ratio is 0, which must be known. (0.5 where it is not given.)
static FailureOr<bool> dropsNothing(NodeImporter &node) {
  if (!node.hasInput(1)) {
    return false;
  }
  auto contents = node.constant(1, "ratio");
  if (failed(contents)) {
    return failure();
  }
  auto ratio = dyn_cast<DenseFPElementsAttr>(*contents);
  return ratio && ratio.getNumElements() == 1 &&
         (*ratio.getValues<APFloat>().begin()).isZero();
}

/// Outside of training, and with a ratio of 0, nothing is dropped.
static LogicalResult convertDropout(NodeImporter &node) {
  node.ignore({"ratio", "seed", "is_test"});
  if (node.hasInput(2)) {
    auto training = node.staticIntegers(2, "training_mode");
    if (failed(training)) {
      return failure();
    }
    bool isTraining = training->size() != 1 || training->front() != 0;
    auto isSame = isTraining ? dropsNothing(node) : FailureOr<bool>(true);
    if (failed(isSame)) {
      return failure();
    }
    if (!*isSame) {
      return node.emitError()
             << "training_mode is not supported: what is dropped is random";
    }
  }
  NamedValue result = node.getInput(0);
  if (node.getNumOutputs() < 2) {
    return node.setResult(std::move(result));
  }
  // The mask is of the input's type in old operator sets.
  Type type = node.getOpset() < 10 ? node.getElementType(0)
                                   : Type(node.getBuilder().getI1Type());
  auto mask = node.broadcast(node.scalar(1, type), result.dims);
  if (failed(mask) || failed(node.setResult(std::move(result)))) {
    return failure();
  }
  node.addResult(*mask);
  return success();
}

//===----------------------------------------------------------------------===//
// Sizes as values
//===----------------------------------------------------------------------===//

static LogicalResult convertShape(NodeImporter &node) {
  ArrayRef<Dim> dims = node.getDims(0);
  int64_t rank = static_cast<int64_t>(dims.size());
  auto clampToRank = [&](int64_t position) {
    return std::clamp<int64_t>(position < 0 ? position + rank : position, 0,
                               rank);
  };
  int64_t start = clampToRank(node.getInt("start", 0));
  int64_t end = clampToRank(node.getInt("end", rank));
  SmallVector<Dim, 4> sizes;
  if (start < end) {
    llvm::append_range(sizes, dims.slice(start, end - start));
  }
  int64_t count = static_cast<int64_t>(sizes.size());
  return node.setIntegers({count}, std::move(sizes),
                          node.getBuilder().getI64Type());
}

static LogicalResult convertSize(NodeImporter &node) {
  auto size = checkedProduct(node.getDimTable(), node.getDims(0));
  return node.setIntegers({}, {*size}, node.getBuilder().getI64Type());
}

//===----------------------------------------------------------------------===//
// Reshapes
//===----------------------------------------------------------------------===//

/// Resolves 0 (as in the input) and -1 (what is left) in `requested`.
static FailureOr<SmallVector<Dim, 4>> resolveShape(NodeImporter &node,
                                                   ArrayRef<Dim> from,
                                                   ArrayRef<Dim> requested,
                                                   bool allowZero) {
  SmallVector<Dim, 4> dims(requested);
  std::optional<size_t> open;
  SmallVector<Dim> others;
  for (auto [index, dim] : llvm::enumerate(dims)) {
    if (dim.is(-1)) {
      if (open) {
        return node.emitError() << "expected at most one -1 in shape "
                                << node.toString(requested);
      }
      open = index;
      continue;
    }
    if (dim.is(0) && !allowZero) {
      if (index >= from.size()) {
        return node.emitError()
               << "expected no 0 after the rank of the input in shape "
               << node.toString(requested);
      }
      dim = from[index];
    }
    others.push_back(dim);
  }
  if (!open) {
    return dims;
  }
  DimTable &table = node.getDimTable();
  auto known = checkedProduct(table, others);
  if (!known) {
    return node.emitError()
           << "shape " << node.toString(requested) << " is too large";
  }
  Dim total = *checkedProduct(table, from);
  if (total.is(0) && known->is(0)) {
    return node.emitError()
           << "cannot tell the size of -1 in shape " << node.toString(requested)
           << " of a tensor without elements";
  }
  std::optional<Dim> rest = table.exactQuotient(total, *known);
  if (!rest) {
    rest = total.isStatic() && known->isStatic() ? std::nullopt
                                                 : table.div(total, *known);
  }
  if (!rest) {
    return node.emitError()
           << "cannot divide " << table.toString(total)
           << " elements into shape " << node.toString(requested);
  }
  dims[*open] = *rest;
  return dims;
}

static LogicalResult reshapeTo(NodeImporter &node, ArrayRef<Dim> requested) {
  bool allowZero = node.getInt("allowzero", 0) != 0;
  node.ignore({"consumed_inputs"});
  auto input = node.tensor(0);
  if (failed(input)) {
    return failure();
  }
  auto dims = resolveShape(node, input->dims, requested, allowZero);
  return failed(dims) ? failure() : node.setResult(node.reshape(*input, *dims));
}

static LogicalResult convertReshape(NodeImporter &node) {
  auto requested = node.integers(1, "shape");
  return failed(requested) ? failure() : reshapeTo(node, *requested);
}

static LogicalResult convertReshapeByAttribute(NodeImporter &node) {
  auto shape = node.getInts("shape").value_or(SmallVector<int64_t>());
  return reshapeTo(node, SmallVector<Dim>(shape.begin(), shape.end()));
}

static LogicalResult convertFlatten(NodeImporter &node) {
  int64_t attribute = node.getInt("axis", 1);
  auto input = node.tensor(0);
  if (failed(input)) {
    return failure();
  }
  // The axis may be the rank itself: then one column.
  int64_t rank = input->getRank();
  FailureOr<int64_t> split = node.normalizeSplitAxis(attribute, rank);
  if (failed(split)) {
    return failure();
  }
  int64_t axis = *split;
  ArrayRef<Dim> dims = input->dims;
  DimTable &table = node.getDimTable();
  return node.setResult(
      node.reshape(*input, {*checkedProduct(table, dims.take_front(axis)),
                            *checkedProduct(table, dims.drop_front(axis))}));
}

/// The axes of Squeeze and Unsqueeze: an input since operator set 13.
static FailureOr<std::optional<SmallVector<int64_t>>>
readAxes(NodeImporter &node) {
  if (node.getOpset() < 13) {
    return node.getInts("axes");
  }
  if (!node.hasInput(1)) {
    return std::optional<SmallVector<int64_t>>();
  }
  auto axes = node.staticIntegers(1, "axes");
  if (failed(axes)) {
    return failure();
  }
  return std::optional<SmallVector<int64_t>>(*axes);
}

static LogicalResult convertSqueeze(NodeImporter &node) {
  auto axes = readAxes(node);
  auto input = node.tensor(0);
  if (failed(axes) || failed(input)) {
    return failure();
  }
  SmallVector<int64_t> dropped;
  if (*axes) {
    auto normalized = node.normalizeAxes(**axes, input->getRank());
    if (failed(normalized)) {
      return failure();
    }
    dropped = *normalized;
  }
  SmallVector<Dim, 4> dims;
  for (auto [index, dim] : llvm::enumerate(input->dims)) {
    bool drop = *axes ? llvm::is_contained(dropped, static_cast<int64_t>(index))
                      : dim.is(1);
    if (!*axes && !dim.isStatic()) {
      return node.emitError()
             << "cannot tell whether size '" << node.getDimTable().toString(dim)
             << "' is 1: expected axes";
    }
    if (!drop) {
      dims.push_back(dim);
    } else if (!dim.is(1)) {
      return node.emitError()
             << "expected size 1 at axis " << index << ", but got "
             << node.getDimTable().toString(dim);
    }
  }
  return node.setResult(node.reshape(*input, dims));
}

static LogicalResult convertUnsqueeze(NodeImporter &node) {
  auto axes = readAxes(node);
  auto input = node.tensor(0);
  if (failed(axes) || failed(input)) {
    return failure();
  }
  if (!*axes) {
    return node.emitError() << "expected axes";
  }
  int64_t rank = input->getRank() + static_cast<int64_t>((*axes)->size());
  auto added = node.normalizeAxes(**axes, rank);
  if (failed(added)) {
    return failure();
  }
  SmallVector<Dim, 4> dims;
  auto next = input->dims.begin();
  for (int64_t i = 0; i < rank; ++i) {
    dims.push_back(llvm::is_contained(*added, i) ? Dim(1) : *next++);
  }
  return node.setResult(node.reshape(*input, dims));
}

//===----------------------------------------------------------------------===//
// Repetition and permutation
//===----------------------------------------------------------------------===//

static LogicalResult convertExpand(NodeImporter &node) {
  auto shape = node.integers(1, "shape");
  auto input = node.tensor(0);
  if (failed(shape) || failed(input)) {
    return failure();
  }
  auto dims = node.broadcastDims(input->dims, *shape);
  return failed(dims) ? failure()
                      : node.setResult(node.broadcast(*input, *dims));
}

/// Each dim becomes (repeats, size), broadcast, and joined again.
static LogicalResult convertTile(NodeImporter &node) {
  auto repeats = node.integers(1, "repeats");
  auto input = node.tensor(0);
  if (failed(repeats) || failed(input)) {
    return failure();
  }
  if (static_cast<int64_t>(repeats->size()) != input->getRank()) {
    return node.emitError()
           << "expected one repeat per dim, but got " << repeats->size()
           << " for rank " << input->getRank();
  }
  SmallVector<Dim, 4> split, wide, joined;
  for (auto [repeat, dim] : llvm::zip(*repeats, input->dims)) {
    joined.push_back(node.getDimTable().mul(repeat, dim));
    if (!repeat.is(1)) {
      split.push_back(1);
      wide.push_back(repeat);
    }
    split.push_back(dim);
    wide.push_back(dim);
  }
  auto column = node.reshape(*input, split);
  if (failed(column)) {
    return failure();
  }
  auto repeated = node.broadcast(*column, wide);
  return failed(repeated) ? failure()
                          : node.setResult(node.reshape(*repeated, joined));
}

static LogicalResult convertTranspose(NodeImporter &node) {
  auto attribute = node.getInts("perm");
  auto input = node.tensor(0);
  if (failed(input)) {
    return failure();
  }
  int64_t rank = input->getRank();
  SmallVector<int64_t> perm =
      attribute ? *attribute
                : llvm::to_vector(llvm::reverse(llvm::seq<int64_t>(0, rank)));
  SmallVector<int64_t> sorted(perm);
  llvm::sort(sorted);
  if (!llvm::equal(sorted, llvm::seq<int64_t>(0, rank))) {
    return node.emitError()
           << "expected perm to be a permutation of " << rank << " dims";
  }
  return node.setResult(node.transpose(*input, perm));
}

void onnx::addShapeOps(OpRegistry &registry) {
  registry.add("Identity", 1, {1, 1}, convertIdentity);
  registry.add("Dropout", 7, {1, 1}, convertDropout);
  registry.add("Dropout", 12, {1, 3}, convertDropout);
  registry.add("Shape", 1, {1, 1}, convertShape);
  registry.add("Size", 1, {1, 1}, convertSize);
  registry.add("Reshape", 1, {1, 1}, convertReshapeByAttribute);
  registry.add("Reshape", 5, {2, 2}, convertReshape);
  registry.add("Flatten", 1, {1, 1}, convertFlatten);
  registry.add("Squeeze", 1, {1, 1}, convertSqueeze);
  registry.add("Squeeze", 13, {1, 2}, convertSqueeze);
  registry.add("Unsqueeze", 1, {1, 1}, convertUnsqueeze);
  registry.add("Unsqueeze", 13, {2, 2}, convertUnsqueeze);
  registry.add("Expand", 8, {2, 2}, convertExpand);
  registry.add("Tile", 6, {2, 2}, convertTile);
  registry.add("Transpose", 1, {1, 1}, convertTranspose);
}
