//===- HostArray.cpp - dense arrays in host memory --------------*- C++ -*-===//

#include "fusion/Verify/HostArray.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <cstring>

using namespace mlir;
using namespace mlir::fusion;

bool mlir::fusion::isFloatDType(int32_t dtype) {
  return dtype == FUSION_F32 || dtype == FUSION_F16 || dtype == FUSION_BF16 ||
         dtype == FUSION_F64;
}

std::string mlir::fusion::describeShape(ArrayRef<int64_t> dims, int32_t dtype) {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (int64_t dim : dims) {
    if (dim < 0) {
      os << "?x";
    } else {
      os << dim << "x";
    }
  }
  if (!dims.empty()) {
    text.back() = ':';
  }
  return text + fusionDTypeName(dtype);
}

//===----------------------------------------------------------------------===//
// 16-bit floats, without help of the compiler's run-time library
//===----------------------------------------------------------------------===//

static float decodeF16(uint16_t bits) {
  uint32_t sign = uint32_t(bits & 0x8000) << 16;
  uint32_t exponent = (bits >> 10) & 0x1f;
  uint32_t fraction = bits & 0x3ff;
  if (exponent == 0x1f) {
    return llvm::bit_cast<float>(sign | 0x7f800000 | fraction << 13);
  }
  if (exponent == 0) {
    float magnitude = std::ldexp(float(fraction), -24);
    return sign ? -magnitude : magnitude;
  }
  return llvm::bit_cast<float>(sign | (exponent + 112) << 23 | fraction << 13);
}

/// Rounds to the nearest f16, ties to even.
static uint16_t encodeF16(double value) {
  uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  double magnitude = std::fabs(value);
  if (std::isnan(value)) {
    return sign | 0x7e00;
  }
  if (magnitude >= 65520) { // halfway between the largest value and 2^16
    return sign | 0x7c00;
  }
  // The value in units of its last place; denormals share the unit 2^-24.
  int exponent = magnitude < 0x1p-14 ? -14 : std::ilogb(magnitude);
  auto units = uint32_t(std::nearbyint(std::ldexp(magnitude, 10 - exponent)));
  // A carry out of the fraction lands in the exponent, as it should; the
  // implicit one is part of `units` for normal numbers.
  return sign | uint16_t(units + (uint32_t(exponent + 14) << 10));
}

static uint16_t encodeBF16(float value) {
  auto bits = llvm::bit_cast<uint32_t>(value);
  if (std::isnan(value)) {
    return uint16_t(bits >> 16 | 0x40);
  }
  return uint16_t((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}

//===----------------------------------------------------------------------===//
// HostArray
//===----------------------------------------------------------------------===//

HostArray::HostArray(FusionDType dtype, ArrayRef<int64_t> dims)
    : dtype(dtype), dims(dims) {
  // aligned_alloc wants a multiple of the alignment, and at least one byte
  // makes the pointer of an empty array valid.
  size_t bytes = (size_t(getNumBytes()) + 64) / 64 * 64;
  data.reset(static_cast<char *>(std::aligned_alloc(64, bytes)));
  std::memset(data.get(), 0, bytes);
}

int64_t HostArray::getNumElements() const {
  int64_t count = 1;
  for (int64_t dim : dims) {
    count *= dim;
  }
  return count;
}

int64_t HostArray::getNumBytes() const {
  return getNumElements() * fusionDTypeSize(dtype);
}

FusionArray HostArray::getView() {
  return {data.get(), dtype, int32_t(dims.size()), dims.data()};
}

template <typename T> static T load(const char *data, int64_t index) {
  T value;
  std::memcpy(&value, data + index * sizeof(T), sizeof(T));
  return value;
}

template <typename T> static void store(char *data, int64_t index, T value) {
  std::memcpy(data + index * sizeof(T), &value, sizeof(T));
}

double HostArray::get(int64_t index) const {
  const char *p = data.get();
  switch (dtype) {
  case FUSION_F32:
    return load<float>(p, index);
  case FUSION_F16:
    return decodeF16(load<uint16_t>(p, index));
  case FUSION_BF16:
    return llvm::bit_cast<float>(uint32_t(load<uint16_t>(p, index)) << 16);
  case FUSION_F64:
    return load<double>(p, index);
  case FUSION_I1:
  case FUSION_U8:
    return load<uint8_t>(p, index);
  case FUSION_I8:
    return load<int8_t>(p, index);
  case FUSION_I16:
    return load<int16_t>(p, index);
  case FUSION_I32:
    return load<int32_t>(p, index);
  case FUSION_I64:
    return double(load<int64_t>(p, index));
  case FUSION_U16:
    return load<uint16_t>(p, index);
  case FUSION_U32:
    return load<uint32_t>(p, index);
  case FUSION_U64:
    return double(load<uint64_t>(p, index));
  }
  llvm_unreachable("expected a FusionDType");
}

void HostArray::set(int64_t index, double value) {
  char *p = data.get();
  switch (dtype) {
  case FUSION_F32:
    return store(p, index, float(value));
  case FUSION_F16:
    return store(p, index, encodeF16(value));
  case FUSION_BF16:
    return store(p, index, encodeBF16(float(value)));
  case FUSION_F64:
    return store(p, index, value);
  case FUSION_I1:
    return store(p, index, uint8_t(value != 0));
  case FUSION_I8:
    return store(p, index, int8_t(value));
  case FUSION_I16:
    return store(p, index, int16_t(value));
  case FUSION_I32:
    return store(p, index, int32_t(value));
  case FUSION_I64:
    return store(p, index, int64_t(value));
  case FUSION_U8:
    return store(p, index, uint8_t(value));
  case FUSION_U16:
    return store(p, index, uint16_t(value));
  case FUSION_U32:
    return store(p, index, uint32_t(value));
  case FUSION_U64:
    return store(p, index, uint64_t(value));
  }
  llvm_unreachable("expected a FusionDType");
}
