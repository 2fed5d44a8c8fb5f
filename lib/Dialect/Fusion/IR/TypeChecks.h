//===- TypeChecks.h - checks that several op families make ------*- C++ -*-===//

#ifndef FUSION_LIB_DIALECT_FUSION_IR_TYPECHECKS_H
#define FUSION_LIB_DIALECT_FUSION_IR_TYPECHECKS_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpDefinition.h"

namespace mlir::fusion {

/// Checks that `sizes` holds one value per dynamic dim of `type`.
LogicalResult verifySizes(Operation *op, ValueRange sizes,
                          RankedTensorType type);

/// Checks that the first operand and the first result of `op` hold elements of
/// the same type.
LogicalResult verifySameElementType(Operation *op);

/// Checks that `dim`, the value of attribute `name`, is a dim of `type`.
LogicalResult verifyDim(Operation *op, StringRef name, int64_t dim,
                        RankedTensorType type);

/// Returns a splat of the same value in the static shape of `type`, else null.
DenseElementsAttr resizeSplat(Attribute attr, RankedTensorType type);

/// Whether sizes may be equal at run time.
inline bool mayBeEqual(int64_t a, int64_t b) {
  return ShapedType::isDynamic(a) || ShapedType::isDynamic(b) || a == b;
}

} // namespace mlir::fusion

#endif // FUSION_LIB_DIALECT_FUSION_IR_TYPECHECKS_H
