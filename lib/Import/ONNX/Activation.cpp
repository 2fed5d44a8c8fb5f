//===- Activation.cpp - activation functions ------------------------------===//

#include "OpRegistry.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::onnx;

//===----------------------------------------------------------------------===//
// Those that the dialect has
//===----------------------------------------------------------------------===//

template <typename OpTy> static LogicalResult convertNamed(NodeImporter &node) {
  node.ignore({"consumed_inputs"});
  auto input = node.tensor(0);
  return failed(input) ? failure() : node.setResult(node.apply<OpTy>(*input));
}

static Tensor emitGelu(NodeImporter &node, const Tensor &input,
                       GeluApproximation approximation) {
  return {GeluOp::create(node.getBuilder(), node.getLoc(), input.getType(),
                         input.value, approximation)
              .getResult(),
          input.dims};
}

static LogicalResult convertGelu(NodeImporter &node) {
  std::string name = node.getString("approximate", "none");
  auto approximation = symbolizeGeluApproximation(name);
  if (!approximation) {
    return node.emitError()
           << "expected approximate to be 'none' or 'tanh', but got '" << name
           << "'";
  }
  auto input = node.tensor(0);
  return failed(input) ? failure()
                       : node.setResult(emitGelu(node, *input, *approximation));
}

/// GELU of the input, plus the second one where it is given.
template <GeluApproximation approximation>
static LogicalResult convertBiasGelu(NodeImporter &node) {
  auto input = node.tensor(0);
  if (failed(input)) {
    return failure();
  }
  if (node.hasInput(1)) {
    auto bias = node.tensor(1);
    if (failed(bias)) {
      return failure();
    }
    auto wide = node.broadcast(*bias, input->dims);
    if (failed(wide)) {
      return failure();
    }
    input = node.apply<AddOp>(*input, *wide);
  }
  return node.setResult(emitGelu(node, *input, approximation));
}

//===----------------------------------------------------------------------===//
// Compositions: computed in f32 where the type is f16 or bf16
//===----------------------------------------------------------------------===//

/// Imports a node as `compose` of its input.
template <Tensor (*compose)(NodeImporter &, const Tensor &)>
static LogicalResult convertComposed(NodeImporter &node) {
  auto input = node.tensor(0);
  if (failed(input)) {
    return failure();
  }
  if (!isa<FloatType>(input->getElementType())) {
    return node.emitError()
           << "expected floats, but got " << input->getElementType();
  }
  Tensor result = compose(node, node.widen(*input));
  return node.setResult(node.narrow(result, input->getElementType()));
}

static Tensor scale(NodeImporter &node, const Tensor &x, double factor) {
  return factor == 1 ? x : node.apply<MulOp>(x, node.splat(factor, x));
}

static Tensor isNegative(NodeImporter &node, const Tensor &x) {
  return node.compare(ComparePredicate::lt, x, node.splat(0, x));
}

static Tensor composeSwish(NodeImporter &node, const Tensor &x) {
  double alpha = node.getFloat("alpha", 1);
  if (alpha == 1) {
    return node.apply<SiluOp>(x);
  }
  return node.apply<MulOp>(x, node.apply<SigmoidOp>(scale(node, x, alpha)));
}

static Tensor composeQuickGelu(NodeImporter &node, const Tensor &x) {
  double alpha = node.getFloat("alpha", 1.702f);
  return node.apply<MulOp>(x, node.apply<SigmoidOp>(scale(node, x, alpha)));
}

/// The line `alpha * x + beta` between 0 and 1.
static Tensor hardSigmoid(NodeImporter &node, const Tensor &x, double alpha,
                          double beta) {
  Tensor line = node.apply<AddOp>(scale(node, x, alpha), node.splat(beta, x));
  return node.apply<ClampOp>(line, node.splat(0, x), node.splat(1, x));
}

static Tensor composeHardSigmoid(NodeImporter &node, const Tensor &x) {
  node.ignore({"consumed_inputs"});
  double alpha = node.getFloat("alpha", 0.2f);
  double beta = node.getFloat("beta", 0.5f);
  return hardSigmoid(node, x, alpha, beta);
}

static Tensor composeHardSwish(NodeImporter &node, const Tensor &x) {
  return node.apply<MulOp>(x, hardSigmoid(node, x, 1.0f / 6, 0.5));
}

static Tensor composeLeakyRelu(NodeImporter &node, const Tensor &x) {
  node.ignore({"consumed_inputs"});
  double alpha = node.getFloat("alpha", 0.01f);
  return node.select(isNegative(node, x), scale(node, x, alpha), x);
}

static Tensor composeThresholdedRelu(NodeImporter &node, const Tensor &x) {
  Tensor threshold = node.splat(node.getFloat("alpha", 1), x);
  Tensor passes = node.compare(ComparePredicate::gt, x, threshold);
  return node.select(passes, x, node.splat(0, x));
}

/// `alpha * (e^x - 1)` below 0, else x.
static Tensor elu(NodeImporter &node, const Tensor &x, double alpha) {
  Tensor below = scale(node, node.apply<ExpM1Op>(x), alpha);
  return node.select(isNegative(node, x), below, x);
}

static Tensor composeElu(NodeImporter &node, const Tensor &x) {
  node.ignore({"consumed_inputs"});
  return elu(node, x, node.getFloat("alpha", 1));
}

static Tensor composeSelu(NodeImporter &node, const Tensor &x) {
  node.ignore({"consumed_inputs"});
  double alpha = node.getFloat("alpha", 1.67326319217681884765625);
  double gamma = node.getFloat("gamma", 1.05070102214813232421875);
  return scale(node, elu(node, x, alpha), gamma);
}

static Tensor composeCelu(NodeImporter &node, const Tensor &x) {
  double alpha = node.getFloat("alpha", 1);
  Tensor ratio = alpha == 1 ? x : node.apply<DivOp>(x, node.splat(alpha, x));
  Tensor below = scale(node, node.apply<ExpM1Op>(ratio), alpha);
  return node.select(isNegative(node, x), below, x);
}

/// `log(1 + e^x)` as `max(x, 0) + log(1 + e^-|x|)`, which does not overflow.
static Tensor composeSoftplus(NodeImporter &node, const Tensor &x) {
  Tensor decay = node.apply<ExpOp>(node.apply<NegOp>(node.apply<AbsOp>(x)));
  Tensor rest = node.apply<Log1pOp>(decay);
  return node.apply<AddOp>(node.apply<ReluOp>(x), rest);
}

static Tensor composeMish(NodeImporter &node, const Tensor &x) {
  return node.apply<MulOp>(x, node.apply<TanhOp>(composeSoftplus(node, x)));
}

static Tensor composeSoftsign(NodeImporter &node, const Tensor &x) {
  Tensor divisor = node.apply<AddOp>(node.apply<AbsOp>(x), node.splat(1, x));
  return node.apply<DivOp>(x, divisor);
}

/// Moves what is farther from 0 than `lambd` towards it by `bias`; the rest
/// becomes 0. Integers too.
static LogicalResult convertShrink(NodeImporter &node) {
  double lambda = node.getFloat("lambd", 0.5), bias = node.getFloat("bias", 0);
  auto input = node.tensor(0);
  if (failed(input)) {
    return failure();
  }
  // The limits are floats whatever the type is.
  Type elementType = input->getElementType();
  Tensor x = node.widen(*input);
  if (!isa<FloatType>(elementType)) {
    x = node.cast(x, node.getBuilder().getF32Type());
  }
  Tensor isBelow = node.compareTo(ComparePredicate::lt, x, -lambda);
  Tensor isAbove = node.compareTo(ComparePredicate::gt, x, lambda);
  Tensor result = node.select(isAbove, node.plus(x, -bias), node.splat(0, x));
  result = node.select(isBelow, node.plus(x, bias), result);
  return node.setResult(isa<FloatType>(elementType)
                            ? node.narrow(result, elementType)
                            : node.cast(result, elementType));
}

/// Below 0 each element is multiplied by its slope.
static LogicalResult convertPRelu(NodeImporter &node) {
  auto operands = node.tensors();
  if (failed(operands)) {
    return failure();
  }
  const Tensor &x = (*operands)[0];
  auto slope = node.broadcast((*operands)[1], x.dims);
  if (failed(slope)) {
    return failure();
  }
  if (slope->getElementType() != x.getElementType()) {
    return node.emitError() << "expected a slope of type " << x.getElementType()
                            << ", but got " << slope->getElementType();
  }
  return node.setResult(
      node.select(isNegative(node, x), node.apply<MulOp>(x, *slope), x));
}

void onnx::addActivationOps(OpRegistry &registry) {
  constexpr Arity kOne{1, 1};
  registry.add("Relu", 6, kOne, convertNamed<ReluOp>);
  registry.add("Sigmoid", 6, kOne, convertNamed<SigmoidOp>);
  registry.add("Tanh", 6, kOne, convertNamed<TanhOp>);
  registry.add("Gelu", 20, kOne, convertGelu);
  registry.add("Celu", 12, kOne, convertComposed<composeCelu>);
  registry.add("Elu", 6, kOne, convertComposed<composeElu>);
  registry.add("HardSigmoid", 6, kOne, convertComposed<composeHardSigmoid>);
  registry.add("HardSwish", 14, kOne, convertComposed<composeHardSwish>);
  registry.add("LeakyRelu", 6, kOne, convertComposed<composeLeakyRelu>);
  registry.add("Mish", 18, kOne, convertComposed<composeMish>);
  registry.add("PRelu", 7, {2, 2}, convertPRelu);
  registry.add("Selu", 6, kOne, convertComposed<composeSelu>);
  registry.add("Shrink", 9, kOne, convertShrink);
  registry.add("Softplus", 1, kOne, convertComposed<composeSoftplus>);
  registry.add("Softsign", 1, kOne, convertComposed<composeSoftsign>);
  registry.add("Swish", 24, kOne, convertComposed<composeSwish>);
  registry.add("ThresholdedRelu", 10, kOne,
               convertComposed<composeThresholdedRelu>);

  constexpr StringLiteral kMicrosoft = "com.microsoft";
  registry.addTo(kMicrosoft, "Gelu", 1, kOne,
                 convertBiasGelu<GeluApproximation::none>);
  registry.addTo(kMicrosoft, "BiasGelu", 1, {2, 2},
                 convertBiasGelu<GeluApproximation::none>);
  registry.addTo(kMicrosoft, "FastGelu", 1, {1, 2},
                 convertBiasGelu<GeluApproximation::tanh>);
  registry.addTo(kMicrosoft, "QuickGelu", 1, kOne,
                 convertComposed<composeQuickGelu>);
}
