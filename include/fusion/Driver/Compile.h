//===- Compile.h - from a model to what is asked for ------------*- C++ -*-===//

#ifndef FUSION_DRIVER_COMPILE_H
#define FUSION_DRIVER_COMPILE_H

#include "fusion-c/Runtime.h"
#include "fusion/Driver/LoadModel.h"
#include "fusion/Pipelines/Pipelines.h"
#include "fusion/Target/Host/HostJit.h"
#include "fusion/Target/PTX/PTX.h"
#include "mlir/IR/DialectRegistry.h"
#include <memory>

namespace mlir::fusion {

/// What to compile and how.
struct CompileOptions {
  LoadOptions load;
  PipelineOptions pipeline;
  /// A .html or .json file to write the report to; "-" prints it as a table; or
  /// empty.
  std::string report;
  /// Whether MLIR is written with locations, which hold the names of nodes.
  bool emitLocations = false;
};

/// The dialects and interfaces that compilation needs.
void registerForCompilation(DialectRegistry &registry);

/// How the kernels of such a compilation become PTX.
PTXOptions getPTXOptions(const PipelineOptions &options);

/// Runs the stages after `from` up to `to` on `module`. On the way to
/// Stage::LLVM the kernels become the PTX that the host program carries.
LogicalResult runStages(ModuleOp module, Stage from, Stage to,
                        const PipelineOptions &options);

/// A compiled program in this process.
class CompiledProgram {
public:
  virtual ~CompiledProgram() = default;
  virtual const FusionProgram &getProgram() const = 0;
};

/// The effort for the host program of such a compilation: the emulator, not the
/// program that launches its kernels, takes the time.
HostEffort getHostEffort(const PipelineOptions &options);

/// Compiles `module`, which is at the end of stage `from`, to a program that
/// can be run in this process. Null where it fails, with diagnostics.
std::unique_ptr<CompiledProgram>
compileInProcess(ModuleOp module, Stage from, const PipelineOptions &options,
                 HostEffort effort = HostEffort::Full);

} // namespace mlir::fusion

#endif // FUSION_DRIVER_COMPILE_H
