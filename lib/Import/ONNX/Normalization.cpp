//===- Normalization.cpp - softmax and the norms --------------------------===//

#include "OpRegistry.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::onnx;

//===----------------------------------------------------------------------===//
// Softmax
//===----------------------------------------------------------------------===//

template <typename OpTy>
static Tensor emitSoftmax(NodeImporter &node, const Tensor &input,
                          int64_t axis) {
  return {OpTy::create(node.getBuilder(), node.getLoc(), input.getType(),
                       input.value, axis)
              .getResult(),
          input.dims};
}

template <typename OpTy>
static LogicalResult convertSoftmax(NodeImporter &node) {
  int64_t attribute = node.getInt("axis", -1);
  auto input = node.tensor(0);
  if (failed(input)) {
    return failure();
  }
  auto axis = node.normalizeAxis(attribute, input->getRank());
  return failed(axis) ? failure()
                      : node.setResult(emitSoftmax<OpTy>(node, *input, *axis));
}

/// Before operator set 13 the dims from `axis` on are one row.
template <typename OpTy>
static LogicalResult convertSoftmaxOfRows(NodeImporter &node) {
  int64_t attribute = node.getInt("axis", 1);
  auto input = node.tensor(0);
  if (failed(input)) {
    return failure();
  }
  // The axis may be the rank itself: rows of one element.
  int64_t rank = input->getRank();
  FailureOr<int64_t> split = node.normalizeSplitAxis(attribute, rank);
  if (failed(split)) {
    return failure();
  }
  int64_t axis = *split;
  if (axis == rank - 1) {
    return node.setResult(emitSoftmax<OpTy>(node, *input, axis));
  }
  ArrayRef<Dim> dims = input->dims;
  DimTable &table = node.getDimTable();
  auto flat =
      node.reshape(*input, {*checkedProduct(table, dims.take_front(axis)),
                            *checkedProduct(table, dims.drop_front(axis))});
  if (failed(flat)) {
    return failure();
  }
  return node.setResult(
      node.reshape(emitSoftmax<OpTy>(node, *flat, 1), input->dims));
}

//===----------------------------------------------------------------------===//
// Layer and root mean square normalization
//===----------------------------------------------------------------------===//

namespace {
/// A norm over the trailing dims, and what follows it.
struct RowNorm {
  Tensor input;
  int64_t axis;
  APFloat epsilon;
  std::optional<Tensor> scale, bias;
};
} // namespace

/// Reads what LayerNormalization and RMSNormalization have in common.
static FailureOr<RowNorm> readRowNorm(NodeImporter &node) {
  int64_t attribute = node.getInt("axis", -1);
  double epsilon = node.getFloat("epsilon", 1e-5f);
  int64_t stashType = node.getInt("stash_type", 1);
  auto input = node.tensor(0);
  if (failed(input)) {
    return failure();
  }
  if (stashType != 1) {
    return node.emitError()
           << "expected stash_type = 1 (float), but got " << stashType;
  }
  auto axis = node.normalizeAxis(attribute, input->getRank());
  if (failed(axis)) {
    return failure();
  }
  RowNorm norm{*input, *axis, APFloat(static_cast<float>(epsilon)),
               std::nullopt, std::nullopt};
  for (auto [index, target] :
       {std::make_pair(1u, &norm.scale), std::make_pair(2u, &norm.bias)}) {
    if (!node.hasInput(index)) {
      continue;
    }
    auto operand = node.tensor(index);
    if (failed(operand)) {
      return failure();
    }
    if (operand->getElementType() != input->getElementType()) {
      return node.emitError() << "expected input " << index << " of type "
                              << input->getElementType() << ", but got "
                              << operand->getElementType();
    }
    *target = *operand;
  }
  return norm;
}

/// Broadcasts scale and bias to the row. Returns false if one is wider than a
/// row: then it does not belong to the norm.
static FailureOr<bool> fitToRow(NodeImporter &node, RowNorm &norm) {
  ArrayRef<Dim> row = ArrayRef<Dim>(norm.input.dims).drop_front(norm.axis);
  for (std::optional<Tensor> *operand : {&norm.scale, &norm.bias}) {
    if (!*operand) {
      continue;
    }
    // Leading dims of size 1 add nothing.
    ArrayRef<Dim> dims = (*operand)->dims;
    while (dims.size() > row.size() && dims.front().is(1)) {
      dims = dims.drop_front();
    }
    if (dims.size() > row.size()) {
      return false;
    }
    auto narrow = node.reshape(**operand, SmallVector<Dim>(dims));
    if (failed(narrow)) {
      return failure();
    }
    auto wide = node.broadcast(*narrow, row);
    if (failed(wide)) {
      return failure();
    }
    *operand = *wide;
  }
  return true;
}

/// `normalized` times scale plus bias, each broadcast to it.
static FailureOr<Tensor> scaleAndShift(NodeImporter &node, Tensor normalized,
                                       std::optional<Tensor> scale,
                                       std::optional<Tensor> bias) {
  if (scale) {
    auto wide = node.broadcast(*scale, normalized.dims);
    if (failed(wide)) {
      return failure();
    }
    normalized = node.apply<MulOp>(normalized, *wide);
  }
  if (bias) {
    auto wide = node.broadcast(*bias, normalized.dims);
    if (failed(wide)) {
      return failure();
    }
    normalized = node.apply<AddOp>(normalized, *wide);
  }
  return normalized;
}

static Value valueOf(const std::optional<Tensor> &tensor) {
  return tensor ? tensor->value : Value();
}

/// Layer normalization that also gives the mean and the inverse deviation of
/// each row: computed step by step.
static LogicalResult normalizeWithStatistics(NodeImporter &node,
                                             const RowNorm &norm) {
  Tensor x = node.widen(norm.input);
  auto axes = llvm::to_vector(llvm::seq<int64_t>(norm.axis, x.getRank()));
  auto mean = node.reduce(ReduceKind::mean, x, axes, /*keepDims=*/true);
  auto wideMean = failed(mean) ? mean : node.broadcast(*mean, x.dims);
  if (failed(wideMean)) {
    return failure();
  }
  Tensor centered = node.apply<SubOp>(x, *wideMean);
  auto variance =
      node.reduce(ReduceKind::mean, node.apply<MulOp>(centered, centered), axes,
                  /*keepDims=*/true);
  if (failed(variance)) {
    return failure();
  }
  Tensor inverse = node.apply<RsqrtOp>(
      node.plus(*variance, double(norm.epsilon.convertToFloat())));
  auto wideInverse = node.broadcast(inverse, x.dims);
  if (failed(wideInverse)) {
    return failure();
  }
  auto widen = [&](const std::optional<Tensor> &operand) {
    return operand ? std::optional<Tensor>(node.widen(*operand)) : operand;
  };
  auto result = scaleAndShift(node, node.apply<MulOp>(centered, *wideInverse),
                              widen(norm.scale), widen(norm.bias));
  if (failed(result)) {
    return failure();
  }
  node.addResult(node.narrow(*result, norm.input.getElementType()));
  node.addResult(*mean);
  node.addResult(inverse);
  return success();
}

static LogicalResult convertLayerNorm(NodeImporter &node) {
  auto norm = readRowNorm(node);
  if (failed(norm)) {
    return failure();
  }
  if (node.getNumOutputs() > 1) {
    return normalizeWithStatistics(node, *norm);
  }
  auto fits = fitToRow(node, *norm);
  if (failed(fits)) {
    return failure();
  }
  auto emit = [&](Value scale, Value bias) -> Tensor {
    auto op = LayerNormOp::create(node.getBuilder(), node.getLoc(),
                                  norm->input.getType(), norm->input.value,
                                  scale, bias, norm->axis, norm->epsilon);
    return {op.getResult(), norm->input.dims};
  };
  if (*fits) {
    return node.setResult(emit(valueOf(norm->scale), valueOf(norm->bias)));
  }
  return node.setResult(
      scaleAndShift(node, emit({}, {}), norm->scale, norm->bias));
}

static LogicalResult convertRmsNorm(NodeImporter &node) {
  auto norm = readRowNorm(node);
  if (failed(norm)) {
    return failure();
  }
  auto fits = fitToRow(node, *norm);
  if (failed(fits)) {
    return failure();
  }
  auto emit = [&](Value scale) -> Tensor {
    auto op = RmsNormOp::create(node.getBuilder(), node.getLoc(),
                                norm->input.getType(), norm->input.value, scale,
                                norm->axis, norm->epsilon);
    return {op.getResult(), norm->input.dims};
  };
  if (*fits) {
    return node.setResult(emit(valueOf(norm->scale)));
  }
  return node.setResult(
      scaleAndShift(node, emit({}), norm->scale, std::nullopt));
}

//===----------------------------------------------------------------------===//
// Hardmax
//===----------------------------------------------------------------------===//

/// 1 for the first largest element along `axis`, 0 for the others.
static FailureOr<Tensor> hardmax(NodeImporter &node, const Tensor &x,
                                 int64_t axis) {
  auto largest = node.reduce(ReduceKind::max, x, axis, /*keepDims=*/true);
  if (failed(largest)) {
    return failure();
  }
  auto wide = node.broadcast(*largest, x.dims);
  if (failed(wide)) {
    return failure();
  }
  Type i64 = node.getBuilder().getI64Type();
  Tensor position = node.positions(x.dims, axis, i64);
  Tensor isLargest = node.compare(ComparePredicate::eq, x, *wide);
  Tensor candidates =
      node.select(isLargest, position, node.splat(0x1p62, position));
  auto first =
      node.reduce(ReduceKind::min, candidates, axis, /*keepDims=*/true);
  if (failed(first)) {
    return failure();
  }
  auto wideFirst = node.broadcast(*first, x.dims);
  if (failed(wideFirst)) {
    return failure();
  }
  Tensor isFirst = node.compare(ComparePredicate::eq, position, *wideFirst);
  return node.cast(isFirst, x.getElementType());
}

static LogicalResult convertHardmax(NodeImporter &node) {
  int64_t attribute = node.getInt("axis", -1);
  auto input = node.tensor(0);
  if (failed(input)) {
    return failure();
  }
  auto axis = node.normalizeAxis(attribute, input->getRank());
  return failed(axis) ? failure()
                      : node.setResult(hardmax(node, *input, *axis));
}

/// Before operator set 13 the dims from `axis` on are one row.
static LogicalResult convertHardmaxOfRows(NodeImporter &node) {
  int64_t attribute = node.getInt("axis", 1);
  auto input = node.tensor(0);
  if (failed(input)) {
    return failure();
  }
  auto split = node.normalizeSplitAxis(attribute, input->getRank());
  if (failed(split)) {
    return failure();
  }
  ArrayRef<Dim> dims = input->dims;
  DimTable &table = node.getDimTable();
  auto flat =
      node.reshape(*input, {*checkedProduct(table, dims.take_front(*split)),
                            *checkedProduct(table, dims.drop_front(*split))});
  if (failed(flat)) {
    return failure();
  }
  auto result = hardmax(node, *flat, 1);
  return failed(result) ? failure()
                        : node.setResult(node.reshape(*result, input->dims));
}

void onnx::addNormalizationOps(OpRegistry &registry) {
  registry.add("Softmax", 1, {1, 1}, convertSoftmaxOfRows<SoftmaxOp>);
  registry.add("Softmax", 13, {1, 1}, convertSoftmax<SoftmaxOp>);
  registry.add("LogSoftmax", 1, {1, 1}, convertSoftmaxOfRows<LogSoftmaxOp>);
  registry.add("LogSoftmax", 13, {1, 1}, convertSoftmax<LogSoftmaxOp>);
  registry.add("LayerNormalization", 17, {2, 3}, convertLayerNorm);
  registry.add("RMSNormalization", 23, {2, 2}, convertRmsNorm);
  registry.add("Hardmax", 1, {1, 1}, convertHardmaxOfRows);
  registry.add("Hardmax", 13, {1, 1}, convertHardmax);
  // onnxruntime writes this op under both names of a domain.
  for (StringRef domain : {"", "com.microsoft"}) {
    registry.addTo(domain, "SimplifiedLayerNormalization", 1, {2, 2},
                   convertRmsNorm);
  }
}
