//===- Concurrent.cpp - kernels side by side in one launch ----------------===//

#include "fusion/Cost/Concurrent.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>

using namespace mlir::fusion;

/// A kernel of matrix products has one block of some 300 threads and most of
/// the shared memory on a multiprocessor; code that waits for memory wants
/// about 2000 threads. In such a launch it has this share of the bandwidth.
constexpr double kShareBesideProducts = 0.25;
/// Less than this share of the time saved is within the error of the estimate,
/// and not worth the larger kernel.
constexpr double kLeastGain = 0.002;

Estimate mlir::fusion::estimateConcurrent(llvm::ArrayRef<KernelWork> parts,
                                          const DeviceModel &device) {
  double blocks = 0;
  bool products = false, others = false;
  for (const KernelWork &work : parts) {
    blocks += work.blocks;
    (work.matmulFlops > 0 ? products : others) = true;
  }
  double memory = 0, arithmetic = 0, rounds = 0;
  llvm::SmallVector<TileLoop> loops;
  for (KernelWork work : parts) {
    work.blocks = blocks; // all fill the last wave of one another
    KernelTimes times = getKernelTimes(work, device);
    bool hindered = products && others && work.matmulFlops == 0;
    memory += hindered ? times.memory / kShareBesideProducts : times.memory;
    rounds = std::max(rounds, times.rounds);
    if (work.loop.tiles > 0) {
      loops.push_back(
          completeLoop(parts.size() > 1 ? work.loopBeside : work.loop, work));
    } else {
      arithmetic += std::max(times.arithmetic, times.tensor);
    }
  }
  arithmetic += estimateLoops(loops, device);
  double body = std::max({memory, arithmetic, rounds});
  if (body <= 0) {
    return {device.launchUs, Bound::Launch};
  }
  double fixed = getFixedUs(device);
  Bound bound = body <= fixed    ? Bound::Launch
                : body == memory ? Bound::Memory
                : body == rounds ? Bound::Latency
                                 : Bound::Arithmetic;
  return {fixed + body, bound};
}

FusionDecision mlir::fusion::worthMerging(llvm::ArrayRef<KernelWork> parts,
                                          const DeviceModel &device,
                                          bool exclusive) {
  double apart = 0;
  for (const KernelWork &work : parts) {
    apart += estimateKernel(work, device).us;
  }
  double together = estimateConcurrent(parts, device).us;
  if (together <= apart * (exclusive ? 1 : 1 - kLeastGain)) {
    return FusionDecision::allow().withTimes({together, apart});
  }
  return FusionDecision::forbid(
             llvm::formatv("estimated to gain nothing in one launch ({0:F1} "
                           "us) against launches of their own ({1:F1} us)",
                           together, apart)
                 .str())
      .withTimes({together, apart});
}
