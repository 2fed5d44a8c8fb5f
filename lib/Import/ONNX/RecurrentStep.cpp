//===- RecurrentStep.cpp - one step of a recurrent network ----------------===//

#include "RecurrentStep.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::onnx;

Tensor StepBuilder::clip(const Tensor &x) {
  return network.clip ? node.limit(x, -*network.clip, *network.clip) : x;
}

Tensor StepBuilder::activate(const ActivationFunction &function,
                             const Tensor &given) {
  Tensor x = clip(given);
  auto positive = [&] { return node.compareTo(ComparePredicate::gt, x, 0); };
  StringRef name = function.name;
  double alpha = function.alpha, beta = function.beta;
  if (name == "relu") {
    return node.apply<ReluOp>(x);
  }
  if (name == "tanh") {
    return node.apply<TanhOp>(x);
  }
  if (name == "sigmoid") {
    return node.apply<SigmoidOp>(x);
  }
  if (name == "affine") {
    return node.plus(node.times(x, alpha), beta);
  }
  if (name == "leakyrelu") {
    return node.select(positive(), x, node.times(x, alpha));
  }
  if (name == "thresholdedrelu") {
    return node.select(node.compareTo(ComparePredicate::ge, x, alpha), x,
                       node.splat(0, x));
  }
  if (name == "scaledtanh") {
    return node.times(node.apply<TanhOp>(node.times(x, beta)), alpha);
  }
  if (name == "hardsigmoid") {
    return node.limit(node.plus(node.times(x, alpha), beta), 0, 1);
  }
  if (name == "elu") {
    return node.select(positive(), x,
                       node.times(node.apply<ExpM1Op>(x), alpha));
  }
  if (name == "softsign") {
    return node.apply<DivOp>(x, node.plus(node.apply<AbsOp>(x), 1));
  }
  // softplus
  Tensor decay = node.apply<ExpOp>(node.apply<NegOp>(node.apply<AbsOp>(x)));
  return add(node.apply<ReluOp>(x), node.apply<Log1pOp>(decay));
}

Tensor StepBuilder::gate(const Tensor &gates, int64_t index) {
  return check(node.slice(gates, 1, index * network.hidden, network.hidden),
               gates);
}

Tensor StepBuilder::biasOf(const Tensor &bias, int64_t index) {
  return check(node.slice(bias, 0, index * network.hidden, network.hidden),
               bias);
}

Tensor StepBuilder::recur(const Direction &direction, const Tensor &state,
                          int64_t from, int64_t to) {
  Tensor weights =
      check(node.slice(direction.recurrence, 0, from * network.hidden,
                       (to - from) * network.hidden),
            direction.recurrence);
  return check(node.multiply(state, weights, false, true), state);
}

/// H = f(gate + H R')
void StepBuilder::stepRnn(Direction &direction, const Tensor &gates) {
  Tensor sum = add(gates, recur(direction, direction.state, 0, 1));
  direction.state = activate(direction.functions[0], sum);
}

/// Gates: update z, reset r, hidden h. H = (1 - z) h + z H
void StepBuilder::stepGru(Direction &direction, const Tensor &gates) {
  const Tensor &state = direction.state;
  Tensor both = recur(direction, state, 0, 2);
  auto function = direction.functions;
  Tensor update = activate(function[0], add(gate(gates, 0), gate(both, 0)));
  Tensor reset = activate(function[0], add(gate(gates, 1), gate(both, 1)));
  Tensor hidden = gate(gates, 2);
  if (network.linearBeforeReset) {
    Tensor linear = recur(direction, state, 2, 3);
    if (direction.stateBias) {
      linear = addRow(linear, biasOf(*direction.stateBias, 2));
    }
    hidden = add(hidden, mul(reset, linear));
  } else {
    hidden = add(hidden, recur(direction, mul(reset, state), 2, 3));
  }
  hidden = activate(function[1], hidden);
  Tensor rest = node.apply<SubOp>(node.splat(1, update), update);
  direction.state = add(mul(rest, hidden), mul(update, state));
}

/// Gates: input i, output o, forget f, cell c. C = f C + i c; H = o h(C)
void StepBuilder::stepLstm(Direction &direction, const Tensor &gates) {
  Tensor sums = add(gates, recur(direction, direction.state, 0, 4));
  Tensor cell = *direction.cell;
  auto function = direction.functions;
  auto peep = [&](Tensor sum, int64_t index, const Tensor &at) {
    return direction.peepholes
               ? add(sum, mulRow(at, biasOf(*direction.peepholes, index)))
               : sum;
  };
  Tensor input = activate(function[0], peep(gate(sums, 0), 0, cell));
  Tensor forget = network.inputForget
                      ? node.apply<SubOp>(node.splat(1, input), input)
                      : activate(function[0], peep(gate(sums, 2), 2, cell));
  Tensor candidate = activate(function[1], gate(sums, 3));
  cell = add(mul(forget, cell), mul(input, candidate));
  Tensor output = activate(function[0], peep(gate(sums, 1), 1, cell));
  direction.state = mul(output, activate(function[2], cell));
  direction.cell = cell;
}

LogicalResult StepBuilder::step(Direction &direction, const Tensor &gates) {
  if (network.gates == 1) {
    stepRnn(direction, gates);
  } else if (network.gates == 3) {
    stepGru(direction, gates);
  } else {
    stepLstm(direction, gates);
  }
  return failure(failedAny);
}
