//===- EmulatedDevice.h - --device=emulator ---------------------*- C++ -*-===//

#ifndef FUSION_LIB_DRIVER_EMULATEDDEVICE_H
#define FUSION_LIB_DRIVER_EMULATEDDEVICE_H

#include "fusion/Target/PTX/PTX.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"
#include <string>

namespace mlir::fusion {

/// Gives the process an emulated GPU for `target`, which is sm_90a where it is
/// empty; before a GPU is opened. $FUSION_EMULATOR_SEED chooses the order of
/// what may happen in any order; with $FUSION_EMULATOR_COUNTERS each launch
/// prints what it did to the standard error.
llvm::Error useEmulator(std::string &target);

/// Makes the kernels of `module`, which is at stage 5, the image that its host
/// program carries: with mathematical functions expanded as for a GPU.
LogicalResult addEmulatedImage(ModuleOp module, const PTXOptions &options);

} // namespace mlir::fusion

#endif // FUSION_LIB_DRIVER_EMULATEDDEVICE_H
