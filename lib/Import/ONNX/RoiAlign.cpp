//===- RoiAlign.cpp - regions of images, pooled ---------------------------===//

#include "OpRegistry.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::onnx;

namespace {

/// What the attributes say.
struct RoiPooling {
  int64_t height, width, samples;
  double scale, offset;
  bool isMax, atLeastOne;
};

/// The two elements of one dim beside each sample, and their weights. All are
/// [regions, places, samples].
struct Neighbours {
  Tensor low, high;             ///< i64
  Tensor lowWeight, highWeight; ///< 0 where the sample is outside
};

} // namespace

static FailureOr<RoiPooling> readRoiPooling(NodeImporter &node) {
  RoiPooling how;
  how.height = node.getInt("output_height", 1);
  how.width = node.getInt("output_width", 1);
  how.samples = node.getInt("sampling_ratio", 0);
  how.scale = node.getFloat("spatial_scale", 1);
  std::string mode = node.getString("mode", "avg");
  bool isOld = node.getOpset() < 16;
  std::string coordinates =
      isOld ? "output_half_pixel"
            : node.getString("coordinate_transformation_mode", "half_pixel");
  if ((mode != "avg" && mode != "max") ||
      (coordinates != "half_pixel" && coordinates != "output_half_pixel")) {
    return node.emitError()
           << "mode '" << mode << "' with coordinate_transformation_mode '"
           << coordinates << "' is not supported";
  }
  auto isNoSize = [](int64_t size) { return size < 1 || size > 4096; };
  if (isNoSize(how.height) || isNoSize(how.width)) {
    return node.emitError() << "expected an output size of 1 to 4096, but got "
                            << how.height << " and " << how.width;
  }
  if (isNoSize(how.samples)) {
    return node.emitError()
           << "expected a sampling_ratio of 1 to 4096 (with 0 the number of "
              "samples depends on the regions), but got "
           << how.samples;
  }
  how.isMax = mode == "max";
  how.offset = coordinates == "half_pixel" ? 0.5 : 0;
  how.atLeastOne = coordinates != "half_pixel";
  return how;
}

/// Where the samples of all regions stand along a dim of size `size`:
/// `places` times `samples` between `start` and `end`, both [regions].
static FailureOr<Neighbours>
findNeighbours(NodeImporter &node, const RoiPooling &how, const Tensor &start,
               const Tensor &end, int64_t places, int64_t size) {
  Type type = start.getElementType();
  Tensor from = node.plus(node.times(start, how.scale), -how.offset);
  Tensor to = node.plus(node.times(end, how.scale), -how.offset);
  Tensor extent = node.apply<SubOp>(to, from);
  if (how.atLeastOne) {
    extent = node.apply<MaxOp>(extent, node.splat(1, extent));
  }
  // Samples stand in the middle of equal parts.
  SmallVector<double> parts;
  int64_t count = places * how.samples;
  for (int64_t i = 0; i < count; ++i) {
    parts.push_back((i + 0.5) / static_cast<double>(count));
  }
  SmallVector<Dim, 4> dims = {start.dims[0], Dim(places), Dim(how.samples)};
  auto perRegion = [&](const Tensor &x) -> FailureOr<Tensor> {
    auto column = node.reshape(x, {x.dims[0], Dim(1), Dim(1)});
    return failed(column) ? column : node.broadcast(*column, dims);
  };
  auto wideFrom = perRegion(from), wideExtent = perRegion(extent);
  auto wideParts = node.broadcast(
      node.constantTensor(parts, {places, how.samples}, type), dims);
  if (failed(wideFrom) || failed(wideExtent) || failed(wideParts)) {
    return failure();
  }
  Tensor x =
      node.apply<AddOp>(*wideFrom, node.apply<MulOp>(*wideExtent, *wideParts));
  auto length = static_cast<double>(size);
  Tensor isInside =
      node.apply<AndOp>(node.compareTo(ComparePredicate::ge, x, -1),
                        node.compareTo(ComparePredicate::le, x, length));
  x = node.limit(x, 0, length - 1);
  Tensor base = node.apply<FloorOp>(x);
  Tensor next = node.limit(node.plus(base, 1), 0, length - 1);
  Tensor ratio = node.apply<SubOp>(x, base);
  Tensor rest = node.apply<SubOp>(node.splat(1, ratio), ratio);
  Tensor zero = node.splat(0, ratio);
  Type i64 = node.getBuilder().getI64Type();
  return Neighbours{node.cast(base, i64), node.cast(next, i64),
                    node.select(isInside, rest, zero),
                    node.select(isInside, ratio, zero)};
}

/// Reads [regions, height, width, samples, samples, channels] at one neighbour
/// of each dim, times its weight. `rows` are the image's places.
static FailureOr<Tensor> readNeighbours(NodeImporter &node, const Tensor &rows,
                                        const Tensor &firstRow, const Tensor &y,
                                        const Tensor &x, const Tensor &yWeight,
                                        const Tensor &xWeight, int64_t width) {
  SmallVector<Dim, 4> dims = {y.dims[0], y.dims[1], x.dims[1], y.dims[2],
                              x.dims[2]};
  auto spreadY = [&](const Tensor &t) -> FailureOr<Tensor> {
    auto shaped =
        node.reshape(t, {t.dims[0], t.dims[1], Dim(1), t.dims[2], Dim(1)});
    return failed(shaped) ? shaped : node.broadcast(*shaped, dims);
  };
  auto spreadX = [&](const Tensor &t) -> FailureOr<Tensor> {
    auto shaped =
        node.reshape(t, {t.dims[0], Dim(1), t.dims[1], Dim(1), t.dims[2]});
    return failed(shaped) ? shaped : node.broadcast(*shaped, dims);
  };
  auto first = node.reshape(firstRow,
                            {firstRow.dims[0], Dim(1), Dim(1), Dim(1), Dim(1)});
  auto wideFirst = failed(first) ? first : node.broadcast(*first, dims);
  auto wideY = spreadY(y), wideX = spreadX(x);
  auto factorY = spreadY(yWeight), factorX = spreadX(xWeight);
  if (failed(wideFirst) || failed(wideY) || failed(wideX) || failed(factorY) ||
      failed(factorX)) {
    return failure();
  }
  Tensor place = node.apply<AddOp>(
      node.apply<AddOp>(node.times(*wideY, width), *wideX), *wideFirst);
  auto values = node.gather(rows, place, 0);
  if (failed(values)) {
    return failure();
  }
  auto weight = node.unsqueeze(node.apply<MulOp>(*factorY, *factorX), 5);
  auto wideWeight =
      failed(weight) ? weight : node.broadcast(*weight, values->dims);
  return failed(wideWeight)
             ? wideWeight
             : FailureOr<Tensor>(node.apply<MulOp>(*values, *wideWeight));
}

/// The image as [batch * height * width, channels].
static FailureOr<Tensor> toRows(NodeImporter &node, const Tensor &image) {
  Tensor last = node.transpose(image, {0, 2, 3, 1});
  auto count =
      checkedProduct(node.getDimTable(), ArrayRef<Dim>(last.dims).drop_back());
  return node.reshape(last, {*count, last.dims[3]});
}

static LogicalResult checkRoiInputs(NodeImporter &node, ArrayRef<Tensor> all) {
  bool fits = all[0].getRank() == 4 && all[0].dims[2].isStatic() &&
              all[0].dims[3].isStatic() && all[1].getRank() == 2 &&
              all[1].dims[1].is(4) && all[2].getRank() == 1 &&
              all[1].dims[0] == all[2].dims[0] &&
              isa<FloatType>(all[0].getElementType()) &&
              all[0].getElementType() == all[1].getElementType();
  return fits ? success()
              : LogicalResult(node.emitError()
                              << "expected an image of rank 4 with static "
                                 "spatial dims, and 4 coordinates and an index "
                                 "for each region, but got "
                              << all[0].getType() << ", " << all[1].getType()
                              << " and " << all[2].getType());
}

static LogicalResult convertRoiAlign(NodeImporter &node) {
  auto how = readRoiPooling(node);
  auto inputs = node.tensors();
  if (failed(how) || failed(inputs) || failed(checkRoiInputs(node, *inputs))) {
    return failure();
  }
  Tensor image = node.widen((*inputs)[0]), regions = node.widen((*inputs)[1]);
  int64_t height = image.dims[2].getStatic(), width = image.dims[3].getStatic();
  SmallVector<Tensor> corners; // x1, y1, x2, y2
  for (int64_t i = 0; i < 4; ++i) {
    auto corner = node.take(regions, 1, i);
    if (failed(corner)) {
      return failure();
    }
    corners.push_back(*corner);
  }
  auto y =
      findNeighbours(node, *how, corners[1], corners[3], how->height, height);
  auto x =
      findNeighbours(node, *how, corners[0], corners[2], how->width, width);
  auto rows = toRows(node, image);
  if (failed(y) || failed(x) || failed(rows)) {
    return failure();
  }
  Tensor batch = node.cast((*inputs)[2], node.getBuilder().getI64Type());
  Tensor firstRow = node.times(batch, static_cast<double>(height * width));
  std::optional<Tensor> joined;
  for (bool lowY : {true, false}) {
    for (bool lowX : {true, false}) {
      auto term = readNeighbours(node, *rows, firstRow, lowY ? y->low : y->high,
                                 lowX ? x->low : x->high,
                                 lowY ? y->lowWeight : y->highWeight,
                                 lowX ? x->lowWeight : x->highWeight, width);
      if (failed(term)) {
        return failure();
      }
      // The largest of the weighted neighbours, as in ONNX's reference.
      joined = !joined      ? *term
               : how->isMax ? node.apply<MaxOp>(*joined, *term)
                            : node.apply<AddOp>(*joined, *term);
    }
  }
  auto pooled = node.reduce(how->isMax ? ReduceKind::max : ReduceKind::mean,
                            *joined, {3, 4}, /*keepDims=*/false);
  return failed(pooled)
             ? failure()
             : node.setResult(node.narrow(node.transpose(*pooled, {0, 3, 1, 2}),
                                          (*inputs)[0].getElementType()));
}

void onnx::addRoiAlignOps(OpRegistry &registry) {
  registry.add("RoiAlign", 10, {3, 3}, convertRoiAlign);
}
