//===- Requests.cpp - what a warp's accesses cost -------------------------===//

#include "Requests.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <algorithm>
#include <array>
#include <utility>

using namespace mlir::fusion::emulator;

static constexpr uint64_t sectorBytes = 32, lineBytes = 128;
static constexpr unsigned numBanks = 32, bankBytes = 4;

/// Passes for the lanes [begin, end): the most distinct words in one bank.
static unsigned countPasses(llvm::ArrayRef<uint64_t> addresses, uint32_t mask,
                            unsigned begin, unsigned end, unsigned bytes) {
  std::array<llvm::SmallVector<uint64_t, 4>, numBanks> banks;
  unsigned most = 0;
  for (unsigned lane = begin; lane < end; ++lane) {
    if (!(mask >> lane & 1)) {
      continue;
    }
    uint64_t last = (addresses[lane] + bytes - 1) / bankBytes;
    for (uint64_t word = addresses[lane] / bankBytes; word <= last; ++word) {
      auto &bank = banks[word % numBanks];
      if (!llvm::is_contained(bank, word)) {
        bank.push_back(word);
        most = std::max<unsigned>(most, bank.size());
      }
    }
  }
  return most;
}

/// How many different elements there are.
template <typename T>
static int64_t countDistinct(llvm::SmallVectorImpl<T> &elements) {
  // Lanes mostly come in the order of their addresses.
  if (!std::is_sorted(elements.begin(), elements.end())) {
    std::sort(elements.begin(), elements.end());
  }
  return std::unique(elements.begin(), elements.end()) - elements.begin();
}

namespace mlir::fusion::emulator {

BankPasses countBankPasses(llvm::ArrayRef<uint64_t> addresses, uint32_t mask,
                           unsigned bytes) {
  BankPasses result;
  unsigned lanes = bytes <= bankBytes ? 32 : numBanks * bankBytes / bytes;
  for (unsigned begin = 0; begin < 32; begin += lanes) {
    unsigned passes = countPasses(addresses, mask, begin, begin + lanes, bytes);
    result.passes += passes;
    result.conflicts += passes > 1 ? passes - 1 : 0;
  }
  return result;
}

int64_t countSectors(llvm::ArrayRef<uint64_t> addresses, uint32_t mask,
                     unsigned bytes) {
  llvm::SmallVector<uint64_t, 128> sectors;
  for (unsigned lane = 0; lane < 32; ++lane) {
    if (!(mask >> lane & 1)) {
      continue;
    }
    uint64_t last = (addresses[lane] + bytes - 1) / sectorBytes;
    for (uint64_t sector = addresses[lane] / sectorBytes; sector <= last;
         ++sector) {
      sectors.push_back(sector);
    }
  }
  return countDistinct(sectors);
}

int64_t countCopySectors(llvm::ArrayRef<uint64_t> from,
                         llvm::ArrayRef<uint32_t> to,
                         llvm::ArrayRef<uint32_t> sizes, uint32_t mask) {
  // A lane's bytes are aligned to their size, so they lie in one line and go
  // to one sector.
  llvm::SmallVector<std::pair<uint64_t, uint64_t>, 32> sectors;
  for (unsigned lane = 0; lane < 32; ++lane) {
    if (mask >> lane & 1 && sizes[lane]) {
      sectors.push_back({from[lane] / lineBytes, to[lane] / sectorBytes});
    }
  }
  return countDistinct(sectors);
}

} // namespace mlir::fusion::emulator
