//===- EqualSizes.h - sizes that are equal whatever they are ----*- C++ -*-===//

#ifndef FUSION_LIB_PLANNER_EQUALSIZES_H
#define FUSION_LIB_PLANNER_EQUALSIZES_H

#include "mlir/IR/Value.h"
#include <optional>

namespace mlir::fusion {

/// Returns the first dim of two tensors of one type whose sizes are not known
/// to be equal at run time: of other origins, and not computed alike from equal
/// sizes. Nothing where there is none.
std::optional<int64_t> findUnequalDim(Value first, Value second);

} // namespace mlir::fusion

#endif // FUSION_LIB_PLANNER_EQUALSIZES_H
