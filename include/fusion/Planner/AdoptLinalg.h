//===- AdoptLinalg.h - Linalg of other compilers in stage 2 -----*- C++ -*-===//

#ifndef FUSION_PLANNER_ADOPTLINALG_H
#define FUSION_PLANNER_ADOPTLINALG_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::fusion {

/// Brings what other compilers write between linalg ops into the form of stage
/// 2; see the description of the pass `fusion-adopt-linalg`. Says in remarks
/// what stays, and why.
LogicalResult adoptLinalg(func::FuncOp func);

/// Turns each `scf.if` of `func` that gives tensors, and whose regions have no
/// effects, into a `fusion.if` of a condition in memory. Fails where sizes of
/// the results may depend on which is taken.
LogicalResult lowerBranches(func::FuncOp func);

/// Turns each `scf.if` of `func` that asks for sizes, and gives one tensor in
/// both regions, as it is or repeated along dims, into a read of it.
void lowerSizeBranches(func::FuncOp func);

/// Turns each choice between tensors in `func` that a plan made, of sizes that
/// are equal, into a `fusion.if`.
void lowerChoices(func::FuncOp func);

/// Turns each `scf.index_switch` of `func` that gives values into a row of
/// `scf.if`, one in the else region of another.
void lowerSwitches(func::FuncOp func);

/// Lets each division and remainder of integers in the body of a linalg op of
/// `func` have a value for all operands (docs/Numerics.md); a named op that
/// divides integers becomes a generic one.
void guardDivisions(func::FuncOp func);

/// Turns branches in the bodies of linalg ops of `func` into choices between
/// what both arms compute, whose divisions are guarded; reads stay under their
/// condition.
void flattenBodies(func::FuncOp func);

/// Lets each sum or product of f16 or bf16 in a linalg op of `func` accumulate
/// in f32 and round once at the end, as those of our dialect do
/// (docs/Numerics.md).
void widenSums(func::FuncOp func);

/// Lets each linalg op of `func` write whole arrays: what writes a diagonal, a
/// column or some rows makes these as an array of its own, which an elementwise
/// op puts into the other. Fails where it is unclear which elements those are.
LogicalResult lowerResultMaps(func::FuncOp func);

/// Takes the diagonals that reductions and products of `func` read out of their
/// arrays, by elementwise ops.
void lowerDiagonals(func::FuncOp func);

/// Lets each elementwise op of `func` that reads what it overwrites read that
/// as an operand.
void readInits(func::FuncOp func);

/// Turns each padding of `func` with something else than a constant into an
/// elementwise linalg op.
void lowerComputedPads(func::FuncOp func);

/// Turns slices, insertions, concatenations and generated tensors of `func`
/// into elementwise linalg ops that read where their positions are inside.
void lowerTensorOps(func::FuncOp func);

/// Writes out each `affine.apply` in the body of a linalg op, which is how
/// upstream's rewrites and other compilers compute positions: code generation
/// maps arithmetic over elements.
void lowerIndexMaps(func::FuncOp func);

/// Makes an op for each result of a linalg op of `func` where one result has a
/// loop that another is reduced over.
void splitResults(func::FuncOp func);

/// Lets each product or sum of `func` that begins with what an elementwise op
/// makes (a bias) begin with zero, and adds that behind it.
void liftInits(func::FuncOp func);

/// Computes scalars that are made of elements of tensors in the bodies of the
/// linalg ops that use them: on a GPU they are in memory that the host does not
/// read.
void sinkScalars(func::FuncOp func);

/// Makes a tensor of rank 0 that holds `scalar`, made of elements of tensors,
/// before `user`; null where some of its code cannot stand in a body.
Value makeScalarTensor(Operation *user, Value scalar);

} // namespace mlir::fusion

#endif // FUSION_PLANNER_ADOPTLINALG_H
