//===- Encodings.cpp - tensors are dense ----------------------------------===//

#include "fusion/Dialect/Fusion/IR/Encodings.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlir::fusion;

static bool hasEncoding(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.getEncoding();
}

/// Returns the first type with an encoding among what `op` gives and takes,
/// else null.
static Type findEncoded(Operation *op) {
  SmallVector<Type> types(op->getResultTypes());
  llvm::append_range(types, op->getOperandTypes());
  if (auto function = dyn_cast<FunctionOpInterface>(op)) {
    llvm::append_range(types, function.getArgumentTypes());
    llvm::append_range(types, function.getResultTypes());
  }
  auto found = llvm::find_if(types, hasEncoding);
  return found == types.end() ? Type() : *found;
}

LogicalResult fusion::checkEncodings(Operation *root) {
  WalkResult result = root->walk<WalkOrder::PreOrder>([](Operation *op) {
    Type type = findEncoded(op);
    if (!type) {
      return WalkResult::advance();
    }
    op->emitOpError("expected dense tensors without an encoding, but got ")
        << type;
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}
