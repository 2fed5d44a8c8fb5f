//===- ComputedElement.h - one element, where it is read --------*- C++ -*-===//
//
// Internal to the planner: reads of elements in bodies, and the code that
// computes such an element in place of reading it.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_PLANNER_COMPUTEDELEMENT_H
#define FUSION_LIB_PLANNER_COMPUTEDELEMENT_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::fusion {

/// Returns the read that is all that `branch` does where its condition holds;
/// elsewhere it is a value from outside. Null where it is anything else.
tensor::ExtractOp getGuardedRead(scf::IfOp branch);

/// Returns the op that makes `tensor`, perhaps renamed by reshapes of known
/// sizes; null where no linalg op does.
linalg::LinalgOp getMaker(Value tensor);

/// Returns whether nothing but `tensor`'s one reader, at the end of reshapes,
/// needs what its maker makes.
bool hasOneReader(Value tensor);

/// Returns whether `read`, in `op`, reads each element once, as far as can be
/// seen: at loops of `op`, all of them, whole or divided.
bool readsOnce(tensor::ExtractOp read, linalg::LinalgOp op);

/// Computes the element of getMaker(tensor) that `tensor` has at `indices`;
/// with `guard` memory is read only where that holds.
Value computeElement(OpBuilder &builder, Value tensor, ValueRange indices,
                     Value guard);

/// Makes operand `number` of `op`, an input tensor, a read in its body. Returns
/// the op in place of `op`.
linalg::GenericOp readInBody(linalg::GenericOp op, unsigned number);

} // namespace mlir::fusion

#endif // FUSION_LIB_PLANNER_COMPUTEDELEMENT_H
