//===- Loss.cpp - losses of classifiers -----------------------------------===//

#include "OpRegistry.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::onnx;

namespace {
/// What the attributes of a loss say.
struct Loss {
  std::string reduction;
  std::optional<int64_t> ignored;
};
} // namespace

static FailureOr<Loss> readLoss(NodeImporter &node) {
  Loss loss;
  loss.reduction = node.getString("reduction", "mean");
  if (node.hasAttribute("ignore_index")) {
    loss.ignored = node.getInt("ignore_index", 0);
  }
  if (loss.reduction != "none" && loss.reduction != "sum" &&
      loss.reduction != "mean") {
    return node.emitError() << "expected reduction to be 'none', 'sum' or "
                               "'mean', but got '"
                            << loss.reduction << "'";
  }
  return loss;
}

/// Where `target` is not the class that is ignored; none where all count.
static std::optional<Tensor> findCounted(NodeImporter &node, const Loss &loss,
                                         const Tensor &target) {
  if (!loss.ignored) {
    return std::nullopt;
  }
  Type i64 = node.getBuilder().getI64Type();
  Tensor wide = node.cast(target, i64);
  return node.compareTo(ComparePredicate::ne, wide,
                        static_cast<double>(*loss.ignored));
}

/// The weight of each target's class; none where all are 1.
static FailureOr<std::optional<Tensor>>
makeWeights(NodeImporter &node, unsigned index, const Tensor &target,
            const std::optional<Tensor> &counted, Type elementType) {
  std::optional<Tensor> weights;
  if (node.hasInput(index)) {
    auto given = node.tensor(index);
    if (failed(given)) {
      return failure();
    }
    if (given->getRank() != 1) {
      return node.emitError() << "expected one weight per class, but got "
                              << node.toString(given->dims);
    }
    auto gathered = node.gather(node.cast(*given, elementType), target, 0);
    if (failed(gathered)) {
      return failure();
    }
    weights = *gathered;
  }
  if (!counted) {
    return weights;
  }
  Tensor like = weights ? *weights : node.cast(*counted, elementType);
  Tensor full = weights ? *weights : node.splat(1, like);
  return std::optional<Tensor>(
      node.select(*counted, full, node.splat(0, like)));
}

/// All elements of `x` by `kind`, as a scalar.
static FailureOr<Tensor> reduceAll(NodeImporter &node, ReduceKind kind,
                                   const Tensor &x) {
  auto axes = llvm::to_vector(llvm::seq<int64_t>(0, x.getRank()));
  return axes.empty() ? FailureOr<Tensor>(x)
                      : node.reduce(kind, x, axes, /*keepDims=*/false);
}

/// -weight * probability of the target's class, reduced. The classes are dim 1
/// of `logarithms`.
static FailureOr<Tensor> computeLoss(NodeImporter &node, const Loss &loss,
                                     const Tensor &logarithms,
                                     const Tensor &target) {
  SmallVector<Dim, 4> expected = logarithms.dims;
  if (logarithms.getRank() < 2) {
    return node.emitError() << "expected scores of rank 2 or more, but got "
                            << node.toString(logarithms.dims);
  }
  expected.erase(expected.begin() + 1);
  if (expected != target.dims) {
    return node.emitError()
           << "expected targets of shape " << node.toString(expected)
           << ", but got " << node.toString(target.dims);
  }
  if (!isa<IntegerType>(target.getElementType()) ||
      !isa<FloatType>(logarithms.getElementType())) {
    return node.emitError()
           << "expected scores of floats and targets of "
              "integers, but got "
           << logarithms.getElementType() << " and " << target.getElementType();
  }
  auto column = node.unsqueeze(target, 1);
  if (failed(column)) {
    return failure();
  }
  auto taken =
      node.reshape(node.gatherElements(logarithms, *column, 1), target.dims);
  auto counted = findCounted(node, loss, target);
  auto weights =
      makeWeights(node, 2, target, counted, logarithms.getElementType());
  if (failed(taken) || failed(weights)) {
    return failure();
  }
  Tensor losses = node.apply<NegOp>(*taken);
  if (*weights) {
    losses = node.apply<MulOp>(losses, **weights);
  }
  if (counted) {
    // What is ignored may be infinite.
    losses = node.select(*counted, losses, node.splat(0, losses));
  }
  if (loss.reduction == "none") {
    return losses;
  }
  if (loss.reduction == "sum" || !*weights) {
    return reduceAll(
        node, loss.reduction == "sum" ? ReduceKind::sum : ReduceKind::mean,
        losses);
  }
  auto sum = reduceAll(node, ReduceKind::sum, losses);
  auto total = reduceAll(node, ReduceKind::sum, **weights);
  return failed(sum) || failed(total)
             ? FailureOr<Tensor>(failure())
             : FailureOr<Tensor>(node.apply<DivOp>(*sum, *total));
}

static LogicalResult convertNegativeLogLikelihood(NodeImporter &node) {
  auto loss = readLoss(node);
  auto input = node.tensor(0), target = node.tensor(1);
  if (failed(loss) || failed(input) || failed(target)) {
    return failure();
  }
  auto result = computeLoss(node, *loss, node.widen(*input), *target);
  return failed(result)
             ? failure()
             : node.setResult(node.narrow(*result, input->getElementType()));
}

static LogicalResult convertSoftmaxCrossEntropy(NodeImporter &node) {
  auto loss = readLoss(node);
  auto scores = node.tensor(0), labels = node.tensor(1);
  if (failed(loss) || failed(scores) || failed(labels)) {
    return failure();
  }
  if (!isa<FloatType>(scores->getElementType()) || scores->getRank() < 2) {
    return node.emitError() << "expected scores of floats of rank 2 or more, "
                               "but got "
                            << scores->getType();
  }
  Tensor x = node.widen(*scores);
  auto op = LogSoftmaxOp::create(node.getBuilder(), node.getLoc(), x.getType(),
                                 x.value, 1);
  Tensor logarithms{op.getResult(), x.dims};
  auto result = computeLoss(node, *loss, logarithms, *labels);
  if (failed(result)) {
    return failure();
  }
  node.addResult(node.narrow(*result, scores->getElementType()));
  node.addResult(node.narrow(logarithms, scores->getElementType()));
  return success();
}

void onnx::addLossOps(OpRegistry &registry) {
  registry.add("NegativeLogLikelihoodLoss", 12, {2, 3},
               convertNegativeLogLikelihood);
  registry.add("SoftmaxCrossEntropyLoss", 12, {2, 3},
               convertSoftmaxCrossEntropy);
}
