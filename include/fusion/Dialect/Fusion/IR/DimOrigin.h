//===- DimOrigin.h - where the size of a dim comes from ---------*- C++ -*-===//
//
// Two dynamic sizes can be shown to be equal by following both back through
// the graph to the same place.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_DIALECT_FUSION_IR_DIMORIGIN_H
#define FUSION_DIALECT_FUSION_IR_DIMORIGIN_H

#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/Value.h"

namespace mlir::fusion {

/// What a size is: a constant (`value` null, `number` the size), dim `number`
/// of the tensor `value`, or the index `value` (`number` is 0).
struct DimOrigin {
  Value value;
  int64_t number;

  bool operator==(const DimOrigin &other) const {
    return value == other.value && number == other.number;
  }
};

/// Follows the size of dim `dim` of `tensor` through operations of the dialect.
DimOrigin getDimOrigin(Value tensor, int64_t dim);

/// Follows a size: a constant, a `tensor.dim`, or any other index.
DimOrigin getDimOrigin(OpFoldResult size);

} // namespace mlir::fusion

#endif // FUSION_DIALECT_FUSION_IR_DIMORIGIN_H
