//===- Roofline.cpp - the time of one kernel ------------------------------===//

#include "fusion/Cost/Roofline.h"

#include "llvm/Support/ErrorHandling.h"
#include <algorithm>

using namespace mlir::fusion;

// Shares of the peaks that good kernels reach.
constexpr double kMemoryEfficiency = 0.85;
constexpr double kTensorEfficiency = 0.75;
constexpr double kVectorEfficiency = 0.5;
// One multiprocessor alone can draw more than its even share of the memory
// bandwidth: about this many times as much.
constexpr double kBandwidthBurst = 3.0;
// Tensors between kernels that take at most this share of the L2 cache are
// still there, and are read this many times as fast.
constexpr double kCachedShare = 0.5;
constexpr double kCacheSpeed = 2.5;
// From the start of a kernel's blocks to the first value, and from the last
// store to the end: small kernels in a row, one each 3.5 us.
constexpr double kRampUs = 1.0;
// Softmax of rows of 40000 in 10 pieces, and of 65537 in 17, which are loaded
// twice: 11 and 37 us.
constexpr double kRoundUs = 0.5;

llvm::StringRef mlir::fusion::stringifyBound(Bound bound) {
  switch (bound) {
  case Bound::Launch:
    return "launch";
  case Bound::Memory:
    return "memory";
  case Bound::Arithmetic:
    return "arithmetic";
  case Bound::TensorCores:
    return "tensor cores";
  case Bound::Latency:
    return "latency";
  }
  llvm_unreachable("unknown bound");
}

/// Returns the share of the device's arithmetic that `blocks` blocks keep
/// busy, with the last wave's idle multiprocessors counted.
static double getUtilization(double blocks, const DeviceModel &device) {
  double waves = getWaves(blocks, 1, device);
  if (waves == 0) {
    return 1;
  }
  return std::min(1.0, blocks / (waves * device.multiprocessors));
}

static double getMemoryUs(const KernelWork &work, const DeviceModel &device) {
  double spread =
      std::min(1.0, work.blocks * kBandwidthBurst / device.multiprocessors);
  double bytes = work.bytesRead + work.bytesWritten;
  double between = std::min(work.bytesBetween, bytes);
  if (between <= device.l2MB * 1e6 * kCachedShare) {
    bytes -= between * (1 - 1 / kCacheSpeed);
  }
  // 1 GB/s is 1e3 bytes per us.
  return bytes /
         (device.memoryGBs * 1e3 * kMemoryEfficiency * std::max(spread, 1e-6));
}

TileLoop mlir::fusion::completeLoop(TileLoop loop, const KernelWork &work) {
  double inside = loop.vectorOps * loop.steps * loop.tiles;
  loop.epilogueOps = std::max(0.0, work.flops - inside) / loop.tiles;
  return loop;
}

KernelTimes mlir::fusion::getKernelTimes(const KernelWork &work,
                                         const DeviceModel &device) {
  KernelTimes times;
  times.memory = getMemoryUs(work, device);
  double flops = work.flops;
  double matmulFlops = work.matmulFlops;
  if (work.loop.tiles > 0) {
    times.loop = estimateLoops(completeLoop(work.loop, work), device);
    flops = matmulFlops = 0;
  }
  double busy = std::max(getUtilization(work.blocks, device), 1e-6);
  // 1 TFLOP/s is 1e6 operations per us. Plain operations issue at half the rate
  // of multiply-accumulates.
  double issue = device.isCPU() ? kVectorEfficiency : 1;
  double peak = device.vectorTFlops * 1e6 * busy;
  times.arithmetic = 2 * flops / (peak * issue);
  if (work.tensorCores && device.hasTensorCores()) {
    times.tensor =
        matmulFlops / (device.tensorTFlops * 1e6 * kTensorEfficiency * busy);
  } else {
    times.arithmetic += matmulFlops / (peak * kVectorEfficiency);
  }
  if (work.rounds > 0) {
    unsigned held = std::max(1u, getBlocksPerSM({work.threads, 32, 0}, device));
    times.rounds = getWaves(work.blocks, held, device) * work.rounds * kRoundUs;
  }
  return times;
}

double mlir::fusion::getFixedUs(const DeviceModel &device) {
  return device.launchUs + (device.isCPU() ? 0 : kRampUs);
}

Estimate mlir::fusion::estimateKernel(const KernelWork &work,
                                      const DeviceModel &device) {
  KernelTimes times = getKernelTimes(work, device);
  double body = std::max(
      {times.memory, times.arithmetic, times.tensor, times.loop, times.rounds});
  if (body <= 0) {
    return {device.launchUs, Bound::Launch};
  }
  double fixed = getFixedUs(device);
  bool scalar = work.loop.unit == MultiplyUnit::FMA;
  Bound bound = body <= fixed                   ? Bound::Launch
                : body == times.memory          ? Bound::Memory
                : body == times.rounds          ? Bound::Latency
                : body == times.tensor          ? Bound::TensorCores
                : body == times.loop && !scalar ? Bound::TensorCores
                                                : Bound::Arithmetic;
  return {fixed + body, bound};
}
