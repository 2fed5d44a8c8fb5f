//===- TensorMap.h - descriptors for tensor copies --------------*- C++ -*-===//

#ifndef FUSION_LIB_RUNTIME_TENSORMAP_H
#define FUSION_LIB_RUNTIME_TENSORMAP_H

#include "Outcome.h"

#include <array>
#include <cstdint>
#include <mutex>
#include <vector>

namespace mlir::fusion::runtime {

class CudaDevice;

/// What a tensor map is made from. All 8-byte words, so that there is no
/// padding and equal keys are equal bytes.
struct TensorMapKey {
  static constexpr int maxRank = 5;

  uint64_t base;
  int64_t dtype;
  int64_t rank;
  int64_t swizzle;
  int64_t dims[maxRank];        /// innermost first
  int64_t strides[maxRank - 1]; /// bytes, of dims 1 and on
  int64_t box[maxRank];
};

/// Maps made so far, so that a program that runs again on the same buffers
/// makes none. Of a fixed size: a new map replaces an old one. Thread-safe, and
/// allocates only when it is made.
class TensorMapCache {
public:
  static constexpr size_t mapSize = 128;

  TensorMapCache() : slots(numSets * numWays) {}

  /// Writes the map for `key` to the `mapSize` bytes at `out`.
  Outcome get(CudaDevice &device, const TensorMapKey &key, void *out);

private:
  static constexpr size_t numSets = 256;
  static constexpr size_t numWays = 4;

  struct Slot {
    TensorMapKey key = {};
    std::array<char, mapSize> map = {};
    bool used = false;
  };

  std::mutex mutex;
  std::vector<Slot> slots;
  std::array<uint8_t, numSets> victims = {};
};

} // namespace mlir::fusion::runtime

#endif // FUSION_LIB_RUNTIME_TENSORMAP_H
