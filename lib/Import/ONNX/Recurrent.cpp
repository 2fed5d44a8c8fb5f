//===- Recurrent.cpp - RNN, GRU and LSTM ----------------------------------===//
//
// Unrolled over a sequence of known length. What the inputs add to the gates is
// one product for all steps; each step multiplies the state by the recurrence
// weights.
//
//===----------------------------------------------------------------------===//

#include "OpRegistry.h"
#include "RecurrentStep.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::onnx;

/// Longer sequences are refused: the graph grows with each step.
static constexpr int64_t kMostSteps = 2048;

//===----------------------------------------------------------------------===//
// Reading the node
//===----------------------------------------------------------------------===//

/// The default parameters of a function; none if it is not known.
static std::optional<ActivationFunction> makeFunction(StringRef name) {
  std::string lower = name.lower();
  std::optional<ActivationFunction> none;
  return llvm::StringSwitch<std::optional<ActivationFunction>>(lower)
      .Cases({"relu", "tanh", "sigmoid", "softsign", "softplus"},
             ActivationFunction{lower, 0, 0})
      .Case("affine", ActivationFunction{lower, 1, 0})
      .Case("leakyrelu", ActivationFunction{lower, 0.01, 0})
      .Case("thresholdedrelu", ActivationFunction{lower, 1, 0})
      .Case("scaledtanh", ActivationFunction{lower, 1, 1})
      .Case("hardsigmoid", ActivationFunction{lower, 0.2, 0.5})
      .Case("elu", ActivationFunction{lower, 1, 0})
      .Default(none);
}

/// Reads the functions and their parameters.
static LogicalResult readFunctions(NodeImporter &node,
                                   ArrayRef<StringRef> byDefault,
                                   Network &network) {
  SmallVector<std::string> names;
  for (int64_t i = 0; i < network.directions; ++i) {
    for (StringRef name : byDefault) {
      names.push_back(name.str());
    }
  }
  size_t count = names.size();
  names = node.getStrings("activations").value_or(names);
  auto alphas =
      node.getFloats("activation_alpha").value_or(SmallVector<float>());
  auto betas = node.getFloats("activation_beta").value_or(SmallVector<float>());
  if (names.size() != count) {
    return node.emitError()
           << "expected " << count << " activations, but got " << names.size();
  }
  size_t nextAlpha = 0, nextBeta = 0;
  for (const std::string &name : names) {
    auto function = makeFunction(name);
    if (!function) {
      return node.emitError() << "activation '" << name << "' is not supported";
    }
    // Only functions that have parameters take the next ones.
    bool hasBeta = llvm::is_contained({"affine", "scaledtanh", "hardsigmoid"},
                                      function->name);
    bool hasAlpha =
        hasBeta || llvm::is_contained({"leakyrelu", "thresholdedrelu", "elu"},
                                      function->name);
    if (hasAlpha && nextAlpha < alphas.size()) {
      function->alpha = alphas[nextAlpha++];
    }
    if (hasBeta && nextBeta < betas.size()) {
      function->beta = betas[nextBeta++];
    }
    network.functions.push_back(*function);
  }
  return success();
}

static FailureOr<Network> readNetwork(NodeImporter &node, int64_t gates,
                                      ArrayRef<StringRef> functions) {
  Network network;
  network.gates = gates;
  network.direction = node.getString("direction", "forward");
  network.batchFirst = node.getInt("layout", 0) != 0;
  network.linearBeforeReset =
      gates == 3 && node.getInt("linear_before_reset", 0) != 0;
  network.inputForget = gates == 4 && node.getInt("input_forget", 0) != 0;
  node.ignore({"output_sequence"});
  if (node.hasAttribute("clip")) {
    network.clip = node.getFloat("clip", 0);
  }
  if (!llvm::is_contained({"forward", "reverse", "bidirectional"},
                          network.direction)) {
    return node.emitError()
           << "direction '" << network.direction << "' is not supported";
  }
  network.directions = network.direction == "bidirectional" ? 2 : 1;
  ArrayRef<Dim> weights = node.getDims(2);
  network.hidden = weights.size() == 3 && weights[2].isStatic()
                       ? weights[2].getStatic()
                       : -1;
  int64_t stated = node.getInt("hidden_size", network.hidden);
  if (network.hidden < 1 || stated != network.hidden ||
      !weights[0].is(network.directions) ||
      !weights[1].is(gates * network.hidden)) {
    return node.emitError() << "expected recurrence weights of directions x "
                            << gates << " * hidden_size x hidden_size, but got "
                            << node.toString(weights);
  }
  if (failed(readFunctions(node, functions, network))) {
    return failure();
  }
  return network;
}

/// An optional input, widened; none if it is left out.
static FailureOr<std::optional<Tensor>> readOptional(NodeImporter &node,
                                                     unsigned index) {
  if (!node.hasInput(index)) {
    return std::optional<Tensor>();
  }
  auto given = node.tensor(index);
  return failed(given) ? FailureOr<std::optional<Tensor>>(failure())
                       : std::optional<Tensor>(node.widen(*given));
}

/// Swaps the first two dims where the batch stands first.
static Tensor swapBatch(NodeImporter &node, const Network &network,
                        const Tensor &x) {
  if (!network.batchFirst) {
    return x;
  }
  auto perm = llvm::to_vector(llvm::seq<int64_t>(0, x.getRank()));
  std::swap(perm[0], perm[1]);
  return node.transpose(x, perm);
}

/// The initial state of direction `index`: zeros where it is not given.
static FailureOr<Tensor> readState(NodeImporter &node, const Network &network,
                                   unsigned input, int64_t index,
                                   const Dim &batch, Type type) {
  auto given = readOptional(node, input);
  if (failed(given)) {
    return failure();
  }
  if (*given) {
    return node.take(swapBatch(node, network, **given), 0, index);
  }
  return node.broadcast(node.scalar(0, type), {batch, Dim(network.hidden)});
}

/// Reads the weights and the initial state of direction `index`.
static FailureOr<Direction> readDirection(NodeImporter &node,
                                          const Network &network, int64_t index,
                                          const Dim &batch) {
  auto recurrence = node.tensor(2);
  auto biases = readOptional(node, 3);
  if (failed(recurrence) || failed(biases)) {
    return failure();
  }
  Direction direction;
  auto own = node.take(node.widen(*recurrence), 0, index);
  auto state = readState(node, network, 5, index, batch,
                         node.widen(*recurrence).getElementType());
  if (failed(own) || failed(state)) {
    return failure();
  }
  direction.recurrence = *own;
  direction.state = *state;
  int64_t half = network.gates * network.hidden;
  if (*biases) {
    auto bias = node.take(**biases, 0, index);
    auto first = failed(bias) ? bias : node.slice(*bias, 0, 0, half);
    auto second = failed(bias) ? bias : node.slice(*bias, 0, half, half);
    if (failed(first) || failed(second)) {
      return failure();
    }
    direction.inputBias = *first;
    direction.stateBias = *second;
  }
  size_t each = network.functions.size() / network.directions;
  direction.functions = ArrayRef(network.functions).slice(index * each, each);
  if (network.gates != 4) {
    return direction;
  }
  auto cell = readState(node, network, 6, index, batch,
                        direction.state.getElementType());
  auto peepholes = readOptional(node, 7);
  if (failed(cell) || failed(peepholes)) {
    return failure();
  }
  direction.cell = *cell;
  if (*peepholes) {
    auto ownPeepholes = node.take(**peepholes, 0, index);
    if (failed(ownPeepholes)) {
      return failure();
    }
    direction.peepholes = *ownPeepholes;
  }
  return direction;
}

/// The part of all gates that does not depend on the state, for all steps:
/// [steps, batch, gates * hidden].
static FailureOr<Tensor> multiplyInputs(NodeImporter &node,
                                        const Network &network, const Tensor &x,
                                        const Direction &direction,
                                        int64_t index) {
  auto all = node.tensor(1);
  if (failed(all)) {
    return failure();
  }
  auto weights = node.take(node.widen(*all), 0, index);
  auto rows =
      checkedProduct(node.getDimTable(), ArrayRef<Dim>(x.dims).take_front(2));
  auto flat = node.reshape(x, {*rows, x.dims[2]});
  auto product = failed(weights) || failed(flat)
                     ? FailureOr<Tensor>(failure())
                     : node.multiply(*flat, *weights, false, true);
  if (failed(product)) {
    return failure();
  }
  Tensor gates = *product;
  auto addBias = [&](const Tensor &bias) {
    auto wide = node.broadcast(bias, gates.dims);
    if (succeeded(wide)) {
      gates = node.apply<AddOp>(gates, *wide);
    }
    return wide;
  };
  if (direction.inputBias) {
    Tensor bias = *direction.stateBias;
    if (network.linearBeforeReset) {
      // That of the hidden gate is reset, and added later.
      int64_t kept = 2 * network.hidden;
      auto head = node.slice(bias, 0, 0, kept);
      auto padded = failed(head) ? head : node.pad(*head, 0, network.hidden, 0);
      if (failed(padded)) {
        return failure();
      }
      bias = *padded;
    }
    if (failed(addBias(*direction.inputBias)) || failed(addBias(bias))) {
      return failure();
    }
  }
  return node.reshape(
      gates, {x.dims[0], x.dims[1], Dim(network.gates * network.hidden)});
}

//===----------------------------------------------------------------------===//
// Running over the sequence
//===----------------------------------------------------------------------===//

/// Where step `step` belongs to the sequence, as a mask of `like`.
static FailureOr<Tensor> findRunning(NodeImporter &node, const Tensor &lengths,
                                     int64_t step, const Tensor &like) {
  Tensor runs =
      node.compareTo(ComparePredicate::gt, lengths, static_cast<double>(step));
  auto column = node.unsqueeze(runs, 1);
  return failed(column) ? column : node.broadcast(*column, like.dims);
}

/// Runs one direction; returns the states after all steps, in the order of the
/// sequence.
static FailureOr<SmallVector<Tensor>>
runDirection(NodeImporter &node, const Network &network, const Tensor &gates,
             const std::optional<Tensor> &lengths, bool isReverse,
             Direction &direction) {
  int64_t steps = gates.dims[0].getStatic();
  SmallVector<Tensor> states(steps, direction.state);
  StepBuilder builder(node, network);
  for (int64_t i = 0; i < steps; ++i) {
    int64_t step = isReverse ? steps - 1 - i : i;
    auto own = node.take(gates, 0, step);
    Tensor oldState = direction.state;
    std::optional<Tensor> oldCell = direction.cell;
    if (failed(own) || failed(builder.step(direction, *own))) {
      return failure();
    }
    states[step] = direction.state;
    if (!lengths) {
      continue;
    }
    // A sequence that has ended, or not begun, keeps its state; its outputs
    // are zeros.
    auto runs = findRunning(node, *lengths, step, oldState);
    if (failed(runs)) {
      return failure();
    }
    states[step] = node.select(*runs, direction.state, node.splat(0, oldState));
    direction.state = node.select(*runs, direction.state, oldState);
    if (oldCell) {
      direction.cell = node.select(*runs, *direction.cell, *oldCell);
    }
  }
  return states;
}

/// Stacks what each direction gives, with the batch first where asked for.
static LogicalResult addStacked(NodeImporter &node, const Network &network,
                                ArrayRef<Tensor> parts, Type type) {
  auto all = node.stack(parts, 0);
  if (failed(all)) {
    return failure();
  }
  node.addResult(node.narrow(swapBatch(node, network, *all), type));
  return success();
}

/// Sets all results from the states of all directions.
static LogicalResult setResults(NodeImporter &node, const Network &network,
                                ArrayRef<SmallVector<Tensor>> states,
                                ArrayRef<Direction> directions, Type type) {
  SmallVector<Tensor> perDirection, last, cells;
  for (auto [own, direction] : llvm::zip(states, directions)) {
    auto steps = node.stack(own, 0);
    if (failed(steps)) {
      return failure();
    }
    perDirection.push_back(*steps);
    last.push_back(direction.state);
    if (direction.cell) {
      cells.push_back(*direction.cell);
    }
  }
  // Steps, directions, batch, hidden; or batch, steps, directions, hidden.
  auto all = node.stack(perDirection, 1);
  if (failed(all)) {
    return failure();
  }
  Tensor sequence =
      network.batchFirst ? node.transpose(*all, {2, 0, 1, 3}) : *all;
  node.addResult(node.narrow(sequence, type));
  if (failed(addStacked(node, network, last, type))) {
    return failure();
  }
  return cells.empty() ? success() : addStacked(node, network, cells, type);
}

static LogicalResult convertRecurrent(NodeImporter &node, int64_t gates,
                                      ArrayRef<StringRef> functions) {
  auto network = readNetwork(node, gates, functions);
  auto input = node.tensor(0);
  if (failed(network) || failed(input)) {
    return failure();
  }
  if (input->getRank() != 3 || !isa<FloatType>(input->getElementType())) {
    return node.emitError()
           << "expected floats of rank 3, but got " << input->getType();
  }
  Tensor x = swapBatch(node, *network, node.widen(*input));
  if (!x.dims[0].isStatic() || x.dims[0].getStatic() > kMostSteps ||
      x.dims[0].is(0)) {
    return node.emitError() << "expected a sequence of 1 to " << kMostSteps
                            << " steps, but got " << node.toString(x.dims[0]);
  }
  std::optional<Tensor> lengths;
  if (node.hasInput(4)) {
    auto given = node.tensor(4);
    if (failed(given)) {
      return failure();
    }
    lengths = *given;
  }
  SmallVector<Direction, 0> directions;
  SmallVector<SmallVector<Tensor>> states;
  for (int64_t index = 0; index < network->directions; ++index) {
    auto direction = readDirection(node, *network, index, x.dims[1]);
    if (failed(direction)) {
      return failure();
    }
    auto all = multiplyInputs(node, *network, x, *direction, index);
    if (failed(all)) {
      return failure();
    }
    bool isReverse = index == 1 || network->direction == "reverse";
    auto own =
        runDirection(node, *network, *all, lengths, isReverse, *direction);
    if (failed(own)) {
      return failure();
    }
    directions.push_back(*direction);
    states.push_back(*own);
  }
  return setResults(node, *network, states, directions,
                    input->getElementType());
}

static LogicalResult convertRnn(NodeImporter &node) {
  return convertRecurrent(node, 1, {"Tanh"});
}

static LogicalResult convertGru(NodeImporter &node) {
  return convertRecurrent(node, 3, {"Sigmoid", "Tanh"});
}

static LogicalResult convertLstm(NodeImporter &node) {
  return convertRecurrent(node, 4, {"Sigmoid", "Tanh", "Tanh"});
}

void onnx::addRecurrentOps(OpRegistry &registry) {
  registry.add("RNN", 7, {3, 6}, convertRnn);
  registry.add("GRU", 7, {3, 6}, convertGru);
  registry.add("LSTM", 7, {3, 8}, convertLstm);
}
