//===- LowerHost.h - the passes from host functions to LLVM -----*- C++ -*-===//

#ifndef FUSION_CONVERSION_HOSTTOLLVM_LOWERHOST_H
#define FUSION_CONVERSION_HOSTTOLLVM_LOWERHOST_H

#include "mlir/Support/LLVM.h"

namespace mlir {
class OpPassManager;

namespace fusion {

/// Adds the passes from host functions on memrefs, vectors and scf to the LLVM
/// dialect: workspace plan, expansions, `fusion-host-to-llvm`. `target` is
/// `cpu` or a GPU as in `sm_90a`; on a GPU the kernels are there already, with
/// their image in `fusion.image`.
void buildLowerHostPipeline(OpPassManager &pm, StringRef target);

/// Registers it as `fusion-lower-host`.
void registerLowerHostPipeline();

} // namespace fusion
} // namespace mlir

#endif // FUSION_CONVERSION_HOSTTOLLVM_LOWERHOST_H
