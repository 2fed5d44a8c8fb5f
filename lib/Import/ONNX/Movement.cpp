//===- Movement.cpp - ops that select and arrange elements ----------------===//

#include "OpRegistry.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::onnx;

/// Positions at or beyond this stand for "to the end": no dim is as large.
static constexpr int64_t kBeyond = INT32_MAX;

//===----------------------------------------------------------------------===//
// Slice
//===----------------------------------------------------------------------===//

namespace {
/// What is taken of one dim.
struct DimSlice {
  Dim start;
  Dim count;
  int64_t step;
};
} // namespace

/// `position`, counted from the end where it is negative, moved into
/// [`least`, `most`] with `least` 0 or -1 (`most` depends on the size `size`).
static FailureOr<Dim> normalizePosition(NodeImporter &node, const Dim &position,
                                        const Dim &size, int64_t least,
                                        const Dim &most) {
  DimTable &table = node.getDimTable();
  std::optional<bool> isNegative = table.less(position, 0);
  if (!isNegative) {
    return node.emitError() << "cannot tell whether position '"
                            << table.toString(position) << "' is negative";
  }
  bool isStatic = position.isStatic();
  if (isStatic && position.getStatic() >= kBeyond) {
    return most;
  }
  if (isStatic && position.getStatic() < -kBeyond) {
    return Dim(least);
  }
  Dim fromStart = *isNegative ? table.add(size, position) : position;
  if (table.less(fromStart, least) != std::optional<bool>(false)) {
    fromStart = table.max(fromStart, least);
  }
  bool fits = table.less(most, fromStart) == std::optional<bool>(false);
  return fits ? fromStart : table.min(fromStart, most);
}

/// Resolves the positions of one axis of size `size`.
static FailureOr<DimSlice> resolveSlice(NodeImporter &node, const Dim &size,
                                        const Dim &start, const Dim &end,
                                        int64_t step) {
  DimTable &table = node.getDimTable();
  if (step == 0) {
    return node.emitError() << "expected steps other than 0";
  }
  int64_t least = step < 0 ? -1 : 0;
  Dim most = step < 0 ? table.sub(size, 1) : size;
  auto from = normalizePosition(node, start, size, least, most);
  auto to = normalizePosition(node, end, size, least, most);
  if (failed(from) || failed(to)) {
    return failure();
  }
  Dim distance = step < 0 ? table.sub(*from, *to) : table.sub(*to, *from);
  if (table.less(distance, 0) != std::optional<bool>(false)) {
    distance = table.max(distance, 0);
  }
  // Steps beyond the largest dim take one element.
  int64_t stride =
      std::min(step < 0 ? -std::max(step, -kBeyond) : step, kBeyond);
  auto count = table.div(table.add(distance, stride - 1), stride);
  return DimSlice{*from, *count, step < 0 ? -stride : stride};
}

/// Reads starts, ends, axes and steps: attributes before operator set 10.
static FailureOr<SmallVector<DimSlice>> readSlices(NodeImporter &node,
                                                   ArrayRef<Dim> dims) {
  SmallVector<Dim> starts, ends;
  std::optional<SmallVector<int64_t>> axes, steps;
  if (node.getOpset() < 10) {
    auto first = node.getInts("starts").value_or(SmallVector<int64_t>());
    auto last = node.getInts("ends").value_or(SmallVector<int64_t>());
    starts.assign(first.begin(), first.end());
    ends.assign(last.begin(), last.end());
    axes = node.getInts("axes");
  } else {
    auto first = node.integers(1, "starts"), last = node.integers(2, "ends");
    if (failed(first) || failed(last)) {
      return failure();
    }
    starts.assign(first->begin(), first->end());
    ends.assign(last->begin(), last->end());
    for (auto [index, name, target] :
         {std::make_tuple(3u, "axes", &axes), {4u, "steps", &steps}}) {
      if (!node.hasInput(index)) {
        continue;
      }
      auto given = node.staticIntegers(index, name);
      if (failed(given)) {
        return failure();
      }
      *target = *given;
    }
  }
  size_t count = starts.size();
  if (ends.size() != count || (axes && axes->size() != count) ||
      (steps && steps->size() != count)) {
    return node.emitError() << "expected as many ends, axes and steps as the "
                            << count << " starts";
  }
  SmallVector<DimSlice> slices;
  for (const Dim &dim : dims) {
    slices.push_back({0, dim, 1});
  }
  for (size_t i = 0; i < count; ++i) {
    auto axis = node.normalizeAxis(axes ? (*axes)[i] : i, dims.size());
    if (failed(axis)) {
      return failure();
    }
    auto slice = resolveSlice(node, dims[*axis], starts[i], ends[i],
                              steps ? (*steps)[i] : 1);
    if (failed(slice)) {
      return failure();
    }
    slices[*axis] = *slice;
  }
  return slices;
}

/// Takes `slices` of `input`.
static FailureOr<Tensor> takeSlices(NodeImporter &node, const Tensor &input,
                                    ArrayRef<DimSlice> slices) {
  SmallVector<Dim, 4> starts, dims;
  SmallVector<int64_t> steps;
  for (const DimSlice &slice : slices) {
    starts.push_back(slice.start);
    dims.push_back(slice.count);
    // Of one element the step says nothing.
    steps.push_back(slice.count.is(1) ? 1 : slice.step);
  }
  auto type = node.typeFor(dims, input.getElementType());
  if (failed(type)) {
    return failure();
  }
  auto op = SliceOp::create(node.getBuilder(), node.getLoc(), input.value,
                            node.getSizes(starts), node.getSizes(dims), steps);
  return Tensor{op.getResult(), dims};
}

static LogicalResult convertSlice(NodeImporter &node) {
  auto input = node.tensor(0);
  if (failed(input)) {
    return failure();
  }
  auto slices = readSlices(node, input->dims);
  return failed(slices) ? failure()
                        : node.setResult(takeSlices(node, *input, *slices));
}

//===----------------------------------------------------------------------===//
// Concat and Split
//===----------------------------------------------------------------------===//

static LogicalResult convertConcat(NodeImporter &node) {
  int64_t attribute = node.getInt("axis", 1);
  auto inputs = node.tensors();
  if (failed(inputs)) {
    return failure();
  }
  const Tensor &first = inputs->front();
  auto axis = node.normalizeAxis(attribute, first.getRank());
  if (failed(axis)) {
    return failure();
  }
  DimTable &table = node.getDimTable();
  SmallVector<Dim, 4> dims = first.dims;
  SmallVector<Value> values = {first.value};
  for (const Tensor &input : ArrayRef(*inputs).drop_front()) {
    SmallVector<Dim, 4> expected = input.dims;
    if (input.getRank() == first.getRank()) {
      expected[*axis] = first.dims[*axis];
    }
    if (expected != first.dims ||
        input.getElementType() != first.getElementType()) {
      return node.emitError()
             << "expected inputs that differ only in the size of axis " << *axis
             << ", but got " << node.toString(first.dims) << " of "
             << first.getElementType() << " and " << node.toString(input.dims)
             << " of " << input.getElementType();
    }
    dims[*axis] = table.add(dims[*axis], input.dims[*axis]);
    values.push_back(input.value);
  }
  auto type = node.typeFor(dims, first.getElementType());
  if (failed(type)) {
    return failure();
  }
  auto op =
      ConcatOp::create(node.getBuilder(), node.getLoc(), *type, values, *axis);
  return node.setResult(Tensor{op.getResult(), dims});
}

/// The sizes of the parts: given, or equal but for the last.
static FailureOr<SmallVector<Dim>> readParts(NodeImporter &node,
                                             const Dim &size) {
  int64_t count = node.getInt("num_outputs", node.getNumOutputs());
  SmallVector<Dim> parts;
  if (node.getOpset() < 13) {
    if (auto given = node.getInts("split")) {
      parts.assign(given->begin(), given->end());
    }
  } else if (node.hasInput(1)) {
    auto given = node.integers(1, "split");
    if (failed(given)) {
      return failure();
    }
    parts.assign(given->begin(), given->end());
  }
  DimTable &table = node.getDimTable();
  if (!parts.empty()) {
    return parts;
  }
  if (count < 1) {
    return node.emitError() << "expected at least one output";
  }
  if (!size.isStatic()) {
    auto part = table.exactQuotient(size, count);
    if (!part) {
      return node.emitError() << "cannot split size '" << table.toString(size)
                              << "' into " << count << " parts";
    }
    return SmallVector<Dim>(count, *part);
  }
  int64_t part = llvm::divideCeil(size.getStatic(), count);
  for (int64_t i = 0; i < count; ++i) {
    int64_t left = std::max<int64_t>(size.getStatic() - i * part, 0);
    parts.push_back(std::min(part, left));
  }
  return parts;
}

static LogicalResult convertSplit(NodeImporter &node) {
  int64_t attribute = node.getInt("axis", 0);
  auto input = node.tensor(0);
  if (failed(input)) {
    return failure();
  }
  auto axis = node.normalizeAxis(attribute, input->getRank());
  if (failed(axis)) {
    return failure();
  }
  const Dim &size = input->dims[*axis];
  auto parts = readParts(node, size);
  if (failed(parts)) {
    return failure();
  }
  DimTable &table = node.getDimTable();
  Dim start = 0;
  for (const Dim &part : *parts) {
    SmallVector<DimSlice> slices;
    for (const Dim &dim : input->dims) {
      slices.push_back({0, dim, 1});
    }
    slices[*axis] = {start, part, 1};
    start = table.add(start, part);
    auto taken = takeSlices(node, *input, slices);
    if (failed(taken)) {
      return failure();
    }
    node.addResult(*taken);
  }
  if (start != size) {
    return node.emitError()
           << "expected parts of " << table.toString(size)
           << " elements in all, but got " << table.toString(start);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Pad
//===----------------------------------------------------------------------===//

/// The value that is added: an attribute before operator set 11.
static FailureOr<Tensor> readPadValue(NodeImporter &node, Type elementType) {
  bool isInput = node.getOpset() >= 11 && node.hasInput(2);
  if (!isInput) {
    double value = node.getOpset() < 11 ? node.getFloat("value", 0) : 0;
    return node.scalar(value, elementType);
  }
  auto value = node.tensor(2);
  if (failed(value)) {
    return failure();
  }
  return node.reshape(*value, {});
}

/// The elements added before and after each axis.
static FailureOr<SmallVector<int64_t>> readPads(NodeImporter &node,
                                                int64_t rank) {
  SmallVector<int64_t> given, axes = llvm::to_vector(llvm::seq<int64_t>(rank));
  if (node.getOpset() < 11) {
    given = node.getInts("pads").value_or(SmallVector<int64_t>());
  } else {
    auto pads = node.staticIntegers(1, "pads");
    if (failed(pads)) {
      return failure();
    }
    given = *pads;
  }
  if (node.hasInput(3)) {
    auto some = node.staticIntegers(3, "axes");
    if (failed(some)) {
      return failure();
    }
    axes = *some;
  }
  if (given.size() != 2 * axes.size()) {
    return node.emitError() << "expected two pads for each of " << axes.size()
                            << " axes, but got " << given.size();
  }
  SmallVector<int64_t> pads(2 * rank, 0);
  for (auto [index, some] : llvm::enumerate(axes)) {
    auto axis = node.normalizeAxis(some, rank);
    if (failed(axis)) {
      return failure();
    }
    pads[*axis] = given[index];
    pads[*axis + rank] = given[index + axes.size()];
  }
  return pads;
}

static LogicalResult convertPad(NodeImporter &node) {
  std::string name = node.getString("mode", "constant");
  std::optional<PadMode> mode = symbolizePadMode(name);
  if (!mode) {
    return node.emitError() << "mode '" << name << "' is not supported";
  }
  auto input = node.tensor(0);
  if (failed(input)) {
    return failure();
  }
  auto pads = readPads(node, input->getRank());
  if (failed(pads)) {
    return failure();
  }
  auto value = readPadValue(node, input->getElementType());
  if (failed(value)) {
    return failure();
  }
  ArrayRef<int64_t> low = ArrayRef(*pads).take_front(input->getRank());
  ArrayRef<int64_t> high = ArrayRef(*pads).drop_front(input->getRank());
  SmallVector<Dim, 4> dims;
  for (auto [dim, before, after] : llvm::zip(input->dims, low, high)) {
    dims.push_back(node.getDimTable().add(dim, before + after));
  }
  auto type = node.typeFor(dims, input->getElementType());
  if (failed(type)) {
    return failure();
  }
  auto op = PadOp::create(
      node.getBuilder(), node.getLoc(), *type, *mode, input->value,
      *mode == PadMode::constant ? value->value : Value(), low, high);
  return node.setResult(Tensor{op.getResult(), dims});
}

//===----------------------------------------------------------------------===//
// Gather
//===----------------------------------------------------------------------===//

static LogicalResult convertGather(NodeImporter &node) {
  int64_t attribute = node.getInt("axis", 0);
  auto input = node.tensor(0), indices = node.tensor(1);
  if (failed(input) || failed(indices)) {
    return failure();
  }
  auto axis = node.normalizeAxis(attribute, input->getRank());
  if (failed(axis)) {
    return failure();
  }
  SmallVector<Dim, 4> dims(ArrayRef<Dim>(input->dims).take_front(*axis));
  llvm::append_range(dims, indices->dims);
  llvm::append_range(dims, ArrayRef<Dim>(input->dims).drop_front(*axis + 1));
  auto type = node.typeFor(dims, input->getElementType());
  if (failed(type)) {
    return failure();
  }
  auto op = GatherOp::create(node.getBuilder(), node.getLoc(), *type,
                             input->value, indices->value, *axis);
  return node.setResult(Tensor{op.getResult(), dims});
}

static LogicalResult convertGatherElements(NodeImporter &node) {
  int64_t attribute = node.getInt("axis", 0);
  auto input = node.tensor(0), indices = node.tensor(1);
  if (failed(input) || failed(indices)) {
    return failure();
  }
  auto axis = node.normalizeAxis(attribute, input->getRank());
  auto type = node.typeFor(indices->dims, input->getElementType());
  if (failed(axis) || failed(type)) {
    return failure();
  }
  auto op = GatherElementsOp::create(node.getBuilder(), node.getLoc(), *type,
                                     input->value, indices->value, *axis);
  return node.setResult(Tensor{op.getResult(), indices->dims});
}

void onnx::addMovementOps(OpRegistry &registry) {
  registry.add("Concat", 4, {1, kAnyNumber}, convertConcat);
  registry.add("Gather", 1, {2, 2}, convertGather);
  registry.add("GatherElements", 11, {2, 2}, convertGatherElements);
  registry.add("Pad", 2, {1, 1}, convertPad);
  registry.add("Pad", 11, {2, 3}, convertPad);
  registry.add("Pad", 18, {2, 4}, convertPad);
  registry.add("Slice", 1, {1, 1}, convertSlice);
  registry.add("Slice", 10, {3, 5}, convertSlice);
  registry.add("Split", 2, {1, 1}, convertSplit);
  registry.add("Split", 13, {1, 2}, convertSplit);
}
