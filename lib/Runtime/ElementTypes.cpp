//===- ElementTypes.cpp - sizes and names of element types ----------------===//

#include "fusion-c/Runtime.h"

namespace {
struct ElementType {
  int64_t size;
  const char *name;
};
} // namespace

static ElementType getElementType(int32_t dtype) {
  switch (dtype) {
  case FUSION_F32:
    return {4, "f32"};
  case FUSION_F16:
    return {2, "f16"};
  case FUSION_BF16:
    return {2, "bf16"};
  case FUSION_F64:
    return {8, "f64"};
  case FUSION_I1:
    return {1, "i1"};
  case FUSION_I8:
    return {1, "i8"};
  case FUSION_I16:
    return {2, "i16"};
  case FUSION_I32:
    return {4, "i32"};
  case FUSION_I64:
    return {8, "i64"};
  case FUSION_U8:
    return {1, "u8"};
  case FUSION_U16:
    return {2, "u16"};
  case FUSION_U32:
    return {4, "u32"};
  case FUSION_U64:
    return {8, "u64"};
  default:
    return {0, "unknown"};
  }
}

int64_t fusionDTypeSize(int32_t dtype) { return getElementType(dtype).size; }

const char *fusionDTypeName(int32_t dtype) {
  return getElementType(dtype).name;
}
