//===- Swizzle.h - how shared addresses are permuted ------------*- C++ -*-===//

#ifndef FUSION_LIB_EMULATOR_SWIZZLE_H
#define FUSION_LIB_EMULATOR_SWIZZLE_H

#include <cstdint>

namespace mlir::fusion::emulator {

/// PTX ISA, "Swizzling modes": within 8 rows of 128 bytes the 16-byte chunks
/// change places: bits 4 to 6 of the address (as many as the width has) are
/// exchanged by the bits from 7 on.
inline uint32_t swizzle(uint32_t address, uint32_t width) {
  return width ? address ^ (address >> 7 & (width / 16 - 1)) << 4 : address;
}

} // namespace mlir::fusion::emulator

#endif // FUSION_LIB_EMULATOR_SWIZZLE_H
