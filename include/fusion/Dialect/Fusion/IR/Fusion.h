//===- Fusion.h - the fusion dialect ----------------------------*- C++ -*-===//

#ifndef FUSION_DIALECT_FUSION_IR_FUSION_H
#define FUSION_DIALECT_FUSION_IR_FUSION_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

namespace mlir::fusion {
/// Returns the tensor type `type` with element type i1.
Type getBoolTypeLike(Type type);

/// Whether elements of `type` order and extend as unsigned integers (i1 does).
bool isUnsignedElement(Type type);

class YieldOp;
} // namespace mlir::fusion

#include "fusion/Dialect/Fusion/IR/FusionDialect.h.inc"

#include "fusion/Dialect/Fusion/IR/FusionEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "fusion/Dialect/Fusion/IR/FusionAttrs.h.inc"

#define GET_OP_CLASSES
#include "fusion/Dialect/Fusion/IR/FusionOps.h.inc"

#endif // FUSION_DIALECT_FUSION_IR_FUSION_H
