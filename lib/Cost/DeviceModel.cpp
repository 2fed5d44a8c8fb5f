//===- DeviceModel.cpp - what a device can do -----------------------------===//

#include "fusion/Cost/DeviceModel.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir::fusion;

// Sources: NVIDIA's A100, H100, H200, L4 data sheets and the Ada architecture
// paper (dense rates, f32 accumulation); limits from the CUDA programming
// guide, "Technical Specifications per Compute Capability". Launch times are
// those of kernels queued back to back on one stream.
static const DeviceModel kDevices[] = {
    // name, chip, SMs, GHz, GB/s, tensor, f32, launch, warp, threads, blocks,
    // registers, shared per SM, per block, parameters, L2, mma.sync
    {"h200", "sm_90a", 132, 1.83, 4800, 989, 67, 2.5, 32, 2048, 32, 65536,
     233472, 232448, kKernelParameterBytes, 50, 0.62},
    {"h100", "sm_90a", 132, 1.83, 3350, 989, 67, 2.5, 32, 2048, 32, 65536,
     233472, 232448, kKernelParameterBytes, 50, 0.62},
    {"a100", "sm_80", 108, 1.41, 2039, 312, 19.5, 3.0, 32, 2048, 32, 65536,
     167936, 166912, kKernelParameterBytes, 40, 1},
    {"rtx3090", "sm_86", 82, 1.70, 936, 71, 35.6, 3.0, 32, 1536, 16, 65536,
     102400, 101376, kKernelParameterBytes, 6, 1},
    {"rtx4090", "sm_89", 128, 2.52, 1008, 165, 82.6, 3.0, 32, 1536, 24, 65536,
     102400, 101376, kKernelParameterBytes, 72, 1},
    {"l4", "sm_89", 58, 2.04, 300, 121, 30.3, 3.0, 32, 1536, 24, 65536, 102400,
     101376, kKernelParameterBytes, 48, 1},
    // A CPU of eight cores: one "block" is a piece of a parallel loop.
    {"cpu", "cpu", 8, 3.0, 40, 0, 0.8, 5.0, 1, 1, 1, 1024, 1 << 20, 1 << 20,
     kKernelParameterBytes, 32, 1},
};

llvm::ArrayRef<DeviceModel> mlir::fusion::getDeviceModels() { return kDevices; }

std::optional<DeviceModel>
mlir::fusion::getDeviceModel(llvm::StringRef target) {
  for (const DeviceModel &device : kDevices) {
    if (device.name.equals_insensitive(target)) {
      return device;
    }
  }
  for (const DeviceModel &device : kDevices) {
    // sm_90 names the same device as sm_90a.
    if (device.chip == target || device.chip.rtrim('a') == target) {
      return device;
    }
  }
  return std::nullopt;
}
