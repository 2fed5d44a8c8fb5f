//===- Constant.cpp - constants that are nodes ----------------------------===//

#include "OpRegistry.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::onnx;

static LogicalResult setConstant(NodeImporter &node, ElementsAttr contents) {
  NamedValue value;
  auto type = cast<RankedTensorType>(contents.getType());
  value.elementType = type.getElementType();
  value.dims.assign(type.getShape().begin(), type.getShape().end());
  value.constant = contents;
  value.loc = node.getLoc();
  return node.setResult(std::move(value));
}

/// The contents come in one of several attributes.
static LogicalResult convertConstant(NodeImporter &node) {
  Builder &builder = node.getBuilder();
  auto vectorOf = [](size_t size, Type elementType) {
    return RankedTensorType::get({static_cast<int64_t>(size)}, elementType);
  };
  if (auto tensor = node.getTensor("value")) {
    auto contents = readTensor(*tensor, node.getBaseDir(), node.getLoc());
    if (failed(contents)) {
      return node.emitError() << "cannot read its value";
    }
    return setConstant(node, *contents);
  }
  if (node.hasAttribute("value_float")) {
    float value = node.getFloat("value_float", 0);
    return setConstant(
        node, DenseElementsAttr::get(
                  RankedTensorType::get({}, builder.getF32Type()), value));
  }
  if (node.hasAttribute("value_int")) {
    int64_t value = node.getInt("value_int", 0);
    return setConstant(
        node, DenseElementsAttr::get(
                  RankedTensorType::get({}, builder.getI64Type()), value));
  }
  if (auto values = node.getFloats("value_floats")) {
    return setConstant(node, DenseElementsAttr::get(
                                 vectorOf(values->size(), builder.getF32Type()),
                                 ArrayRef<float>(*values)));
  }
  if (auto values = node.getInts("value_ints")) {
    return setConstant(node, DenseElementsAttr::get(
                                 vectorOf(values->size(), builder.getI64Type()),
                                 ArrayRef<int64_t>(*values)));
  }
  return node.emitError() << "expected a constant of numbers";
}

/// A tensor of the given shape, filled with one element (float 0 by default).
static LogicalResult convertConstantOfShape(NodeImporter &node) {
  auto shape = node.integers(0, "shape");
  if (failed(shape)) {
    return failure();
  }
  SmallVector<Dim, 4> dims(*shape);
  Builder &builder = node.getBuilder();
  auto scalarType = RankedTensorType::get({}, builder.getF32Type());
  DenseElementsAttr scalar = DenseElementsAttr::get(scalarType, 0.0f);
  if (auto tensor = node.getTensor("value")) {
    auto contents = readTensor(*tensor, node.getBaseDir(), node.getLoc());
    auto dense = succeeded(contents) ? dyn_cast<DenseElementsAttr>(*contents)
                                     : DenseElementsAttr();
    if (!dense || dense.getNumElements() != 1) {
      return node.emitError() << "expected a value of one element";
    }
    scalar = dense.reshape(RankedTensorType::get({}, dense.getElementType()));
  }
  auto type = node.typeFor(dims, scalar.getElementType());
  if (failed(type)) {
    return failure();
  }
  if (type->hasStaticShape()) {
    return setConstant(node, scalar.resizeSplat(*type));
  }
  Value value =
      ConstantOp::create(node.getBuilder(), node.getLoc(),
                         cast<RankedTensorType>(scalar.getType()), scalar);
  return node.setResult(node.broadcast({value, {}}, dims));
}

void onnx::addConstantOps(OpRegistry &registry) {
  registry.add("Constant", 1, {0, 0}, convertConstant);
  registry.add("ConstantOfShape", 9, {1, 1}, convertConstantOfShape);
}
