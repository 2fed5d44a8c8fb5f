//===- NodeImporter.cpp - one node of the graph ---------------------------===//

#include "NodeImporter.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::onnx;
using fusion_onnx::AttributeProto;
using fusion_onnx::NodeProto;

/// Integer tensors up to this size are looked into.
static constexpr int64_t kMaxIntegers = 1024;

const std::optional<SmallVector<Dim, 4>> &onnx::getIntegers(NamedValue &value) {
  if (value.integers || !value.constant) {
    return value.integers;
  }
  auto dense = dyn_cast<DenseIntElementsAttr>(value.constant);
  if (!dense || dense.getNumElements() > kMaxIntegers) {
    return value.integers;
  }
  bool isUnsigned = dense.getElementType().isUnsignedInteger() ||
                    dense.getElementType().isInteger(1);
  value.integers.emplace();
  for (const APInt &element : dense.getValues<APInt>()) {
    value.integers->push_back(isUnsigned
                                  ? static_cast<int64_t>(element.getZExtValue())
                                  : element.getSExtValue());
  }
  return value.integers;
}

/// The contents of `value` as an attribute; null if they are not numbers.
static ElementsAttr getContents(const NamedValue &value) {
  if (value.constant || !value.integers) {
    return value.constant;
  }
  unsigned width = value.elementType.getIntOrFloatBitWidth();
  SmallVector<APInt> elements;
  for (const Dim &dim : *value.integers) {
    if (!dim.isStatic()) {
      return {};
    }
    elements.emplace_back(width, dim.getStatic(), /*isSigned=*/true,
                          /*implicitTrunc=*/true);
  }
  SmallVector<int64_t> shape;
  for (const Dim &dim : value.dims) {
    shape.push_back(dim.getStatic());
  }
  return DenseElementsAttr::get(RankedTensorType::get(shape, value.elementType),
                                elements);
}

LogicalResult onnx::materialize(NamedValue &value, OpBuilder &builder,
                                Location loc) {
  if (value.value) {
    return success();
  }
  value.constant = getContents(value);
  if (!value.constant) {
    return failure();
  }
  value.value = ConstantOp::create(
      builder, value.loc ? Location(value.loc) : loc,
      cast<RankedTensorType>(value.constant.getType()), value.constant);
  return success();
}

NodeImporter::NodeImporter(OpBuilder &builder, DimTable &dimTable, Location loc,
                           const NodeProto &proto, unsigned ordinal,
                           int64_t opset, StringRef baseDir)
    : TensorBuilder(builder, dimTable, loc), proto(proto), ordinal(ordinal),
      opset(opset), baseDir(baseDir) {}

InFlightDiagnostic NodeImporter::emitError() const {
  hadError = true;
  InFlightDiagnostic diagnostic = mlir::emitError(getLoc());
  diagnostic << "cannot import node ";
  if (proto.name().empty()) {
    diagnostic << "#" << ordinal;
  } else {
    diagnostic << "'" << proto.name() << "'";
  }
  StringRef domain = proto.domain();
  diagnostic << " (op type '" << proto.op_type() << "', domain '"
             << (domain.empty() ? "ai.onnx" : domain) << "', opset ";
  if (opset == 0) {
    diagnostic << "not given): ";
  } else {
    diagnostic << opset << "): ";
  }
  return diagnostic;
}

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

FailureOr<Tensor> NodeImporter::tensor(unsigned index) {
  if (!hasInput(index)) {
    return emitError() << "expected input " << index;
  }
  NamedValue &value = *inputs[index];
  if (failed(onnx::materialize(value, getBuilder(), getLoc()))) {
    return emitError() << "input " << index
                       << " is made of sizes that only a run knows, and "
                          "cannot be used as a tensor";
  }
  return Tensor{value.value, value.dims};
}

void NodeImporter::replaceInput(unsigned index, const Tensor &tensor) {
  NamedValue value;
  value.elementType = tensor.getElementType();
  value.dims = tensor.dims;
  value.value = tensor.value;
  inputs[index] = &replacements.emplace_back(std::move(value));
}

FailureOr<SmallVector<Tensor>> NodeImporter::tensors() {
  SmallVector<Tensor> all;
  for (unsigned i = 0, e = getNumInputs(); i < e; ++i) {
    auto one = tensor(i);
    if (failed(one)) {
      return failure();
    }
    all.push_back(*one);
  }
  return all;
}

/// The arguments of the function that `value` is computed from, in their order.
/// Looks at a few ops only: values that decide shapes are made in few steps.
static SmallVector<BlockArgument> findArguments(Value value) {
  llvm::SmallSetVector<Value, 16> seen;
  SmallVector<BlockArgument> arguments;
  seen.insert(value);
  for (unsigned at = 0; at < seen.size() && at < 64; ++at) {
    if (auto argument = dyn_cast<BlockArgument>(seen[at])) {
      arguments.push_back(argument);
    } else if (Operation *op = seen[at].getDefiningOp()) {
      seen.insert(op->operand_begin(), op->operand_end());
    }
  }
  llvm::sort(arguments, [](BlockArgument a, BlockArgument b) {
    return a.getArgNumber() < b.getArgNumber();
  });
  return arguments;
}

InFlightDiagnostic NodeImporter::refuseUnknown(unsigned index,
                                               StringRef what) const {
  InFlightDiagnostic diagnostic = emitError();
  diagnostic << "expected input " << index << " (" << what
             << ") to be known when the model is compiled";
  if (Value value = inputs[index]->value) {
    for (BlockArgument argument : findArguments(value)) {
      if (auto name = dyn_cast<NameLoc>(argument.getLoc())) {
        diagnostic.attachNote(name)
            << "--bind " << name.getName().getValue() << "=FILE gives a value";
      }
    }
  }
  return diagnostic;
}

FailureOr<ElementsAttr> NodeImporter::constant(unsigned index, StringRef what) {
  if (!hasInput(index)) {
    return emitError() << "expected input " << index << " (" << what << ")";
  }
  if (ElementsAttr contents = getContents(*inputs[index])) {
    return contents;
  }
  return refuseUnknown(index, what);
}

FailureOr<ArrayRef<Dim>> NodeImporter::integers(unsigned index,
                                                StringRef what) {
  if (!hasInput(index)) {
    return emitError() << "expected input " << index << " (" << what << ")";
  }
  const auto &known = getIntegers(*inputs[index]);
  if (!known) {
    return refuseUnknown(index, what);
  }
  return ArrayRef<Dim>(*known);
}

FailureOr<SmallVector<int64_t>> NodeImporter::staticIntegers(unsigned index,
                                                             StringRef what) {
  auto known = integers(index, what);
  if (failed(known)) {
    return failure();
  }
  SmallVector<int64_t> numbers;
  for (const Dim &dim : *known) {
    if (!dim.isStatic()) {
      return emitError() << "expected input " << index << " (" << what
                         << ") to be numbers, but got " << toString(*known);
    }
    numbers.push_back(dim.getStatic());
  }
  return numbers;
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

/// The attribute `name` if it is there and of kind `type`.
const AttributeProto *NodeImporter::find(StringRef name,
                                         AttributeProto::Type type) {
  attributesRead.insert(name);
  const AttributeProto *attribute = attributes.lookup(name);
  if (!attribute) {
    return nullptr;
  }
  // Files of the first version do not say the kind.
  if (attribute->has_type() && attribute->type() != type) {
    emitError() << "attribute '" << name << "' is of the wrong kind";
    return nullptr;
  }
  return attribute;
}

int64_t NodeImporter::getInt(StringRef name, int64_t defaultValue) {
  const AttributeProto *attribute = find(name, AttributeProto::INT);
  return attribute ? attribute->i() : defaultValue;
}

double NodeImporter::getFloat(StringRef name, double defaultValue) {
  const AttributeProto *attribute = find(name, AttributeProto::FLOAT);
  return attribute ? attribute->f() : defaultValue;
}

std::string NodeImporter::getString(StringRef name, StringRef defaultValue) {
  const AttributeProto *attribute = find(name, AttributeProto::STRING);
  return attribute ? attribute->s() : defaultValue.str();
}

std::optional<SmallVector<int64_t>> NodeImporter::getInts(StringRef name) {
  const AttributeProto *attribute = find(name, AttributeProto::INTS);
  if (!attribute) {
    return std::nullopt;
  }
  return SmallVector<int64_t>(attribute->ints().begin(),
                              attribute->ints().end());
}

std::optional<SmallVector<float>> NodeImporter::getFloats(StringRef name) {
  const AttributeProto *attribute = find(name, AttributeProto::FLOATS);
  if (!attribute) {
    return std::nullopt;
  }
  return SmallVector<float>(attribute->floats().begin(),
                            attribute->floats().end());
}

std::optional<SmallVector<std::string>>
NodeImporter::getStrings(StringRef name) {
  const AttributeProto *attribute = find(name, AttributeProto::STRINGS);
  if (!attribute) {
    return std::nullopt;
  }
  return SmallVector<std::string>(attribute->strings().begin(),
                                  attribute->strings().end());
}

std::optional<fusion_onnx::TensorProto>
NodeImporter::getTensor(StringRef name) {
  const AttributeProto *attribute = find(name, AttributeProto::TENSOR);
  if (!attribute) {
    return std::nullopt;
  }
  return attribute->t();
}

const fusion_onnx::GraphProto *NodeImporter::getGraph(StringRef name) {
  const AttributeProto *attribute = find(name, AttributeProto::GRAPH);
  return attribute && attribute->has_g() ? &attribute->g() : nullptr;
}

void NodeImporter::ignore(ArrayRef<StringRef> names) {
  for (StringRef name : names) {
    attributesRead.insert(name);
  }
}

LogicalResult NodeImporter::checkAllAttributesRead() {
  SmallVector<StringRef> unread;
  for (const auto &entry : attributes) {
    if (!attributesRead.contains(entry.getKey())) {
      unread.push_back(entry.getKey());
    }
  }
  if (unread.empty()) {
    return success();
  }
  llvm::sort(unread);
  return emitError() << "attribute '" << unread.front() << "' is not supported";
}

FailureOr<int64_t> NodeImporter::normalizeSplitAxis(int64_t axis,
                                                    int64_t rank) {
  return axis == rank ? rank : normalizeAxis(axis, rank);
}

FailureOr<int64_t> NodeImporter::normalizeAxis(int64_t axis, int64_t rank) {
  if (axis < -rank || axis >= rank) {
    return emitError() << "expected an axis of a tensor of rank " << rank
                       << ", but got " << axis;
  }
  return axis < 0 ? axis + rank : axis;
}

FailureOr<SmallVector<int64_t>>
NodeImporter::normalizeAxes(ArrayRef<int64_t> axes, int64_t rank) {
  SmallVector<int64_t> normalized;
  for (int64_t axis : axes) {
    auto one = normalizeAxis(axis, rank);
    if (failed(one)) {
      return failure();
    }
    normalized.push_back(*one);
  }
  llvm::sort(normalized);
  if (std::adjacent_find(normalized.begin(), normalized.end()) !=
      normalized.end()) {
    return emitError() << "expected different axes, but one is given twice";
  }
  return normalized;
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

LogicalResult NodeImporter::setResult(const Tensor &tensor) {
  results.clear();
  addResult(tensor);
  return success();
}

void NodeImporter::addResult(const Tensor &tensor) {
  NamedValue value;
  value.elementType = tensor.getElementType();
  value.dims = tensor.dims;
  value.value = tensor.value;
  results.push_back(std::move(value));
}

LogicalResult NodeImporter::setResult(FailureOr<Tensor> tensor) {
  return failed(tensor) ? failure() : setResult(*tensor);
}

LogicalResult NodeImporter::setResult(NamedValue value) {
  results.clear();
  results.push_back(std::move(value));
  return success();
}

LogicalResult NodeImporter::setIntegers(ArrayRef<int64_t> shape,
                                        SmallVector<Dim, 4> integers,
                                        Type elementType) {
  NamedValue value;
  value.elementType = elementType;
  value.dims.assign(shape.begin(), shape.end());
  value.integers = std::move(integers);
  value.loc = getLoc();
  return setResult(std::move(value));
}
