//===- EmulateKernel.h - what fusion-emulate does ---------------*- C++ -*-===//

#ifndef FUSION_TOOLS_FUSIONEMULATE_EMULATEKERNEL_H
#define FUSION_TOOLS_FUSIONEMULATE_EMULATEKERNEL_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"
#include <string>

namespace mlir::fusion::emulator {

/// One call of the tool.
struct EmulateOptions {
  std::string kernel;
  /// See Arguments.
  ArrayRef<std::string> arguments;
  /// Up to three; those that are missing are 1.
  ArrayRef<int64_t> grid;
  /// 0: what the kernel states.
  int64_t block = 0;
  uint64_t seed = 0;
  /// The arguments to print, and how many elements of each.
  ArrayRef<unsigned> shown;
  unsigned most = 16;
  bool counters = false;
};

/// The kernels' dialects, and those of the host code that may stand beside.
void registerForEmulation(DialectRegistry &registry);

/// Runs a kernel of `module` and prints what is asked for, faults to the
/// standard error. Returns the tool's exit code: 0, 1 on bad input, 2 where
/// there were faults.
int emulateKernel(ModuleOp module, const EmulateOptions &options);

} // namespace mlir::fusion::emulator

#endif // FUSION_TOOLS_FUSIONEMULATE_EMULATEKERNEL_H
