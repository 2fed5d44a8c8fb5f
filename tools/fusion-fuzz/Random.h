//===- Random.h - reproducible random choices -------------------*- C++ -*-===//

#ifndef FUSION_TOOLS_FUSION_FUZZ_RANDOM_H
#define FUSION_TOOLS_FUSION_FUZZ_RANDOM_H

#include "llvm/ADT/ArrayRef.h"
#include <cassert>
#include <cstdint>

namespace mlir::fusion::fuzz {

/// The same sequence for the same seed on every machine (splitmix64).
class Random {
public:
  explicit Random(uint64_t seed) : state(seed) { next(); }

  uint64_t next() {
    uint64_t z = (state += 0x9e3779b97f4a7c15ull);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
  }
  /// From 0 to `size` - 1.
  int64_t below(int64_t size) {
    assert(size > 0 && "expected something to choose from");
    return static_cast<int64_t>(next() % static_cast<uint64_t>(size));
  }
  /// From `low` to `high`, both included.
  int64_t between(int64_t low, int64_t high) {
    return low + below(high - low + 1);
  }
  bool chance(int percent) { return below(100) < percent; }
  template <typename T> T pick(llvm::ArrayRef<T> choices) {
    return choices[below(static_cast<int64_t>(choices.size()))];
  }
  template <typename T> T pick(std::initializer_list<T> choices) {
    return pick(llvm::ArrayRef<T>(choices.begin(), choices.end()));
  }

private:
  uint64_t state;
};

} // namespace mlir::fusion::fuzz

#endif // FUSION_TOOLS_FUSION_FUZZ_RANDOM_H
