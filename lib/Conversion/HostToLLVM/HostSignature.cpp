//===- HostSignature.cpp - the arguments of @main and their dims ----------===//

#include "HostSignature.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::fusion;

int64_t fusion::getElementBytes(MemRefType type) {
  Type element = type.getElementType();
  return element.isIndex()
             ? 8
             : llvm::divideCeil(element.getIntOrFloatBitWidth(), 8);
}

HostSignature::HostSignature(func::FuncOp main) : main(main) {
  for (BlockArgument argument : main.getArguments()) {
    unsigned number = argument.getArgNumber();
    if (main.getArgAttr(number, kWorkspaceAttr)) {
      workspace = true;
      continue;
    }
    types.push_back(cast<MemRefType>(argument.getType()));
    results.push_back(bool(main.getArgAttr(number, kResultAttr)));
  }
  firstDims.resize(types.size());
  for (bool wanted : {false, true}) {
    for (size_t i = 0; i < types.size(); ++i) {
      if (results[i] == wanted) {
        firstDims[i] = numDims;
        numDims += types[i].getRank();
      }
    }
    numInputDims = wanted ? numInputDims : numDims;
  }
}

FailureOr<SmallVector<Value>>
HostSignature::getAllDims(OpBuilder &builder, Location loc,
                          ValueRange inputDims) const {
  SmallVector<Value> dims(inputDims);
  auto function = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      main->getParentOp(),
      StringAttr::get(builder.getContext(), kResultDimsFunction));
  if (function) {
    FunctionType type = function.getFunctionType();
    if (type.getNumInputs() != numInputDims ||
        type.getNumResults() != getNumResultDims()) {
      return function.emitOpError("expected ")
             << numInputDims << " arguments and " << getNumResultDims()
             << " results, one per dim of the arguments of @main that are not "
                "results and of those that are, but got "
             << type;
    }
  }
  func::CallOp call;
  unsigned number = 0;
  for (size_t i = 0; i < types.size(); ++i) {
    if (!results[i]) {
      continue;
    }
    bool isStatic = types[i].hasStaticShape();
    if (!isStatic && !function) {
      func::FuncOp(main).emitOpError("expected a function @")
          << kResultDimsFunction << ", since a result has the type "
          << types[i];
      return failure();
    }
    if (!isStatic && !call) {
      call = func::CallOp::create(builder, loc, function, inputDims);
    }
    for (int64_t size : types[i].getShape()) {
      dims.push_back(
          ShapedType::isDynamic(size)
              ? call.getResult(number)
              : Value(arith::ConstantIndexOp::create(builder, loc, size)));
      ++number;
    }
  }
  return dims;
}
