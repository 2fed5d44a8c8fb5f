//===- WrapNegations.h - negations of 16 bits that wrap -------------------===//

#ifndef FUSION_LIB_TARGET_PTX_WRAPNEGATIONS_H
#define FUSION_LIB_TARGET_PTX_WRAPNEGATIONS_H

namespace llvm {
class Module;
} // namespace llvm

namespace mlir::fusion {

/// Writes each negation and each absolute value of 16-bit integers so that
/// -32768 stays -32768. PTX defines `neg.s16` and `abs.s16` so, but ptxas (CUDA
/// 12 and 13) keeps the result in 32 bits as 32768 for what reads its sign:
/// comparisons, divisions, shifts right, conversions. Runs last: LLVM makes
/// `neg.s16` of any other form.
void wrapNegations(llvm::Module &module);

} // namespace mlir::fusion

#endif // FUSION_LIB_TARGET_PTX_WRAPNEGATIONS_H
