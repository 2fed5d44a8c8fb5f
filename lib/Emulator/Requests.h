//===- Requests.h - what a warp's accesses cost -----------------*- C++ -*-===//
//
// The counting rules behind `Counters`: banks of shared memory and sectors of
// global memory, as the profiler of the chip counts them (docs/Emulator.md).
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_EMULATOR_REQUESTS_H
#define FUSION_LIB_EMULATOR_REQUESTS_H

#include "llvm/ADT/ArrayRef.h"
#include <cstdint>

namespace mlir::fusion::emulator {

/// How often an access of shared memory occupies the banks.
struct BankPasses {
  /// All passes over the 32 banks of 4 bytes.
  int64_t passes = 0;
  /// Those beyond the one that each phase needs.
  int64_t conflicts = 0;
};

/// The passes of an access of `bytes` (1 to 16) by each lane of `mask`; one
/// address per lane. Lanes are served in phases of at most 128 bytes: a whole
/// warp up to 4 bytes, halves for 8, quarters for 16. Within a phase a bank
/// delivers one word a pass, to all lanes that want it; different phases never
/// conflict.
BankPasses countBankPasses(llvm::ArrayRef<uint64_t> addresses, uint32_t mask,
                           unsigned bytes);

/// The distinct 32-byte sectors that the lanes of `mask` touch.
int64_t countSectors(llvm::ArrayRef<uint64_t> addresses, uint32_t mask,
                     unsigned bytes);

/// The sectors of one `cp.async` from global `from` to shared `to`, where a
/// lane reads `sizes` bytes (0: it only fills with zeros). Counted where they
/// go, once for each line of 128 bytes that they come from: a row of 64 bytes
/// that is written 16 bytes beside a sector's start counts three.
int64_t countCopySectors(llvm::ArrayRef<uint64_t> from,
                         llvm::ArrayRef<uint32_t> to,
                         llvm::ArrayRef<uint32_t> sizes, uint32_t mask);

} // namespace mlir::fusion::emulator

#endif // FUSION_LIB_EMULATOR_REQUESTS_H
