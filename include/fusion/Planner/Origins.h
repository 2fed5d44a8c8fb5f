//===- Origins.h - what tensors between groups come from --------*- C++ -*-===//

#ifndef FUSION_PLANNER_ORIGINS_H
#define FUSION_PLANNER_ORIGINS_H

#include "mlir/IR/Value.h"

namespace mlir::fusion {

/// How a tensor gets from the op that makes it to one that reads it, beyond
/// being there; of several ways the last one that applies.
enum class Passage {
  Plain,   ///< it is read as it is
  Renamed, ///< in another shape
  Joined,  ///< as a part of a `tensor.concat`
  Chosen,  ///< as one of two tensors that a predicate picks (Choice.h)
  Branch   ///< out of a branch, or as what was there before one
};

/// Follows `value`, of a function in stage 3, back through groups, branches,
/// renamings and choices. Asks `stop` of each value on the way, `value` itself
/// first, each once; goes behind those for which it returns false.
void walkOrigins(Value value, llvm::function_ref<bool(Value, Passage)> stop);

} // namespace mlir::fusion

#endif // FUSION_PLANNER_ORIGINS_H
