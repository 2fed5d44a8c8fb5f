//===- CompileToFile.h - what fusion-compile does ---------------*- C++ -*-===//

#ifndef FUSION_DRIVER_COMPILETOFILE_H
#define FUSION_DRIVER_COMPILETOFILE_H

#include "fusion/Driver/Compile.h"
#include "fusion/Report/Report.h"

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

/// Compiles the model in `path` and writes what `emit` says to `output` ("-":
/// standard output, text only; empty: the same, or nothing for a package, which
/// then is compiled for its report alone). Nothing is left behind where it
/// fails. A package gets a header beside it.
LogicalResult compileToFile(StringRef path, Emit emit, StringRef output,
                            const CompileOptions &options,
                            MLIRContext *context);

/// Prints in a sentence why two ops of the model in `path`, called as the pair
/// `names` says, are or are not in one kernel.
LogicalResult explainModel(StringRef path,
                           std::pair<StringRef, StringRef> names,
                           const CompileOptions &options, MLIRContext *context);

/// What compilation in memory gives.
struct CompiledModel {
  std::string bytes;  ///< of what `emit` says: text, object or shared library
  std::string header; ///< for C programs: positions of arguments; from tiles on
  CompilationReport report; ///< from groups on
};

/// Compiles `module`, as loadModel() leaves it, called `name` in reports.
FailureOr<CompiledModel> compileInMemory(OwningOpRef<ModuleOp> module,
                                         StringRef name, Emit emit,
                                         const CompileOptions &options);

} // namespace mlir::fusion

#endif // FUSION_DRIVER_COMPILETOFILE_H
