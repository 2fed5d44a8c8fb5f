//===- InferredType.h - verification by inference ---------------*- C++ -*-===//

#ifndef FUSION_LIB_DIALECT_FUSION_IR_INFERREDTYPE_H
#define FUSION_LIB_DIALECT_FUSION_IR_INFERREDTYPE_H

#include "mlir/IR/OpDefinition.h"

namespace mlir::fusion {

/// Checks what `op`, of one result, infers from its operands, and that its
/// result agrees with that. (The interface's own check would report twice.)
template <typename Op> LogicalResult verifyInferredType(Op op) {
  typename Op::Adaptor adaptor(op->getOperands(),
                               op->getDiscardableAttrDictionary(),
                               op.getProperties(), op->getRegions());
  SmallVector<Type> inferred;
  if (failed(Op::inferReturnTypes(op.getContext(), op.getLoc(), adaptor,
                                  inferred))) {
    return failure();
  }
  if (!Op::isCompatibleReturnTypes(inferred, op->getResultTypes())) {
    return op.emitOpError("expected a result of type ")
           << inferred.front() << ", but got " << op.getResult().getType();
  }
  return success();
}

} // namespace mlir::fusion

#endif // FUSION_LIB_DIALECT_FUSION_IR_INFERREDTYPE_H
