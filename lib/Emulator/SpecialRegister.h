//===- SpecialRegister.h - what a thread knows of itself --------*- C++ -*-===//

#ifndef FUSION_LIB_EMULATOR_SPECIALREGISTER_H
#define FUSION_LIB_EMULATOR_SPECIALREGISTER_H

#include <cstdint>

namespace mlir::fusion::emulator {

/// PTX ISA, section 10 "Special registers". Blocks have one dim.
enum class SpecialRegister : uint8_t {
  Zero,
  One,
  ThreadX,
  BlockSizeX,
  BlockX,
  BlockY,
  BlockZ,
  GridX,
  GridY,
  GridZ,
  Lane,
  Warp
};

} // namespace mlir::fusion::emulator

#endif // FUSION_LIB_EMULATOR_SPECIALREGISTER_H
