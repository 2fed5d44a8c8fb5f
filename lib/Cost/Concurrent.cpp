//===- Concurrent.cpp - kernels side by side in one launch ----------------===//

#include "fusion/Cost/Concurrent.h"

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

/// The time of `work` without its launch, were memory or arithmetic all that
/// it needs.
static double getBody(KernelWork work, bool memory, const DeviceModel &device) {
  if (memory) {
    work.flops = work.matmulFlops = 0;
  } else {
    work.bytesRead = work.bytesWritten = 0;
  }
  return estimateKernel(work, device).us - device.launchUs;
}

Estimate mlir::fusion::estimateConcurrent(llvm::ArrayRef<KernelWork> parts,
                                          const DeviceModel &device) {
  double blocks = 0;
  bool products = false, others = false;
  for (const KernelWork &work : parts) {
    blocks += work.blocks;
    (work.matmulFlops > 0 ? products : others) = true;
  }
  double memory = 0, arithmetic = 0;
  for (KernelWork work : parts) {
    work.blocks = blocks; // all fill the last wave of one another
    double own = getBody(work, /*memory=*/true, device);
    bool hindered = products && others && work.matmulFlops == 0;
    memory += hindered ? own / kShareBesideProducts : own;
    arithmetic += getBody(work, /*memory=*/false, device);
  }
  double body = std::max(memory, arithmetic);
  Bound bound = body <= device.launchUs ? Bound::Launch
                : body == memory        ? Bound::Memory
                                        : Bound::Arithmetic;
  return {device.launchUs + body, bound};
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
