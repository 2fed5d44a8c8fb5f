//===- CompileToFile.h - what fusion-compile does ---------------*- C++ -*-===//

#ifndef FUSION_DRIVER_COMPILETOFILE_H
#define FUSION_DRIVER_COMPILETOFILE_H

#include "fusion/Driver/Compile.h"

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

} // namespace mlir::fusion

#endif // FUSION_DRIVER_COMPILETOFILE_H
