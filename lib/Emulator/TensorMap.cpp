//===- TensorMap.cpp - the emulated form of tensor maps -------------------===//

#include "fusion/Emulator/Emulator.h"
#include <cstring>

using namespace mlir::fusion::emulator;

static constexpr uint64_t mapMagic = 0x50414D4E45544D45; // "EMTENMAP"

namespace {
struct EncodedMap {
  uint64_t magic;
  TensorMapFields fields;
};
} // namespace

static_assert(sizeof(EncodedMap) <= 128, "a tensor map has 128 bytes");

void mlir::fusion::emulator::encodeTensorMap(const TensorMapFields &fields,
                                             void *out) {
  EncodedMap map = {mapMagic, fields};
  std::memset(out, 0, 128);
  std::memcpy(out, &map, sizeof(map));
}

bool mlir::fusion::emulator::decodeTensorMap(const void *map,
                                             TensorMapFields &fields) {
  EncodedMap encoded;
  std::memcpy(&encoded, map, sizeof(encoded));
  fields = encoded.fields;
  return encoded.magic == mapMagic;
}
