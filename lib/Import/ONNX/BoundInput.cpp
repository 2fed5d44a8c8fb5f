//===- BoundInput.cpp - inputs whose values are given ---------------------===//

#include "GraphImporter.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::onnx;
using fusion_onnx::ValueInfoProto;

void GraphImporter::checkBoundNames() {
  for (const auto &[name, contents] : options.bound) {
    auto isNamed = [&, &name = name](const auto &value) {
      return value.name() == name;
    };
    if (llvm::none_of(model.graph().input(), isNamed)) {
      emitError("") << "the model has no input '" << name << "' to bind";
    } else if (llvm::any_of(model.graph().initializer(), isNamed)) {
      emitError("") << "input '" << name
                    << "' has a value in the model already";
    }
  }
}

/// The names of the dims of a bound input have its sizes.
void GraphImporter::bindDimNames(const ValueInfoProto &input) {
  auto bound = options.bound.find(input.name());
  if (bound == options.bound.end()) {
    return;
  }
  ArrayRef<int64_t> given =
      cast<ShapedType>(bound->second.getType()).getShape();
  const auto &declared = input.type().tensor_type().shape().dim();
  for (int i = 0, e = std::min<int>(declared.size(), given.size()); i < e;
       ++i) {
    if (!declared[i].dim_param().empty()) {
      sizes.try_emplace(declared[i].dim_param(), given[i]);
    }
  }
}

void GraphImporter::importBoundInput(const ValueInfoProto &input,
                                     ElementsAttr contents) {
  StringRef name = input.name();
  auto type = cast<RankedTensorType>(contents.getType());
  const auto &declared = input.type().tensor_type();
  NamedValue value;
  value.elementType = type.getElementType();
  value.dims.assign(type.getShape().begin(), type.getShape().end());
  value.loc = nameLoc(name);
  value.constant = contents;
  const auto &dims = declared.shape().dim();
  bool fits =
      elementTypeFor(declared.elem_type(), context) == type.getElementType() &&
      (!declared.has_shape() || dims.size() == type.getRank());
  for (int i = 0, e = dims.size(); fits && i < e; ++i) {
    const std::string &dim = dims[i].dim_param();
    int64_t size = dims[i].has_dim_value() ? dims[i].dim_value()
                   : dim.empty()           ? -1
                                           : sizes.at(dim);
    fits = size < 0 || size == type.getDimSize(i);
  }
  if (!fits) {
    emitError(name) << "input '" << name << "': a value of type " << type
                    << " does not fit its declaration";
    value.refused = true;
  }
  if (!graphScope.values.try_emplace(name, addValue(std::move(value))).second) {
    emitError(name) << "input '" << name << "' is defined twice";
  }
}
