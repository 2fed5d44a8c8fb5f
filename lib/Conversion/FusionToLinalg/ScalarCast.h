//===- ScalarCast.h - conversion of one element -----------------*- C++ -*-===//

#ifndef FUSION_LIB_CONVERSION_FUSIONTOLINALG_SCALARCAST_H
#define FUSION_LIB_CONVERSION_FUSIONTOLINALG_SCALARCAST_H

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::fusion {

/// Converts `value`, an element of the graph type `from` held in the type of
/// its computation, to the graph type `to`, held in the type of its
/// computation: what is left is the rounding to f16 or bf16. As `fusion.cast`
/// defines it.
Value castScalar(ImplicitLocOpBuilder &b, Value value, Type from, Type to);

} // namespace mlir::fusion

#endif // FUSION_LIB_CONVERSION_FUSIONTOLINALG_SCALARCAST_H
