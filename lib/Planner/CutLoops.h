//===- CutLoops.h - loops in parts, and the tensors that they index -------===//
//
// Internal to the planner: what rewrites an op whose loops are cut.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_PLANNER_CUTLOOPS_H
#define FUSION_LIB_PLANNER_CUTLOOPS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::fusion {

/// The sizes that a loop is cut into, outermost first; empty: it stays whole.
using Parts = SmallVector<int64_t>;

/// Returns, for dims that consist of `parts`, which dims of the cut tensor each
/// one is.
SmallVector<ReassociationIndices> getGroups(ArrayRef<Parts> parts);

/// Returns `value` with each dim cut into its `parts`.
Value cutTensor(Value value, ArrayRef<Parts> parts, OpBuilder &builder);

/// Returns `map` with each loop replaced by its parts, which begin at `first`
/// among all parts.
AffineMap cutMap(AffineMap map, ArrayRef<unsigned> first);

/// Makes `op` with its loops cut as `loops` says, with the operands that
/// `getOperand` returns and the maps that `cut` makes; moves its body. `op` is
/// left to be replaced.
linalg::GenericOp
rebuildCut(linalg::LinalgOp op, ArrayRef<Parts> loops, OpBuilder &builder,
           llvm::function_ref<AffineMap(AffineMap, ArrayRef<unsigned>)> cut,
           llvm::function_ref<Value(OpOperand &)> getOperand);

} // namespace mlir::fusion

#endif // FUSION_LIB_PLANNER_CUTLOOPS_H
