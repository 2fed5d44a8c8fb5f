//===- StaticDims.cpp - dynamic dims that become static ---------*- C++ -*-===//

#include "StaticDims.h"
#include "fusion/Dialect/Fusion/IR/SignatureAttributes.h"
#include "fusion/Driver/Diagnostics.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include <set>

using namespace mlir;
using namespace mlir::fusion;

/// The names of dims, "" where `type` is static.
static ArrayAttr getNamesOfDynamicDims(ArrayAttr names, RankedTensorType type) {
  Builder builder(type.getContext());
  SmallVector<Attribute> kept;
  for (auto [name, size] : llvm::zip(names, type.getShape())) {
    kept.push_back(ShapedType::isDynamic(size) ? name
                                               : builder.getStringAttr(""));
  }
  return builder.getArrayAttr(kept);
}

/// The shape of `type` with the sizes that its dims' names have in `sizes`,
/// which leave `unused`.
static SmallVector<int64_t>
getFixedShape(RankedTensorType type, ArrayAttr names,
              const std::map<std::string, int64_t> &sizes,
              std::set<std::string> &unused) {
  SmallVector<int64_t> shape(type.getShape());
  for (auto [name, size] : llvm::zip(names, shape)) {
    auto found = sizes.find(cast<StringAttr>(name).str());
    if (found != sizes.end() && ShapedType::isDynamic(size)) {
      size = found->second;
      unused.erase(found->first);
    }
  }
  return shape;
}

LogicalResult
mlir::fusion::fixDims(func::FuncOp entry,
                      const std::map<std::string, int64_t> &sizes) {
  std::set<std::string> unused;
  for (const auto &[name, size] : sizes) {
    unused.insert(name);
  }
  OpBuilder builder = OpBuilder::atBlockBegin(&entry.front());
  SmallVector<Type> inputs(entry.getArgumentTypes());
  SignatureAttributes attributes(entry);
  for (BlockArgument argument : entry.getArguments()) {
    unsigned number = argument.getArgNumber();
    auto type = cast<RankedTensorType>(argument.getType());
    auto names = entry.getArgAttrOfType<ArrayAttr>(number, "fusion.dims");
    if (!names) {
      continue;
    }
    RankedTensorType fixed =
        type.clone(getFixedShape(type, names, sizes, unused));
    if (fixed == type) {
      continue;
    }
    argument.setType(inputs[number] = fixed);
    attributes.setArgument(number, "fusion.dims",
                           getNamesOfDynamicDims(names, fixed));
    auto back =
        tensor::CastOp::create(builder, argument.getLoc(), type, argument);
    argument.replaceAllUsesExcept(back, back);
  }
  entry.setType(
      FunctionType::get(entry.getContext(), inputs, entry.getResultTypes()));
  if (!unused.empty()) {
    return emitError(entry.getContext(),
                     "expected a dynamic dim of the model, but got --dim " +
                         *unused.begin());
  }
  return success();
}

void mlir::fusion::refineResults(func::FuncOp entry) {
  Operation *end = entry.front().getTerminator();
  SmallVector<Type> types;
  SignatureAttributes attributes(entry);
  for (OpOperand &operand : end->getOpOperands()) {
    auto castOp = operand.get().getDefiningOp<tensor::CastOp>();
    if (castOp && tensor::preservesStaticInformation(
                      castOp.getType(), castOp.getSource().getType())) {
      unsigned number = operand.getOperandNumber();
      auto type = cast<RankedTensorType>(castOp.getSource().getType());
      auto names = entry.getResultAttrOfType<ArrayAttr>(number, "fusion.dims");
      operand.set(castOp.getSource());
      if (names) {
        attributes.setResult(number, "fusion.dims",
                             getNamesOfDynamicDims(names, type));
      }
    }
    types.push_back(operand.get().getType());
  }
  entry.setType(
      FunctionType::get(entry.getContext(), entry.getArgumentTypes(), types));
}
