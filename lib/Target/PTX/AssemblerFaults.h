//===- AssemblerFaults.h - what ptxas gets wrong ----------------*- C++ -*-===//

#ifndef FUSION_LIB_TARGET_PTX_ASSEMBLERFAULTS_H
#define FUSION_LIB_TARGET_PTX_ASSEMBLERFAULTS_H

namespace llvm {
class Module;
} // namespace llvm

namespace mlir::fusion {

/// Writes in another way what ptxas (CUDA 12 and 13) gets wrong, as seen in its
/// code. Runs last: LLVM makes these forms of many others.
/// * `neg.s16` and `abs.s16` of -32768: it holds 32768 in 32 bits for what
///   reads the sign: comparisons, divisions, shifts right, conversions.
/// * `max.s32` of another one whose second operand is a negation, and so
///   `min.s32`: on sm_90 the instruction of three operands that it makes of the
///   two loses the sign.
/// * `abs.s32` and `abs.s64` of the least integer: it holds that no result is
///   below zero, and drops comparisons.
/// * `selp.f32` of -1 and -0: it converts an integer, whose zero has no sign.
void avoidAssemblerFaults(llvm::Module &module);

} // namespace mlir::fusion

#endif // FUSION_LIB_TARGET_PTX_ASSEMBLERFAULTS_H
