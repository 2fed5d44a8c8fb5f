//===- Decisions.h - what the planner decided, kept for reports -*- C++ -*-===//

#ifndef FUSION_PLANNER_DECISIONS_H
#define FUSION_PLANNER_DECISIONS_H

#include "fusion/Analysis/FusionDecision.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::fusion {

/// The names of the function attributes that keep the refused and the accepted
/// fusions: arrays of dictionaries with the strings `producer` and `consumer`,
/// `reason` where refused, and the numbers `fused_us` and `apart_us` where the
/// cost model was asked.
constexpr StringLiteral kNotFusedAttr = "fusion.not_fused";
constexpr StringLiteral kFusedAttr = "fusion.fused";

/// The outcome for one pair of ops, by their names for people.
struct RecordedDecision {
  std::string producer;
  std::string consumer;
  /// Why they are apart; empty where they are together.
  std::string reason;
  std::optional<FusionTimes> times;
};

/// Keeps `decisions` in attributes of `func`.
void recordDecisions(func::FuncOp func, ArrayRef<RecordedDecision> decisions);

/// Keeps `decisions` beside those that `func` has.
void appendDecisions(func::FuncOp func, ArrayRef<RecordedDecision> decisions);

/// Returns what recordDecisions() kept: the refused ones, then the others, each
/// in the order in which they were recorded.
SmallVector<RecordedDecision, 0> readDecisions(func::FuncOp func);

} // namespace mlir::fusion

#endif // FUSION_PLANNER_DECISIONS_H
