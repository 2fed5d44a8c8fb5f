//===- BF16AsBits.h - bf16 values of host programs as integers --*- C++ -*-===//

#ifndef FUSION_LIB_TARGET_HOST_BF16ASBITS_H
#define FUSION_LIB_TARGET_HOST_BF16ASBITS_H

#include "mlir/IR/BuiltinOps.h"

namespace mlir::fusion {

/// Makes every bf16 of `module`, in the LLVM dialect, an i16 with its bits.
/// Lowering computes in f32 and leaves only ops that move bf16 numbers; LLVM
/// would legalize these by conversions to f32 and back, which call functions
/// that a C library may lack, or by instructions that lose denormals. A module
/// with an op that computes on bf16 stays as it is.
void storeBF16AsBits(ModuleOp module);

} // namespace mlir::fusion

#endif // FUSION_LIB_TARGET_HOST_BF16ASBITS_H
