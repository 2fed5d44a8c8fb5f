//===- Resampling.cpp - tensors resampled along dims ----------------------===//
//
// Dim by dim: each place of the result takes a few elements of the input (taps)
// with weights of its own. Where sizes are known, so are taps and weights:
// constants, that a gather reads. Where a size is dynamic they are computed.
//
//===----------------------------------------------------------------------===//

#include "Resampling.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::onnx;

namespace {
/// The taps of one place.
struct Taps {
  int64_t first;
  SmallVector<double> weights;
};

} // namespace

//===----------------------------------------------------------------------===//
// Where a place of the result stands in the input
//===----------------------------------------------------------------------===//

/// The coordinate in the input of place `x`, as ONNX's reference defines it.
static double getCoordinate(const Sampling &how, const ResampledAxis &axis,
                            double x) {
  double scale = axis.scale, last = axis.from.getStatic() - 1.0;
  if (how.coordinates == "asymmetric") {
    return x / scale;
  }
  if (how.coordinates == "tf_half_pixel_for_nn") {
    return (x + 0.5) / scale;
  }
  if (how.coordinates == "align_corners") {
    return axis.exactTo == 1 ? 0 : x * last / (axis.exactTo - 1);
  }
  if (how.coordinates == "tf_crop_and_resize") {
    double width = (axis.cropEnd - axis.cropStart) * last;
    double inside =
        axis.exactTo == 1 ? width / 2 : x * width / (axis.exactTo - 1);
    return inside + axis.cropStart * last;
  }
  if (how.coordinates == "pytorch_half_pixel" && axis.exactTo == 1) {
    return 0;
  }
  double coordinate = (x + 0.5) / scale - 0.5;
  if (how.coordinates == "half_pixel_symmetric") {
    double adjustment = axis.to.getStatic() / axis.exactTo;
    coordinate += axis.from.getStatic() / 2.0 * (1 - adjustment);
  }
  return coordinate;
}

static int64_t getNearest(const Sampling &how, double coordinate) {
  double place = how.nearest == "floor"  ? std::floor(coordinate)
                 : how.nearest == "ceil" ? std::ceil(coordinate)
                 : how.nearest == "round_prefer_ceil"
                     ? std::floor(coordinate + 0.5)
                     : std::ceil(coordinate - 0.5);
  return static_cast<int64_t>(place);
}

//===----------------------------------------------------------------------===//
// Weights
//===----------------------------------------------------------------------===//

static double getLinearWeight(double distance) {
  return std::max(1 - std::abs(distance), 0.0);
}

/// Keys' kernel, of parameter `a`.
static double getCubicWeight(double distance, double a) {
  double x = std::abs(distance);
  if (x < 1) {
    return ((a + 2) * x - (a + 3)) * x * x + 1;
  }
  return x < 2 ? ((a * x - 5 * a) * x + 8 * a) * x - 4 * a : 0;
}

/// The taps around `coordinate` of a dim of size `size`.
static Taps getTaps(const Sampling &how, const ResampledAxis &axis,
                    double coordinate) {
  if (how.mode == "nearest") {
    return {getNearest(how, coordinate), {1.0}};
  }
  bool isCubic = how.mode == "cubic";
  // A kernel that is wider when fewer places than elements are taken.
  double squeeze = how.antialias ? std::min(axis.scale, 1.0) : 1.0;
  double reach = (isCubic ? 2 : 1) / squeeze;
  auto base = static_cast<int64_t>(std::floor(coordinate));
  auto start = static_cast<int64_t>(std::floor(-reach)) + 1;
  Taps taps{base + start, {}};
  double ratio = coordinate - base, sum = 0;
  int64_t size = axis.from.getStatic();
  for (int64_t i = start, e = (isCubic ? 4 : 2) - start; i < e; ++i) {
    bool isOutside = base + i < 0 || base + i >= size;
    double distance = (i - ratio) * squeeze;
    double weight = isCubic ? getCubicWeight(distance, how.cubicA)
                            : getLinearWeight(distance);
    weight = how.excludeOutside && isOutside ? 0 : weight;
    taps.weights.push_back(weight);
    sum += weight;
  }
  while (taps.weights.size() > 1 && taps.weights.back() == 0 && how.antialias) {
    taps.weights.pop_back();
  }
  if (sum != 0 && (how.excludeOutside || how.antialias)) {
    for (double &weight : taps.weights) {
      weight /= sum;
    }
  }
  return taps;
}

//===----------------------------------------------------------------------===//
// One dim of known sizes
//===----------------------------------------------------------------------===//

/// The sum over taps of `input`'s elements times weights.
static FailureOr<Tensor> sumTaps(NodeImporter &node, const Tensor &input,
                                 const ResampledAxis &axis,
                                 ArrayRef<Taps> places) {
  size_t count = 0;
  for (const Taps &taps : places) {
    count = std::max(count, taps.weights.size());
  }
  int64_t last = axis.from.getStatic() - 1, size = places.size();
  std::optional<Tensor> sum;
  for (size_t tap = 0; tap < count; ++tap) {
    SmallVector<int64_t> indices;
    SmallVector<double> weights;
    for (const Taps &taps : places) {
      int64_t index = taps.first + static_cast<int64_t>(tap);
      indices.push_back(std::clamp<int64_t>(index, 0, last));
      weights.push_back(tap < taps.weights.size() ? taps.weights[tap] : 0);
    }
    auto term =
        node.gather(input, node.constantIndices(indices, size), axis.axis);
    if (failed(term)) {
      return failure();
    }
    if (llvm::any_of(weights, [](double weight) { return weight != 1; })) {
      SmallVector<Dim, 4> column(input.getRank() - axis.axis, Dim(1));
      column.front() = size;
      auto factor = node.reshape(
          node.constantTensor(weights, size, input.getElementType()), column);
      auto wide = failed(factor) ? factor : node.broadcast(*factor, term->dims);
      if (failed(wide)) {
        return failure();
      }
      term = node.apply<MulOp>(*term, *wide);
    }
    sum = sum ? node.apply<AddOp>(*sum, *term) : *term;
  }
  return *sum;
}

/// The same as a product with a matrix, for many taps.
static FailureOr<Tensor> multiplyTaps(NodeImporter &node, const Tensor &input,
                                      const ResampledAxis &axis,
                                      ArrayRef<Taps> places) {
  int64_t from = axis.from.getStatic(), to = places.size();
  SmallVector<double> matrix(from * to, 0);
  for (auto [place, taps] : llvm::enumerate(places)) {
    for (auto [tap, weight] : llvm::enumerate(taps.weights)) {
      int64_t index = taps.first + static_cast<int64_t>(tap);
      matrix[std::clamp<int64_t>(index, 0, from - 1) * to + place] += weight;
    }
  }
  Tensor weights =
      node.constantTensor(matrix, {from, to}, input.getElementType());
  SmallVector<int64_t> perm;
  for (int64_t dim = 0; dim < input.getRank(); ++dim) {
    if (dim != axis.axis) {
      perm.push_back(dim);
    }
  }
  perm.push_back(axis.axis);
  Tensor moved = node.transpose(input, perm);
  auto rows =
      checkedProduct(node.getDimTable(), ArrayRef<Dim>(moved.dims).drop_back());
  auto flat = node.reshape(moved, {*rows, axis.from});
  auto product = failed(flat) ? flat : node.multiply(*flat, weights);
  if (failed(product)) {
    return failure();
  }
  SmallVector<Dim, 4> dims = moved.dims;
  dims.back() = to;
  auto shaped = node.reshape(*product, dims);
  if (failed(shaped)) {
    return failure();
  }
  SmallVector<int64_t> back(perm.size());
  for (auto [position, dim] : llvm::enumerate(perm)) {
    back[dim] = position;
  }
  return node.transpose(*shaped, back);
}

/// What `resampled` holds where the coordinate is inside of the dim, else the
/// node's extrapolation value.
static FailureOr<Tensor> extrapolate(NodeImporter &node, const Sampling &how,
                                     const ResampledAxis &axis,
                                     const Tensor &resampled) {
  SmallVector<double> inside;
  double last = axis.from.getStatic() - 1.0;
  for (int64_t x = 0, e = axis.to.getStatic(); x < e; ++x) {
    double coordinate = getCoordinate(how, axis, x);
    inside.push_back(coordinate >= 0 && coordinate <= last ? 1 : 0);
  }
  if (!llvm::is_contained(inside, 0)) {
    return resampled;
  }
  SmallVector<Dim, 4> column(resampled.getRank() - axis.axis, Dim(1));
  column.front() = axis.to;
  Tensor mask = node.constantTensor(inside, axis.to.getStatic(),
                                    node.getBuilder().getI1Type());
  auto shaped = node.reshape(mask, column);
  auto wide = failed(shaped) ? shaped : node.broadcast(*shaped, resampled.dims);
  if (failed(wide)) {
    return failure();
  }
  return node.select(*wide, resampled, node.splat(how.outside, resampled));
}

static FailureOr<Tensor> resampleStatic(NodeImporter &node, const Sampling &how,
                                        const ResampledAxis &axis,
                                        const Tensor &input) {
  constexpr size_t kMostGathers = 4;
  if (axis.from.is(0) && !axis.to.is(0)) {
    return node.emitError() << "expected elements to resize, but got "
                            << node.toString(input.dims);
  }
  SmallVector<Taps> places;
  size_t count = 0;
  for (int64_t x = 0, e = axis.to.getStatic(); x < e; ++x) {
    places.push_back(getTaps(how, axis, getCoordinate(how, axis, x)));
    count = std::max(count, places.back().weights.size());
  }
  auto resampled = count > kMostGathers
                       ? multiplyTaps(node, input, axis, places)
                       : sumTaps(node, input, axis, places);
  bool extrapolates = how.coordinates == "tf_crop_and_resize";
  return failed(resampled) || !extrapolates
             ? resampled
             : extrapolate(node, how, axis, *resampled);
}

//===----------------------------------------------------------------------===//
// One dim of dynamic size
//===----------------------------------------------------------------------===//

/// The coordinates in the input of all places, as f32; only for modes whose
/// coordinates do not depend on the size.
static FailureOr<Tensor> makeCoordinates(NodeImporter &node,
                                         const Sampling &how,
                                         const ResampledAxis &axis) {
  bool isHalf = how.coordinates == "half_pixel";
  bool isAsymmetric = how.coordinates == "asymmetric";
  if (!isHalf && !isAsymmetric && how.coordinates != "tf_half_pixel_for_nn") {
    return node.emitError() << "expected static sizes for "
                               "coordinate_transformation_mode '"
                            << how.coordinates << "'";
  }
  Tensor x = node.positions({axis.to}, 0, node.getBuilder().getF32Type());
  x = isAsymmetric ? x : node.plus(x, 0.5);
  x = node.apply<DivOp>(x, node.splat(axis.scale, x));
  return isHalf ? node.plus(x, -0.5) : x;
}

/// The elements of `input` at the places `coordinate`, which are whole numbers.
static FailureOr<Tensor> gatherAt(NodeImporter &node, const Tensor &input,
                                  const ResampledAxis &axis,
                                  const Tensor &coordinate) {
  // Above the dim a gather reads the last element.
  Tensor index = node.cast(coordinate, node.getBuilder().getI64Type());
  index = node.apply<MaxOp>(index, node.splat(0, index));
  return node.gather(input, index, axis.axis);
}

static FailureOr<Tensor> resampleDynamic(NodeImporter &node,
                                         const Sampling &how,
                                         const ResampledAxis &axis,
                                         const Tensor &input) {
  if (how.mode == "cubic" || how.excludeOutside || how.antialias) {
    return node.emitError() << "expected static sizes for mode 'cubic', "
                               "exclude_outside and antialias";
  }
  auto coordinate = makeCoordinates(node, how, axis);
  if (failed(coordinate)) {
    return failure();
  }
  Tensor x = *coordinate;
  if (how.mode == "nearest") {
    Tensor place = how.nearest == "floor"  ? node.apply<FloorOp>(x)
                   : how.nearest == "ceil" ? node.apply<CeilOp>(x)
                   : how.nearest == "round_prefer_ceil"
                       ? node.apply<FloorOp>(node.plus(x, 0.5))
                       : node.apply<CeilOp>(node.plus(x, -0.5));
    return gatherAt(node, input, axis, place);
  }
  Tensor base = node.apply<FloorOp>(x);
  auto low = gatherAt(node, input, axis, base);
  auto high = gatherAt(node, input, axis, node.plus(base, 1));
  SmallVector<Dim, 4> column(input.getRank() - axis.axis, Dim(1));
  column.front() = axis.to;
  Tensor ratio = node.cast(node.apply<SubOp>(x, base), input.getElementType());
  auto shaped = node.reshape(ratio, column);
  if (failed(low) || failed(high) || failed(shaped)) {
    return failure();
  }
  auto wide = node.broadcast(*shaped, low->dims);
  if (failed(wide)) {
    return failure();
  }
  Tensor rest = node.apply<SubOp>(node.splat(1, *wide), *wide);
  return node.apply<AddOp>(node.apply<MulOp>(*low, rest),
                           node.apply<MulOp>(*high, *wide));
}

LogicalResult onnx::resample(NodeImporter &node, const Sampling &how,
                             ArrayRef<ResampledAxis> axes) {
  auto input = node.tensor(0);
  if (failed(input)) {
    return failure();
  }
  bool isInterpolated = how.mode != "nearest";
  Type elementType = input->getElementType();
  bool isFloat = isa<FloatType>(elementType);
  Tensor result = *input;
  if (isInterpolated) {
    result = isFloat ? node.widen(result)
                     : node.cast(result, node.getBuilder().getF32Type());
  }
  for (const ResampledAxis &axis : axes) {
    bool isStatic = axis.from.isStatic() && axis.to.isStatic();
    bool extrapolates = how.coordinates == "tf_crop_and_resize";
    if (axis.from == axis.to && axis.scale == 1 && !extrapolates) {
      continue;
    }
    auto next = isStatic ? resampleStatic(node, how, axis, result)
                         : resampleDynamic(node, how, axis, result);
    if (failed(next)) {
      return failure();
    }
    result = *next;
  }
  return node.setResult(isFloat ? node.narrow(result, elementType)
                                : node.cast(result, elementType));
}
