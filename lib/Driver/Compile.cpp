//===- Compile.cpp - from a model to what is asked for ----------*- C++ -*-===//

#include "fusion/Driver/Compile.h"
#include "EmulatedDevice.h"
#include "StaticDims.h"
#include "fusion/Driver/Diagnostics.h"
#include "fusion/InitAllDialects.h"
#include "fusion/Target/Host/HostJit.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace mlir::fusion;

void mlir::fusion::registerForCompilation(DialectRegistry &registry) {
  registerAllDialects(registry);
}

//===----------------------------------------------------------------------===//
// Stages
//===----------------------------------------------------------------------===//

PTXOptions mlir::fusion::getPTXOptions(const PipelineOptions &options) {
  PTXOptions ptx;
  ptx.chip = options.target;
  ptx.hardwareExp = options.numerics != Numerics::Strict;
  return ptx;
}

/// The least CUDA driver that reads this PTX, as 1000 * major + 10 * minor. PTX
/// 7, 8 and 9 came with CUDA 11, 12 and 13, and their minor numbers kept step,
/// but for a gap: PTX 8.6 came with CUDA 12.7.
static int64_t getLeastDriver(StringRef ptx) {
  int64_t major = 0, minor = 0;
  StringRef version = ptx.split(".version").second.ltrim();
  (void)version.consumeInteger(10, major);
  (void)version.consume_front(".");
  (void)version.consumeInteger(10, minor);
  minor += major == 8 && minor >= 6;
  return 1000 * (major + 4) + 10 * minor;
}

/// Runs the pipelines of the stages after `from` up to `to`.
static LogicalResult runPipelines(ModuleOp module, Stage from, Stage to,
                                  const PipelineOptions &options) {
  PassManager pm(module.getContext());
  buildStages(pm, from, to, options);
  return pm.run(module);
}

/// Makes the PTX of the kernels the image that the host program carries.
static LogicalResult addImage(ModuleOp module, const PipelineOptions &options) {
  if (options.emulate) {
    return addEmulatedImage(module, getPTXOptions(options));
  }
  FailureOr<std::string> ptx = emitPTX(module, getPTXOptions(options));
  if (failed(ptx)) {
    return failure();
  }
  Builder builder(module.getContext());
  module->setAttr("fusion.image", builder.getStringAttr(*ptx));
  module->setAttr("fusion.least_driver",
                  builder.getI32IntegerAttr(getLeastDriver(*ptx)));
  return success();
}

LogicalResult mlir::fusion::runStages(ModuleOp module, Stage from, Stage to,
                                      const PipelineOptions &options) {
  Stage linalg = std::min(to, std::max(from, Stage::Linalg));
  if (failed(runPipelines(module, from, linalg, options))) {
    return failure();
  }
  if (linalg == Stage::Linalg) {
    refineResults(module.lookupSymbol<func::FuncOp>("main"));
  }
  Stage gpu = std::min(to, std::max(from, Stage::GPU));
  if (failed(runPipelines(module, linalg, gpu, options))) {
    return failure();
  }
  bool needsImage = gpu < to && !options.isCPU();
  if (needsImage && failed(addImage(module, options))) {
    return failure();
  }
  return runPipelines(module, gpu, to, options);
}

//===----------------------------------------------------------------------===//
// In this process
//===----------------------------------------------------------------------===//

namespace {
class JitProgram : public CompiledProgram {
public:
  explicit JitProgram(std::unique_ptr<HostJit> jit) : jit(std::move(jit)) {}
  const FusionProgram &getProgram() const override { return *jit->program(); }

private:
  std::unique_ptr<HostJit> jit;
};
} // namespace

HostEffort mlir::fusion::getHostEffort(const PipelineOptions &options) {
  return options.emulate ? HostEffort::Least : HostEffort::Full;
}

std::unique_ptr<CompiledProgram>
mlir::fusion::compileInProcess(ModuleOp module, Stage from,
                               const PipelineOptions &options,
                               HostEffort effort) {
  if (failed(runStages(module, from, Stage::LLVM, options))) {
    return nullptr;
  }
  llvm::Expected<std::unique_ptr<HostJit>> jit =
      HostJit::create(module, effort);
  if (!jit) {
    (void)emitError(module.getContext(), jit.takeError());
    return nullptr;
  }
  return std::make_unique<JitProgram>(std::move(*jit));
}
