//===- BoundInputs.cpp - inputs that become constants -----------*- C++ -*-===//

#include "BoundInputs.h"
#include "fusion/Dialect/Fusion/IR/Fusion.h"
#include "fusion/Driver/Diagnostics.h"
#include "fusion/Verify/ArrayFile.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::fusion;

/// The contract's names of types are MLIR's, but for unsigned integers: "u8".
static Type getElementType(int32_t dtype, MLIRContext *context) {
  std::string name = fusionDTypeName(dtype);
  return parseType(name.front() == 'u' ? "ui" + name.substr(1) : name, context);
}

llvm::Expected<DenseElementsAttr>
mlir::fusion::readBoundInput(StringRef file, MLIRContext *context) {
  llvm::Expected<HostArray> array = readArrayFile(file, /*wanted=*/0);
  if (!array) {
    return array.takeError();
  }
  auto type = RankedTensorType::get(array->getDims(),
                                    getElementType(array->getDType(), context));
  ArrayRef<char> bytes(array->getData(), array->getNumBytes());
  if (!type.getElementType().isInteger(1)) {
    return DenseElementsAttr::getFromRawBuffer(type, bytes);
  }
  auto bits = llvm::map_to_vector(bytes, [](char byte) { return byte != 0; });
  return DenseElementsAttr::get(type, ArrayRef<bool>(bits));
}

static LogicalResult bindArgument(func::FuncOp entry, unsigned number,
                                  StringRef file) {
  llvm::Expected<DenseElementsAttr> contents =
      readBoundInput(file, entry.getContext());
  if (!contents) {
    return emitError(entry.getContext(), contents.takeError());
  }
  BlockArgument argument = entry.getArgument(number);
  auto type = cast<RankedTensorType>(contents->getType());
  if (type.getElementType() != getElementTypeOrSelf(argument.getType()) ||
      failed(verifyCompatibleShape(type, argument.getType()))) {
    return mlir::emitError(argument.getLoc(),
                           "--bind: expected a value of type ")
           << argument.getType() << ", but " << file << " has " << type;
  }
  OpBuilder builder = OpBuilder::atBlockBegin(&entry.front());
  Value value = ConstantOp::create(builder, argument.getLoc(), type, *contents);
  if (type != argument.getType()) {
    value = tensor::CastOp::create(builder, argument.getLoc(),
                                   argument.getType(), value);
  }
  argument.replaceAllUsesWith(value);
  return entry.eraseArgument(number);
}

LogicalResult
mlir::fusion::bindArguments(func::FuncOp entry,
                            const std::map<std::string, std::string> &files) {
  std::map<std::string, std::string> unused = files;
  for (unsigned i = entry.getNumArguments(); i-- > 0;) {
    auto name = entry.getArgAttrOfType<StringAttr>(i, "fusion.name");
    auto found = name ? unused.find(name.str()) : unused.end();
    if (found == unused.end()) {
      continue;
    }
    if (failed(bindArgument(entry, i, found->second))) {
      return failure();
    }
    unused.erase(found);
  }
  if (!unused.empty()) {
    return emitError(entry.getContext(), "expected an input of the model, but "
                                         "got --bind " +
                                             unused.begin()->first);
  }
  return success();
}
