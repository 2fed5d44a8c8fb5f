//===- Occupancy.h - how many blocks share a multiprocessor -----*- C++ -*-===//

#ifndef FUSION_COST_OCCUPANCY_H
#define FUSION_COST_OCCUPANCY_H

#include "fusion/Cost/DeviceModel.h"

namespace mlir::fusion {

/// What one block of a kernel occupies.
struct BlockResources {
  unsigned threads = 128;
  unsigned registersPerThread = 32;
  unsigned sharedBytes = 0;
};

/// Returns how many such blocks one multiprocessor holds at a time; 0 where
/// not even one fits. Registers are given out per warp in units of 256.
unsigned getBlocksPerSM(const BlockResources &block, const DeviceModel &device);

/// Returns how many rounds ("waves") `blocks` blocks take when `perSM` of them
/// run on each multiprocessor at a time; at least 1 where there are blocks.
double getWaves(double blocks, unsigned perSM, const DeviceModel &device);

} // namespace mlir::fusion

#endif // FUSION_COST_OCCUPANCY_H
