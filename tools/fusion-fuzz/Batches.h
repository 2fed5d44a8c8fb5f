//===- Batches.h - graphs in processes of their own -------------*- C++ -*-===//

#ifndef FUSION_TOOLS_FUSION_FUZZ_BATCHES_H
#define FUSION_TOOLS_FUSION_FUZZ_BATCHES_H

#include "Check.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace mlir::fusion::fuzz {

/// Calls `work` with each number from 0 to `count` - 1 in child processes, and
/// `done` with what came of it, in order, in this one. A child that crashes, or
/// works longer than `seconds` on a number, counts as a failure of that number;
/// another one goes on behind it.
void runInBatches(int64_t count, unsigned seconds,
                  llvm::function_ref<CheckResult(int64_t)> work,
                  llvm::function_ref<void(int64_t, const CheckResult &)> done);

} // namespace mlir::fusion::fuzz

#endif // FUSION_TOOLS_FUSION_FUZZ_BATCHES_H
