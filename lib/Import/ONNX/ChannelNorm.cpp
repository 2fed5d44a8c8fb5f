//===- ChannelNorm.cpp - normalization per channel, instance or row -------===//

#include "OpRegistry.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::onnx;

/// Refuses inputs that are not floats; the first has `rank` dims or more.
static FailureOr<SmallVector<Tensor>> readFloats(NodeImporter &node,
                                                 int64_t rank) {
  auto inputs = node.tensors();
  if (failed(inputs)) {
    return failure();
  }
  if (inputs->front().getRank() < rank) {
    return node.emitError() << "expected a rank of at least " << rank
                            << ", but got " << inputs->front().getRank();
  }
  for (const Tensor &input : *inputs) {
    if (!isa<FloatType>(input.getElementType())) {
      return node.emitError()
             << "expected floats, but got " << input.getElementType();
    }
  }
  return inputs;
}

/// The product of `dims`; they belong to a tensor that exists.
static Dim product(NodeImporter &node, ArrayRef<Dim> dims) {
  return *checkedProduct(node.getDimTable(), dims);
}

/// `x` times `scale` plus `bias`, one number of each per channel (dim 1).
static FailureOr<Tensor> scaleChannels(NodeImporter &node, const Tensor &x,
                                       const Tensor &scale,
                                       const Tensor &bias) {
  auto factor =
      node.broadcastChannels(node.cast(scale, x.getElementType()), x.dims);
  auto addend =
      node.broadcastChannels(node.cast(bias, x.getElementType()), x.dims);
  if (failed(factor) || failed(addend)) {
    return failure();
  }
  return node.apply<AddOp>(node.apply<MulOp>(x, *factor), *addend);
}

/// Normalizes the rows of a matrix.
static Tensor normalizeRows(NodeImporter &node, const Tensor &rows,
                            double epsilon) {
  auto op = LayerNormOp::create(node.getBuilder(), node.getLoc(),
                                rows.getType(), rows.value, Value(), Value(), 1,
                                APFloat(static_cast<float>(epsilon)));
  return {op.getResult(), rows.dims};
}

//===----------------------------------------------------------------------===//
// Instances and groups of channels
//===----------------------------------------------------------------------===//

/// Normalizes each of `count` equal parts of the channels of each element of
/// the batch.
static FailureOr<Tensor> normalizeParts(NodeImporter &node, const Tensor &x,
                                        const Dim &count, double epsilon) {
  DimTable &table = node.getDimTable();
  auto channels = table.exactQuotient(x.dims[1], count);
  if (!channels) {
    return node.emitError()
           << "expected " << table.toString(count)
           << " groups that divide the channels " << table.toString(x.dims[1]);
  }
  SmallVector<Dim> row = {*channels};
  llvm::append_range(row, ArrayRef<Dim>(x.dims).drop_front(2));
  auto rows =
      node.reshape(x, {product(node, {x.dims[0], count}), product(node, row)});
  if (failed(rows)) {
    return failure();
  }
  return node.reshape(normalizeRows(node, *rows, epsilon), x.dims);
}

static LogicalResult convertInstanceNorm(NodeImporter &node) {
  double epsilon = node.getFloat("epsilon", 1e-5f);
  node.ignore({"consumed_inputs"});
  auto inputs = readFloats(node, 3);
  if (failed(inputs)) {
    return failure();
  }
  ArrayRef<Tensor> all = *inputs;
  Tensor x = node.widen(all[0]);
  auto normalized = normalizeParts(node, x, x.dims[1], epsilon);
  if (failed(normalized)) {
    return failure();
  }
  auto result = scaleChannels(node, *normalized, all[1], all[2]);
  return failed(result)
             ? failure()
             : node.setResult(node.narrow(*result, all[0].getElementType()));
}

/// Repeats one number per group for each channel of it.
static FailureOr<Tensor> repeatGroups(NodeImporter &node, const Tensor &groups,
                                      const Dim &channels) {
  auto count = node.getDimTable().exactQuotient(channels, groups.dims[0]);
  auto column = node.reshape(groups, {groups.dims[0], 1});
  if (!count || failed(column)) {
    return node.emitError() << "expected groups that divide the channels";
  }
  auto wide = node.broadcast(*column, {groups.dims[0], *count});
  return failed(wide) ? wide : node.reshape(*wide, {channels});
}

/// Scale and bias belong to channels; before operator set 21 to groups.
static LogicalResult convertGroupNorm(NodeImporter &node) {
  double epsilon = node.getFloat("epsilon", 1e-5f);
  int64_t groups = node.getInt("num_groups", 0);
  int64_t stashType = node.getInt("stash_type", 1);
  auto inputs = readFloats(node, 3);
  if (failed(inputs)) {
    return failure();
  }
  if (groups < 1 || stashType != 1) {
    return node.emitError() << "expected num_groups of at least 1 and "
                               "stash_type = 1 (float), but got "
                            << groups << " and " << stashType;
  }
  ArrayRef<Tensor> all = *inputs;
  Tensor x = node.widen(all[0]);
  auto normalized = normalizeParts(node, x, groups, epsilon);
  if (failed(normalized)) {
    return failure();
  }
  FailureOr<Tensor> scale = all[1], bias = all[2];
  if (node.getOpset() < 21) {
    scale = repeatGroups(node, all[1], x.dims[1]);
    bias = repeatGroups(node, all[2], x.dims[1]);
    if (failed(scale) || failed(bias)) {
      return failure();
    }
  }
  auto result = scaleChannels(node, *normalized, *scale, *bias);
  return failed(result)
             ? failure()
             : node.setResult(node.narrow(*result, all[0].getElementType()));
}

//===----------------------------------------------------------------------===//
// Batches
//===----------------------------------------------------------------------===//

/// `momentum * old + (1 - momentum) * now`, of the type of `old`.
static FailureOr<Tensor> updateStatistic(NodeImporter &node, const Tensor &old,
                                         const Tensor &now, double momentum) {
  auto given = node.reshape(node.cast(old, now.getElementType()), now.dims);
  if (failed(given)) {
    return failure();
  }
  Tensor sum = node.apply<AddOp>(node.times(*given, momentum),
                                 node.times(now, 1 - momentum));
  return node.narrow(sum, old.getElementType());
}

/// With the statistics of this batch, which also update the running ones.
static LogicalResult trainBatchNorm(NodeImporter &node, ArrayRef<Tensor> all,
                                    double epsilon, double momentum) {
  Tensor x = node.widen(all[0]);
  SmallVector<int64_t> axes = {0};
  llvm::append_range(axes, llvm::seq<int64_t>(2, x.getRank()));
  auto mean = node.reduce(ReduceKind::mean, x, axes, /*keepDims=*/false);
  if (failed(mean)) {
    return failure();
  }
  auto wideMean = node.broadcastChannels(*mean, x.dims);
  if (failed(wideMean)) {
    return failure();
  }
  Tensor centered = node.apply<SubOp>(x, *wideMean);
  auto variance =
      node.reduce(ReduceKind::mean, node.apply<MulOp>(centered, centered), axes,
                  /*keepDims=*/false);
  if (failed(variance)) {
    return failure();
  }
  Tensor deviation = node.apply<SqrtOp>(node.plus(*variance, epsilon));
  auto divisor = node.broadcastChannels(deviation, x.dims);
  if (failed(divisor)) {
    return failure();
  }
  auto result = scaleChannels(node, node.apply<DivOp>(centered, *divisor),
                              all[1], all[2]);
  auto newMean = updateStatistic(node, all[3], *mean, momentum);
  auto newVariance = updateStatistic(node, all[4], *variance, momentum);
  if (failed(result) || failed(newMean) || failed(newVariance)) {
    return failure();
  }
  node.addResult(node.narrow(*result, all[0].getElementType()));
  node.addResult(*newMean);
  node.addResult(*newVariance);
  return success();
}

/// (x - mean) / sqrt(variance + epsilon) * scale + bias, with the statistics
/// that were measured in training, or those of the batch.
static LogicalResult convertBatchNorm(NodeImporter &node) {
  double epsilon = node.getFloat("epsilon", 1e-5f);
  double momentum = node.getFloat("momentum", 0.9f);
  bool isTraining = node.getInt("training_mode", 0) != 0;
  node.ignore({"is_test"});
  if (node.getInt("spatial", 1) != 1) {
    return node.emitError() << "expected spatial = 1";
  }
  auto inputs = readFloats(node, 2);
  if (failed(inputs)) {
    return failure();
  }
  ArrayRef<Tensor> all = *inputs;
  if (isTraining) {
    return trainBatchNorm(node, all, epsilon, momentum);
  }
  Tensor x = node.widen(all[0]);
  Tensor mean = node.cast(all[3], x.getElementType());
  Tensor variance = node.cast(all[4], x.getElementType());
  Tensor deviation = node.apply<SqrtOp>(node.plus(variance, epsilon));
  auto wideMean = node.broadcastChannels(mean, x.dims);
  auto divisor = node.broadcastChannels(deviation, x.dims);
  if (failed(wideMean) || failed(divisor)) {
    return failure();
  }
  Tensor normalized =
      node.apply<DivOp>(node.apply<SubOp>(x, *wideMean), *divisor);
  auto result = scaleChannels(node, normalized, all[1], all[2]);
  return failed(result)
             ? failure()
             : node.setResult(node.narrow(*result, all[0].getElementType()));
}

//===----------------------------------------------------------------------===//
// Others
//===----------------------------------------------------------------------===//

/// x / (bias + alpha / size * sum of x^2 over neighbouring channels)^beta
static LogicalResult convertLrn(NodeImporter &node) {
  double alpha = node.getFloat("alpha", 1e-4f);
  double beta = node.getFloat("beta", 0.75);
  double bias = node.getFloat("bias", 1);
  int64_t size = node.getInt("size", 0);
  auto inputs = readFloats(node, 2);
  if (failed(inputs)) {
    return failure();
  }
  if (size < 1 || size > 65536) {
    return node.emitError()
           << "expected a size of 1 to 65536, but got " << size;
  }
  Tensor x = node.widen(inputs->front());
  Dim places = product(node, ArrayRef<Dim>(x.dims).drop_front(2));
  auto flat = node.reshape(node.apply<MulOp>(x, x),
                           {x.dims[0], Dim(1), x.dims[1], places});
  if (failed(flat)) {
    return failure();
  }
  int64_t before = (size - 1) / 2, after = size - 1 - before;
  auto op =
      PoolOp::create(node.getBuilder(), node.getLoc(), flat->getType(),
                     ReduceKind::sum, flat->value, ArrayRef<int64_t>{size, 1},
                     ArrayRef<int64_t>{1, 1}, ArrayRef<int64_t>{1, 1},
                     ArrayRef<int64_t>{before, 0}, ArrayRef<int64_t>{after, 0});
  auto sum = node.reshape(Tensor{op.getResult(), flat->dims}, x.dims);
  if (failed(sum)) {
    return failure();
  }
  Tensor base = node.plus(node.times(*sum, alpha / size), bias);
  Tensor divisor = node.apply<PowOp>(base, node.splat(beta, base));
  return node.setResult(node.narrow(node.apply<DivOp>(x, divisor),
                                    inputs->front().getElementType()));
}

/// (x - mean) / (deviation + 1e-9) over `axes`.
static LogicalResult convertMeanVarianceNorm(NodeImporter &node) {
  SmallVector<int64_t> given =
      node.getInts("axes").value_or(SmallVector<int64_t>{0, 2, 3});
  auto inputs = readFloats(node, 0);
  if (failed(inputs)) {
    return failure();
  }
  Tensor x = node.widen(inputs->front());
  auto axes = node.normalizeAxes(given, x.getRank());
  if (failed(axes)) {
    return failure();
  }
  auto centre = [&](const Tensor &value) -> FailureOr<Tensor> {
    auto mean = node.reduce(ReduceKind::mean, value, *axes, /*keepDims=*/true);
    return failed(mean) ? mean : node.broadcast(*mean, value.dims);
  };
  auto mean = centre(x);
  if (failed(mean)) {
    return failure();
  }
  Tensor centered = node.apply<SubOp>(x, *mean);
  auto variance = centre(node.apply<MulOp>(centered, centered));
  if (failed(variance)) {
    return failure();
  }
  Tensor divisor = node.plus(node.apply<SqrtOp>(*variance), 1e-9);
  return node.setResult(node.narrow(node.apply<DivOp>(centered, divisor),
                                    inputs->front().getElementType()));
}

/// x over its norm along `axis`; 0 where that is 0.
static LogicalResult convertLpNorm(NodeImporter &node) {
  int64_t attribute = node.getInt("axis", -1), p = node.getInt("p", 2);
  auto inputs = readFloats(node, 1);
  if (failed(inputs)) {
    return failure();
  }
  if (p != 1 && p != 2) {
    return node.emitError() << "expected p to be 1 or 2, but got " << p;
  }
  Tensor x = node.widen(inputs->front());
  auto axis = node.normalizeAxis(attribute, x.getRank());
  if (failed(axis)) {
    return failure();
  }
  Tensor terms = p == 1 ? node.apply<AbsOp>(x) : node.apply<MulOp>(x, x);
  auto sum = node.reduce(ReduceKind::sum, terms, *axis, /*keepDims=*/true);
  if (failed(sum)) {
    return failure();
  }
  auto norm = node.broadcast(p == 1 ? *sum : node.apply<SqrtOp>(*sum), x.dims);
  if (failed(norm)) {
    return failure();
  }
  Tensor isZero = node.compareTo(ComparePredicate::eq, *norm, 0);
  Tensor result =
      node.select(isZero, node.splat(0, x), node.apply<DivOp>(x, *norm));
  return node.setResult(node.narrow(result, inputs->front().getElementType()));
}

void onnx::addChannelNormOps(OpRegistry &registry) {
  registry.add("BatchNormalization", 7, {5, 5}, convertBatchNorm);
  registry.add("InstanceNormalization", 6, {3, 3}, convertInstanceNorm);
  registry.add("GroupNormalization", 18, {3, 3}, convertGroupNorm);
  registry.add("LRN", 1, {1, 1}, convertLrn);
  registry.add("MeanVarianceNormalization", 9, {1, 1}, convertMeanVarianceNorm);
  registry.add("LpNormalization", 1, {1, 1}, convertLpNorm);
}
