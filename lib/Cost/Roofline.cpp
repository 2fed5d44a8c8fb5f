//===- Roofline.cpp - the time of one kernel ------------------------------===//

#include "fusion/Cost/Roofline.h"

#include "fusion/Cost/Occupancy.h"
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

Estimate mlir::fusion::estimateKernel(const KernelWork &work,
                                      const DeviceModel &device) {
  double busy = getUtilization(work.blocks, device);
  double spread =
      std::min(1.0, work.blocks * kBandwidthBurst / device.multiprocessors);
  // 1 GB/s is 1e3 bytes per us; 1 TFLOP/s is 1e6 operations per us. Plain
  // operations issue at half the rate of multiply-accumulates.
  double memory =
      (work.bytesRead + work.bytesWritten) /
      (device.memoryGBs * 1e3 * kMemoryEfficiency * std::max(spread, 1e-6));
  double vectorRate =
      device.vectorTFlops * 1e6 * kVectorEfficiency * std::max(busy, 1e-6);
  bool tensorCores = work.tensorCores && device.hasTensorCores();
  double tensor = 0;
  double arithmetic = 2 * work.flops / vectorRate;
  if (tensorCores) {
    tensor = work.matmulFlops / (device.tensorTFlops * 1e6 * kTensorEfficiency *
                                 std::max(busy, 1e-6));
  } else {
    arithmetic += work.matmulFlops / vectorRate;
  }

  Estimate estimate{device.launchUs, Bound::Launch};
  double body = std::max({memory, arithmetic, tensor});
  estimate.us += body;
  if (body > device.launchUs) {
    estimate.bound = body == memory   ? Bound::Memory
                     : body == tensor ? Bound::TensorCores
                                      : Bound::Arithmetic;
  }
  return estimate;
}
