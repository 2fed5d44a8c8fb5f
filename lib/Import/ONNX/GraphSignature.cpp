//===- GraphSignature.cpp - inputs, weights, dims and outputs -------------===//

#include "GraphImporter.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/GlobPattern.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::onnx;
using fusion_onnx::TensorProto;
using fusion_onnx::TensorShapeProto;
using fusion_onnx::ValueInfoProto;

//===----------------------------------------------------------------------===//
// Initializers
//===----------------------------------------------------------------------===//

void GraphImporter::importInitializers(fusion_onnx::GraphProto &graph,
                                       NameScope &scope) {
  for (TensorProto &tensor : *graph.mutable_initializer()) {
    // The name outlives the tensor's bytes.
    NamedValue value;
    Location loc = nameLoc(tensor.name());
    value.loc = loc;
    auto contents = readTensor(tensor, options.baseDir, loc);
    if (succeeded(contents)) {
      auto type = cast<RankedTensorType>(contents->getType());
      value.elementType = type.getElementType();
      value.dims.assign(type.getShape().begin(), type.getShape().end());
      value.constant = *contents;
    } else {
      hadError = value.refused = true;
    }
    NamedValue *added = addValue(std::move(value));
    if (!scope.values.try_emplace(tensor.name(), added).second) {
      emitError(tensor.name())
          << "initializer '" << tensor.name() << "' is defined twice";
    }
  }
  for (const auto &sparse : graph.sparse_initializer()) {
    emitError(sparse.values().name())
        << "sparse initializer '" << sparse.values().name()
        << "' is not supported";
  }
}

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

void GraphImporter::importInputs() {
  for (const ValueInfoProto &input : model.graph().input()) {
    if (input.has_type() && input.type().tensor_type().has_shape()) {
      for (const auto &dim : input.type().tensor_type().shape().dim()) {
        if (!dim.dim_param().empty()) {
          dimNames.insert(dim.dim_param());
        }
      }
    }
  }
  llvm::StringSet<> initializers;
  for (const auto &entry : graphScope.values) {
    initializers.insert(entry.getKey());
  }
  for (const ValueInfoProto &input : model.graph().input()) {
    bindDimNames(input);
  }
  for (const ValueInfoProto &input : model.graph().input()) {
    // Old models list initializers as inputs too: these are their defaults.
    if (initializers.contains(input.name())) {
      continue;
    }
    auto bound = options.bound.find(input.name());
    if (bound == options.bound.end()) {
      importInput(input);
    } else {
      importBoundInput(input, bound->second);
    }
  }
  checkBoundNames();
  checkDimOptions();
  markWeights();
}

/// A name for a dynamic dim that has none.
std::string GraphImporter::makeDimName(StringRef inputName, unsigned index) {
  std::string name = (inputName + "." + Twine(index)).str();
  while (!dimNames.insert(name).second) {
    name += "_";
  }
  return name;
}

FailureOr<SmallVector<int64_t>>
GraphImporter::importShape(const ValueInfoProto &input,
                           SmallVectorImpl<std::string> &names) {
  StringRef inputName = input.name();
  const TensorShapeProto &proto = input.type().tensor_type().shape();
  if (proto.dim_size() > kMaxRank) {
    return emitError(inputName)
           << "input '" << inputName << "': expected a rank of at most "
           << kMaxRank << ", but got " << proto.dim_size();
  }
  SmallVector<int64_t> shape;
  double bytes = 8;
  for (auto [index, dim] : llvm::enumerate(proto.dim())) {
    names.emplace_back();
    int64_t size = dim.dim_value();
    // Some exporters write -1 for a size that is not known.
    if (!dim.has_dim_value() || size == -1) {
      names.back() = dim.dim_param().empty() ? makeDimName(inputName, index)
                                             : dim.dim_param();
      // A size that is negative is an error of its own.
      auto chosen = sizes.find(names.back());
      bool isChosen = chosen != sizes.end() && chosen->second >= 0;
      size = isChosen ? chosen->second : ShapedType::kDynamic;
    }
    if (size < 0 && !ShapedType::isDynamic(size)) {
      return emitError(inputName)
             << "input '" << inputName
             << "': expected sizes that are not negative, but got " << size;
    }
    if (!ShapedType::isDynamic(size)) {
      names.back().clear();
      bytes *= std::max<double>(size, 1);
    }
    shape.push_back(size);
  }
  if (bytes > 4e18) {
    return emitError(inputName)
           << "input '" << inputName << "': its shape is too large";
  }
  return shape;
}

void GraphImporter::importInput(const ValueInfoProto &input) {
  StringRef name = input.name();
  NamedValue value;
  Location loc = nameLoc(name);
  int32_t dataType = input.type().tensor_type().elem_type();
  bool isTensor = input.has_type() && input.type().has_tensor_type();
  value.elementType = elementTypeFor(dataType, context);
  SmallVector<std::string> names;
  FailureOr<SmallVector<int64_t>> shape = failure();
  if (!isTensor) {
    emitError(name) << "expected input '" << name << "' to be a tensor";
  } else if (!input.type().tensor_type().has_shape()) {
    emitError(name) << "expected input '" << name << "' to have a shape";
  } else if (!value.elementType) {
    emitError(name) << "input '" << name << "': element type "
                    << elementTypeName(dataType) << " is not supported";
  } else {
    shape = importShape(input, names);
  }
  value.refused = failed(shape);
  if (succeeded(shape)) {
    auto type = RankedTensorType::get(*shape, value.elementType);
    value.value = main.getBody().addArgument(type, loc);
    SmallVector<NamedAttribute> attributes{builder.getNamedAttr(
        FusionDialect::kNameAttr, builder.getStringAttr(name))};
    if (!type.hasStaticShape()) {
      SmallVector<StringRef> refs(names.begin(), names.end());
      attributes.push_back(builder.getNamedAttr(FusionDialect::kDimsAttr,
                                                builder.getStrArrayAttr(refs)));
    }
    for (auto [index, size] : llvm::enumerate(*shape)) {
      value.dims.push_back(
          ShapedType::isDynamic(size)
              ? dimTable.inputDim(names[index], value.value, index)
              : Dim(size));
    }
    argumentAttributes.push_back(std::move(attributes));
    inputNames.push_back(name.str());
  }
  NamedValue *added = addValue(std::move(value));
  if (!graphScope.values.try_emplace(name, added).second) {
    emitError(name) << "input '" << name << "' is defined twice";
  }
}

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

void GraphImporter::checkDimOptions() {
  for (const auto &[name, size] : options.dims) {
    if (size < 0) {
      emitError("") << "expected a size that is not negative for dim '" << name
                    << "', but got " << size;
    }
    if (dimNames.count(name)) {
      continue;
    }
    InFlightDiagnostic diagnostic = emitError("");
    diagnostic << "the model has no dim '" << name << "'; ";
    if (dimNames.empty()) {
      diagnostic << "all its dims are static";
    } else {
      diagnostic << "it has " << llvm::join(dimNames, ", ");
    }
  }
}

void GraphImporter::markWeights() {
  SmallVector<bool> isWeight(inputNames.size(), false);
  SmallVector<bool> isExcluded(inputNames.size(), false);
  for (StringRef text : options.weights) {
    StringRef glob = text;
    bool excludes = glob.consume_front("!");
    llvm::Expected<llvm::GlobPattern> pattern = llvm::GlobPattern::create(glob);
    if (!pattern) {
      emitError("") << "expected a glob for weights, but got '" << text
                    << "': " << llvm::toString(pattern.takeError());
      continue;
    }
    // Naming initializers is no mistake (they are weights anyway), nor is
    // naming an input that was refused.
    auto matchesName = [&](const auto &named) {
      return pattern->match(named.name());
    };
    bool matches = llvm::any_of(model.graph().initializer(), matchesName) ||
                   llvm::any_of(model.graph().input(), matchesName);
    for (auto [index, name] : llvm::enumerate(inputNames)) {
      if (pattern->match(name)) {
        (excludes ? isExcluded : isWeight)[index] = true;
      }
    }
    if (!matches) {
      emitError("") << "weights '" << text << "' match no input; the model has "
                    << llvm::join(inputNames, ", ");
    }
  }
  for (auto [index, attributes] : llvm::enumerate(argumentAttributes)) {
    if (isWeight[index] && !isExcluded[index]) {
      attributes.push_back(builder.getNamedAttr(FusionDialect::kWeightAttr,
                                                builder.getUnitAttr()));
    }
  }
}

NamedValue GraphImporter::makePlaceholder(StringRef name,
                                          const NameScope &scope) {
  NamedValue value;
  value.refused = true;
  const ValueInfoProto *info =
      scope.depth == 0 ? declarations.lookup(name) : nullptr;
  if (!info) {
    return value;
  }
  // Floats of static shape only: integers may be sizes whose values matter.
  const auto &type = info->type().tensor_type();
  auto elementType =
      dyn_cast_or_null<FloatType>(elementTypeFor(type.elem_type(), context));
  SmallVector<int64_t> shape;
  double elements = 1;
  for (const TensorShapeProto::Dimension &dim : type.shape().dim()) {
    shape.push_back(dim.has_dim_value() ? dim.dim_value() : -1);
    elements *= std::max<double>(shape.back(), 1);
  }
  if (!elementType || !type.has_shape() || elements > 1e18 ||
      static_cast<int64_t>(shape.size()) > kMaxRank ||
      llvm::any_of(shape, [](int64_t size) { return size < 0; })) {
    return value;
  }
  value.refused = false;
  value.elementType = elementType;
  value.dims.assign(shape.begin(), shape.end());
  value.constant =
      DenseElementsAttr::get(RankedTensorType::get(shape, elementType),
                             builder.getZeroAttr(elementType));
  return value;
}

//===----------------------------------------------------------------------===//
// Outputs
//===----------------------------------------------------------------------===//

/// Compares with what the model says: its element type must be right; shapes
/// that exporters get wrong are only warned about.
void GraphImporter::checkDeclaredType(const ValueInfoProto &output,
                                      const NamedValue &value) {
  if (!output.type().has_tensor_type()) {
    return;
  }
  const auto &declared = output.type().tensor_type();
  Type elementType = elementTypeFor(declared.elem_type(), context);
  if (declared.elem_type() != 0 && elementType != value.elementType) {
    emitError(output.name())
        << "expected output '" << output.name() << "' of element type "
        << elementTypeName(declared.elem_type()) << ", but it has "
        << value.elementType;
  }
  if (!declared.has_shape()) {
    return;
  }
  const auto &dims = declared.shape().dim();
  bool agrees = dims.size() == static_cast<int>(value.dims.size());
  for (int i = 0, e = dims.size(); agrees && i < e; ++i) {
    const Dim &dim = value.dims[i];
    agrees = !dims[i].has_dim_value() || dims[i].dim_value() < 0 ||
             !dim.isStatic() || dim.is(dims[i].dim_value());
  }
  if (!agrees) {
    emitWarning(nameLoc(output.name()))
        << "output '" << output.name()
        << "' has another shape than the model declares";
  }
}

FailureOr<Value> GraphImporter::importOutput(const ValueInfoProto &output) {
  StringRef name = output.name();
  NamedValue *value = graphScope.values.lookup(name);
  if (!value) {
    return emitError(name) << "output '" << name << "' is not defined";
  }
  if (value->refused) {
    return failure();
  }
  if (value->sequence || value->absent) {
    return emitError(name) << "expected output '" << name
                           << "' to be a tensor, but got "
                           << (value->absent ? "an optional without a value"
                                             : "a sequence");
  }
  if (failed(materialize(*value, builder, nameLoc(name)))) {
    return emitError(name) << "output '" << name
                           << "' is made of sizes that only a run knows, "
                              "which is not supported";
  }
  checkDeclaredType(output, *value);
  return value->value;
}

void GraphImporter::importOutputs() {
  SmallVector<Value> results;
  SmallVector<DictionaryAttr> attributes;
  for (const ValueInfoProto &output : model.graph().output()) {
    auto result = importOutput(output);
    if (failed(result)) {
      continue;
    }
    results.push_back(*result);
    SmallVector<NamedAttribute> named{builder.getNamedAttr(
        FusionDialect::kNameAttr, builder.getStringAttr(output.name()))};
    ArrayRef<Dim> dims = graphScope.values.lookup(output.name())->dims;
    if (!cast<RankedTensorType>(result->getType()).hasStaticShape()) {
      auto names = llvm::map_to_vector(dims, [&](const Dim &dim) {
        return dim.isStatic() ? std::string() : dimTable.toString(dim);
      });
      SmallVector<StringRef> refs(names.begin(), names.end());
      named.push_back(builder.getNamedAttr(FusionDialect::kDimsAttr,
                                           builder.getStrArrayAttr(refs)));
    }
    attributes.push_back(builder.getDictionaryAttr(named));
  }
  if (model.graph().output().empty()) {
    emitError("") << "expected a graph with outputs";
  }
  func::ReturnOp::create(builder, main.getLoc(), results);
  main.setType(builder.getFunctionType(main.getBody().getArgumentTypes(),
                                       ValueRange(results).getTypes()));
  main.setAllArgAttrs(llvm::map_to_vector(
      argumentAttributes, [&](ArrayRef<NamedAttribute> named) {
        return builder.getDictionaryAttr(named);
      }));
  main.setAllResultAttrs(attributes);
}
