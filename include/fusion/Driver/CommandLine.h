//===- CommandLine.h - flags that the tools share ---------------*- C++ -*-===//

#ifndef FUSION_DRIVER_COMMANDLINE_H
#define FUSION_DRIVER_COMMANDLINE_H

#include "fusion/Driver/Compile.h"
#include "fusion/Driver/Run.h"
#include "llvm/Support/CommandLine.h"
#include <memory>
#include <vector>

namespace mlir::fusion {

/// The flags of compilation, registered while this lives: --target,
/// --device-model, --device-limits, --fuse, --numerics, --weights, --dim,
/// --bind.
class CompileFlags {
public:
  CompileFlags(llvm::cl::OptionCategory &category, StringRef defaultTarget);
  ~CompileFlags();

  /// Checks the flags and turns them into options. --dim is left out where
  /// `dimsAtRunTime`: getDims() gives it then.
  llvm::Expected<CompileOptions> getOptions(bool dimsAtRunTime = false) const;
  llvm::Expected<std::map<std::string, int64_t>> getDims() const;
  /// Whether there are limits of a GPU.
  bool hasLimits() const;

private:
  struct Flags;
  std::unique_ptr<Flags> flags;
};

/// The flags of execution: --device, --input, --static, --expect,
/// --expect-tolerance,
/// --save-outputs, --verify, --verify-memory, --bench.
class RunFlags {
public:
  explicit RunFlags(llvm::cl::OptionCategory &category);
  ~RunFlags();

  llvm::Expected<RunOptions> getOptions(const CompileFlags &compile) const;
  /// Whether --dim is for the compilation, not for the run.
  bool isStatic() const;

private:
  struct Flags;
  std::unique_ptr<Flags> flags;
};

/// Sets version and bug-report text, parses the command line and hides flags
/// of no concern. Ends the process with 1 on an unknown flag.
void parseCommandLine(int argc, char **argv, llvm::cl::OptionCategory &category,
                      StringRef overview);

} // namespace mlir::fusion

#endif // FUSION_DRIVER_COMMANDLINE_H
