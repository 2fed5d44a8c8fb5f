//===- CheckDirectives.h - what a user asks must make sense -----*- C++ -*-===//

#ifndef FUSION_PLANNER_CHECKDIRECTIVES_H
#define FUSION_PLANNER_CHECKDIRECTIVES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::fusion {

/// Fails, with an error at the op, where a directive in `func`
/// (Dialect/Fusion/IR/Directives.h) has a value of another type than it takes,
/// or is no schedule, or an attribute `fusion.*` is no directive: what would be
/// ignored silently.
LogicalResult checkDirectives(func::FuncOp func);

/// Warns of each op of `func` that has a name to be fused with
/// (`fusion.fuse_with`) to itself: a misspelt one, or the others are folded.
void warnOfLoneNames(func::FuncOp func);

/// Says in a remark of each name to be fused with that linalg ops of several
/// blocks of `func` have: no kernel crosses the border of a branch.
void reportNamesApart(func::FuncOp func);

} // namespace mlir::fusion

#endif // FUSION_PLANNER_CHECKDIRECTIVES_H
