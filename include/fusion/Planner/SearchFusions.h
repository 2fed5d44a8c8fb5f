//===- SearchFusions.h - which fusions save the most ------------*- C++ -*-===//
//
// Fusions exclude each other: an elementwise op between a contraction and a
// reduction can be in the kernel of one of them. The search makes a few plans
// and keeps the one whose kernels are estimated to take the least time, summed
// over the whole block:
//
//   program order   each op with its producers, where that pays, as they come
//   largest gain    of all pairs, the one that saves the most time, again and
//                   again; what merging two changes is asked anew
//   lost pairs      largest gain once more with one pair first that would save
//                   time alone but is apart in the best plan so far; kept where
//                   the total falls
//
// The first two take time in proportion to the ops and pairs; of the third
// there are as many as a fixed budget of ops allows.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_PLANNER_SEARCHFUSIONS_H
#define FUSION_PLANNER_SEARCHFUSIONS_H

#include "fusion/Planner/Decisions.h"
#include "fusion/Planner/Partition.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::fusion {

/// A pair of units: a producer and its consumer, or two siblings.
struct UnitPair {
  unsigned producer;
  unsigned consumer;
  bool operator==(const UnitPair &other) const {
    return producer == other.producer && consumer == other.consumer;
  }
};

/// The answer for one pair.
struct PairDecision {
  UnitPair pair;
  FusionDecision decision;
  /// The consumer's kernel computes the producer anew (Recompute.h).
  bool recomputed = false;
};

/// Units in clusters, and what was decided on the way.
struct FusionPlan {
  Partition partition;
  SmallVector<PairDecision, 0> decisions;
};

/// Returns the pairs that the search considers: each unit with those that it
/// reads from, in program order, and contractions that meet in an elementwise
/// op.
SmallVector<UnitPair, 0> getPairs(const UnitGraph &graph);

/// Returns the best plan for `graph` that the search finds.
FusionPlan searchFusions(UnitGraph &graph, const PlannerOptions &options);

/// Tells remarks what `plan`, of a block of `func`, decided, and adds it to
/// `records` for reports.
void reportPlan(const FusionPlan &plan, const UnitGraph &graph,
                func::FuncOp func, SmallVectorImpl<RecordedDecision> &records);

} // namespace mlir::fusion

#endif // FUSION_PLANNER_SEARCHFUSIONS_H
