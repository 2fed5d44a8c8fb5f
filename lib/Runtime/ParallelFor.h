//===- ParallelFor.h - loops over all cores ---------------------*- C++ -*-===//

#ifndef FUSION_LIB_RUNTIME_PARALLELFOR_H
#define FUSION_LIB_RUNTIME_PARALLELFOR_H

#include "Outcome.h"

#include <cstdint>

namespace mlir::fusion::runtime {

/// Checks that $FUSION_NUM_THREADS, where set, is a positive number.
Outcome checkThreadSetting();

/// The threads that share a loop, the caller's included.
int64_t getNumThreads();

/// See fusionRtParallelFor.
void parallelFor(int64_t n, void (*body)(void *env, int64_t begin, int64_t end),
                 void *env);

} // namespace mlir::fusion::runtime

#endif // FUSION_LIB_RUNTIME_PARALLELFOR_H
