//===- EmulatedDevice.cpp - --device=emulator -----------------------------===//

#include "EmulatedDevice.h"
#include "fusion-c/Runtime.h"
#include "fusion/Emulator/CudaDriver.h"
#include "mlir/IR/Builders.h"
#include "llvm/Support/Process.h"

using namespace mlir;
using namespace mlir::fusion;

llvm::Error mlir::fusion::useEmulator(std::string &target) {
  if (target.empty()) {
    target = "sm_90a";
  }
  emulator::EmulatedGPU gpu;
  if (!emulator::parseTarget(target, gpu)) {
    return llvm::createStringError(
        "--device=emulator: expected --target of a GPU, but got '" + target +
        "'");
  }
  if (auto seed = llvm::sys::Process::GetEnv("FUSION_EMULATOR_SEED")) {
    if (StringRef(*seed).getAsInteger(10, gpu.options.seed)) {
      return llvm::createStringError(
          "FUSION_EMULATOR_SEED: expected a number, but got '" + *seed + "'");
    }
  }
  if (llvm::sys::Process::GetEnv("FUSION_EMULATOR_COUNTERS")) {
    gpu.counters = &llvm::errs();
  }
  emulator::setEmulatedGPU(gpu);
  fusionUseCudaDriver(emulator::getEmulatedEntryPoint);
  return llvm::Error::success();
}

LogicalResult mlir::fusion::addEmulatedImage(ModuleOp module,
                                             const PTXOptions &options) {
  FailureOr<OwningOpRef<ModuleOp>> kernels = legalizeKernels(module, options);
  if (failed(kernels)) {
    return failure();
  }
  std::string text;
  llvm::raw_string_ostream os(text);
  // With locations, which faults name.
  OpPrintingFlags flags;
  flags.enableDebugInfo().printGenericOpForm();
  (*kernels)->print(os, flags);
  Builder builder(module.getContext());
  module->setAttr("fusion.image", builder.getStringAttr(text));
  module->setAttr("fusion.least_driver", builder.getI32IntegerAttr(0));
  return success();
}
