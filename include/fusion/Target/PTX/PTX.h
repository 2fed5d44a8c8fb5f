//===- PTX.h - kernels to LLVM IR, PTX and cubins ---------------*- C++ -*-===//

#ifndef FUSION_TARGET_PTX_PTX_H
#define FUSION_TARGET_PTX_PTX_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Pass/PassManager.h"
#include <string>

namespace mlir::fusion {

/// How kernels are compiled.
struct PTXOptions {
  /// The GPU: sm_80, sm_86, sm_89, sm_90a, ...
  std::string chip = "sm_90a";
  /// 2^x of reduced arguments by the GPU's own instruction (docs/Numerics.md).
  bool hardwareExp = true;
};

/// Adds the passes that leave what PTX has: math expansion and the check that
/// PTX can express what is left. For a module that holds kernels only.
void buildKernelLegalization(OpPassManager &pm, const PTXOptions &options);

/// Adds the passes from stage 5 (llvm.func in llvm, nvvm, arith, math, scf,
/// vector) to the LLVM dialect: math expansion, the check that PTX can express
/// what is left, conversions. For a module that holds kernels only.
void buildGPUToLLVM(OpPassManager &pm, const PTXOptions &options);

/// A copy of the gpu.modules of `module`, as one module that has only what PTX
/// has.
FailureOr<OwningOpRef<ModuleOp>> legalizeKernels(ModuleOp module,
                                                 const PTXOptions &options);

/// A copy of the gpu.modules of `module`, as one module in the LLVM dialect.
FailureOr<OwningOpRef<ModuleOp>> lowerKernels(ModuleOp module,
                                              const PTXOptions &options);

/// The LLVM IR of the kernels in `module` (stage 5), optimized.
FailureOr<std::string> emitKernelLLVM(ModuleOp module,
                                      const PTXOptions &options);

/// The PTX of the kernels in `module` (stage 5). LLVM's errors become
/// diagnostics at the module's location.
FailureOr<std::string> emitPTX(ModuleOp module, const PTXOptions &options);

/// What ptxas says about one kernel.
struct KernelUsage {
  std::string name;
  int64_t registers = 0;
  int64_t stackBytes = 0;
  int64_t spillStoreBytes = 0;
  int64_t spillLoadBytes = 0;
  /// Static shared memory; what a kernel of ours uses is dynamic.
  int64_t sharedBytes = 0;
};

struct Cubin {
  std::string image;
  SmallVector<KernelUsage> kernels;
};

/// The path of ptxas: in $CUDA_HOME/bin, on PATH, or in /usr/local/cuda/bin.
/// Empty if there is none.
std::string findPtxas();

/// Assembles `ptx` for `chip`. What ptxas complains about is diagnosed at
/// `loc`.
FailureOr<Cubin> assembleCubin(Location loc, StringRef ptx, StringRef chip);

/// Parses the output of `ptxas -v`.
SmallVector<KernelUsage> parsePtxasUsage(StringRef output);

/// Registers `--fusion-to-ptx` and `--fusion-to-kernel-llvm` of
/// fusion-translate. The chip is that of the gpu.module's #nvvm.target, by
/// default sm_90a.
void registerPTXTranslations();

} // namespace mlir::fusion

#endif // FUSION_TARGET_PTX_PTX_H
