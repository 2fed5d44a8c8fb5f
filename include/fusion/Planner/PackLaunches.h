//===- PackLaunches.h - several groups in one launch ------------*- C++ -*-===//

#ifndef FUSION_PLANNER_PACKLAUNCHES_H
#define FUSION_PLANNER_PACKLAUNCHES_H

#include "fusion/Dialect/Fusion/IR/Fusion.h"
#include "fusion/Planner/Partition.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::fusion {

/// The work of `group`, which is no composite, as a kernel of `device`.
KernelWork getGroupWork(GroupOp group, const DeviceModel &device);

/// Returns the units of `group`, those of all parts of a composite.
UnitGraph collectGroupUnits(GroupOp group);

/// Refuses branches whose regions give results of sizes with different names
/// (`fusion.dims`) or of a name and a number: the host, which does not know the
/// condition, could neither place such a result nor say how large it is.
LogicalResult checkBranchSizes(func::FuncOp func);

/// Brings the branches of `func`, in stage 2, into the form that groups need;
/// see the description of the pass `fusion-prepare-conditionals`.
void prepareConditionals(func::FuncOp func);

/// Computes once what both arms of a branch of `func` compute on different
/// operands; see the description of the pass `fusion-merge-arms`.
void mergeArms(func::FuncOp func, const PlannerOptions &options);

/// Drops the results of `branch` that nothing reads; returns the branch then.
IfOp dropUnusedResults(IfOp branch);

/// Copies constants, fills and the like into the regions of `branch` that read
/// them: groups clone them where they need them.
void copyLeaves(IfOp branch);

/// Returns a copy of `value`, a tensor, made by a linalg op.
Value copyTensor(OpBuilder &builder, Location loc, Value value);

/// Makes each value that a region of a `fusion.if` yields the result of a
/// linalg op of that region, each of another one: arguments, constants,
/// reshapes and values yielded twice are copied.
void settleBranchResults(func::FuncOp func);

/// Replaces each `fusion.if` of `func`, whose regions hold groups, by groups
/// that run under its condition; see the description of the pass
/// `fusion-flatten-conditionals`.
LogicalResult flattenConditionals(func::FuncOp func);

/// Marks the groups of `func` that are to be computed by the launches which
/// read them; see the description of the pass `fusion-place-predicates`.
void placePredicates(func::FuncOp func, const PlannerOptions &options);

/// Moves the groups that placePredicates() marked into the launches that read
/// them; see the description of the pass `fusion-inline-predicates`. Fails with
/// an error on a composite of another form than Composite.h has.
LogicalResult inlinePredicates(func::FuncOp func);

/// Puts independent groups of `func` into one launch where that pays; see the
/// description of the pass `fusion-pack-launches`.
void packLaunches(func::FuncOp func, const PlannerOptions &options);

/// Records for reports why launches of `func`, in stage 3, hand tensors over,
/// where no pass did; see the description of the pass `fusion-explain-edges`.
void explainEdges(func::FuncOp func);

} // namespace mlir::fusion

#endif // FUSION_PLANNER_PACKLAUNCHES_H
