//===- Numbers.h - narrow floats and their bits -----------------*- C++ -*-===//

#ifndef FUSION_LIB_EMULATOR_NUMBERS_H
#define FUSION_LIB_EMULATOR_NUMBERS_H

#include "llvm/ADT/bit.h"
#include <cmath>
#include <cstdint>

namespace mlir::fusion::emulator {

/// The value of an f16: normal and subnormal numbers, infinities, NaN.
inline float fromHalf(uint16_t bits) {
  uint32_t sign = uint32_t(bits & 0x8000) << 16;
  uint32_t rest = bits & 0x7FFF;
  if (rest >= 0x7C00) {
    return llvm::bit_cast<float>(sign | 0x7F800000u | (rest & 0x3FF) << 13);
  }
  // The exponent's bias differs by 112; multiplying moves it exactly and
  // normalises subnormal numbers.
  float scaled = llvm::bit_cast<float>(rest << 13) * 0x1p112f;
  return llvm::bit_cast<float>(llvm::bit_cast<uint32_t>(scaled) | sign);
}

/// Rounds to nearest even.
inline uint16_t toHalf(float value) {
  uint32_t bits = llvm::bit_cast<uint32_t>(value);
  uint32_t sign = bits >> 16 & 0x8000;
  bits &= 0x7FFFFFFF;
  if (bits >= 0x7F800000) {
    return uint16_t(sign | 0x7C00 | (bits > 0x7F800000 ? 0x200 : 0));
  }
  if (bits >= 0x477FF000) {
    return uint16_t(sign | 0x7C00);
  }
  if (bits < 0x38800000) {
    // Subnormal: adding 0.5 puts the last bit of the result at that of the sum.
    float sum = llvm::bit_cast<float>(bits) + 0.5f;
    return uint16_t(sign | (llvm::bit_cast<uint32_t>(sum) - 0x3F000000));
  }
  uint32_t odd = bits >> 13 & 1;
  return uint16_t(sign | (bits - 0x38000000 + 0xFFF + odd) >> 13);
}

inline float fromBFloat(uint16_t bits) {
  return llvm::bit_cast<float>(uint32_t(bits) << 16);
}

/// Rounds to nearest even.
inline uint16_t toBFloat(float value) {
  uint32_t bits = llvm::bit_cast<uint32_t>(value);
  if ((bits & 0x7FFFFFFF) > 0x7F800000) {
    return uint16_t(bits >> 16 | 0x40);
  }
  return uint16_t((bits + 0x7FFF + (bits >> 16 & 1)) >> 16);
}

/// Rounds a double to a float such that rounding the result again, to a type
/// of at most 22 bits, is as if rounded once: to odd.
inline float roundToOdd(double value) {
  float result = static_cast<float>(value);
  if (!std::isfinite(value) || static_cast<double>(result) == value) {
    return result;
  }
  uint32_t bits = llvm::bit_cast<uint32_t>(result);
  if (std::fabs(static_cast<double>(result)) > std::fabs(value)) {
    --bits;
  }
  return llvm::bit_cast<float>(bits | 1);
}

/// Sign-extends the low `bits` bits of `value`.
inline int64_t signExtend(uint64_t value, unsigned bits) {
  return static_cast<int64_t>(value << (64 - bits)) >> (64 - bits);
}

inline uint64_t maskTo(uint64_t value, unsigned bits) {
  return bits >= 64 ? value : value & ((uint64_t(1) << bits) - 1);
}

} // namespace mlir::fusion::emulator

#endif // FUSION_LIB_EMULATOR_NUMBERS_H
