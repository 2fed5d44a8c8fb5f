//===- Roofline.h - the time of one kernel ----------------------*- C++ -*-===//
//
// An estimate good enough to rank alternatives and to be read beside measured
// times (docs/CostModel.md). In microseconds:
//
//   launch     DeviceModel::launchUs
//   ramp       1, from the start of the blocks to the first loaded value
//   memory     bytes / (0.85 x bandwidth x spread); spread: one SM alone draws
//              three times its even share; what another kernel just wrote and
//              the L2 cache still holds comes 2.5 times as fast
//   arithmetic flops / (peak / 2), half a multiply-add each, with the idle SMs
//              of the last wave; contractions without a loop over tiles run at
//              half of the peak
//   loop       TileLoop.h
//   rounds     0.5 for each time that a block loads, and waits for it, before
//              it goes on: rows longer than a block holds
//
// The kernel takes launch + ramp + the largest of the others.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_COST_ROOFLINE_H
#define FUSION_COST_ROOFLINE_H

#include "fusion/Cost/TileLoop.h"

namespace mlir::fusion {

/// What a kernel does, and what is known of how it will do it.
struct KernelWork {
  double bytesRead = 0;
  double bytesWritten = 0;
  /// Of these, what other kernels of the program write or read.
  double bytesBetween = 0;
  double flops = 0;         ///< outside multiply-accumulates
  double matmulFlops = 0;   ///< of contractions, 2 for each multiply-accumulate
  bool tensorCores = false; ///< the element types allow them
  double blocks = 1;        ///< independent pieces of work: how far it spreads
  /// How the contractions are done; `tiles` is 0 where that is not known.
  TileLoop loop;
  /// The same where other kernels share the launch.
  TileLoop loopBeside;
  /// How often a block of `threads` threads loads and waits for it.
  double rounds = 0;
  unsigned threads = 128;
};

/// What limits a kernel.
enum class Bound { Launch, Memory, Arithmetic, TensorCores, Latency };

/// Returns the name of `bound` as reports spell it.
llvm::StringRef stringifyBound(Bound bound);

/// The estimated time of one kernel, its launch included.
struct Estimate {
  double us = 0;
  Bound bound = Bound::Launch;
};

/// What the parts of a kernel's time would be alone, in microseconds.
struct KernelTimes {
  double memory = 0;
  double arithmetic = 0; ///< outside of tensor cores and loops over tiles
  double tensor = 0;     ///< on tensor cores, outside of loops over tiles
  double loop = 0;
  double rounds = 0;
};

/// Returns the parts of the time of `work` on `device`, launch and ramp left
/// out.
KernelTimes getKernelTimes(const KernelWork &work, const DeviceModel &device);

/// Returns `loop`, one of those of `work`, with what it leaves of `work.flops`
/// to the end of its tiles.
TileLoop completeLoop(TileLoop loop, const KernelWork &work);

/// Returns launch and ramp: what any kernel that does something takes.
double getFixedUs(const DeviceModel &device);

/// Estimates one launch of a kernel that does `work` on `device`.
Estimate estimateKernel(const KernelWork &work, const DeviceModel &device);

} // namespace mlir::fusion

#endif // FUSION_COST_ROOFLINE_H
