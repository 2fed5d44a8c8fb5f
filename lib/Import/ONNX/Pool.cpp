//===- Pool.cpp - pooling -------------------------------------------------===//

#include "OpRegistry.h"
#include "Window.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::onnx;

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

/// Reads the window of a pooling op over `input`.
static FailureOr<Window> readPoolWindow(NodeImporter &node,
                                        const Tensor &input) {
  bool ceilMode = node.getInt("ceil_mode", 0) != 0;
  auto kernel = node.getInts("kernel_shape");
  if (input.getRank() < 3 || !kernel ||
      kernel->size() + 2 != static_cast<size_t>(input.getRank()) ||
      llvm::any_of(*kernel, [](int64_t size) { return size > INT32_MAX; })) {
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

FailureOr<Tensor> onnx::pool(NodeImporter &node, ReduceKind kind,
                             const Tensor &input, const Window &window) {
  SmallVector<Dim, 4> dims(ArrayRef<Dim>(input.dims).take_front(2));
  ArrayRef<Dim> spatial = ArrayRef<Dim>(input.dims).drop_front(2);
  llvm::append_range(dims, getPlaces(node, spatial, window));
  auto type = node.typeFor(dims, input.getElementType());
  if (failed(type)) {
    return failure();
  }
  auto op = PoolOp::create(node.getBuilder(), node.getLoc(), *type, kind,
                           input.value, window.size, window.strides,
                           window.dilations, window.low, window.getWholeHigh());
  return Tensor{op.getResult(), dims};
}

/// What a pad holds that no window takes: below all values of `type`.
static double getLeast(Type type) {
  if (isa<FloatType>(type)) {
    return -INFINITY;
  }
  unsigned width = type.getIntOrFloatBitWidth();
  return type.isUnsignedInteger() ? 0 : -std::ldexp(1.0, width - 1);
}

/// The elements of `padded` that stand at `offset` of the window, for each of
/// its places `dims`.
static FailureOr<Tensor> takeOffset(NodeImporter &node, Tensor padded,
                                    const Window &window, ArrayRef<Dim> dims,
                                    ArrayRef<int64_t> offset) {
  for (auto [dim, start] : llvm::enumerate(offset)) {
    auto taken = node.slice(padded, dim + 2, start * window.dilations[dim],
                            dims[dim + 2], window.strides[dim]);
    if (failed(taken)) {
      return failure();
    }
    padded = *taken;
  }
  return padded;
}

/// Moves `offset` to the next element of the window; false after the last.
static bool advance(MutableArrayRef<int64_t> offset, ArrayRef<int64_t> size) {
  for (size_t dim = offset.size(); dim-- > 0;) {
    if (++offset[dim] < size[dim]) {
      return true;
    }
    offset[dim] = 0;
  }
  return false;
}

/// The places of the elements of `input` in it, counted with the spatial dims
/// last first where `columnMajor`.
static Tensor getPlaceNumbers(NodeImporter &node, const Tensor &input,
                              bool columnMajor) {
  Type i64 = node.getBuilder().getI64Type();
  int64_t rank = input.getRank();
  SmallVector<int64_t> order = {0, 1};
  for (int64_t dim = 2; dim < rank; ++dim) {
    order.push_back(columnMajor ? rank + 1 - dim : dim);
  }
  std::optional<Tensor> number;
  for (int64_t dim : order) {
    Tensor position = node.positions(input.dims, dim, i64);
    if (!number) {
      number = position;
      continue;
    }
    double size = static_cast<double>(input.dims[dim].getStatic());
    number = node.apply<AddOp>(node.times(*number, size), position);
  }
  return *number;
}

/// The largest elements of windows, and where they stand: the first one in the
/// window's order. Compares one element of the window after the other.
static LogicalResult poolWithIndices(NodeImporter &node, const Tensor &input,
                                     const Window &window, bool columnMajor) {
  if (!input.getType().hasStaticShape()) {
    return node.emitError() << "expected a static shape for indices, but got "
                            << node.toString(input.dims);
  }
  constexpr int64_t kMostElements = 1024;
  int64_t elements = 1;
  for (int64_t size : window.size) {
    elements *= std::min(size, kMostElements + 1);
    elements = std::min(elements, kMostElements + 1);
  }
  if (elements > kMostElements) {
    return node.emitError() << "expected a window of at most " << kMostElements
                            << " elements for indices";
  }
  SmallVector<int64_t> low(2, 0), high(2, 0);
  llvm::append_range(low, window.low);
  llvm::append_range(high, window.getWholeHigh());
  SmallVector<Dim, 4> dims(ArrayRef<Dim>(input.dims).take_front(2));
  llvm::append_range(
      dims, getPlaces(node, ArrayRef<Dim>(input.dims).drop_front(2), window));
  auto values = node.pad(input, low, high, getLeast(input.getElementType()));
  auto places = node.pad(getPlaceNumbers(node, input, columnMajor), low, high,
                         /*value=*/-1);
  if (failed(values) || failed(places)) {
    return failure();
  }
  std::optional<Tensor> best, where;
  SmallVector<int64_t> offset(window.size.size(), 0);
  do {
    auto value = takeOffset(node, *values, window, dims, offset);
    auto place = takeOffset(node, *places, window, dims, offset);
    if (failed(value) || failed(place)) {
      return failure();
    }
    if (!best) {
      best = *value;
      where = *place;
      continue;
    }
    // The first element that is not padding always counts; then larger ones,
    // and NaN.
    Tensor isLarger = node.compare(ComparePredicate::gt, *value, *best);
    Tensor isFirst = node.compareTo(ComparePredicate::lt, *where, 0);
    Tensor wins = node.apply<OrOp>(isLarger, isFirst);
    Tensor isNaN = node.compare(ComparePredicate::ne, *value, *value);
    Tensor hadNaN = node.compare(ComparePredicate::ne, *best, *best);
    wins = node.apply<OrOp>(
        wins, node.apply<AndOp>(isNaN, node.apply<NotOp>(hadNaN)));
    wins = node.apply<AndOp>(wins,
                             node.compareTo(ComparePredicate::ge, *place, 0));
    best = node.select(wins, *value, *best);
    where = node.select(wins, *place, *where);
  } while (advance(offset, window.size));
  node.addResult(*best);
  node.addResult(*where);
  return success();
}

static LogicalResult convertMaxPool(NodeImporter &node) {
  bool columnMajor = node.getInt("storage_order", 0) != 0;
  auto input = node.tensor(0);
  if (failed(input)) {
    return failure();
  }
  auto window = readPoolWindow(node, *input);
  if (failed(window)) {
    return failure();
  }
  if (node.getNumOutputs() > 1) {
    return poolWithIndices(node, *input, *window, columnMajor);
  }
  return node.setResult(pool(node, ReduceKind::max, *input, *window));
}

/// The p-th root of the sum of |x|^p.
static Tensor takeRoot(NodeImporter &node, const Tensor &sum, double p) {
  if (p == 1) {
    return sum;
  }
  return p == 2 ? node.apply<SqrtOp>(sum)
                : node.apply<PowOp>(sum, node.splat(1 / p, sum));
}

static Tensor raiseAbsolute(NodeImporter &node, const Tensor &x, double p) {
  if (p == 2) {
    return node.apply<MulOp>(x, x);
  }
  Tensor size = node.apply<AbsOp>(x);
  return p == 1 ? size : node.apply<PowOp>(size, node.splat(p, size));
}

/// The exponent: a float in the first operator set.
static double readNormExponent(NodeImporter &node) {
  return node.getOpset() < 2 ? node.getFloat("p", 2)
                             : static_cast<double>(node.getInt("p", 2));
}

static LogicalResult convertLpPool(NodeImporter &node) {
  double p = readNormExponent(node);
  auto input = node.tensor(0);
  if (failed(input)) {
    return failure();
  }
  auto window = readPoolWindow(node, *input);
  if (failed(window)) {
    return failure();
  }
  if (!isa<FloatType>(input->getElementType()) || p <= 0) {
    return node.emitError()
           << "expected floats and a positive p, but got "
           << input->getElementType() << " and " << std::to_string(p);
  }
  Tensor terms = raiseAbsolute(node, node.widen(*input), p);
  auto sum = pool(node, ReduceKind::sum, terms, *window);
  return failed(sum) ? failure()
                     : node.setResult(node.narrow(takeRoot(node, *sum, p),
                                                  input->getElementType()));
}

static LogicalResult convertGlobalLpPool(NodeImporter &node) {
  double p = readNormExponent(node);
  auto input = node.tensor(0);
  if (failed(input)) {
    return failure();
  }
  if (!isa<FloatType>(input->getElementType()) || p <= 0 ||
      input->getRank() < 3) {
    return node.emitError()
           << "expected floats of rank 3 or more and a positive p, but got "
           << input->getType() << " and " << std::to_string(p);
  }
  auto axes = llvm::to_vector(llvm::seq<int64_t>(2, input->getRank()));
  auto sum =
      node.reduce(ReduceKind::sum, raiseAbsolute(node, node.widen(*input), p),
                  axes, /*keepDims=*/true);
  return failed(sum) ? failure()
                     : node.setResult(node.narrow(takeRoot(node, *sum, p),
                                                  input->getElementType()));
}

/// How many elements of a dim of `size` elements the window holds at each of
/// `places`; with the padding around them where `includePadding`.
static SmallVector<int64_t> countAlong(const Window &window, unsigned dim,
                                       int64_t size, int64_t places,
                                       bool includePadding) {
  int64_t first = includePadding ? -window.low[dim] : 0;
  int64_t end = size + (includePadding ? window.high[dim] : 0);
  SmallVector<int64_t> counts(places, 0);
  for (auto [place, count] : llvm::enumerate(counts)) {
    int64_t start = int64_t(place) * window.strides[dim] - window.low[dim];
    for (int64_t element = 0; element < window.size[dim]; ++element) {
      int64_t position = start + element * window.dilations[dim];
      count += position >= first && position < end;
    }
  }
  return counts;
}

/// The numbers of elements of the window's places as a constant, 1 x 1 x the
/// places; nothing where there are too many, or sizes are not known.
static std::optional<Tensor> getCounts(NodeImporter &node, const Tensor &input,
                                       const Window &window,
                                       bool includePadding) {
  constexpr int64_t kMostCounts = 1 << 16, kMostSteps = 1 << 20;
  ArrayRef<Dim> spatial = ArrayRef<Dim>(input.dims).drop_front(2);
  SmallVector<int64_t> shape = {1, 1};
  SmallVector<double> values = {1};
  for (auto [dim, places] : llvm::enumerate(getPlaces(node, spatial, window))) {
    if (!places.isStatic() || !spatial[dim].isStatic() ||
        places.getStatic() * int64_t(values.size()) > kMostCounts ||
        places.getStatic() * window.size[dim] > kMostSteps) {
      return std::nullopt;
    }
    SmallVector<double> products;
    SmallVector<int64_t> counts =
        countAlong(window, dim, spatial[dim].getStatic(), places.getStatic(),
                   includePadding);
    for (double value : values) {
      for (int64_t count : counts) {
        products.push_back(value * double(count));
      }
    }
    values = std::move(products);
    shape.push_back(places.getStatic());
  }
  return node.constantTensor(values, shape, input.getElementType());
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
  if (auto counts = getCounts(node, input, window, includePadding)) {
    return node.broadcast(*counts, sum.dims);
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

void onnx::addPoolOps(OpRegistry &registry) {
  registry.add("AveragePool", 1, {1, 1}, convertAveragePool);
  registry.add("GlobalLpPool", 1, {1, 1}, convertGlobalLpPool);
  registry.add("LpPool", 1, {1, 1}, convertLpPool);
  registry.add("MaxPool", 1, {1, 1}, convertMaxPool);
}
