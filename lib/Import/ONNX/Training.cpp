//===- Training.cpp - steps of optimizers ---------------------------------===//

#include "OpRegistry.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::onnx;

namespace {

/// The inputs of an optimizer: a rate, a step number, and then, each for all
/// tensors that are optimized, their values, gradients and states.
struct Optimizer {
  Tensor rate, step;
  SmallVector<SmallVector<Tensor>> groups;
  double norm; ///< how much of a tensor is added to its gradient

  size_t getNumTensors() const { return groups.front().size(); }
};

} // namespace

/// Reads `numGroups` tensors for each tensor that is optimized.
static FailureOr<Optimizer> readOptimizer(NodeImporter &node,
                                          size_t numGroups) {
  Optimizer optimizer;
  optimizer.norm = node.getFloat("norm_coefficient", 0);
  auto inputs = node.tensors();
  if (failed(inputs)) {
    return failure();
  }
  size_t count = (inputs->size() - 2) / numGroups;
  if (inputs->size() < 3 || count * numGroups + 2 != inputs->size()) {
    return node.emitError()
           << "expected a rate, a step and " << numGroups
           << " inputs per tensor, but got " << inputs->size() << " inputs";
  }
  auto rate = node.reshape((*inputs)[0], {});
  auto step = node.reshape((*inputs)[1], {});
  if (failed(rate) || failed(step)) {
    return failure();
  }
  optimizer.rate = *rate;
  optimizer.step = *step;
  for (size_t group = 0; group < numGroups; ++group) {
    auto own = ArrayRef(*inputs).slice(2 + group * count, count);
    optimizer.groups.emplace_back(own);
    for (size_t i = 0; i < count; ++i) {
      if (own[i].getType() != optimizer.groups.front()[i].getType() ||
          own[i].dims != optimizer.groups.front()[i].dims ||
          !isa<FloatType>(own[i].getElementType())) {
        return node.emitError() << "expected gradients and states of the type "
                                   "of their tensor, a float";
      }
    }
  }
  return optimizer;
}

/// The gradient of tensor `index` with what regularizes it.
static Tensor getGradient(NodeImporter &node, const Optimizer &optimizer,
                          size_t index) {
  const Tensor &gradient = optimizer.groups[1][index];
  return optimizer.norm == 0
             ? gradient
             : node.apply<AddOp>(
                   node.times(optimizer.groups[0][index], optimizer.norm),
                   gradient);
}

/// A scalar in the type and dims of `like`.
static FailureOr<Tensor> spread(NodeImporter &node, const Tensor &scalar,
                                const Tensor &like) {
  return node.broadcast(node.cast(scalar, like.getElementType()), like.dims);
}

/// Sets all first results of `parts`, then all second ones, and so on.
static LogicalResult addByGroup(NodeImporter &node,
                                ArrayRef<SmallVector<Tensor>> parts) {
  for (size_t group = 0; group < parts.front().size(); ++group) {
    for (const SmallVector<Tensor> &own : parts) {
      node.addResult(own[group]);
    }
  }
  return success();
}

/// x - rate * g / (sqrt(h) + epsilon) with h the sum of all g^2 so far.
static LogicalResult convertAdagrad(NodeImporter &node) {
  double decay = node.getFloat("decay_factor", 0);
  double epsilon = node.getFloat("epsilon", 1e-6f);
  auto optimizer = readOptimizer(node, 3);
  if (failed(optimizer)) {
    return failure();
  }
  Tensor step = node.cast(optimizer->step, optimizer->rate.getElementType());
  Tensor rate =
      node.apply<DivOp>(optimizer->rate, node.plus(node.times(step, decay), 1));
  SmallVector<SmallVector<Tensor>> parts;
  for (size_t i = 0; i < optimizer->getNumTensors(); ++i) {
    const Tensor &x = optimizer->groups[0][i];
    Tensor gradient = getGradient(node, *optimizer, i);
    Tensor sum = node.apply<AddOp>(optimizer->groups[2][i],
                                   node.apply<MulOp>(gradient, gradient));
    Tensor divisor = node.plus(node.apply<SqrtOp>(sum), epsilon);
    auto factor = spread(node, rate, x);
    if (failed(factor)) {
      return failure();
    }
    Tensor change =
        node.apply<DivOp>(node.apply<MulOp>(*factor, gradient), divisor);
    parts.push_back({node.apply<SubOp>(x, change), sum});
  }
  return addByGroup(node, parts);
}

/// Adam's rate: times sqrt(1 - beta^t) / (1 - alpha^t) after the first step.
static Tensor adjustRate(NodeImporter &node, const Optimizer &optimizer,
                         double alpha, double beta) {
  const Tensor &rate = optimizer.rate;
  Tensor step = node.cast(optimizer.step, rate.getElementType());
  auto fade = [&](double base) {
    Tensor power = node.apply<PowOp>(node.splat(base, step), step);
    return node.apply<SubOp>(node.splat(1, power), power);
  };
  Tensor factor =
      node.apply<DivOp>(node.apply<SqrtOp>(fade(beta)), fade(alpha));
  return node.select(node.compareTo(ComparePredicate::gt, step, 0),
                     node.apply<MulOp>(rate, factor), rate);
}

/// `old * factor + now * (1 - factor)`
static Tensor blend(NodeImporter &node, const Tensor &old, const Tensor &now,
                    double factor) {
  return node.apply<AddOp>(node.times(old, factor),
                           node.times(now, 1 - factor));
}

static LogicalResult convertAdam(NodeImporter &node) {
  double alpha = node.getFloat("alpha", 0.9f);
  double beta = node.getFloat("beta", 0.999f);
  double epsilon = node.getFloat("epsilon", 1e-6f);
  double after = node.getFloat("norm_coefficient_post", 0);
  auto optimizer = readOptimizer(node, 4);
  if (failed(optimizer)) {
    return failure();
  }
  Tensor rate = adjustRate(node, *optimizer, alpha, beta);
  SmallVector<SmallVector<Tensor>> parts;
  for (size_t i = 0; i < optimizer->getNumTensors(); ++i) {
    const Tensor &x = optimizer->groups[0][i];
    Tensor gradient = getGradient(node, *optimizer, i);
    Tensor first = blend(node, optimizer->groups[2][i], gradient, alpha);
    Tensor second = blend(node, optimizer->groups[3][i],
                          node.apply<MulOp>(gradient, gradient), beta);
    Tensor divisor = node.plus(node.apply<SqrtOp>(second), epsilon);
    auto factor = spread(node, rate, x);
    if (failed(factor)) {
      return failure();
    }
    Tensor change =
        node.apply<DivOp>(node.apply<MulOp>(*factor, first), divisor);
    Tensor result = node.times(node.apply<SubOp>(x, change), 1 - after);
    parts.push_back({result, first, second});
  }
  return addByGroup(node, parts);
}

static LogicalResult convertMomentum(NodeImporter &node) {
  double alpha = node.getFloat("alpha", 0), beta = node.getFloat("beta", 0);
  std::string mode = node.getString("mode", "standard");
  auto optimizer = readOptimizer(node, 3);
  if (failed(optimizer)) {
    return failure();
  }
  if (mode != "standard" && mode != "nesterov") {
    return node.emitError() << "mode '" << mode << "' is not supported";
  }
  // The first gradient counts in full.
  Tensor later = node.compareTo(ComparePredicate::gt, optimizer->step, 0);
  Tensor one = node.splat(1, optimizer->rate);
  Tensor weight = node.select(later, node.splat(beta, one), one);
  SmallVector<SmallVector<Tensor>> parts;
  for (size_t i = 0; i < optimizer->getNumTensors(); ++i) {
    const Tensor &x = optimizer->groups[0][i];
    Tensor gradient = getGradient(node, *optimizer, i);
    auto factor = spread(node, weight, x);
    auto rate = spread(node, optimizer->rate, x);
    if (failed(factor) || failed(rate)) {
      return failure();
    }
    Tensor velocity =
        node.apply<AddOp>(node.times(optimizer->groups[2][i], alpha),
                          node.apply<MulOp>(*factor, gradient));
    Tensor direction =
        mode == "standard"
            ? velocity
            : node.apply<AddOp>(gradient, node.times(velocity, alpha));
    Tensor change = node.apply<MulOp>(*rate, direction);
    parts.push_back({node.apply<SubOp>(x, change), velocity});
  }
  return addByGroup(node, parts);
}

void onnx::addTrainingOps(OpRegistry &registry) {
  constexpr StringLiteral kDomain = "ai.onnx.preview.training";
  registry.addTo(kDomain, "Adagrad", 1, {3, kAnyNumber}, convertAdagrad);
  registry.addTo(kDomain, "Adam", 1, {3, kAnyNumber}, convertAdam);
  registry.addTo(kDomain, "Momentum", 1, {3, kAnyNumber}, convertMomentum);
}
