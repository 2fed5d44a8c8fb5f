//===- DeviceModel.h - what a device can do ---------------------*- C++ -*-===//
//
// The figures that estimates are made from. They come from the vendors' data
// sheets for named targets; a runtime may fill in what it reads from a GPU.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_COST_DEVICEMODEL_H
#define FUSION_COST_DEVICEMODEL_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>

namespace mlir::fusion {

/// Bytes of parameters that every driver lets a kernel take. Drivers since CUDA
/// 12.1 allow 32764 from sm_70 on; that is not relied upon, since packages load
/// on older ones and what is beyond goes to a table in memory, which costs next
/// to nothing (docs/Architecture.md, "Stage 5").
constexpr unsigned kKernelParameterBytes = 4096;

/// One device. Rates are peaks; estimates apply their own efficiencies.
struct DeviceModel {
  llvm::StringRef name;     ///< h200, a100, ..., cpu
  llvm::StringRef chip;     ///< sm_90a, sm_80, ..., cpu: what code is made for
  unsigned multiprocessors; ///< SMs; cores on a CPU
  double clockGHz;
  double memoryGBs;    ///< bandwidth of device memory
  double tensorTFlops; ///< f16/bf16 multiply-accumulate into f32; 0: none
  double vectorTFlops; ///< f32 multiply-accumulate outside tensor cores
  double launchUs;     ///< from the start of one launch to that of the next
  unsigned warpSize;
  unsigned maxThreadsPerSM;
  unsigned maxBlocksPerSM;
  unsigned registersPerSM;
  unsigned sharedPerSM;    ///< bytes
  unsigned sharedPerBlock; ///< bytes one block may use
  unsigned parameterBytes; ///< of one kernel
  double l2MB;             ///< of the last cache before device memory
  /// The share of `tensorTFlops` that mma.sync reaches at most: less than 1
  /// where the peak is that of warpgroup multiplies.
  double mmaShare;

  bool isCPU() const { return chip == "cpu"; }
  bool hasTensorCores() const { return tensorTFlops > 0; }
};

/// Returns the device called `target` (a device name or a chip such as sm_80),
/// or nothing.
std::optional<DeviceModel> getDeviceModel(llvm::StringRef target);

/// Returns all devices, the ones that stand for a chip first.
llvm::ArrayRef<DeviceModel> getDeviceModels();

} // namespace mlir::fusion

#endif // FUSION_COST_DEVICEMODEL_H
