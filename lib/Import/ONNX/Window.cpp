//===- Window.cpp - windows and convolutions
//-------------------------------===//

#include "Window.h"
#include "OpRegistry.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::onnx;

SmallVector<int64_t> Window::getWholeHigh() const {
  SmallVector<int64_t> whole;
  for (auto [padding, added] : llvm::zip(high, beyond)) {
    whole.push_back(padding + added);
  }
  return whole;
}

FailureOr<SmallVector<int64_t>> onnx::readEntries(NodeImporter &node,
                                                  StringRef name, size_t count,
                                                  int64_t byDefault) {
  auto given = node.getInts(name);
  if (given && given->size() != count) {
    return node.emitError() << "expected " << count << " entries of '" << name
                            << "', but got " << given->size();
  }
  // Sums and products of such entries do not overflow.
  auto isOutside = [](int64_t entry) {
    return entry > INT32_MAX || entry < -INT32_MAX;
  };
  if (given && llvm::any_of(*given, isOutside)) {
    return node.emitError()
           << "expected entries of '" << name << "' that 32 bits hold";
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

FailureOr<Window> onnx::readWindow(NodeImporter &node, ArrayRef<Dim> spatial,
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

SmallVector<Dim, 4> onnx::getPlaces(NodeImporter &node, ArrayRef<Dim> spatial,
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

FailureOr<SmallVector<int64_t>> onnx::readKernel(NodeImporter &node,
                                                 const Tensor &input,
                                                 const Tensor &weights) {
  auto kernel = node.getInts("kernel_shape");
  int64_t rank = input.getRank();
  if (rank < 3 || weights.getRank() != rank) {
    return node.emitError() << "expected operands of one rank, 3 or more, but "
                               "got ranks "
                            << rank << " and " << weights.getRank();
  }
  ArrayRef<int64_t> size = weights.getType().getShape().drop_front(2);
  if (llvm::any_of(size, ShapedType::isDynamic) ||
      (kernel && ArrayRef<int64_t>(*kernel) != size)) {
    return node.emitError() << "expected weights with a static window, as "
                               "kernel_shape says, but got "
                            << node.toString(weights.dims);
  }
  return SmallVector<int64_t>(size);
}

FailureOr<Tensor> onnx::convolve(NodeImporter &node, const Tensor &input,
                                 const Tensor &weights) {
  int64_t groups = node.getInt("group", 1);
  auto size = readKernel(node, input, weights);
  if (failed(size)) {
    return failure();
  }
  ArrayRef<Dim> spatial = ArrayRef<Dim>(input.dims).drop_front(2);
  auto window = readWindow(node, spatial, *size);
  if (failed(window)) {
    return failure();
  }
  SmallVector<Dim, 4> dims = {input.dims[0], weights.dims[0]};
  llvm::append_range(dims, getPlaces(node, spatial, *window));
  auto type = node.typeFor(dims, input.getElementType());
  if (failed(type)) {
    return failure();
  }
  auto op = ConvOp::create(node.getBuilder(), node.getLoc(), *type, input.value,
                           weights.value, window->strides, window->dilations,
                           window->low, window->high, groups);
  return Tensor{op.getResult(), dims};
}

/// `result` plus the bias, one number per filter, where there is one.
static LogicalResult setBiased(NodeImporter &node, const Tensor &result) {
  if (!node.hasInput(2)) {
    return node.setResult(result);
  }
  auto bias = node.tensor(2);
  if (failed(bias)) {
    return failure();
  }
  auto wide = node.broadcastChannels(*bias, result.dims);
  return failed(wide) ? failure()
                      : node.setResult(node.apply<AddOp>(result, *wide));
}

static LogicalResult convertConv(NodeImporter &node) {
  auto input = node.tensor(0), weights = node.tensor(1);
  if (failed(input) || failed(weights)) {
    return failure();
  }
  auto result = convolve(node, *input, *weights);
  return failed(result) ? failure() : setBiased(node, *result);
}

//===----------------------------------------------------------------------===//
// Transposed convolution
//===----------------------------------------------------------------------===//

/// Fills in paddings so that the places of dim `dim` become `places`.
static void padToPlaces(int64_t size, int64_t places, int64_t added,
                        bool moreAfter, size_t dim, Window &window) {
  int64_t total =
      window.strides[dim] * (size - 1) + added + window.getExtent(dim) - places;
  // Places that nothing reaches come at the end.
  int64_t less = std::max<int64_t>(total, 0) / 2;
  window.low[dim] = moreAfter || total < 0 ? less : total - less;
  window.high[dim] = total - window.low[dim];
}

/// Settles the paddings that output_shape or auto_pad ask for.
static LogicalResult padTransposed(NodeImporter &node, ArrayRef<Dim> spatial,
                                   ArrayRef<int64_t> added, Window &window) {
  std::string automatic = node.getString("auto_pad", "NOTSET");
  auto places = node.getInts("output_shape");
  if (places && places->size() == spatial.size() + 2) {
    places->erase(places->begin(), places->begin() + 2);
  }
  auto isNoSize = [](int64_t size) { return size < 0 || size > INT32_MAX; };
  if (places &&
      (places->size() != spatial.size() || llvm::any_of(*places, isNoSize))) {
    return node.emitError()
           << "expected " << spatial.size() << " sizes in 'output_shape'";
  }
  bool isSame = automatic == "SAME_UPPER" || automatic == "SAME_LOWER";
  if (!isSame && automatic != "NOTSET" && automatic != "VALID") {
    return node.emitError()
           << "auto_pad '" << automatic << "' is not supported";
  }
  if (!places && !isSame) {
    return success();
  }
  for (auto [dim, size] : llvm::enumerate(spatial)) {
    if (!size.isStatic()) {
      return node.emitError()
             << "expected static spatial dims for output_shape and auto_pad";
    }
    int64_t wanted =
        places ? (*places)[dim] : size.getStatic() * window.strides[dim];
    padToPlaces(size.getStatic(), wanted, added[dim], automatic == "SAME_UPPER",
                dim, window);
  }
  return success();
}

/// Reads how the window of a transposed convolution moves; `high` is less what
/// output_padding adds.
static FailureOr<Window> readTransposedWindow(NodeImporter &node,
                                              ArrayRef<Dim> spatial,
                                              ArrayRef<int64_t> size) {
  size_t count = spatial.size();
  Window window;
  window.size.assign(size.begin(), size.end());
  auto strides = readEntries(node, "strides", count, 1);
  auto dilations = readEntries(node, "dilations", count, 1);
  auto pads = readEntries(node, "pads", 2 * count, 0);
  auto added = readEntries(node, "output_padding", count, 0);
  if (failed(strides) || failed(dilations) || failed(pads) || failed(added)) {
    return failure();
  }
  window.strides = *strides;
  window.dilations = *dilations;
  window.low.assign(pads->begin(), pads->begin() + count);
  window.high.assign(pads->begin() + count, pads->end());
  if (failed(padTransposed(node, spatial, *added, window))) {
    return failure();
  }
  for (size_t dim = 0; dim < count; ++dim) {
    window.high[dim] -= (*added)[dim];
  }
  return window;
}

static LogicalResult convertConvTranspose(NodeImporter &node) {
  int64_t groups = node.getInt("group", 1);
  auto input = node.tensor(0), weights = node.tensor(1);
  if (failed(input) || failed(weights)) {
    return failure();
  }
  auto size = readKernel(node, *input, *weights);
  if (failed(size)) {
    return failure();
  }
  ArrayRef<Dim> spatial = ArrayRef<Dim>(input->dims).drop_front(2);
  auto window = readTransposedWindow(node, spatial, *size);
  if (failed(window)) {
    return failure();
  }
  DimTable &table = node.getDimTable();
  SmallVector<Dim, 4> dims = {input->dims[0],
                              table.mul(weights->dims[1], groups)};
  for (auto [dim, extent] : llvm::enumerate(spatial)) {
    int64_t margin = window->getExtent(dim) - window->strides[dim] -
                     window->low[dim] - window->high[dim];
    dims.push_back(table.add(table.mul(extent, window->strides[dim]), margin));
  }
  auto type = node.typeFor(dims, input->getElementType());
  if (failed(type)) {
    return failure();
  }
  auto op = ConvTransposeOp::create(
      node.getBuilder(), node.getLoc(), *type, input->value, weights->value,
      window->strides, window->dilations, window->low, window->high, groups);
  return setBiased(node, Tensor{op.getResult(), dims});
}

void onnx::addWindowOps(OpRegistry &registry) {
  registry.add("Conv", 1, {2, 3}, convertConv);
  registry.add("ConvTranspose", 1, {2, 3}, convertConvTranspose);
}
