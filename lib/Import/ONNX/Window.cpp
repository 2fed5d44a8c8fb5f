//===- Window.cpp - convolution and pooling -------------------------------===//

#include "OpRegistry.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::onnx;

namespace {
/// How a window moves; one entry per spatial dim.
struct Window {
  SmallVector<int64_t> size, strides, dilations, low, high;
  /// What ceil_mode adds to `high`; part of no window's count.
  SmallVector<int64_t> beyond;

  /// The elements from the first to the last of the window.
  int64_t getExtent(size_t dim) const {
    return dilations[dim] * (size[dim] - 1) + 1;
  }
};
} // namespace

/// An attribute with one entry per spatial dim; ones or zeros by default.
static FailureOr<SmallVector<int64_t>> readEntries(NodeImporter &node,
                                                   StringRef name, size_t count,
                                                   int64_t byDefault) {
  auto given = node.getInts(name);
  if (given && given->size() != count) {
    return node.emitError() << "expected " << count << " entries of '" << name
                            << "', but got " << given->size();
  }
  return given ? *given : SmallVector<int64_t>(count, byDefault);
}

/// Fills in paddings as `auto_pad` asks: as many places as strides fit.
static LogicalResult padToSame(NodeImporter &node, ArrayRef<Dim> spatial,
                               bool moreAfter, Window &window) {
  for (auto [dim, size] : llvm::enumerate(spatial)) {
    if (!size.isStatic()) {
      return node.emitError() << "expected static spatial dims for auto_pad";
    }
    int64_t places = llvm::divideCeil(size.getStatic(), window.strides[dim]);
    int64_t total =
        std::max<int64_t>((places - 1) * window.strides[dim] +
                              window.getExtent(dim) - size.getStatic(),
                          0);
    int64_t less = total / 2, more = total - less;
    window.low[dim] = moreAfter ? less : more;
    window.high[dim] = moreAfter ? more : less;
  }
  return success();
}

/// Reads strides, dilations and paddings of a window of this size.
static FailureOr<Window> readWindow(NodeImporter &node, ArrayRef<Dim> spatial,
                                    ArrayRef<int64_t> size) {
  size_t count = spatial.size();
  Window window;
  window.size.assign(size.begin(), size.end());
  auto strides = readEntries(node, "strides", count, 1);
  auto dilations = readEntries(node, "dilations", count, 1);
  auto pads = readEntries(node, "pads", 2 * count, 0);
  std::string automatic = node.getString("auto_pad", "NOTSET");
  if (failed(strides) || failed(dilations) || failed(pads)) {
    return failure();
  }
  auto isPositive = [](int64_t entry) { return entry > 0; };
  if (!llvm::all_of(*strides, isPositive) ||
      !llvm::all_of(*dilations, isPositive) ||
      !llvm::all_of(size, isPositive)) {
    return node.emitError()
           << "expected positive strides, dilations and window";
  }
  window.strides = *strides;
  window.dilations = *dilations;
  window.low.assign(pads->begin(), pads->begin() + count);
  window.high.assign(pads->begin() + count, pads->end());
  window.beyond.assign(count, 0);
  if (automatic == "SAME_UPPER" || automatic == "SAME_LOWER") {
    if (failed(padToSame(node, spatial, automatic == "SAME_UPPER", window))) {
      return failure();
    }
  } else if (automatic == "VALID") {
    window.low.assign(count, 0);
    window.high.assign(count, 0);
  } else if (automatic != "NOTSET") {
    return node.emitError()
           << "auto_pad '" << automatic << "' is not supported";
  }
  return window;
}

/// The number of places along each dim.
static SmallVector<Dim, 4> getPlaces(NodeImporter &node, ArrayRef<Dim> spatial,
                                     const Window &window) {
  DimTable &table = node.getDimTable();
  SmallVector<Dim, 4> places;
  for (auto [dim, size] : llvm::enumerate(spatial)) {
    int64_t margin = window.low[dim] + window.high[dim] + window.beyond[dim] -
                     window.getExtent(dim);
    Dim steps = *table.div(table.add(size, margin), window.strides[dim]);
    places.push_back(table.add(steps, 1));
  }
  return places;
}

/// With ceil_mode a last, incomplete window counts if it starts inside of the
/// input or of the padding before it.
static LogicalResult applyCeilMode(NodeImporter &node, ArrayRef<Dim> spatial,
                                   Window &window) {
  for (auto [dim, size] : llvm::enumerate(spatial)) {
    if (!size.isStatic()) {
      return node.emitError() << "expected static spatial dims for ceil_mode";
    }
    int64_t stride = window.strides[dim];
    int64_t padded = size.getStatic() + window.low[dim] + window.high[dim];
    int64_t room = padded - window.getExtent(dim);
    if (room < 0) {
      continue; // The op's verifier says so.
    }
    int64_t last = llvm::divideCeil(room, stride) * stride;
    if (last >= size.getStatic() + window.low[dim]) {
      last -= stride;
    }
    window.beyond[dim] = std::max<int64_t>(last - room, 0);
  }
  return success();
}

static LogicalResult convertConv(NodeImporter &node) {
  int64_t groups = node.getInt("group", 1);
  auto kernel = node.getInts("kernel_shape");
  auto input = node.tensor(0), weights = node.tensor(1);
  if (failed(input) || failed(weights)) {
    return failure();
  }
  int64_t rank = input->getRank();
  if (rank < 3 || weights->getRank() != rank) {
    return node.emitError() << "expected operands of one rank, 3 or more, but "
                               "got ranks "
                            << rank << " and " << weights->getRank();
  }
  ArrayRef<int64_t> size = weights->getType().getShape().drop_front(2);
  if (llvm::any_of(size, ShapedType::isDynamic) ||
      (kernel && ArrayRef<int64_t>(*kernel) != size)) {
    return node.emitError() << "expected weights with a static window, as "
                               "kernel_shape says, but got "
                            << node.toString(weights->dims);
  }
  ArrayRef<Dim> spatial = ArrayRef<Dim>(input->dims).drop_front(2);
  auto window = readWindow(node, spatial, size);
  if (failed(window)) {
    return failure();
  }
  SmallVector<Dim, 4> dims = {input->dims[0], weights->dims[0]};
  llvm::append_range(dims, getPlaces(node, spatial, *window));
  auto type = node.typeFor(dims, input->getElementType());
  if (failed(type)) {
    return failure();
  }
  auto op = ConvOp::create(
      node.getBuilder(), node.getLoc(), *type, input->value, weights->value,
      window->strides, window->dilations, window->low, window->high, groups);
  Tensor result{op.getResult(), dims};
  if (!node.hasInput(2)) {
    return node.setResult(result);
  }
  auto bias = node.tensor(2);
  if (failed(bias)) {
    return failure();
  }
  auto wide = node.broadcastChannels(*bias, dims);
  return failed(wide) ? failure()
                      : node.setResult(node.apply<AddOp>(result, *wide));
}

/// Reads the window of a pooling op over `input`.
static FailureOr<Window> readPoolWindow(NodeImporter &node,
                                        const Tensor &input) {
  bool ceilMode = node.getInt("ceil_mode", 0) != 0;
  auto kernel = node.getInts("kernel_shape");
  if (input.getRank() < 3 || !kernel ||
      kernel->size() + 2 != static_cast<size_t>(input.getRank())) {
    return node.emitError()
           << "expected rank 3 or more and a kernel_shape with one entry per "
              "spatial dim";
  }
  ArrayRef<Dim> spatial = ArrayRef<Dim>(input.dims).drop_front(2);
  auto window = readWindow(node, spatial, *kernel);
  if (succeeded(window) && ceilMode &&
      failed(applyCeilMode(node, spatial, *window))) {
    return failure();
  }
  return window;
}

/// Pools `input`; the places that windows miss are padded.
static FailureOr<Tensor> pool(NodeImporter &node, ReduceKind kind,
                              const Tensor &input, const Window &window) {
  SmallVector<Dim, 4> dims(ArrayRef<Dim>(input.dims).take_front(2));
  ArrayRef<Dim> spatial = ArrayRef<Dim>(input.dims).drop_front(2);
  llvm::append_range(dims, getPlaces(node, spatial, window));
  auto type = node.typeFor(dims, input.getElementType());
  if (failed(type)) {
    return failure();
  }
  SmallVector<int64_t> high;
  for (auto [padding, beyond] : llvm::zip(window.high, window.beyond)) {
    high.push_back(padding + beyond);
  }
  auto op = PoolOp::create(node.getBuilder(), node.getLoc(), *type, kind,
                           input.value, window.size, window.strides,
                           window.dilations, window.low, high);
  return Tensor{op.getResult(), dims};
}

static LogicalResult convertMaxPool(NodeImporter &node) {
  node.ignore({"storage_order"}); // Of the indices, which are not made.
  auto input = node.tensor(0);
  if (failed(input)) {
    return failure();
  }
  auto window = readPoolWindow(node, *input);
  return failed(window)
             ? failure()
             : node.setResult(pool(node, ReduceKind::max, *input, *window));
}

/// The number of elements that each place of the window averages.
static FailureOr<Tensor> countElements(NodeImporter &node, const Tensor &sum,
                                       const Tensor &input, Window window,
                                       bool includePadding) {
  auto isZero = [](int64_t entry) { return entry == 0; };
  bool noPadding = includePadding || (llvm::all_of(window.low, isZero) &&
                                      llvm::all_of(window.high, isZero));
  if (noPadding && llvm::all_of(window.beyond, isZero)) {
    return node.splat(static_cast<double>(llvm::product_of(window.size)), sum);
  }
  // Ones where something counts, summed in the same way.
  SmallVector<Dim, 4> dims = {1, 1};
  for (auto [dim, size] :
       llvm::enumerate(ArrayRef<Dim>(input.dims).drop_front(2))) {
    int64_t added = includePadding ? window.low[dim] + window.high[dim] : 0;
    dims.push_back(node.getDimTable().add(size, added));
  }
  if (includePadding) {
    window.low.assign(window.size.size(), 0);
    window.high.assign(window.size.size(), 0);
  }
  auto type = node.typeFor(dims, input.getElementType());
  if (failed(type)) {
    return failure();
  }
  auto counts = pool(node, ReduceKind::sum,
                     node.splat(1, Tensor{input.value, dims}), window);
  return failed(counts) ? counts : node.broadcast(*counts, sum.dims);
}

static LogicalResult convertAveragePool(NodeImporter &node) {
  bool includePadding = node.getInt("count_include_pad", 0) != 0;
  auto given = node.tensor(0);
  if (failed(given)) {
    return failure();
  }
  auto window = readPoolWindow(node, *given);
  if (failed(window)) {
    return failure();
  }
  if (!isa<FloatType>(given->getElementType())) {
    return node.emitError()
           << "expected floats, but got " << given->getElementType();
  }
  Tensor input = node.widen(*given);
  auto sum = pool(node, ReduceKind::sum, input, *window);
  if (failed(sum)) {
    return failure();
  }
  auto counts = countElements(node, *sum, input, *window, includePadding);
  if (failed(counts)) {
    return failure();
  }
  Tensor mean = node.apply<DivOp>(*sum, *counts);
  return node.setResult(node.narrow(mean, given->getElementType()));
}

void onnx::addWindowOps(OpRegistry &registry) {
  registry.add("AveragePool", 1, {1, 1}, convertAveragePool);
  registry.add("Conv", 1, {2, 3}, convertConv);
  registry.add("MaxPool", 1, {1, 1}, convertMaxPool);
}
