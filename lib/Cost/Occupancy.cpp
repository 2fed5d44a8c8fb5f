//===- Occupancy.cpp - how many blocks share a multiprocessor -------------===//

#include "fusion/Cost/Occupancy.h"

#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cmath>

using namespace mlir::fusion;

unsigned mlir::fusion::getBlocksPerSM(const BlockResources &block,
                                      const DeviceModel &device) {
  constexpr unsigned kRegisterUnit = 256;
  unsigned warps =
      llvm::divideCeil(std::max(block.threads, 1u), device.warpSize);
  unsigned blocks =
      std::min(device.maxBlocksPerSM,
               device.maxThreadsPerSM / (warps * device.warpSize));
  unsigned registersPerWarp =
      llvm::alignTo(block.registersPerThread * device.warpSize, kRegisterUnit);
  if (registersPerWarp != 0 && !device.isCPU()) {
    blocks =
        std::min(blocks, device.registersPerSM / (registersPerWarp * warps));
  }
  if (block.sharedBytes > device.sharedPerBlock) {
    return 0;
  }
  if (block.sharedBytes != 0) {
    blocks = std::min(blocks, device.sharedPerSM / block.sharedBytes);
  }
  return blocks;
}

double mlir::fusion::getWaves(double blocks, unsigned perSM,
                              const DeviceModel &device) {
  if (blocks <= 0) {
    return 0;
  }
  double slots = double(device.multiprocessors) * std::max(perSM, 1u);
  return std::ceil(blocks / slots);
}
