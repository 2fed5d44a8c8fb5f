//===- SplitReductions.h - reductions in two steps --------------*- C++ -*-===//
//
// A reduction with few results has few blocks, and few blocks cannot keep a
// memory busy. Cut into parts, it is two reductions: one with a result for each
// part, one of these. In linalg the first is
//
//   partial = linalg.generic (k, n) -> x[k, n], partial[k floordiv size, n]
//
// so that nothing else about the op changes: it reads what it read, along the
// same loops, and fuses with what makes its operands as before.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_PLANNER_SPLITREDUCTIONS_H
#define FUSION_PLANNER_SPLITREDUCTIONS_H

#include "fusion/Analysis/FusionDecision.h"
#include "fusion/Analysis/IterationSpace.h"
#include "fusion/Cost/DeviceModel.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::fusion {

/// Finds in `parts` how `op`, a reduction in one piece, is better done on
/// `device`; none where it is not, or where its sizes are not known. Says why
/// not where parts would save time, but too little, or may do.
FusionDecision chooseReductionParts(linalg::LinalgOp op,
                                    const DeviceModel &device,
                                    std::optional<ReductionParts> &parts);

/// Replaces `op` by a reduction in `parts` and one of their results, which
/// starts where `op` did. Fails, and changes nothing, where `op` is no
/// reduction by one op with a neutral element.
LogicalResult splitReduction(linalg::GenericOp op, ReductionParts parts);

/// Does so for all reductions of `func` where that is estimated to be faster.
void splitReductions(func::FuncOp func, const DeviceModel &device);

} // namespace mlir::fusion

#endif // FUSION_PLANNER_SPLITREDUCTIONS_H
