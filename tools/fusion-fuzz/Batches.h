//===- Batches.h - graphs in processes of their own -------------*- C++ -*-===//

#ifndef FUSION_TOOLS_FUSION_FUZZ_BATCHES_H
#define FUSION_TOOLS_FUSION_FUZZ_BATCHES_H

#include "Check.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <chrono>
#include <optional>

namespace mlir::fusion::fuzz {

/// What a batch may take.
struct Limits {
  using Clock = std::chrono::steady_clock;

  /// For one number; 0: as long as it wants.
  unsigned seconds = 0;
  /// Nothing is begun after this.
  std::optional<Clock::time_point> deadline;

  bool isLate() const { return deadline && Clock::now() >= *deadline; }
};

/// Calls `work` with each number from 0 to `count` - 1 in child processes, and
/// `done` with what came of it, in order, in this one. A child that crashes, or
/// works for too long on a number, counts as a failure of that number. Behind a
/// failure another child goes on: a fault of a kernel leaves nothing usable of
/// the process's GPU context, and what it left would count as failures of
/// others. Ends early at the deadline, and where a device is missing.
void runInBatches(int64_t count, const Limits &limits,
                  llvm::function_ref<CheckResult(int64_t)> work,
                  llvm::function_ref<void(int64_t, const CheckResult &)> done);

} // namespace mlir::fusion::fuzz

#endif // FUSION_TOOLS_FUSION_FUZZ_BATCHES_H
