//===- RefineShapes.h - ops on both sides of a reshape, on one shape ------===//
//
// Internal to the planner: what moves reshapes, and which may be moved.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_PLANNER_REFINESHAPES_H
#define FUSION_LIB_PLANNER_REFINESHAPES_H

#include "fusion/Analysis/FusionDecision.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::fusion {

/// The reason where loops cannot follow a reshape.
constexpr StringLiteral kDimsNotTogether =
    "an index map does not keep the reshaped dims together";

/// Returns whether `op`, which may be null, can join the kernel of another op
/// on other loops than its own: an elementwise op or a reduction.
bool joinsKernels(Operation *op);

/// Returns whether `value` is the result of a contraction or of a reduction
/// over windows, perhaps rounded: its loops stay as they are.
bool endsContraction(Value value);

/// Returns whether `op` is elementwise code behind a contraction or windows
/// that nothing else reads: their kernel will do it, on their loops.
bool isEpilogue(linalg::LinalgOp op);

/// Returns whether `op` cuts out or permutes a tensor, and nothing else: those
/// who read its result read the tensor itself.
bool isReadThrough(linalg::LinalgOp op);

/// Returns whether the loops of `op` can be cut: each indexes dims alone.
bool canCutLoops(linalg::LinalgOp op);

/// Returns whether the linalg op that reads `use`, a reshaped result of another
/// one, and that op can run on one shape, and the ops beside them with them.
FusionDecision canRefine(OpOperand &use);

/// Runs the ops on both sides of reshapes on the coarsest shape that both
/// consist of, wherever canRefine() allows it, so that no reshape is left
/// between them.
void refineShapes(func::FuncOp func);

} // namespace mlir::fusion

#endif // FUSION_LIB_PLANNER_REFINESHAPES_H
