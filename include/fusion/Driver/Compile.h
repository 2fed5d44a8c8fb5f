//===- Compile.h - from a model to what is asked for ------------*- C++ -*-===//

#ifndef FUSION_DRIVER_COMPILE_H
#define FUSION_DRIVER_COMPILE_H

#include "fusion-c/Runtime.h"
#include "fusion/Driver/LoadModel.h"
#include "fusion/Pipelines/Pipelines.h"
#include "mlir/IR/DialectRegistry.h"
#include <memory>

namespace mlir::fusion {

/// What to make of a model.
enum class Emit {
  Graph,
  Linalg,
  Groups,
  Tiles,
  GPU,
  LLVM,
  PTX,
  Cubin,
  Object,
  Package
};

/// Parses the value of --emit.
llvm::Expected<Emit> parseEmit(StringRef text);

/// What to compile and how.
struct CompileOptions {
  LoadOptions load;
  PipelineOptions pipeline;
  /// A .json (or .html) file to write the report to, or empty.
  std::string report;
};

/// The dialects and interfaces that compilation needs.
void registerForCompilation(DialectRegistry &registry);

/// Runs the stages after `from` up to `to` on `module`.
LogicalResult runStages(ModuleOp module, Stage from, Stage to,
                        const PipelineOptions &options);

/// Compiles the model in `path` and writes what `emit` says to `output` ("-":
/// standard output, text only; empty: nothing, for the report alone). Nothing
/// is left behind where it fails. A package gets a header beside it.
LogicalResult compileToFile(StringRef path, Emit emit, StringRef output,
                            const CompileOptions &options,
                            MLIRContext *context);

/// A compiled program in this process.
class CompiledProgram {
public:
  virtual ~CompiledProgram() = default;
  virtual const FusionProgram &getProgram() const = 0;
};

/// Compiles `module`, which is at the end of stage `from`, to a program that
/// can be run in this process. Null where it fails, with diagnostics.
std::unique_ptr<CompiledProgram>
compileInProcess(ModuleOp module, Stage from, const PipelineOptions &options);

} // namespace mlir::fusion

#endif // FUSION_DRIVER_COMPILE_H
