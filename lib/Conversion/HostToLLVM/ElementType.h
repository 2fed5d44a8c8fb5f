//===- ElementType.h - element types of the C contract ----------*- C++ -*-===//

#ifndef LIB_CONVERSION_HOSTTOLLVM_ELEMENTTYPE_H
#define LIB_CONVERSION_HOSTTOLLVM_ELEMENTTYPE_H

#include "mlir/IR/Types.h"
#include "mlir/Support/LLVM.h"

namespace mlir::fusion {

/// The FusionDType of elements of `type`, or failure if there is none. Signless
/// integers count as signed.
FailureOr<int32_t> getRuntimeElementType(Type type);

} // namespace mlir::fusion

#endif // LIB_CONVERSION_HOSTTOLLVM_ELEMENTTYPE_H
