//===- HostJit.h - host programs compiled in the process --------*- C++ -*-===//

#ifndef FUSION_TARGET_HOST_HOSTJIT_H
#define FUSION_TARGET_HOST_HOSTJIT_H

#include "fusion-c/Runtime.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"
#include <memory>

namespace llvm::orc {
class LLJIT;
} // namespace llvm::orc

namespace mlir::fusion {

/// How much time LLVM may take for a faster program. What is computed is the
/// same.
enum class HostEffort {
  Full,
  /// For what runs a few times on little data: no loop is vectorized, and
  /// compilation takes half of the time.
  Little,
  /// For what runs once on next to nothing: nothing is optimized, and
  /// instructions are selected the fast way. Compilation takes a fifth.
  Least,
};

/// The effort for a program that runs a few times on arrays of at most so many
/// elements.
HostEffort getEffortForFewRuns(int64_t largestArray);

/// A host program compiled into this process. Calls of the runtime reach the
/// runtime that is linked to the process. Thread-safe once created.
class HostJit {
public:
  /// Compiles `module` (LLVM dialect, from `fusion-host-to-llvm`); the module
  /// is not needed afterwards.
  static llvm::Expected<std::unique_ptr<HostJit>>
  create(ModuleOp module, HostEffort effort = HostEffort::Full);
  ~HostJit();

  /// The program; it lives as long as this object.
  const FusionProgram *program() const { return compiled; }

private:
  HostJit();

  std::unique_ptr<llvm::orc::LLJIT> jit;
  const FusionProgram *compiled = nullptr;
};

} // namespace mlir::fusion

#endif // FUSION_TARGET_HOST_HOSTJIT_H
