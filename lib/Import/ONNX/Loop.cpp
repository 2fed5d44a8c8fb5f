//===- Loop.cpp - the ops Loop and Scan -----------------------------------===//
//
// The body is imported once per iteration: the number of iterations must be
// known. In each of them the number of the iteration is a known integer, so
// that what depends on it is folded; shapes may change from one to the next.
//
//===----------------------------------------------------------------------===//

#include "GraphImporter.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::onnx;
using fusion_onnx::GraphProto;
using fusion_onnx::NodeProto;

/// More iterations are refused: every one of them is a copy of the body.
static constexpr int64_t kMaxIterations = 4096;

/// A known scalar.
static NamedValue makeKnown(NodeImporter &node, int64_t value, Type type) {
  NamedValue known;
  known.elementType = type;
  known.integers = SmallVector<Dim, 4>{Dim(value)};
  known.loc = node.getLoc();
  return known;
}

/// Whether `value` is a condition that holds; none, after an error, where that
/// is not known.
static std::optional<bool> readCondition(NodeImporter &node,
                                         NamedValue &value) {
  const auto &known = getIntegers(value);
  if (value.sequence || !known || known->size() != 1 ||
      !known->front().isStatic()) {
    node.emitError() << "expected the condition of each iteration to be known "
                        "when the model is compiled";
    return std::nullopt;
  }
  return !known->front().is(0);
}

/// Stacks what the iterations gave for one output of the body, along a new
/// `axis` (from the end where negative). `output` says what there is if there
/// were no iterations.
static FailureOr<NamedValue>
stackScanned(NodeImporter &node, std::vector<NamedValue> &scanned,
             const fusion_onnx::ValueInfoProto &output, int64_t axis) {
  if (scanned.empty()) {
    return node.emitError() << "expected at least one iteration for output '"
                            << output.name() << "'";
  }
  SmallVector<Tensor> tensors;
  for (NamedValue &value : scanned) {
    if (value.sequence ||
        failed(materialize(value, node.getBuilder(), node.getLoc()))) {
      return node.emitError() << "output '" << output.name()
                              << "' of its body cannot be used as a tensor";
    }
    tensors.push_back({value.value, value.dims});
    if (value.elementType != scanned.front().elementType ||
        value.dims != scanned.front().dims) {
      return node.emitError() << "expected output '" << output.name()
                              << "' of one shape in all iterations, but got "
                              << node.toString(scanned.front().dims) << " and "
                              << node.toString(value.dims);
    }
  }
  auto place = node.normalizeAxis(axis, tensors.front().getRank() + 1);
  if (failed(place)) {
    return failure();
  }
  auto stacked = node.stack(tensors, *place);
  if (failed(stacked)) {
    return failure();
  }
  NamedValue result;
  result.elementType = stacked->getElementType();
  result.dims = stacked->dims;
  result.value = stacked->value;
  return result;
}

/// The number of iterations that a Loop's first input allows.
static FailureOr<int64_t> readTripCount(NodeImporter &node) {
  if (!node.hasInput(0)) {
    return INT64_MAX;
  }
  auto given = node.staticIntegers(0, "trip count");
  if (failed(given)) {
    return failure();
  }
  if (given->size() != 1) {
    return node.emitError() << "expected one trip count";
  }
  return std::max<int64_t>(given->front(), 0);
}

/// What a refusal of an iteration says.
static LogicalResult refuseManyIterations(NodeImporter &node) {
  return node.emitError() << "expected at most " << kMaxIterations
                          << " iterations, which are imported one by one";
}

/// Whether a Loop's second input lets it begin.
static FailureOr<bool> readStart(NodeImporter &node) {
  if (!node.hasInput(1)) {
    return true;
  }
  auto given = node.staticIntegers(1, "condition");
  if (failed(given)) {
    return failure();
  }
  if (given->size() != 1) {
    return node.emitError() << "expected one condition";
  }
  return given->front() != 0;
}

/// Appends what the iterations gave for the outputs of `body` from `first` on,
/// each stacked along its axis of `axes`.
static LogicalResult
appendStacked(NodeImporter &node, const GraphProto &body, int64_t first,
              ArrayRef<int64_t> axes,
              std::vector<std::vector<NamedValue>> &scanned,
              std::vector<NamedValue> &results) {
  for (auto [number, axis] : llvm::enumerate(axes)) {
    auto stacked =
        stackScanned(node, scanned[number], body.output(first + number), axis);
    if (failed(stacked)) {
      return failure();
    }
    results.push_back(std::move(*stacked));
  }
  return success();
}

static std::vector<NamedValue> copyValues(ArrayRef<NamedValue *> values) {
  std::vector<NamedValue> copies;
  for (NamedValue *value : values) {
    copies.push_back(*value);
  }
  return copies;
}

FailureOr<std::vector<NamedValue>>
GraphImporter::importLoop(const NodeProto &proto, ArrayRef<NamedValue *> inputs,
                          const NameScope &scope, NodeImporter &node) {
  const GraphProto *body = node.getGraph("body");
  int64_t numCarried =
      std::max<int64_t>(static_cast<int64_t>(inputs.size()) - 2, 0);
  if (!body || body->input_size() != numCarried + 2 ||
      body->output_size() < numCarried + 1 ||
      llvm::is_contained(
          ArrayRef(inputs).drop_front(inputs.size() - numCarried), nullptr)) {
    return node.emitError()
           << "expected a body with a number, a condition and each carried "
              "value as inputs, and outputs for the latter two";
  }
  node.setInputs(inputs);
  auto count = readTripCount(node);
  auto goesOn = readStart(node);
  if (failed(count) || failed(goesOn) ||
      failed(node.checkAllAttributesRead())) {
    return failure();
  }
  std::vector<NamedValue> carried =
      copyValues(inputs.drop_front(inputs.size() - numCarried));
  int64_t numScanned = body->output_size() - 1 - numCarried;
  std::vector<std::vector<NamedValue>> scanned(numScanned);
  for (int64_t i = 0; *goesOn && i < *count; ++i) {
    if (i == kMaxIterations) {
      return refuseManyIterations(node);
    }
    std::vector<NamedValue> arguments = {
        makeKnown(node, i, builder.getI64Type()),
        makeKnown(node, 1, builder.getI1Type())};
    arguments.insert(arguments.end(), carried.begin(), carried.end());
    auto iteration = importBranch(*body, scope, node, arguments);
    if (failed(iteration)) {
      return failure();
    }
    std::vector<NamedValue> &results = iteration->results;
    auto condition = readCondition(node, results.front());
    if (!condition) {
      return failure();
    }
    *goesOn = *condition;
    carried.assign(results.begin() + 1, results.begin() + 1 + numCarried);
    for (int64_t j = 0; j < numScanned; ++j) {
      scanned[j].push_back(results[1 + numCarried + j]);
    }
  }
  if (failed(appendStacked(node, *body, 1 + numCarried,
                           SmallVector<int64_t>(numScanned, 0), scanned,
                           carried))) {
    return failure();
  }
  return carried;
}

//===----------------------------------------------------------------------===//
// Scan
//===----------------------------------------------------------------------===//

namespace {
/// Along which axes a Scan goes, and where it starts: one entry per scanned
/// input or output.
struct ScanAxes {
  SmallVector<int64_t> axes;
  SmallVector<bool> isReversed;
};
} // namespace

static FailureOr<ScanAxes> readScanAxes(NodeImporter &node, StringRef kind,
                                        int64_t count) {
  auto axes = node.getInts(("scan_" + kind + "_axes").str());
  auto directions = node.getInts(("scan_" + kind + "_directions").str());
  ScanAxes result;
  result.axes = axes.value_or(SmallVector<int64_t>(count, 0));
  for (int64_t entry : directions.value_or(SmallVector<int64_t>(count, 0))) {
    result.isReversed.push_back(entry != 0);
  }
  if (static_cast<int64_t>(result.axes.size()) != count ||
      static_cast<int64_t>(result.isReversed.size()) != count) {
    return node.emitError() << "expected one axis and one direction for each "
                               "of "
                            << count << " scanned " << kind << "s";
  }
  return result;
}

/// Reads the scanned inputs, from `first` on, and normalizes their `axes`,
/// along which all have one static size.
static FailureOr<SmallVector<Tensor>>
readScanSources(NodeImporter &node, int64_t first,
                MutableArrayRef<int64_t> axes) {
  SmallVector<Tensor> sources;
  for (auto [number, given] : llvm::enumerate(axes)) {
    auto source = node.tensor(first + number);
    auto axis = failed(source) ? FailureOr<int64_t>(failure())
                               : node.normalizeAxis(given, source->getRank());
    if (failed(axis)) {
      return failure();
    }
    given = *axis;
    const Dim &size = source->dims[*axis];
    if (!size.isStatic() || (number != 0 && size != sources[0].dims[axes[0]])) {
      return node.emitError()
             << "expected scanned tensors of one static size along their axes, "
                "but got "
             << node.toString(source->dims);
    }
    sources.push_back(*source);
  }
  return sources;
}

/// Appends the part of each of `sources` that iteration `i` of `count` sees.
static LogicalResult appendParts(NodeImporter &node, ArrayRef<Tensor> sources,
                                 const ScanAxes &from, int64_t i, int64_t count,
                                 std::vector<NamedValue> &arguments) {
  for (auto [source, axis, isReversed] :
       llvm::zip_equal(sources, from.axes, from.isReversed)) {
    auto part = node.take(source, axis, isReversed ? count - 1 - i : i);
    if (failed(part)) {
      return failure();
    }
    NamedValue &argument = arguments.emplace_back();
    argument.elementType = part->getElementType();
    argument.dims = part->dims;
    argument.value = part->value;
  }
  return success();
}

FailureOr<std::vector<NamedValue>>
GraphImporter::importScan(const NodeProto &proto, ArrayRef<NamedValue *> inputs,
                          const NameScope &scope, NodeImporter &node) {
  const GraphProto *body = node.getGraph("body");
  if (node.getOpset() < 9) {
    return node.emitError() << "expected opset 9 or newer";
  }
  int64_t numInputs = inputs.size();
  int64_t numScanned = node.getInt("num_scan_inputs", 0);
  int64_t numCarried = numInputs - numScanned;
  if (!body || numScanned < 1 || numCarried < 0 ||
      body->input_size() != numInputs || body->output_size() < numCarried ||
      llvm::is_contained(inputs, nullptr)) {
    return node.emitError() << "expected a body with one input for each state "
                               "and scanned tensor, and outputs for the states";
  }
  node.setInputs(inputs);
  auto from = readScanAxes(node, "input", numScanned);
  auto to = readScanAxes(node, "output", body->output_size() - numCarried);
  if (failed(from) || failed(to) || failed(node.checkAllAttributesRead())) {
    return failure();
  }
  auto read = readScanSources(node, numCarried, from->axes);
  if (failed(read)) {
    return failure();
  }
  ArrayRef<Tensor> sources = *read;
  int64_t count = sources[0].dims[from->axes[0]].getStatic();
  if (count > kMaxIterations) {
    return LogicalResult(refuseManyIterations(node));
  }
  std::vector<NamedValue> carried = copyValues(inputs.take_front(numCarried));
  std::vector<std::vector<NamedValue>> scanned(to->axes.size());
  for (int64_t i = 0; i < count; ++i) {
    std::vector<NamedValue> arguments = carried;
    if (failed(appendParts(node, sources, *from, i, count, arguments))) {
      return failure();
    }
    auto iteration = importBranch(*body, scope, node, arguments);
    if (failed(iteration)) {
      return failure();
    }
    std::vector<NamedValue> &results = iteration->results;
    carried.assign(results.begin(), results.begin() + numCarried);
    for (size_t j = 0; j < scanned.size(); ++j) {
      auto &all = scanned[j];
      all.insert(to->isReversed[j] ? all.begin() : all.end(),
                 results[numCarried + j]);
    }
  }
  if (failed(
          appendStacked(node, *body, numCarried, to->axes, scanned, carried))) {
    return failure();
  }
  return carried;
}
