//===- Choice.h - tensors that a predicate picks ----------------*- C++ -*-===//
//
// A choice is one of two tensors in memory, picked by a predicate in memory:
//
//   %p = tensor.extract %c[] : tensor<i1>
//   %t = arith.select %p, %a, %b : tensor<4xf32>
//
// Nothing is copied. A group that reads a choice has the predicate and both
// tensors as inputs and the two ops in its body; its kernel picks a pointer.
// Both sides have equal sizes at run time.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_PLANNER_CHOICE_H
#define FUSION_PLANNER_CHOICE_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::fusion {

/// Returns the op that makes `value` if that is a choice, else null.
arith::SelectOp getChoice(Value value);

/// Returns the tensor<i1> that decides `choice`.
Value getPredicate(arith::SelectOp choice);

/// Returns whether `op` makes a choice, or reads the predicate of choices and
/// nothing else.
bool isChoiceOp(Operation *op);

/// Makes the choice of `a` where `predicate` (a tensor<i1>) holds, else `b`,
/// two tensors of one type.
Value createChoice(OpBuilder &builder, Location loc, Value predicate, Value a,
                   Value b);

/// Returns what `choice` depends on, choices between aside: predicates and
/// tensors, each once.
SmallVector<Value> getChoiceLeaves(arith::SelectOp choice);

/// Brings the choices of `func` into the form that groups need: reshapes of a
/// choice become a choice of reshapes; what a region reads is made there; where
/// another op than a linalg op or a choice reads one, it is copied.
void settleChoices(func::FuncOp func);

} // namespace mlir::fusion

#endif // FUSION_PLANNER_CHOICE_H
