//===- WrapNegations.h - negations that wrap --------------------*- C++ -*-===//

#ifndef FUSION_LIB_TARGET_PTX_WRAPNEGATIONS_H
#define FUSION_LIB_TARGET_PTX_WRAPNEGATIONS_H

namespace llvm {
class Module;
} // namespace llvm

namespace mlir::fusion {

/// Writes negations of 16-bit integers, and absolute values of integers, so
/// that the least one stays what it is. PTX defines `neg.s16` and `abs.s16` so,
/// but ptxas (CUDA 12 and 13) keeps the result in 32 bits as 32768 for what
/// reads its sign: comparisons, divisions, shifts right, conversions. Of
/// `abs.s32` and `abs.s64` it holds that no result is below zero, and drops
/// comparisons. Runs last: LLVM makes `neg.s16` and `abs` of many other forms.
void wrapNegations(llvm::Module &module);

} // namespace mlir::fusion

#endif // FUSION_LIB_TARGET_PTX_WRAPNEGATIONS_H
