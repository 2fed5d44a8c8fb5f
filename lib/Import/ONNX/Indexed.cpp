//===- Indexed.cpp - gathers and scatters along several dims --------------===//

#include "OpRegistry.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::onnx;

/// The attribute `reduction`.
static FailureOr<ScatterKind> readReduction(NodeImporter &node) {
  std::string name = node.getString("reduction", "none");
  auto kind = llvm::StringSwitch<std::optional<ScatterKind>>(name)
                  .Case("none", ScatterKind::replace)
                  .Case("add", ScatterKind::add)
                  .Case("mul", ScatterKind::mul)
                  .Case("max", ScatterKind::max)
                  .Case("min", ScatterKind::min)
                  .Default(std::nullopt);
  if (!kind) {
    return node.emitError() << "reduction '" << name << "' is not supported";
  }
  return *kind;
}

/// Refuses updates of another type than `input`, and sums of truth values.
static LogicalResult checkScattered(NodeImporter &node, ScatterKind kind,
                                    const Tensor &input,
                                    const Tensor &updates) {
  Type type = input.getElementType();
  if (updates.getElementType() != type) {
    return node.emitError() << "expected data and updates of one element type, "
                               "but got "
                            << type << " and " << updates.getElementType();
  }
  bool isArithmetic = kind == ScatterKind::add || kind == ScatterKind::mul;
  if (type.isInteger(1) && isArithmetic) {
    return node.emitError()
           << "expected numbers to add or multiply, but got " << type;
  }
  return success();
}

static LogicalResult convertScatterElements(NodeImporter &node) {
  int64_t attribute = node.getInt("axis", 0);
  auto kind = readReduction(node);
  auto input = node.tensor(0), indices = node.tensor(1),
       updates = node.tensor(2);
  if (failed(kind) || failed(input) || failed(indices) || failed(updates) ||
      failed(checkScattered(node, *kind, *input, *updates))) {
    return failure();
  }
  auto axis = node.normalizeAxis(attribute, input->getRank());
  if (failed(axis)) {
    return failure();
  }
  if (indices->dims != updates->dims) {
    return node.emitError() << "expected indices and updates of one shape, but "
                               "got "
                            << node.toString(indices->dims) << " and "
                            << node.toString(updates->dims);
  }
  auto op = ScatterElementsOp::create(node.getBuilder(), node.getLoc(),
                                      input->getType(), *kind, input->value,
                                      indices->value, updates->value, *axis);
  return node.setResult(Tensor{op.getResult(), input->dims});
}

static LogicalResult convertScatterNd(NodeImporter &node) {
  auto kind = readReduction(node);
  auto input = node.tensor(0), indices = node.tensor(1),
       updates = node.tensor(2);
  if (failed(kind) || failed(input) || failed(indices) || failed(updates) ||
      failed(checkScattered(node, *kind, *input, *updates))) {
    return failure();
  }
  if (indices->dims.empty() || !indices->dims.back().isStatic() ||
      indices->dims.back().getStatic() > input->getRank()) {
    return node.emitError()
           << "expected the last size of the indices to be a number of dims of "
           << node.toString(input->dims) << ", but got indices of shape "
           << node.toString(indices->dims);
  }
  int64_t count = indices->dims.back().getStatic();
  SmallVector<Dim, 4> expected(ArrayRef<Dim>(indices->dims).drop_back());
  llvm::append_range(expected, ArrayRef<Dim>(input->dims).drop_front(count));
  if (updates->dims != expected) {
    return node.emitError()
           << "expected updates of shape " << node.toString(expected)
           << ", but got " << node.toString(updates->dims);
  }
  auto op =
      ScatterNdOp::create(node.getBuilder(), node.getLoc(), input->getType(),
                          *kind, input->value, indices->value, updates->value);
  return node.setResult(Tensor{op.getResult(), input->dims});
}

/// The slices of `input` at the tuples in `indices`.
static FailureOr<Tensor> gatherNd(NodeImporter &node, const Tensor &input,
                                  const Tensor &indices, int64_t batch) {
  if (indices.dims.empty() || !indices.dims.back().isStatic() || batch < 0 ||
      batch >= indices.getRank() ||
      batch + indices.dims.back().getStatic() > input.getRank()) {
    return node.emitError()
           << "expected the last size of the indices to be a number of dims of "
           << node.toString(input.dims) << " from dim " << batch
           << " on, but got indices of shape " << node.toString(indices.dims);
  }
  for (int64_t dim = 0; dim < batch; ++dim) {
    if (input.dims[dim] != indices.dims[dim]) {
      return node.emitError() << "expected the first " << batch
                              << " sizes of data and indices to agree, but got "
                              << node.toString(input.dims) << " and "
                              << node.toString(indices.dims);
    }
  }
  SmallVector<Dim, 4> dims(ArrayRef<Dim>(indices.dims).drop_back());
  llvm::append_range(dims,
                     ArrayRef<Dim>(input.dims)
                         .drop_front(batch + indices.dims.back().getStatic()));
  auto type = node.typeFor(dims, input.getElementType());
  if (failed(type)) {
    return failure();
  }
  auto op = GatherNdOp::create(node.getBuilder(), node.getLoc(), *type,
                               input.value, indices.value, batch);
  return Tensor{op.getResult(), dims};
}

static LogicalResult convertGatherNd(NodeImporter &node) {
  int64_t batch = node.getInt("batch_dims", 0);
  auto input = node.tensor(0), indices = node.tensor(1);
  if (failed(input) || failed(indices)) {
    return failure();
  }
  return node.setResult(gatherNd(node, *input, *indices, batch));
}

//===----------------------------------------------------------------------===//
// Positions that differ from batch to batch
//===----------------------------------------------------------------------===//

/// Reverses the first so many elements along the time axis, for each batch.
static LogicalResult convertReverseSequence(NodeImporter &node) {
  int64_t time = node.getInt("time_axis", 0);
  int64_t batch = node.getInt("batch_axis", 1);
  auto input = node.tensor(0), lengths = node.tensor(1);
  if (failed(input) || failed(lengths)) {
    return failure();
  }
  if (time + batch != 1 || time * batch != 0 || input->getRank() < 2) {
    return node.emitError()
           << "expected 0 and 1 as the batch and the time axis, in any order";
  }
  if (lengths->dims != ArrayRef<Dim>(input->dims[batch])) {
    return node.emitError()
           << "expected one length for each of "
           << node.toString(input->dims[batch]) << " batches, but got "
           << node.toString(lengths->dims);
  }
  SmallVector<int64_t> perm =
      llvm::to_vector(llvm::seq<int64_t>(0, input->getRank()));
  if (time == 0) {
    std::swap(perm[0], perm[1]);
  }
  Tensor rows = node.transpose(*input, perm);
  SmallVector<Dim, 4> dims = {rows.dims[0], rows.dims[1]};
  Tensor length = node.cast(*lengths, node.getBuilder().getI64Type());
  auto column = node.reshape(length, {rows.dims[0], 1});
  auto wide = failed(column) ? column : node.broadcast(*column, dims);
  if (failed(wide)) {
    return failure();
  }
  Tensor position = node.positions(dims, 1, length.getElementType());
  Tensor mirrored = node.plus(node.apply<SubOp>(*wide, position), -1);
  Tensor isReversed = node.compare(ComparePredicate::lt, position, *wide);
  auto indices = node.unsqueeze(node.select(isReversed, mirrored, position), 2);
  auto reversed = failed(indices) ? FailureOr<Tensor>(failure())
                                  : gatherNd(node, rows, *indices, 1);
  return failed(reversed) ? failure()
                          : node.setResult(node.transpose(*reversed, perm));
}

/// A cache in which each batch has an update from its own place on.
static LogicalResult convertTensorScatter(NodeImporter &node) {
  int64_t attribute = node.getInt("axis", -2);
  std::string mode = node.getString("mode", "linear");
  auto cache = node.tensor(0), update = node.tensor(1);
  if (failed(cache) || failed(update)) {
    return failure();
  }
  auto axis = node.normalizeAxis(attribute, cache->getRank());
  if (failed(axis)) {
    return failure();
  }
  SmallVector<Dim, 4> expected = cache->dims;
  if (update->getRank() == cache->getRank()) {
    expected[*axis] = update->dims[*axis];
  }
  bool isCircular = mode == "circular";
  if (*axis == 0 || update->dims != expected ||
      update->getElementType() != cache->getElementType() ||
      (!isCircular && mode != "linear")) {
    return node.emitError() << "expected an update of the cache's type and "
                               "sizes but for an axis other than 0, and mode "
                               "'linear' or 'circular'";
  }
  Type i64 = node.getBuilder().getI64Type();
  Tensor place = node.positions(cache->dims, *axis, i64);
  if (node.hasInput(2)) {
    auto starts = node.tensor(2);
    if (failed(starts)) {
      return failure();
    }
    SmallVector<Dim, 4> column(cache->getRank(), Dim(1));
    column[0] = cache->dims[0];
    auto shaped = node.reshape(node.cast(*starts, i64), column);
    auto wide = failed(shaped) ? shaped : node.broadcast(*shaped, cache->dims);
    if (failed(wide)) {
      return failure();
    }
    place = node.apply<SubOp>(place, *wide);
  }
  const Dim &whole = cache->dims[*axis], &written = update->dims[*axis];
  if (!written.isStatic() || (isCircular && !whole.isStatic())) {
    return node.emitError() << "expected static sizes along the axis, but got "
                            << node.toString({whole, written});
  }
  if (isCircular) { // Counted from the start of the update, around the end.
    Tensor isBefore = node.compareTo(ComparePredicate::lt, place, 0);
    double size = static_cast<double>(whole.getStatic());
    place = node.select(isBefore, node.plus(place, size), place);
  }
  Tensor isWritten = node.apply<AndOp>(
      node.compareTo(ComparePredicate::ge, place, 0),
      node.compareTo(ComparePredicate::lt, place,
                     static_cast<double>(written.getStatic())));
  Tensor inside = node.select(isWritten, place, node.splat(0, place));
  Tensor taken = node.gatherElements(*update, inside, *axis);
  return node.setResult(node.select(isWritten, taken, *cache));
}

void onnx::addIndexedOps(OpRegistry &registry) {
  registry.add("GatherND", 11, {2, 2}, convertGatherNd);
  registry.add("ReverseSequence", 10, {2, 2}, convertReverseSequence);
  registry.add("Scatter", 9, {3, 3}, convertScatterElements);
  registry.add("ScatterElements", 11, {3, 3}, convertScatterElements);
  registry.add("ScatterND", 11, {3, 3}, convertScatterNd);
  registry.add("TensorScatter", 24, {2, 3}, convertTensorScatter);
}
