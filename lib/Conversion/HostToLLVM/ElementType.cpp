//===- ElementType.cpp - element types of the C contract ------------------===//

#include "ElementType.h"

#include "fusion-c/Runtime.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace mlir::fusion;

FailureOr<int32_t> fusion::getRuntimeElementType(Type type) {
  if (type.isF32()) {
    return FUSION_F32;
  }
  if (type.isF16()) {
    return FUSION_F16;
  }
  if (type.isBF16()) {
    return FUSION_BF16;
  }
  if (type.isF64()) {
    return FUSION_F64;
  }
  auto integer = dyn_cast<IntegerType>(type);
  if (!integer) {
    return failure();
  }
  bool isUnsigned = integer.isUnsigned();
  switch (integer.getWidth()) {
  case 1:
    return FUSION_I1;
  case 8:
    return isUnsigned ? FUSION_U8 : FUSION_I8;
  case 16:
    return isUnsigned ? FUSION_U16 : FUSION_I16;
  case 32:
    return isUnsigned ? FUSION_U32 : FUSION_I32;
  case 64:
    return isUnsigned ? FUSION_U64 : FUSION_I64;
  default:
    return failure();
  }
}
