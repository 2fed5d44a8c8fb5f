//===- SizeOrigin.h - where a size comes from -------------------*- C++ -*-===//

#ifndef FUSION_LIB_PLANNER_SIZEORIGIN_H
#define FUSION_LIB_PLANNER_SIZEORIGIN_H

#include "mlir/IR/OpDefinition.h"
#include <optional>

namespace mlir::fusion {

/// Where a size comes from: a number, a dim of a tensor (by its name where the
/// function gives it one), or an index. Equal origins are equal sizes.
struct SizeOrigin {
  std::optional<int64_t> constant;
  Attribute name;
  Value value;
  int64_t dim = -1;

  bool operator==(const SizeOrigin &other) const {
    return constant == other.constant && name == other.name &&
           value == other.value && dim == other.dim;
  }
};

/// Finds the origin of the size of `dim` of `tensor`.
SizeOrigin getSizeOrigin(Value tensor, int64_t dim);

/// Finds the origin of `size`, a number or an index.
SizeOrigin getSizeOrigin(OpFoldResult size);

} // namespace mlir::fusion

#endif // FUSION_LIB_PLANNER_SIZEORIGIN_H
