//===- Resize.cpp - Resize and Upsample -----------------------------------===//

#include "OpRegistry.h"
#include "Resampling.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::onnx;

/// Dims that are resampled to more places are refused.
static constexpr int64_t kLargestSize = 1 << 24;

/// The numbers of a constant float input.
static FailureOr<SmallVector<double>>
readNumbers(NodeImporter &node, unsigned index, StringRef what) {
  auto contents = node.constant(index, what);
  if (failed(contents)) {
    return failure();
  }
  if (!isa<FloatType>(contents->getElementType())) {
    return node.emitError()
           << "expected input " << index << " (" << what << ") to be floats";
  }
  SmallVector<double> numbers;
  for (APFloat value : contents->getValues<APFloat>()) {
    bool losesInfo = false;
    value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                  &losesInfo);
    numbers.push_back(value.convertToDouble());
  }
  return numbers;
}

/// The size that `scale` gives to a dim.
static FailureOr<ResampledAxis> scaleAxis(NodeImporter &node, int64_t axis,
                                          double scale) {
  Dim from = node.getDims(0)[axis];
  if (!(scale > 0) || !std::isfinite(scale)) {
    return node.emitError() << "expected positive scales";
  }
  if (from.isStatic()) {
    double exact = static_cast<double>(from.getStatic()) * scale;
    if (exact > kLargestSize) {
      return node.emitError() << "expected sizes of at most " << kLargestSize;
    }
    return ResampledAxis{axis, from, static_cast<int64_t>(std::floor(exact)),
                         scale, exact};
  }
  if (scale != std::floor(scale) || scale > INT32_MAX) {
    return node.emitError()
           << "expected whole scales of dims of dynamic size, but got "
           << std::to_string(scale);
  }
  Dim to = node.getDimTable().mul(from, static_cast<int64_t>(scale));
  return ResampledAxis{axis, from, to, scale, /*exactTo=*/0};
}

/// Dims of given sizes.
static FailureOr<SmallVector<ResampledAxis>> sizeAxes(NodeImporter &node,
                                                      ArrayRef<int64_t> axes,
                                                      ArrayRef<Dim> sizes,
                                                      StringRef policy) {
  SmallVector<ResampledAxis> all;
  for (auto [axis, size] : llvm::zip(axes, sizes)) {
    Dim from = node.getDims(0)[axis];
    if (from == size && policy == "stretch") {
      all.push_back(
          {axis, from, size, 1,
           static_cast<double>(size.isStatic() ? size.getStatic() : 0)});
      continue;
    }
    if (!from.isStatic() || !size.isStatic()) {
      return node.emitError()
             << "expected static sizes to resize, but got "
             << node.toString(from) << " to " << node.toString(size);
    }
    if (size.getStatic() < 0 || size.getStatic() > kLargestSize) {
      return node.emitError() << "expected sizes of at most " << kLargestSize
                              << ", but got " << node.toString(size);
    }
    double scale = static_cast<double>(size.getStatic()) / from.getStatic();
    all.push_back(
        {axis, from, size, scale, static_cast<double>(size.getStatic())});
  }
  if (policy == "stretch" || all.empty()) {
    return all;
  }
  double scale = all.front().scale;
  for (const ResampledAxis &axis : all) {
    scale = policy == "not_larger" ? std::min(scale, axis.scale)
                                   : std::max(scale, axis.scale);
  }
  for (ResampledAxis &axis : all) {
    double exact = scale * axis.from.getStatic();
    if (!(exact <= kLargestSize)) { // Catches what is no number, too.
      return node.emitError() << "expected sizes of at most " << kLargestSize;
    }
    axis.to = static_cast<int64_t>(std::floor(exact + 0.5));
    axis.scale = scale;
    axis.exactTo = exact;
  }
  return all;
}

static FailureOr<Sampling> readSampling(NodeImporter &node) {
  Sampling how;
  how.mode = node.getString("mode", "nearest");
  how.coordinates =
      node.getString("coordinate_transformation_mode", how.coordinates);
  how.nearest = node.getString("nearest_mode", how.nearest);
  how.cubicA = node.getFloat("cubic_coeff_a", -0.75);
  how.outside = node.getFloat("extrapolation_value", 0);
  how.excludeOutside = node.getInt("exclude_outside", 0) != 0;
  how.antialias = node.getInt("antialias", 0) != 0;
  constexpr StringLiteral kModes[] = {"nearest", "linear", "cubic"};
  constexpr StringLiteral kCoordinates[] = {
      "half_pixel",        "half_pixel_symmetric", "pytorch_half_pixel",
      "align_corners",     "asymmetric",           "tf_half_pixel_for_nn",
      "tf_crop_and_resize"};
  constexpr StringLiteral kNearest[] = {"round_prefer_floor",
                                        "round_prefer_ceil", "floor", "ceil"};
  auto check = [&](StringRef name, StringRef value,
                   ArrayRef<StringLiteral> known) -> LogicalResult {
    return llvm::is_contained(known, value)
               ? success()
               : LogicalResult(node.emitError() << name << " '" << value
                                                << "' is not supported");
  };
  if (failed(check("mode", how.mode, kModes)) ||
      failed(check("coordinate_transformation_mode", how.coordinates,
                   kCoordinates)) ||
      failed(check("nearest_mode", how.nearest, kNearest))) {
    return failure();
  }
  return how;
}

/// Resizes all dims by `scales`.
static LogicalResult resizeByScales(NodeImporter &node, const Sampling &how,
                                    ArrayRef<int64_t> axes,
                                    ArrayRef<double> scales,
                                    ArrayRef<double> regions) {
  if (scales.size() != axes.size()) {
    return node.emitError() << "expected " << axes.size() << " scales, but got "
                            << scales.size();
  }
  SmallVector<ResampledAxis> all;
  for (auto [index, axis] : llvm::enumerate(axes)) {
    auto one = scaleAxis(node, axis, scales[index]);
    if (failed(one)) {
      return failure();
    }
    if (!regions.empty()) {
      one->cropStart = regions[index];
      one->cropEnd = regions[axes.size() + index];
    }
    all.push_back(*one);
  }
  return resample(node, how, all);
}

/// Before operator set 11 places stand at multiples of 1 / scale.
static Sampling getLegacySampling(NodeImporter &node) {
  Sampling how;
  how.mode = node.getString("mode", "nearest");
  how.coordinates = "asymmetric";
  how.nearest = "floor";
  return how;
}

static LogicalResult convertUpsample(NodeImporter &node) {
  Sampling how = getLegacySampling(node);
  SmallVector<double> scales;
  if (node.getOpset() < 9) {
    auto given = node.getFloats("scales").value_or(SmallVector<float>());
    scales.assign(given.begin(), given.end());
  } else {
    auto given = readNumbers(node, 1, "scales");
    if (failed(given)) {
      return failure();
    }
    scales = *given;
  }
  if (how.mode != "nearest" && how.mode != "linear") {
    return node.emitError() << "mode '" << how.mode << "' is not supported";
  }
  auto axes = llvm::to_vector(llvm::seq<int64_t>(0, node.getDims(0).size()));
  return resizeByScales(node, how, axes, scales, {});
}

/// The axes that are resized: all by default.
static FailureOr<SmallVector<int64_t>> readAxes(NodeImporter &node) {
  int64_t rank = node.getDims(0).size();
  SmallVector<int64_t> axes;
  if (auto given = node.getInts("axes")) {
    // In the order of the sizes.
    for (int64_t axis : *given) {
      auto one = node.normalizeAxis(axis, rank);
      if (failed(one)) {
        return failure();
      }
      axes.push_back(*one);
    }
    return failed(node.normalizeAxes(*given, rank))
               ? FailureOr<SmallVector<int64_t>>(failure())
               : axes;
  }
  llvm::append_range(axes, llvm::seq<int64_t>(0, rank));
  return axes;
}

/// The part of the input that is resized: starts, then ends.
static FailureOr<SmallVector<double>>
readRegions(NodeImporter &node, const Sampling &how, size_t count) {
  if (how.coordinates != "tf_crop_and_resize") {
    return SmallVector<double>();
  }
  auto regions = readNumbers(node, 1, "roi");
  if (succeeded(regions) && regions->size() != 2 * count) {
    return node.emitError() << "expected " << 2 * count
                            << " numbers of roi, but got " << regions->size();
  }
  return regions;
}

static LogicalResult convertResize(NodeImporter &node) {
  auto how = readSampling(node);
  std::string policy = node.getString("keep_aspect_ratio_policy", "stretch");
  auto axes = readAxes(node);
  if (failed(how) || failed(axes)) {
    return failure();
  }
  auto regions = readRegions(node, *how, axes->size());
  if (failed(regions)) {
    return failure();
  }
  if (policy != "stretch" && policy != "not_larger" &&
      policy != "not_smaller") {
    return node.emitError()
           << "keep_aspect_ratio_policy '" << policy << "' is not supported";
  }
  if (!node.hasInput(3)) {
    auto scales = readNumbers(node, 2, "scales");
    return failed(scales)
               ? failure()
               : resizeByScales(node, *how, *axes, *scales, *regions);
  }
  auto sizes = node.integers(3, "sizes");
  if (failed(sizes)) {
    return failure();
  }
  if (sizes->size() != axes->size()) {
    return node.emitError() << "expected " << axes->size() << " sizes, but got "
                            << sizes->size();
  }
  auto all = sizeAxes(node, *axes, *sizes, policy);
  if (failed(all)) {
    return failure();
  }
  for (size_t index = 0; index < all->size() && !regions->empty(); ++index) {
    (*all)[index].cropStart = (*regions)[index];
    (*all)[index].cropEnd = (*regions)[axes->size() + index];
  }
  return resample(node, *how, *all);
}

/// Operator set 10: only scales, and places as in Upsample.
static LogicalResult convertLegacyResize(NodeImporter &node) {
  Sampling how = getLegacySampling(node);
  auto scales = readNumbers(node, 1, "scales");
  if (failed(scales)) {
    return failure();
  }
  if (how.mode != "nearest" && how.mode != "linear") {
    return node.emitError() << "mode '" << how.mode << "' is not supported";
  }
  auto axes = llvm::to_vector(llvm::seq<int64_t>(0, node.getDims(0).size()));
  return resizeByScales(node, how, axes, *scales, {});
}

void onnx::addResizeOps(OpRegistry &registry) {
  registry.add("Resize", 10, {2, 2}, convertLegacyResize);
  registry.add("Resize", 11, {1, 4}, convertResize);
  registry.add("Upsample", 7, {1, 2}, convertUpsample);
}
