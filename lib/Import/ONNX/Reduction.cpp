//===- Reduction.cpp - reductions over axes -------------------------------===//

#include "OpRegistry.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::onnx;

namespace {
/// The axes to reduce and whether they stay with size 1.
struct Reduction {
  SmallVector<int64_t> axes;
  bool keepDims;
};
} // namespace

/// The operator set in which the axes of `opType` became an input.
static int64_t getAxesInputOpset(StringRef opType) {
  return opType == "ReduceSum" ? 13 : 18;
}

static FailureOr<Reduction> readReduction(NodeImporter &node, int64_t rank) {
  Reduction reduction;
  reduction.keepDims = node.getInt("keepdims", 1) != 0;
  bool noneMeansNone = false;
  std::optional<SmallVector<int64_t>> axes;
  if (node.getOpset() < getAxesInputOpset(node.getOpType())) {
    axes = node.getInts("axes");
  } else {
    noneMeansNone = node.getInt("noop_with_empty_axes", 0) != 0;
    if (node.hasInput(1)) {
      auto given = node.staticIntegers(1, "axes");
      if (failed(given)) {
        return failure();
      }
      axes = *given;
    }
  }
  if (axes && !axes->empty()) {
    auto normalized = node.normalizeAxes(*axes, rank);
    if (failed(normalized)) {
      return failure();
    }
    reduction.axes = *normalized;
  } else if (!noneMeansNone) {
    reduction.axes = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  }
  return reduction;
}

static FailureOr<Tensor> apply(NodeImporter &node, ReduceKind kind,
                               const Tensor &input, const Reduction &how) {
  if (how.axes.empty()) {
    return input;
  }
  return node.reduce(kind, input, how.axes, how.keepDims);
}

template <ReduceKind kind>
static LogicalResult convertReduce(NodeImporter &node) {
  auto input = node.tensor(0);
  if (failed(input)) {
    return failure();
  }
  auto how = readReduction(node, input->getRank());
  return failed(how) ? failure()
                     : node.setResult(apply(node, kind, *input, *how));
}

//===----------------------------------------------------------------------===//
// Sums of something, and something of sums
//===----------------------------------------------------------------------===//

static Tensor identity(NodeImporter &, const Tensor &x) { return x; }
static Tensor absolute(NodeImporter &node, const Tensor &x) {
  return node.apply<AbsOp>(x);
}
static Tensor square(NodeImporter &node, const Tensor &x) {
  return node.apply<MulOp>(x, x);
}
static Tensor squareRoot(NodeImporter &node, const Tensor &x) {
  return node.apply<SqrtOp>(x);
}
static Tensor logarithm(NodeImporter &node, const Tensor &x) {
  return node.apply<LogOp>(x);
}

using ElementFn = Tensor (*)(NodeImporter &, const Tensor &);

/// after(sum(before(x))), computed in f32 where the type is f16 or bf16.
template <ElementFn before, ElementFn after>
static LogicalResult convertComposedSum(NodeImporter &node) {
  auto input = node.tensor(0);
  if (failed(input)) {
    return failure();
  }
  auto how = readReduction(node, input->getRank());
  if (failed(how)) {
    return failure();
  }
  auto sum =
      apply(node, ReduceKind::sum, before(node, node.widen(*input)), *how);
  if (failed(sum)) {
    return failure();
  }
  return node.setResult(
      node.narrow(after(node, *sum), input->getElementType()));
}

/// log(sum(e^x)) as m + log(sum(e^(x - m))), m the largest of the row where
/// that is finite: nothing overflows.
static FailureOr<Tensor> logSumExp(NodeImporter &node, const Tensor &x,
                                   const Reduction &kept) {
  auto largest = apply(node, ReduceKind::max, x, kept);
  if (failed(largest)) {
    return failure();
  }
  Tensor isFinite =
      node.compare(ComparePredicate::lt, node.apply<AbsOp>(*largest),
                   node.splat(INFINITY, *largest));
  Tensor shift = node.select(isFinite, *largest, node.splat(0, *largest));
  auto wide = node.broadcast(shift, x.dims);
  if (failed(wide)) {
    return failure();
  }
  Tensor powers = node.apply<ExpOp>(node.apply<SubOp>(x, *wide));
  auto sum = apply(node, ReduceKind::sum, powers, kept);
  if (failed(sum)) {
    return failure();
  }
  return node.apply<AddOp>(node.apply<LogOp>(*sum), shift);
}

static LogicalResult convertLogSumExp(NodeImporter &node) {
  auto input = node.tensor(0);
  if (failed(input)) {
    return failure();
  }
  auto how = readReduction(node, input->getRank());
  if (failed(how)) {
    return failure();
  }
  if (!isa<FloatType>(input->getElementType())) {
    return node.emitError()
           << "expected floats, but got " << input->getElementType();
  }
  auto result =
      logSumExp(node, node.widen(*input), {how->axes, /*keepDims=*/true});
  if (failed(result)) {
    return failure();
  }
  SmallVector<Dim, 4> dims;
  for (auto [index, dim] : llvm::enumerate(result->dims)) {
    if (how->keepDims ||
        !llvm::is_contained(how->axes, static_cast<int64_t>(index))) {
      dims.push_back(dim);
    }
  }
  auto shaped = node.reshape(*result, dims);
  return failed(shaped)
             ? failure()
             : node.setResult(node.narrow(*shaped, input->getElementType()));
}

/// Pooling over all dims after batch and channel.
template <ReduceKind kind>
static LogicalResult convertGlobalPool(NodeImporter &node) {
  auto input = node.tensor(0);
  if (failed(input)) {
    return failure();
  }
  if (input->getRank() < 3) {
    return node.emitError()
           << "expected a rank of at least 3, but got " << input->getRank();
  }
  auto axes = llvm::to_vector(llvm::seq<int64_t>(2, input->getRank()));
  return node.setResult(node.reduce(kind, *input, axes, /*keepDims=*/true));
}

void onnx::addReductionOps(OpRegistry &registry) {
  auto add = [&](StringRef opType, Converter convert) {
    registry.add(opType, 1, {1, 1}, convert);
    registry.add(opType, getAxesInputOpset(opType), {1, 2}, convert);
  };
  add("ReduceSum", convertReduce<ReduceKind::sum>);
  add("ReduceMean", convertReduce<ReduceKind::mean>);
  add("ReduceMax", convertReduce<ReduceKind::max>);
  add("ReduceMin", convertReduce<ReduceKind::min>);
  add("ReduceProd", convertReduce<ReduceKind::prod>);
  add("ReduceL1", convertComposedSum<absolute, identity>);
  add("ReduceL2", convertComposedSum<square, squareRoot>);
  add("ReduceLogSum", convertComposedSum<identity, logarithm>);
  add("ReduceSumSquare", convertComposedSum<square, identity>);
  add("ReduceLogSumExp", convertLogSumExp);
  registry.add("GlobalAveragePool", 1, {1, 1},
               convertGlobalPool<ReduceKind::mean>);
  registry.add("GlobalMaxPool", 1, {1, 1}, convertGlobalPool<ReduceKind::max>);
}
