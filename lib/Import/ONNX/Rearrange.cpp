//===- Rearrange.cpp - places of images put elsewhere ---------------------===//

#include "OpRegistry.h"
#include "Window.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::onnx;

//===----------------------------------------------------------------------===//
// Channels to places and back
//===----------------------------------------------------------------------===//

/// The input, of rank 4, and the block size.
static FailureOr<std::pair<Tensor, int64_t>> readBlocks(NodeImporter &node) {
  int64_t block = node.getInt("blocksize", 0);
  auto input = node.tensor(0);
  if (failed(input)) {
    return failure();
  }
  if (input->getRank() != 4 || block < 1 || block > 1024) {
    return node.emitError()
           << "expected rank 4 and a blocksize of 1 to 1024, but got rank "
           << input->getRank() << " and " << block;
  }
  return std::make_pair(*input, block);
}

/// `dim` over `by`; refuses what does not divide.
static FailureOr<Dim> divide(NodeImporter &node, const Dim &dim, int64_t by) {
  if (auto quotient = node.getDimTable().exactQuotient(dim, by)) {
    return *quotient;
  }
  return node.emitError() << "expected size '"
                          << node.getDimTable().toString(dim)
                          << "' to be a multiple of " << by;
}

/// Reshapes to `split`, permutes, reshapes to `joined`.
static LogicalResult setRearranged(NodeImporter &node, const Tensor &input,
                                   ArrayRef<Dim> split, ArrayRef<int64_t> perm,
                                   ArrayRef<Dim> joined) {
  auto parts = node.reshape(input, split);
  return failed(parts) ? failure()
                       : node.setResult(node.reshape(
                             node.transpose(*parts, perm), joined));
}

static LogicalResult convertDepthToSpace(NodeImporter &node) {
  std::string mode = node.getString("mode", "DCR");
  auto given = readBlocks(node);
  if (failed(given)) {
    return failure();
  }
  if (mode != "DCR" && mode != "CRD") {
    return node.emitError() << "mode '" << mode << "' is not supported";
  }
  auto [input, block] = *given;
  auto depth = divide(node, input.dims[1], block * block);
  if (failed(depth)) {
    return failure();
  }
  DimTable &table = node.getDimTable();
  Dim batch = input.dims[0], height = input.dims[2], width = input.dims[3];
  SmallVector<Dim> joined = {batch, *depth, table.mul(height, block),
                             table.mul(width, block)};
  if (mode == "DCR") {
    return setRearranged(node, input,
                         {batch, block, block, *depth, height, width},
                         {0, 3, 4, 1, 5, 2}, joined);
  }
  return setRearranged(node, input,
                       {batch, *depth, block, block, height, width},
                       {0, 1, 4, 2, 5, 3}, joined);
}

static LogicalResult convertSpaceToDepth(NodeImporter &node) {
  auto given = readBlocks(node);
  if (failed(given)) {
    return failure();
  }
  auto [input, block] = *given;
  auto height = divide(node, input.dims[2], block);
  auto width = divide(node, input.dims[3], block);
  if (failed(height) || failed(width)) {
    return failure();
  }
  Dim batch = input.dims[0], depth = input.dims[1];
  Dim joined = node.getDimTable().mul(depth, block * block);
  return setRearranged(node, input,
                       {batch, depth, *height, block, *width, block},
                       {0, 3, 5, 1, 2, 4}, {batch, joined, *height, *width});
}

/// Ones on the diagonal `k` of a matrix as large as the input.
static LogicalResult convertEyeLike(NodeImporter &node) {
  int64_t number = node.getInt("dtype", 0), diagonal = node.getInt("k", 0);
  Type type = node.getElementType(0);
  if (number != 0) {
    bool fits = number > 0 && number <= INT32_MAX;
    type =
        fits ? elementTypeFor(number, node.getBuilder().getContext()) : Type();
  }
  ArrayRef<Dim> dims = node.getDims(0);
  if (!type || dims.size() != 2) {
    return node.emitError() << "expected a matrix and a dtype that is "
                               "supported, but got rank "
                            << dims.size() << " and " << number;
  }
  Type i64 = node.getBuilder().getI64Type();
  Tensor distance = node.apply<SubOp>(node.positions(dims, 1, i64),
                                      node.positions(dims, 0, i64));
  Tensor hits = node.compareTo(ComparePredicate::eq, distance,
                               static_cast<double>(diagonal));
  return node.setResult(node.cast(hits, type));
}

//===----------------------------------------------------------------------===//
// Cropping and padding
//===----------------------------------------------------------------------===//

/// Crops or pads each axis, half of it at either end.
static LogicalResult convertCenterCropPad(NodeImporter &node) {
  auto input = node.tensor(0);
  auto sizes = node.staticIntegers(1, "shape");
  if (failed(input) || failed(sizes)) {
    return failure();
  }
  int64_t rank = input->getRank();
  SmallVector<int64_t> axes = node.getInts("axes").value_or(
      llvm::to_vector(llvm::seq<int64_t>(0, rank)));
  if (axes.size() != sizes->size()) {
    return node.emitError()
           << "expected " << axes.size() << " sizes, but got " << sizes->size();
  }
  SmallVector<int64_t> low(rank, 0), high(rank, 0);
  for (auto [given, size] : llvm::zip(axes, *sizes)) {
    auto axis = node.normalizeAxis(given, rank);
    if (failed(axis)) {
      return failure();
    }
    const Dim &dim = input->dims[*axis];
    if (!dim.isStatic()) {
      return node.emitError() << "expected a static size of axis " << *axis;
    }
    int64_t added = size - dim.getStatic();
    // An odd element is added at the end, or taken from the end.
    low[*axis] = added >= 0 ? added / 2 : -(-added / 2);
    high[*axis] = added - low[*axis];
  }
  return node.setResult(node.pad(*input, low, high, 0));
}

//===----------------------------------------------------------------------===//
// Windows put back into images
//===----------------------------------------------------------------------===//

/// The sizes of an image or window, of at most 3 dims.
static FailureOr<SmallVector<int64_t>>
readImageSizes(NodeImporter &node, unsigned index, StringRef what) {
  auto sizes = node.staticIntegers(index, what);
  auto isNoSize = [](int64_t size) { return size < 1 || size > 65535; };
  if (succeeded(sizes) &&
      (llvm::any_of(*sizes, isNoSize) || sizes->size() > 3)) {
    return node.emitError()
           << "expected " << what << " of up to 3 dims of 1 to 65535";
  }
  return sizes;
}

/// Filters of which number i of a channel is 1 at element i of the window.
static Tensor makeSelectors(NodeImporter &node, int64_t channels,
                            int64_t elements, ArrayRef<int64_t> shape,
                            Type elementType) {
  SmallVector<double> weights;
  for (int64_t i = 0; i < channels * elements * elements; ++i) {
    weights.push_back(i / elements % elements == i % elements ? 1 : 0);
  }
  return node.constantTensor(weights, shape, elementType);
}

/// Sums of windows, each at its place of the image: a transposed convolution
/// with one filter per element of the window.
static LogicalResult convertCol2Im(NodeImporter &node) {
  auto image = readImageSizes(node, 1, "image_shape");
  auto block = readImageSizes(node, 2, "block_shape");
  auto input = node.tensor(0);
  if (failed(image) || failed(block) || failed(input)) {
    return failure();
  }
  size_t count = image->size();
  auto strides = readEntries(node, "strides", count, 1);
  auto dilations = readEntries(node, "dilations", count, 1);
  auto pads = readEntries(node, "pads", 2 * count, 0);
  if (failed(strides) || failed(dilations) || failed(pads)) {
    return failure();
  }
  int64_t elements = llvm::product_of(*block);
  bool isPositive =
      llvm::all_of(llvm::concat<int64_t>(*strides, *dilations, *block),
                   [](int64_t entry) { return entry > 0; });
  if (input->getRank() != 3 || block->size() != count || !isPositive ||
      !input->dims[1].isStatic() || elements > 4096) {
    return node.emitError() << "expected batch x channels * window x places "
                               "and a window of at most 4096 elements, but got "
                            << node.toString(input->dims);
  }
  auto channels = divide(node, input->dims[1], elements);
  if (failed(channels)) {
    return failure();
  }
  SmallVector<Dim, 4> places = {input->dims[0], input->dims[1]};
  SmallVector<Dim, 4> dims = {input->dims[0], *channels};
  SmallVector<int64_t> low, high, shape = {channels->getStatic() * elements, 1};
  for (size_t i = 0; i < count; ++i) {
    int64_t extent = (*dilations)[i] * ((*block)[i] - 1) + 1;
    int64_t room = (*image)[i] + (*pads)[i] + (*pads)[count + i] - extent;
    if (room < 0) {
      return node.emitError() << "expected a window that fits into the image";
    }
    int64_t steps = room / (*strides)[i];
    places.push_back(steps + 1);
    dims.push_back((*image)[i]);
    low.push_back((*pads)[i]);
    high.push_back(steps * (*strides)[i] + extent - (*pads)[i] - (*image)[i]);
    shape.push_back((*block)[i]);
  }
  auto spatial = node.reshape(*input, places);
  auto type = node.typeFor(dims, input->getElementType());
  if (failed(spatial) || failed(type)) {
    return failure();
  }
  Tensor filters = makeSelectors(node, channels->getStatic(), elements, shape,
                                 input->getElementType());
  auto op = ConvTransposeOp::create(
      node.getBuilder(), node.getLoc(), *type, spatial->value, filters.value,
      *strides, *dilations, low, high, channels->getStatic());
  return node.setResult(Tensor{op.getResult(), dims});
}

/// The sizes that a pooling of these sizes came from.
static FailureOr<SmallVector<int64_t>> getUnpooledSizes(NodeImporter &node,
                                                        const Tensor &input) {
  size_t count = input.dims.size() - 2;
  auto kernel = readEntries(node, "kernel_shape", count, 1);
  auto strides = readEntries(node, "strides", count, 1);
  auto pads = readEntries(node, "pads", 2 * count, 0);
  if (failed(kernel) || failed(strides) || failed(pads)) {
    return failure();
  }
  if (!input.getType().hasStaticShape()) {
    return node.emitError()
           << "expected a static shape, but got " << node.toString(input.dims);
  }
  SmallVector<int64_t> sizes(input.getType().getShape().take_front(2));
  for (size_t i = 0; i < count; ++i) {
    sizes.push_back((input.dims[i + 2].getStatic() - 1) * (*strides)[i] +
                    (*kernel)[i] - (*pads)[i] - (*pads)[count + i]);
  }
  return sizes;
}

/// Puts each element at the place that its index names; zeros elsewhere.
static LogicalResult convertMaxUnpool(NodeImporter &node) {
  auto input = node.tensor(0), indices = node.tensor(1);
  if (failed(input) || failed(indices)) {
    return failure();
  }
  if (input->getRank() < 3 || input->dims != indices->dims) {
    return node.emitError() << "expected values and indices of one shape of "
                               "rank 3 or more, but got "
                            << node.toString(input->dims) << " and "
                            << node.toString(indices->dims);
  }
  auto sizes = getUnpooledSizes(node, *input);
  if (failed(sizes)) {
    return failure();
  }
  SmallVector<Dim, 4> dims(sizes->begin(), sizes->end());
  if (failed(node.typeFor(dims, input->getElementType()))) {
    return failure();
  }
  int64_t total = llvm::product_of(*sizes),
          count = input->getType().getNumElements();
  if (total < 1) {
    return node.emitError() << "expected paddings that leave places";
  }
  Type type = input->getElementType();
  auto zeros = node.broadcast(node.scalar(0, type), Dim(total));
  auto flat = node.reshape(*input, Dim(count));
  auto where = node.reshape(*indices, Dim(count));
  if (failed(zeros) || failed(flat) || failed(where)) {
    return failure();
  }
  auto op = ScatterElementsOp::create(
      node.getBuilder(), node.getLoc(), zeros->getType(), ScatterKind::replace,
      zeros->value, where->value, flat->value, 0);
  auto unpooled = node.reshape(Tensor{op.getResult(), {Dim(total)}}, dims);
  if (failed(unpooled) || !node.hasInput(2)) {
    return node.setResult(unpooled);
  }
  auto wanted = node.staticIntegers(2, "output_shape");
  if (failed(wanted)) {
    return failure();
  }
  SmallVector<int64_t> low(sizes->size(), 0), high;
  for (auto [from, to] : llvm::zip(*sizes, *wanted)) {
    high.push_back(to - from);
  }
  if (wanted->size() != sizes->size() ||
      llvm::any_of(high, [](int64_t added) { return added < 0; })) {
    return node.emitError() << "expected an output_shape that is not smaller "
                               "than "
                            << node.toString(dims);
  }
  return node.setResult(node.pad(*unpooled, low, high, 0));
}

void onnx::addRearrangeOps(OpRegistry &registry) {
  registry.add("CenterCropPad", 18, {2, 2}, convertCenterCropPad);
  registry.add("Col2Im", 18, {3, 3}, convertCol2Im);
  registry.add("DepthToSpace", 1, {1, 1}, convertDepthToSpace);
  registry.add("EyeLike", 9, {1, 1}, convertEyeLike);
  registry.add("MaxUnpool", 9, {2, 3}, convertMaxUnpool);
  registry.add("SpaceToDepth", 1, {1, 1}, convertSpaceToDepth);
}
