//===- BlockNeeds.cpp - what a block of two contractions takes ------------===//

#include "BlockNeeds.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

std::string mlir::fusion::refuseBlock(int64_t registers, int64_t sharedBytes,
                                      const ScheduleTarget &target) {
  // Of 255: the others hold addresses and what is computed on the way.
  constexpr int64_t kMostRegisters = 184;
  if (registers > kMostRegisters) {
    return llvm::formatv("{0} registers of a thread for tiles spill",
                         registers);
  }
  if (sharedBytes > target.sharedBytes) {
    return llvm::formatv("{0} bytes of shared memory are more than {1}",
                         sharedBytes, target.sharedBytes);
  }
  return "";
}
