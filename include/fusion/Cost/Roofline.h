//===- Roofline.h - the time of one kernel ----------------------*- C++ -*-===//
//
// An estimate good enough to rank alternatives: the launch, plus the slowest
// of memory, arithmetic and tensor cores, each at the share of the device that
// the kernel's blocks can use.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_COST_ROOFLINE_H
#define FUSION_COST_ROOFLINE_H

#include "fusion/Cost/DeviceModel.h"

namespace mlir::fusion {

/// What a kernel does, whatever its schedule.
struct KernelWork {
  double bytesRead = 0;
  double bytesWritten = 0;
  double flops = 0;         ///< outside multiply-accumulates
  double matmulFlops = 0;   ///< of contractions, 2 for each multiply-accumulate
  bool tensorCores = false; ///< the element types allow them
  double blocks = 1;        ///< independent pieces of work: how far it spreads
};

/// What limits a kernel.
enum class Bound { Launch, Memory, Arithmetic, TensorCores };

/// Returns the name of `bound` as reports spell it.
llvm::StringRef stringifyBound(Bound bound);

/// The estimated time of one kernel, its launch included.
struct Estimate {
  double us = 0;
  Bound bound = Bound::Launch;
};

/// Estimates one launch of a kernel that does `work` on `device`.
Estimate estimateKernel(const KernelWork &work, const DeviceModel &device);

} // namespace mlir::fusion

#endif // FUSION_COST_ROOFLINE_H
