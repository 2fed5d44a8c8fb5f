//===- PrologueReads.h - how contractions read operands ---------*- C++ -*-===//
//
// What makes an operand is computed in a contraction's kernel where it is read:
// step by step of k, for a convolution once for each place and each element of
// the window there. These are the questions that the planner has about that.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_PLANNER_PROLOGUEREADS_H
#define FUSION_PLANNER_PROLOGUEREADS_H

#include "fusion/Analysis/FusionDecision.h"
#include "fusion/Planner/Units.h"

namespace mlir::fusion {

/// Returns whether `unit` reads operand `number` of its anchor at sums of loops
/// or padded.
bool readsInWindows(const Unit &unit, unsigned number);

/// Checks that the elementwise `unit` makes each element from elements of its
/// operands alone: then it may be computed anywhere, also several times.
FusionDecision checkComputedAnywhere(const Unit &unit);

/// Checks that `unit`, a contraction, can be a product of tiles of which one is
/// computed in windows.
FusionDecision checkComputedWindows(const Unit &unit);

} // namespace mlir::fusion

#endif // FUSION_PLANNER_PROLOGUEREADS_H
