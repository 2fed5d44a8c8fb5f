//===- GraphImporter.cpp - a model's graph to @main -----------------------===//

#include "GraphImporter.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::onnx;
using fusion_onnx::AttributeProto;
using fusion_onnx::FunctionProto;
using fusion_onnx::NodeProto;

/// Results of more elements are not computed while importing.
static constexpr int64_t kMaxComputedElements = 1024;

/// A bound on inlining: calls of calls multiply.
static constexpr unsigned kMaxNodes = 4000000;

StringRef onnx::normalizeDomain(StringRef domain) {
  return domain == "ai.onnx" ? "" : domain;
}

OpsetMap onnx::readOpsets(
    const google::protobuf::RepeatedPtrField<fusion_onnx::OperatorSetIdProto>
        &imports) {
  OpsetMap opsets;
  for (const fusion_onnx::OperatorSetIdProto &import : imports) {
    opsets[normalizeDomain(import.domain())] = import.version();
  }
  return opsets;
}

static std::string functionKey(StringRef domain, StringRef name,
                               StringRef overload) {
  return (domain + "\n" + name + "\n" + overload).str();
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

GraphImporter::GraphImporter(fusion_onnx::ModelProto &model, ModuleOp module,
                             const OnnxImportOptions &options)
    : model(model), options(options), context(module.getContext()),
      builder(context), dimTable(builder), sizes(options.dims) {
  builder.setInsertionPointToEnd(module.getBody());
  main = func::FuncOp::create(builder, nameLoc(model.graph().name()), "main",
                              builder.getFunctionType({}, {}));
  builder.setInsertionPointToEnd(main.addEntryBlock());
}

LogicalResult GraphImporter::run() {
  importOpsets();
  for (const FunctionProto &function : model.functions()) {
    functions[functionKey(normalizeDomain(function.domain()), function.name(),
                          function.overload())] = &function;
  }
  importInitializers(*model.mutable_graph(), graphScope);
  importInputs();
  for (const auto &output : model.graph().output()) {
    graphScope.used.insert(output.name());
  }
  for (const auto &info : model.graph().value_info()) {
    declarations[info.name()] = &info;
  }
  importNodes(model.graph().node(), graphScope);
  importOutputs();
  eraseUnusedArithmetic();
  return success(!hadError);
}

void GraphImporter::importOpsets() {
  graphScope.opsets = readOpsets(model.opset_import());
  int64_t opset = graphScope.opsets.lookup("");
  if (opset > kNewestOpset) {
    emitError("") << "expected opset " << kNewestOpset
                  << " of domain 'ai.onnx' or older, but got " << opset;
  }
}

NamedValue *GraphImporter::addValue(NamedValue value) {
  values.push_back(std::move(value));
  return &values.back();
}

Location GraphImporter::nameLoc(StringRef name) const {
  if (name.empty()) {
    return UnknownLoc::get(context);
  }
  return NameLoc::get(StringAttr::get(context, name));
}

InFlightDiagnostic GraphImporter::emitError(StringRef name) {
  hadError = true;
  return mlir::emitError(nameLoc(name));
}

/// Sizes are computed when they become known, and many are never used.
void GraphImporter::eraseUnusedArithmetic() {
  for (Operation &op :
       llvm::make_early_inc_range(llvm::reverse(main.getBody().front()))) {
    bool isNode = isa<FusionDialect>(op.getDialect()) && !isa<ConstantOp>(op);
    if (!isNode && isOpTriviallyDead(&op)) {
      op.erase();
    }
  }
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

void GraphImporter::importNodes(const Nodes &nodes, NameScope &scope) {
  for (const NodeProto &node : nodes) {
    for (StringRef output : node.output()) {
      scope.produced.insert(output);
    }
    for (StringRef input : node.input()) {
      scope.used.insert(input);
    }
  }
  for (const NodeProto &node : nodes) {
    if (++numNodes > kMaxNodes) {
      emitError(node.name()) << "expected at most " << kMaxNodes << " nodes";
      return;
    }
    importNode(node, scope);
  }
}

FailureOr<AttributeMap> GraphImporter::readAttributes(const NodeProto &proto,
                                                      const NameScope &scope,
                                                      NodeImporter &node) {
  AttributeMap attributes;
  for (const AttributeProto &attribute : proto.attribute()) {
    const AttributeProto *value = &attribute;
    if (attribute.has_ref_attr_name() && !attribute.ref_attr_name().empty()) {
      value = scope.callAttributes.lookup(attribute.ref_attr_name());
      if (!value) {
        continue; // The call leaves it out.
      }
    }
    if (!attributes.try_emplace(attribute.name(), value).second) {
      return node.emitError()
             << "attribute '" << attribute.name() << "' is given twice";
    }
  }
  return attributes;
}

FailureOr<SmallVector<NamedValue *>>
GraphImporter::lookUpInputs(const NodeProto &proto, const NameScope &scope,
                            NodeImporter &node) {
  SmallVector<NamedValue *> inputs;
  bool allFound = true;
  for (StringRef name : proto.input()) {
    NamedValue *value = nullptr;
    if (!name.empty()) {
      auto it = scope.values.find(name);
      if (it != scope.values.end()) {
        value = it->second;
      } else {
        allFound = false;
        node.emitError() << "input '" << name
                         << (scope.produced.contains(name)
                                 ? "' is made by a later node, or by this one"
                                 : "' is not defined");
      }
    }
    inputs.push_back(value);
  }
  while (!inputs.empty() && !inputs.back()) {
    inputs.pop_back();
  }
  if (!allFound) {
    return failure();
  }
  return inputs;
}

/// The registry's entry for the node, or null after an error.
static const OpEntry *findEntry(const NodeProto &proto, StringRef domain,
                                NodeImporter &node) {
  if (node.getOpset() == 0) {
    node.emitError() << "the model imports no operator set of this domain";
    return nullptr;
  }
  const OpRegistry &registry = getOpRegistry();
  const OpEntry *entry =
      registry.lookup(domain, proto.op_type(), node.getOpset());
  if (!entry) {
    auto first = registry.getFirstOpset(domain, proto.op_type());
    if (first) {
      node.emitError() << "expected opset " << *first << " or newer";
    } else {
      node.emitError() << "this op is not supported";
    }
  }
  return entry;
}

GraphImporter::ControlImporter
GraphImporter::getControlImporter(StringRef domain, StringRef opType) {
  if (!domain.empty()) {
    return nullptr;
  }
  return llvm::StringSwitch<ControlImporter>(opType)
      .Case("If", &GraphImporter::importIf)
      .Case("Loop", &GraphImporter::importLoop)
      .Case("Scan", &GraphImporter::importScan)
      .Case("SequenceMap", &GraphImporter::importSequenceMap)
      .Default(nullptr);
}

void GraphImporter::importNode(const NodeProto &proto, NameScope &scope) {
  StringRef domain = normalizeDomain(proto.domain());
  StringRef locName = !proto.name().empty()      ? StringRef(proto.name())
                      : proto.output_size() != 0 ? StringRef(proto.output(0))
                                                 : StringRef(proto.op_type());
  Location loc = nameLoc(locName);
  if (!proto.name().empty() && proto.output_size() != 0) {
    // The name of the tensor, by which people know a node too.
    loc = NameLoc::get(StringAttr::get(context, locName),
                       nameLoc(proto.output(0)));
  }
  NodeImporter node(builder, dimTable, loc, proto, numNodes - 1,
                    scope.opsets.lookup(domain), options.baseDir);
  auto attributes = readAttributes(proto, scope, node);
  auto inputs = lookUpInputs(proto, scope, node);
  const FunctionProto *callee =
      functions.lookup(functionKey(domain, proto.op_type(), proto.overload()));
  ControlImporter control =
      callee ? nullptr : getControlImporter(domain, proto.op_type());
  const OpEntry *entry =
      callee || control ? nullptr : findEntry(proto, domain, node);
  bool canTry = succeeded(attributes) && succeeded(inputs) &&
                (callee || control || entry) &&
                llvm::none_of(*inputs, [](const NamedValue *value) {
                  return value && value->refused;
                });
  FailureOr<std::vector<NamedValue>> results = failure();
  if (canTry) {
    node.setAttributes(std::move(*attributes));
    results = callee    ? inlineCall(*callee, *inputs, scope, node)
              : control ? (this->*control)(proto, *inputs, scope, node)
                        : convert(proto, *entry, *inputs, scope, node);
  }
  hadError |= node.failedSoFar();
  for (auto [index, name] : llvm::enumerate(proto.output())) {
    if (name.empty()) {
      continue;
    }
    bool isMade = succeeded(results) && index < results->size();
    NamedValue value =
        isMade ? (*results)[index] : makePlaceholder(name, scope);
    if (!scope.values.try_emplace(name, addValue(std::move(value))).second) {
      node.emitError() << "output '" << name << "' is defined twice";
      hadError = true;
    }
  }
}

/// Checks how many inputs there are, and leaves out optional ones that are
/// given as constants without elements, as some exporters do.
static LogicalResult checkInputs(const OpEntry &entry,
                                 SmallVectorImpl<NamedValue *> &inputs,
                                 NodeImporter &node) {
  auto [least, most] = entry.inputs;
  if (inputs.size() > most || inputs.size() < least) {
    return node.emitError()
           << "expected " << (inputs.size() > most ? "at most " : "at least ")
           << (inputs.size() > most ? most : least) << " inputs, but got "
           << inputs.size();
  }
  for (auto [index, input] : llvm::enumerate(inputs)) {
    bool isOptional = index >= least && most != kAnyNumber;
    if (!input && !isOptional) {
      return node.emitError() << "expected input " << index;
    }
    if (isOptional && input && input->constant &&
        input->constant.getNumElements() == 0) {
      input = nullptr;
    }
  }
  while (!inputs.empty() && !inputs.back()) {
    inputs.pop_back();
  }
  return success();
}

FailureOr<std::vector<NamedValue>>
GraphImporter::convert(const NodeProto &proto, const OpEntry &entry,
                       MutableArrayRef<NamedValue *> given,
                       const NameScope &scope, NodeImporter &node) {
  SmallVector<NamedValue *> inputs(given);
  if (failed(checkInputs(entry, inputs, node))) {
    return failure();
  }
  node.setInputs(inputs);
  for (auto [index, input] : llvm::enumerate(inputs)) {
    bool isTensor = !input || (!input->sequence && !input->absent);
    if (!isTensor && !takesSequences(proto.op_type())) {
      return node.emitError()
             << "expected input " << index << " to be a tensor, but got "
             << (input->absent ? "an optional without a value" : "a sequence");
    }
  }
  Block &block = main.getBody().front();
  Operation *last = block.empty() ? nullptr : &block.back();
  if ((entry.adapt && failed(entry.adapt(node))) ||
      (!foldIntegerNode(node) && failed(entry.convert(node)))) {
    if (!node.failedSoFar()) {
      node.emitError() << "it is not valid";
    }
    return failure();
  }
  if (node.failedSoFar() || failed(node.checkAllAttributesRead()) ||
      failed(verifyAfter(last, node))) {
    return failure();
  }
  foldAfter(last, node);
  std::vector<NamedValue> &results = node.getResults();
  for (int i = results.size(); i < proto.output_size(); ++i) {
    if (!proto.output(i).empty() && scope.used.contains(proto.output(i))) {
      return node.emitError() << "output " << i << " ('" << proto.output(i)
                              << "') is not supported";
    }
  }
  return std::move(results);
}

/// Verifies the ops after `last`: what they say is said of the node.
LogicalResult GraphImporter::verifyAfter(Operation *last, NodeImporter &node) {
  std::string message;
  {
    ScopedDiagnosticHandler handler(context, [&](Diagnostic &diagnostic) {
      if (message.empty()) {
        message = diagnostic.str();
      }
      return success();
    });
    Block &block = main.getBody().front();
    auto begin = last ? std::next(last->getIterator()) : block.begin();
    for (Operation &op : llvm::make_range(begin, block.end())) {
      if (failed(verify(&op))) {
        break;
      }
    }
  }
  return message.empty() ? success()
                         : LogicalResult(node.emitError() << message);
}

/// The contents of all operands of `op`; none if one is no constant.
static std::optional<SmallVector<Attribute>> getConstants(Operation *op) {
  SmallVector<Attribute> constants;
  for (Value operand : op->getOperands()) {
    if (!matchPattern(operand, m_Constant(&constants.emplace_back()))) {
      return std::nullopt;
    }
  }
  return constants;
}

/// Computes the ops of a node after `last` if they compute few elements from
/// constants: sizes and counts may depend on numbers that are no integers.
void GraphImporter::foldAfter(Operation *last, NodeImporter &node) {
  for (unsigned i = 0, e = node.getNumInputs(); i < e; ++i) {
    if (node.hasInput(i) && !node.getInput(i).constant) {
      return;
    }
  }
  Block &block = main.getBody().front();
  auto begin = last ? std::next(last->getIterator()) : block.begin();
  for (Operation &op :
       llvm::make_early_inc_range(llvm::make_range(begin, block.end()))) {
    auto type = op.getNumResults() == 1
                    ? dyn_cast<RankedTensorType>(op.getResult(0).getType())
                    : RankedTensorType();
    if (!type || !type.hasStaticShape() || op.getNumRegions() != 0 ||
        isa<ConstantOp>(op) || type.getNumElements() > kMaxComputedElements) {
      continue;
    }
    auto constants = getConstants(&op);
    SmallVector<OpFoldResult> folded;
    if (!constants || constants->empty() ||
        failed(op.fold(*constants, folded)) || folded.empty()) {
      continue;
    }
    auto attribute = dyn_cast<Attribute>(folded[0]);
    auto contents = dyn_cast_if_present<ElementsAttr>(attribute);
    if (!contents) {
      continue;
    }
    OpBuilder here(&op);
    Value value = ConstantOp::create(here, op.getLoc(), type, contents);
    for (NamedValue &result : node.getResults()) {
      if (result.value == op.getResult(0)) {
        result.value = value;
        result.constant = contents;
      }
    }
    op.replaceAllUsesWith(ValueRange{value});
    op.erase();
  }
}

FailureOr<std::vector<NamedValue>>
GraphImporter::inlineCall(const FunctionProto &callee,
                          ArrayRef<NamedValue *> inputs, const NameScope &scope,
                          NodeImporter &node) {
  if (scope.depth == kMaxCallDepth) {
    return node.emitError()
           << "calls are nested more than " << kMaxCallDepth << " deep";
  }
  if (static_cast<int>(inputs.size()) > callee.input_size()) {
    return node.emitError() << "expected at most " << callee.input_size()
                            << " inputs, but got " << inputs.size();
  }
  NameScope inner;
  inner.depth = scope.depth + 1;
  inner.opsets = readOpsets(callee.opset_import());
  for (int i = 0; i < callee.input_size(); ++i) {
    bool isGiven = i < static_cast<int>(inputs.size());
    inner.values[callee.input(i)] = isGiven ? inputs[i] : nullptr;
  }
  for (const AttributeProto &byDefault : callee.attribute_proto()) {
    inner.callAttributes[byDefault.name()] = &byDefault;
  }
  for (const auto &entry : node.getAttributes()) {
    inner.callAttributes[entry.getKey()] = entry.getValue();
  }
  for (StringRef name : callee.output()) {
    inner.used.insert(name);
  }
  importNodes(callee.node(), inner);
  std::vector<NamedValue> results;
  for (StringRef name : callee.output()) {
    NamedValue *value = inner.values.lookup(name);
    if (!value) {
      return node.emitError()
             << "its function does not define output '" << name << "'";
    }
    results.push_back(*value);
  }
  return results;
}
