//===- FloatTraits.h - how each kind of float computes ----------*- C++ -*-===//

#ifndef FUSION_LIB_EMULATOR_FLOATTRAITS_H
#define FUSION_LIB_EMULATOR_FLOATTRAITS_H

#include "Numbers.h"
#include "Program.h"

namespace mlir::fusion::emulator {

/// How a kind of float computes.
struct F32 {
  using Type = float;
  static float get(uint64_t bits) {
    return llvm::bit_cast<float>(uint32_t(bits));
  }
  static uint64_t put(float value) { return llvm::bit_cast<uint32_t>(value); }
};
struct F64 {
  using Type = double;
  static double get(uint64_t bits) { return llvm::bit_cast<double>(bits); }
  static uint64_t put(double value) { return llvm::bit_cast<uint64_t>(value); }
};
struct F16 {
  using Type = float;
  static float get(uint64_t bits) { return fromHalf(uint16_t(bits)); }
  static uint64_t put(float value) { return toHalf(value); }
};
struct BF16 {
  using Type = float;
  static float get(uint64_t bits) { return fromBFloat(uint16_t(bits)); }
  static uint64_t put(float value) { return toBFloat(value); }
};

/// Calls `fn` with the traits of `kind`.
template <typename Fn> inline void withFloat(Kind kind, Fn fn) {
  switch (kind) {
  case Kind::F16:
    return fn(F16());
  case Kind::BF16:
    return fn(BF16());
  case Kind::F64:
    return fn(F64());
  default:
    return fn(F32());
  }
}

} // namespace mlir::fusion::emulator

#endif // FUSION_LIB_EMULATOR_FLOATTRAITS_H
