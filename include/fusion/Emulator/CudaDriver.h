//===- CudaDriver.h - a CUDA driver whose GPU is emulated -------*- C++ -*-===//
//
// The entry points of the CUDA driver that lib/Runtime calls. With them a whole
// program runs as on a GPU: the runtime's code for CUDA, memory copies,
// launches and tensor maps included.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_EMULATOR_CUDADRIVER_H
#define FUSION_EMULATOR_CUDADRIVER_H

#include "fusion/Emulator/Emulator.h"

namespace mlir::fusion::emulator {

/// What the emulated GPU is like; set before the driver is opened.
struct EmulatedGPU {
  /// Compute capability: 9, 0 for sm_90a.
  int major = 9, minor = 0;
  /// Few, so that persistent kernels have to loop.
  int multiprocessors = 3;
  Options options;
  /// Where each launch's counters are printed, or null.
  raw_ostream *counters = nullptr;
};

/// The compute capability of "sm_90a" and the like; false for other text.
bool parseTarget(StringRef target, EmulatedGPU &gpu);

/// Sets what the GPU is like.
void setEmulatedGPU(const EmulatedGPU &gpu);

/// The entry point with the driver's own name for it ("cuLaunchKernel"), or
/// null. A module image is the text of an MLIR module with the kernels of
/// stage 5. A launch that has faults fails with 719, and cuGetErrorString then
/// tells them. There is one GPU; calls come from one thread at a time.
void *getEmulatedEntryPoint(const char *symbol);

} // namespace mlir::fusion::emulator

#endif // FUSION_EMULATOR_CUDADRIVER_H
