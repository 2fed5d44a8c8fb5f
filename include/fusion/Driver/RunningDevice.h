//===- RunningDevice.h - the model of the GPU that is there -----*- C++ -*-===//

#ifndef FUSION_DRIVER_RUNNINGDEVICE_H
#define FUSION_DRIVER_RUNNINGDEVICE_H

#include "fusion-c/Runtime.h"
#include "fusion/Cost/DeviceModel.h"

namespace mlir::fusion {

/// Returns the known device of `target` whose name the driver's name for the
/// GPU has in it ("NVIDIA H100 80GB HBM3"), else the one that stands for
/// `target`; nothing where there is none.
std::optional<DeviceModel> findRunningDevice(const FusionDeviceInfo &info,
                                             llvm::StringRef target);

/// Returns `model` with the figures that the driver reports in `info`: numbers
/// of multiprocessors, limits, the L2 cache, and, where the GPU is not the one
/// that `model` names, bandwidth and rates in proportion to its clocks. What is
/// reported as 0 stays.
DeviceModel fitToDevice(DeviceModel model, const FusionDeviceInfo &info);

} // namespace mlir::fusion

#endif // FUSION_DRIVER_RUNNINGDEVICE_H
