//===- Sampling.cpp - images read at computed places ----------------------===//
//
// Each place is the sum over a few elements around it (taps). The elements are
// gathered from the image with its spatial dims as one.
//
//===----------------------------------------------------------------------===//

#include "OpRegistry.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::onnx;

namespace {

/// An element of one dim for each place, and what it counts.
struct Tap {
  Tensor index; ///< a whole number, as a float
  std::optional<Tensor> weight;
  std::optional<Tensor> isInside; ///< where it is not, 0 is read
};

/// How GridSample reads.
struct GridMode {
  std::string interpolation, padding;
  bool alignCorners;
};

} // namespace

/// The image as batch x channels x places, and the sizes of its spatial dims.
static FailureOr<Tensor> flattenImage(NodeImporter &node, const Tensor &image,
                                      SmallVectorImpl<int64_t> &sizes) {
  for (const Dim &dim : ArrayRef<Dim>(image.dims).drop_front(2)) {
    if (!dim.isStatic() || dim.is(0)) {
      return node.emitError() << "expected static spatial dims, but got "
                              << node.toString(image.dims);
    }
    sizes.push_back(dim.getStatic());
  }
  return node.reshape(
      image, {image.dims[0], image.dims[1], Dim(llvm::product_of(sizes))});
}

//===----------------------------------------------------------------------===//
// GridSample
//===----------------------------------------------------------------------===//

/// `x` mirrored at `low` and `high` until it is between them.
static Tensor mirror(NodeImporter &node, const Tensor &x, double low,
                     double high) {
  double range = high - low;
  if (range == 0) {
    return node.splat(low, x);
  }
  Tensor distance = node.apply<AbsOp>(node.plus(x, -low));
  Tensor rest = node.apply<RemOp>(distance, node.splat(2 * range, distance));
  Tensor back = node.apply<SubOp>(node.splat(2 * range, rest), rest);
  Tensor isBack = node.compareTo(ComparePredicate::gt, rest, range);
  return node.plus(node.select(isBack, back, rest), low);
}

/// Brings a coordinate into a dim of size `size`, as the padding says; zeros
/// leave it.
static Tensor padCoordinate(NodeImporter &node, const GridMode &mode,
                            const Tensor &x, int64_t size) {
  if (mode.padding == "border") {
    return node.limit(x, 0, size - 1.0);
  }
  if (mode.padding == "reflection") {
    return mode.alignCorners ? mirror(node, x, 0, size - 1.0)
                             : mirror(node, x, -0.5, size - 0.5);
  }
  return x;
}

/// The element `x` (a whole number) of a dim, for one tap.
static Tap makeTap(NodeImporter &node, const GridMode &mode, const Tensor &x,
                   std::optional<Tensor> weight, int64_t size) {
  Tap tap{padCoordinate(node, mode, x, size), std::move(weight), std::nullopt};
  if (mode.padding == "zeros") {
    tap.isInside = node.apply<AndOp>(
        node.compareTo(ComparePredicate::ge, x, 0),
        node.compareTo(ComparePredicate::lt, x, static_cast<double>(size)));
  }
  // NaN, and what rounding left outside, reads an element that exists.
  tap.index = node.limit(tap.index, 0, size - 1.0);
  return tap;
}

/// Keys' kernel of parameter -0.75 at a distance in [0, 1] or [1, 2].
static Tensor getCubicWeight(NodeImporter &node, const Tensor &x, bool isNear) {
  constexpr double a = -0.75;
  Tensor square = node.apply<MulOp>(x, x);
  if (isNear) {
    Tensor line = node.plus(node.times(x, a + 2), -(a + 3));
    return node.plus(node.apply<MulOp>(line, square), 1);
  }
  Tensor sum = node.plus(node.times(x, a), -5 * a);
  sum = node.plus(node.apply<MulOp>(sum, x), 8 * a);
  return node.plus(node.apply<MulOp>(sum, x), -4 * a);
}

/// The taps along one dim of size `size` for coordinates in [-1, 1].
static SmallVector<Tap, 0> makeTaps(NodeImporter &node, const GridMode &mode,
                                    const Tensor &grid, int64_t size) {
  auto length = static_cast<double>(size);
  Tensor x =
      mode.alignCorners
          ? node.times(node.plus(grid, 1), (length - 1) / 2)
          : node.times(node.plus(node.times(node.plus(grid, 1), length), -1),
                       0.5);
  if (mode.interpolation == "nearest") {
    x = node.apply<RoundOp>(x);
    return {makeTap(node, mode, x, std::nullopt, size)};
  }
  // Beside a border the taps of a cubic are clamped one by one.
  if (mode.interpolation != "cubic") {
    x = padCoordinate(node, mode, x, size);
  }
  Tensor base = node.apply<FloorOp>(x);
  Tensor ratio = node.apply<SubOp>(x, base);
  Tensor rest = node.apply<SubOp>(node.splat(1, ratio), ratio);
  if (mode.interpolation == "linear") {
    return {makeTap(node, mode, base, rest, size),
            makeTap(node, mode, node.plus(base, 1), ratio, size)};
  }
  return {makeTap(node, mode, node.plus(base, -1),
                  getCubicWeight(node, node.plus(ratio, 1), false), size),
          makeTap(node, mode, base, getCubicWeight(node, ratio, true), size),
          makeTap(node, mode, node.plus(base, 1),
                  getCubicWeight(node, rest, true), size),
          makeTap(node, mode, node.plus(base, 2),
                  getCubicWeight(node, node.plus(rest, 1), false), size)};
}

/// Reads the element that one tap per dim names, times their weights; 0 where
/// one is outside.
static FailureOr<Tensor> readTaps(NodeImporter &node, const Tensor &flat,
                                  ArrayRef<const Tap *> taps,
                                  ArrayRef<int64_t> sizes) {
  std::optional<Tensor> place, weight, isInside;
  for (auto [tap, size] : llvm::zip(taps, sizes)) {
    Tensor index = node.cast(tap->index, node.getBuilder().getI64Type());
    place = place ? node.apply<AddOp>(node.times(*place, size), index) : index;
    if (tap->weight) {
      weight = weight ? node.apply<MulOp>(*weight, *tap->weight) : *tap->weight;
    }
    if (tap->isInside) {
      isInside = isInside ? node.apply<AndOp>(*isInside, *tap->isInside)
                          : *tap->isInside;
    }
  }
  SmallVector<Dim, 4> dims = {flat.dims[0], flat.dims[1], place->dims[1]};
  auto perChannel = [&](const Tensor &x) -> FailureOr<Tensor> {
    auto column = node.unsqueeze(x, 1);
    return failed(column) ? column : node.broadcast(*column, dims);
  };
  auto index = perChannel(*place);
  if (failed(index)) {
    return failure();
  }
  Tensor value = node.gatherElements(flat, *index, 2);
  if (weight) {
    auto wide = perChannel(*weight);
    if (failed(wide)) {
      return failure();
    }
    value = node.apply<MulOp>(value, *wide);
  }
  if (isInside) {
    auto wide = perChannel(*isInside);
    if (failed(wide)) {
      return failure();
    }
    value = node.select(*wide, value, node.splat(0, value));
  }
  return value;
}

/// The sum over all choices of one tap per dim.
static FailureOr<Tensor> sumTaps(NodeImporter &node, const Tensor &flat,
                                 ArrayRef<SmallVector<Tap, 0>> taps,
                                 ArrayRef<int64_t> sizes) {
  SmallVector<size_t> choice(taps.size(), 0);
  std::optional<Tensor> sum;
  while (true) {
    SmallVector<const Tap *> chosen;
    for (auto [dim, tap] : llvm::enumerate(choice)) {
      chosen.push_back(&taps[dim][tap]);
    }
    auto term = readTaps(node, flat, chosen, sizes);
    if (failed(term)) {
      return failure();
    }
    sum = sum ? node.apply<AddOp>(*sum, *term) : *term;
    size_t dim = choice.size();
    while (dim > 0 && ++choice[dim - 1] == taps[dim - 1].size()) {
      choice[--dim] = 0;
    }
    if (dim == 0) {
      return *sum;
    }
  }
}

static FailureOr<GridMode> readGridMode(NodeImporter &node) {
  bool isOld = node.getOpset() < 20;
  GridMode mode;
  mode.interpolation = node.getString("mode", isOld ? "bilinear" : "linear");
  mode.padding = node.getString("padding_mode", "zeros");
  mode.alignCorners = node.getInt("align_corners", 0) != 0;
  StringRef name = mode.interpolation;
  if (name == "bilinear" || name == "bicubic") {
    mode.interpolation = name.drop_front(2).str();
  }
  if (!llvm::is_contained({"nearest", "linear", "cubic"}, mode.interpolation) ||
      !llvm::is_contained({"zeros", "border", "reflection"}, mode.padding)) {
    return node.emitError()
           << "mode '" << mode.interpolation << "' with padding_mode '"
           << mode.padding << "' is not supported";
  }
  return mode;
}

static LogicalResult convertGridSample(NodeImporter &node) {
  auto mode = readGridMode(node);
  auto image = node.tensor(0), grid = node.tensor(1);
  if (failed(mode) || failed(image) || failed(grid)) {
    return failure();
  }
  int64_t rank = image->getRank(), spatial = rank - 2;
  if (spatial < 1 || grid->getRank() != rank ||
      !grid->dims.back().is(spatial) || grid->dims[0] != image->dims[0] ||
      !isa<FloatType>(image->getElementType()) ||
      !isa<FloatType>(grid->getElementType())) {
    return node.emitError() << "expected an image and one coordinate per "
                               "spatial dim for each place, all floats, but "
                               "got "
                            << image->getType() << " and " << grid->getType();
  }
  SmallVector<int64_t> sizes;
  Tensor x = node.widen(*image);
  auto flat = flattenImage(node, x, sizes);
  SmallVector<Dim, 4> places(grid->dims.begin() + 1, grid->dims.end() - 1);
  Dim count = *checkedProduct(node.getDimTable(), places);
  auto points =
      node.reshape(node.widen(*grid), {image->dims[0], count, Dim(spatial)});
  if (failed(flat) || failed(points)) {
    return failure();
  }
  SmallVector<SmallVector<Tap, 0>> taps;
  for (int64_t dim = 0; dim < spatial; ++dim) {
    // The first coordinate is that of the last dim.
    auto own = node.take(*points, 2, spatial - 1 - dim);
    if (failed(own)) {
      return failure();
    }
    taps.push_back(makeTaps(node, *mode, *own, sizes[dim]));
  }
  auto sum = sumTaps(node, *flat, taps, sizes);
  if (failed(sum)) {
    return failure();
  }
  SmallVector<Dim, 4> dims = {image->dims[0], image->dims[1]};
  llvm::append_range(dims, places);
  auto shaped = node.reshape(*sum, dims);
  return failed(shaped)
             ? failure()
             : node.setResult(node.narrow(*shaped, image->getElementType()));
}

//===----------------------------------------------------------------------===//
// AffineGrid
//===----------------------------------------------------------------------===//

/// The coordinates of the places of a dim, from -1 to 1.
static SmallVector<double> getGridLine(int64_t size, bool alignCorners) {
  SmallVector<double> line;
  for (int64_t i = 0; i < size; ++i) {
    line.push_back(!alignCorners ? (2.0 * i + 1) / size - 1
                   : size == 1   ? 0
                                 : 2.0 * i / (size - 1) - 1);
  }
  return line;
}

static LogicalResult convertAffineGrid(NodeImporter &node) {
  bool alignCorners = node.getInt("align_corners", 0) != 0;
  auto theta = node.tensor(0);
  auto sizes = node.staticIntegers(1, "size");
  if (failed(theta) || failed(sizes)) {
    return failure();
  }
  int64_t spatial = static_cast<int64_t>(sizes->size()) - 2;
  if ((spatial != 2 && spatial != 3) || theta->getRank() != 3 ||
      !theta->dims[1].is(spatial) || !theta->dims[2].is(spatial + 1) ||
      !theta->dims[0].is(sizes->front())) {
    return node.emitError() << "expected a size of 4 or 5 dims and a matrix "
                               "for each element of the batch, but got "
                            << node.toString(theta->dims);
  }
  ArrayRef<int64_t> places = ArrayRef(*sizes).drop_front(2);
  constexpr int64_t kMostPlaces = 1 << 24;
  int64_t count = 1;
  for (int64_t size : places) {
    bool fits = size >= 0 && size <= kMostPlaces && count <= kMostPlaces;
    count = fits ? count * size : kMostPlaces + 1;
  }
  if (count > kMostPlaces) {
    return node.emitError()
           << "expected a grid of at most " << kMostPlaces << " places";
  }
  // Columns: the coordinates, that of the last dim first, and 1.
  SmallVector<double> grid(count * (spatial + 1), 1);
  for (int64_t dim = 0; dim < spatial; ++dim) {
    SmallVector<double> line = getGridLine(places[dim], alignCorners);
    int64_t inner = llvm::product_of(places.drop_front(dim + 1));
    for (int64_t place = 0; place < count; ++place) {
      grid[place * (spatial + 1) + spatial - 1 - dim] =
          line[place / inner % places[dim]];
    }
  }
  Tensor matrix = node.widen(*theta);
  Tensor points = node.constantTensor(grid, {1, count, spatial + 1},
                                      matrix.getElementType());
  auto wide =
      node.broadcast(points, {theta->dims[0], Dim(count), Dim(spatial + 1)});
  auto product = failed(wide)
                     ? wide
                     : node.multiply(*wide, matrix, false, /*transposeB=*/true);
  if (failed(product)) {
    return failure();
  }
  SmallVector<Dim, 4> dims = {theta->dims[0]};
  dims.append(places.begin(), places.end());
  dims.push_back(spatial);
  auto shaped = node.reshape(*product, dims);
  return failed(shaped)
             ? failure()
             : node.setResult(node.narrow(*shaped, theta->getElementType()));
}

void onnx::addSamplingOps(OpRegistry &registry) {
  registry.add("AffineGrid", 20, {2, 2}, convertAffineGrid);
  registry.add("GridSample", 16, {2, 2}, convertGridSample);
}
