//===- RepeatAfter.h - elementwise code before repetitions ------*- C++ -*-===//

#ifndef FUSION_LIB_PLANNER_REPEATAFTER_H
#define FUSION_LIB_PLANNER_REPEATAFTER_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::fusion {

/// Where everything that the elementwise `op` reads is repeated along some of
/// its loops, lets it compute the elements once, and repeats its result.
/// Returns whether it did.
bool repeatAfter(RewriterBase &rewriter, linalg::GenericOp op);

} // namespace mlir::fusion

#endif // FUSION_LIB_PLANNER_REPEATAFTER_H
