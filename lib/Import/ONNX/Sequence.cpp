//===- Sequence.cpp - sequences of tensors, and optional values -----------===//
//
// A sequence exists only while importing: a list of values, whose length and
// order are known. What its positions depend on must be known too.
//
//===----------------------------------------------------------------------===//

#include "GraphImporter.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::onnx;

bool onnx::takesSequences(StringRef opType) {
  return llvm::is_contained({"ConcatFromSequence", "Identity", "Optional",
                             "OptionalGetElement", "OptionalHasElement",
                             "SequenceAt", "SequenceErase", "SequenceInsert",
                             "SequenceLength"},
                            opType);
}

static NamedValue makeSequence(std::vector<NamedValue> values) {
  NamedValue result;
  result.sequence = std::move(values);
  return result;
}

/// The values of input `index`.
static FailureOr<std::vector<NamedValue>> readSequence(NodeImporter &node,
                                                       unsigned index) {
  const NamedValue &input = node.getInput(index);
  if (!input.sequence) {
    return node.emitError()
           << "expected input " << index << " to be a sequence";
  }
  return *input.sequence;
}

/// The position in input `index` in a sequence of `size`, counted from the
/// start; `byDefault` if it is left out.
static FailureOr<int64_t> readPosition(NodeImporter &node, unsigned index,
                                       int64_t size, int64_t byDefault) {
  if (!node.hasInput(index)) {
    return byDefault;
  }
  auto given = node.staticIntegers(index, "position");
  if (failed(given)) {
    return failure();
  }
  if (given->size() != 1 || given->front() < -size ||
      given->front() >= std::max(size, byDefault + 1)) {
    return node.emitError()
           << "expected a position in a sequence of " << size << " values";
  }
  return given->front() < 0 ? given->front() + size : given->front();
}

static LogicalResult convertSequenceEmpty(NodeImporter &node) {
  node.ignore({"dtype"});
  return node.setResult(makeSequence({}));
}

static LogicalResult convertSequenceConstruct(NodeImporter &node) {
  std::vector<NamedValue> values;
  for (unsigned i = 0, e = node.getNumInputs(); i < e; ++i) {
    values.push_back(node.getInput(i));
  }
  return node.setResult(makeSequence(std::move(values)));
}

static LogicalResult convertSequenceInsert(NodeImporter &node) {
  auto values = readSequence(node, 0);
  if (failed(values)) {
    return failure();
  }
  int64_t size = values->size();
  auto position = readPosition(node, 2, size, size);
  if (failed(position)) {
    return failure();
  }
  values->insert(values->begin() + *position, node.getInput(1));
  return node.setResult(makeSequence(std::move(*values)));
}

/// Reads the sequence and the position of one of its values, by default the
/// last.
static LogicalResult readElement(NodeImporter &node,
                                 std::vector<NamedValue> &values,
                                 int64_t &position) {
  auto sequence = readSequence(node, 0);
  if (failed(sequence)) {
    return failure();
  }
  int64_t size = sequence->size();
  auto given = readPosition(node, 1, size, size - 1);
  if (failed(given)) {
    return failure();
  }
  if (sequence->empty()) {
    return node.emitError() << "expected a sequence that is not empty";
  }
  values = std::move(*sequence);
  position = *given;
  return success();
}

static LogicalResult convertSequenceErase(NodeImporter &node) {
  std::vector<NamedValue> values;
  int64_t position = 0;
  if (failed(readElement(node, values, position))) {
    return failure();
  }
  values.erase(values.begin() + position);
  return node.setResult(makeSequence(std::move(values)));
}

static LogicalResult convertSequenceAt(NodeImporter &node) {
  std::vector<NamedValue> values;
  int64_t position = 0;
  if (failed(readElement(node, values, position))) {
    return failure();
  }
  return node.setResult(values[position]);
}

static LogicalResult convertSequenceLength(NodeImporter &node) {
  auto values = readSequence(node, 0);
  if (failed(values)) {
    return failure();
  }
  return node.setIntegers({}, {Dim(static_cast<int64_t>(values->size()))},
                          node.getBuilder().getI64Type());
}

/// All values of a sequence as one tensor: joined along an axis, or a new one.
static LogicalResult convertConcatFromSequence(NodeImporter &node) {
  int64_t attribute = node.getInt("axis", 0);
  bool isNew = node.getInt("new_axis", 0) != 0;
  auto values = readSequence(node, 0);
  if (failed(values)) {
    return failure();
  }
  if (values->empty()) {
    return node.emitError() << "expected a sequence that is not empty";
  }
  int64_t rank = values->front().dims.size();
  auto axis = node.normalizeAxis(attribute, rank + (isNew ? 1 : 0));
  if (failed(axis)) {
    return failure();
  }
  SmallVector<Tensor> tensors;
  for (NamedValue &value : *values) {
    SmallVector<Dim, 4> expected = values->front().dims;
    if (!isNew && value.dims.size() == expected.size()) {
      expected[*axis] = value.dims[*axis];
    }
    if (value.sequence || value.dims != expected ||
        value.elementType != values->front().elementType) {
      return node.emitError() << "expected tensors of one type that differ at "
                                 "most along the axis";
    }
    if (failed(materialize(value, node.getBuilder(), node.getLoc()))) {
      return node.emitError() << "a value is made of sizes that only a run "
                                 "knows, and cannot be used as a tensor";
    }
    tensors.push_back({value.value, value.dims});
  }
  return node.setResult(isNew ? node.stack(tensors, *axis)
                              : node.concat(tensors, *axis));
}

/// The sizes of the parts of an axis of `size`; `isUnit`: none were given.
static FailureOr<SmallVector<int64_t>> readSplit(NodeImporter &node,
                                                 int64_t size, bool &isUnit) {
  isUnit = !node.hasInput(1);
  int64_t part = 1;
  if (!isUnit) {
    auto given = node.staticIntegers(1, "split");
    if (failed(given)) {
      return failure();
    }
    if (!node.getDims(1).empty()) {
      return *given;
    }
    part = given->empty() ? 0 : given->front();
  }
  if (part < 1) {
    return node.emitError()
           << "expected parts of a positive size, but got " << part;
  }
  SmallVector<int64_t> parts;
  for (int64_t start = 0; start < size; start += part) {
    parts.push_back(std::min(part, size - start));
  }
  return parts;
}

static LogicalResult convertSplitToSequence(NodeImporter &node) {
  int64_t attribute = node.getInt("axis", 0);
  bool keepDims = node.getInt("keepdims", 1) != 0;
  auto input = node.tensor(0);
  if (failed(input)) {
    return failure();
  }
  auto axis = node.normalizeAxis(attribute, input->getRank());
  if (failed(axis)) {
    return failure();
  }
  if (!input->dims[*axis].isStatic()) {
    return node.emitError() << "expected a static size to split, but got "
                            << node.toString(input->dims[*axis]);
  }
  int64_t size = input->dims[*axis].getStatic();
  bool isUnit = false;
  auto parts = readSplit(node, size, isUnit);
  if (failed(parts)) {
    return failure();
  }
  std::vector<NamedValue> values;
  int64_t start = 0;
  for (int64_t count : *parts) {
    if (count < 0 || start + count > size) {
      break;
    }
    auto part = isUnit && !keepDims ? node.take(*input, *axis, start)
                                    : node.slice(*input, *axis, start, count);
    if (failed(part)) {
      return failure();
    }
    NamedValue &value = values.emplace_back();
    value.elementType = part->getElementType();
    value.dims = part->dims;
    value.value = part->value;
    start += count;
  }
  if (start != size || values.size() != parts->size()) {
    return node.emitError()
           << "expected parts of " << size << " elements in all";
  }
  return node.setResult(makeSequence(std::move(values)));
}

//===----------------------------------------------------------------------===//
// Optional values
//===----------------------------------------------------------------------===//

static LogicalResult convertOptional(NodeImporter &node) {
  node.ignore({"type"});
  if (node.hasInput(0)) {
    return node.setResult(node.getInput(0));
  }
  NamedValue value;
  value.absent = true;
  return node.setResult(std::move(value));
}

static LogicalResult convertOptionalGetElement(NodeImporter &node) {
  if (node.getInput(0).absent) {
    return node.emitError() << "expected an optional with a value";
  }
  return node.setResult(node.getInput(0));
}

static LogicalResult convertOptionalHasElement(NodeImporter &node) {
  bool has = node.hasInput(0) && !node.getInput(0).absent;
  return node.setIntegers({}, {Dim(has ? 1 : 0)},
                          node.getBuilder().getI1Type());
}

//===----------------------------------------------------------------------===//
// SequenceMap
//===----------------------------------------------------------------------===//

FailureOr<std::vector<NamedValue>>
GraphImporter::importSequenceMap(const fusion_onnx::NodeProto &proto,
                                 ArrayRef<NamedValue *> inputs,
                                 const NameScope &scope, NodeImporter &node) {
  const fusion_onnx::GraphProto *body = node.getGraph("body");
  if (!body || inputs.empty() || llvm::is_contained(inputs, nullptr) ||
      body->input_size() != static_cast<int>(inputs.size())) {
    return node.emitError() << "expected a body with one input for each input";
  }
  node.setInputs(inputs);
  auto first = readSequence(node, 0);
  if (failed(first) || failed(node.checkAllAttributesRead())) {
    return failure();
  }
  std::vector<std::vector<NamedValue>> mapped(body->output_size());
  for (size_t i = 0; i < first->size(); ++i) {
    std::vector<NamedValue> arguments;
    for (NamedValue *input : inputs) {
      if (input->sequence && input->sequence->size() != first->size()) {
        return node.emitError()
               << "expected sequences of one length, but got " << first->size()
               << " and " << input->sequence->size();
      }
      arguments.push_back(input->sequence ? (*input->sequence)[i] : *input);
    }
    auto results = importBranch(*body, scope, node, arguments);
    if (failed(results)) {
      return failure();
    }
    for (size_t j = 0; j < mapped.size(); ++j) {
      mapped[j].push_back(results->results[j]);
    }
  }
  std::vector<NamedValue> results;
  for (std::vector<NamedValue> &values : mapped) {
    results.push_back(makeSequence(std::move(values)));
  }
  return results;
}

void onnx::addSequenceOps(OpRegistry &registry) {
  registry.add("ConcatFromSequence", 11, {1, 1}, convertConcatFromSequence);
  registry.add("Optional", 15, {0, 1}, convertOptional);
  registry.add("OptionalGetElement", 15, {1, 1}, convertOptionalGetElement);
  registry.add("OptionalHasElement", 15, {0, 1}, convertOptionalHasElement);
  registry.add("SequenceAt", 11, {2, 2}, convertSequenceAt);
  registry.add("SequenceConstruct", 11, {1, kAnyNumber},
               convertSequenceConstruct);
  registry.add("SequenceEmpty", 11, {0, 0}, convertSequenceEmpty);
  registry.add("SequenceErase", 11, {1, 2}, convertSequenceErase);
  registry.add("SequenceInsert", 11, {2, 3}, convertSequenceInsert);
  registry.add("SequenceLength", 11, {1, 1}, convertSequenceLength);
  registry.add("SplitToSequence", 11, {1, 2}, convertSplitToSequence);
}
