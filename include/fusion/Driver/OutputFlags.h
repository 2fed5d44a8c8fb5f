//===- OutputFlags.h - what fusion-compile is to write ----------*- C++ -*-===//

#ifndef FUSION_DRIVER_OUTPUTFLAGS_H
#define FUSION_DRIVER_OUTPUTFLAGS_H

#include "fusion/Driver/Compile.h"
#include "llvm/Support/CommandLine.h"
#include <memory>

namespace mlir::fusion {

/// The flags that say what to make of a model, registered while this lives: -o,
/// --emit, --emit-locations, --report, --explain.
class OutputFlags {
public:
  explicit OutputFlags(llvm::cl::OptionCategory &category);
  ~OutputFlags();

  /// Checks the flags, none of which may be ignored, and does what they say
  /// with the model in `path`. Errors are diagnostics of `context`.
  LogicalResult run(StringRef path, CompileOptions options,
                    MLIRContext *context) const;

private:
  struct Flags;
  std::unique_ptr<Flags> flags;
};

} // namespace mlir::fusion

#endif // FUSION_DRIVER_OUTPUTFLAGS_H
