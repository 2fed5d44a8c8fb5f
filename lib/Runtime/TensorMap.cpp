//===- TensorMap.cpp - descriptors for tensor copies ----------------------===//

#include "TensorMap.h"
#include "Context.h"
#include "CudaDevice.h"

#include <algorithm>
#include <cstring>

using namespace mlir::fusion::runtime;

/// The CUtensorMapDataType of an element type, or -1.
static int getDataType(int64_t dtype) {
  switch (dtype) {
  case FUSION_I1:
  case FUSION_I8:
  case FUSION_U8:
    return 0; // UINT8
  case FUSION_I16:
  case FUSION_U16:
    return 1; // UINT16
  case FUSION_U32:
    return 2; // UINT32
  case FUSION_I32:
    return 3; // INT32
  case FUSION_U64:
    return 4; // UINT64
  case FUSION_I64:
    return 5; // INT64
  case FUSION_F16:
    return 6; // FLOAT16
  case FUSION_F32:
    return 7; // FLOAT32
  case FUSION_F64:
    return 8; // FLOAT64
  case FUSION_BF16:
    return 9; // BFLOAT16
  default:
    return -1;
  }
}

/// The CUtensorMapSwizzle for a swizzle of 0, 32, 64 or 128 bytes, or -1.
static int getSwizzle(int64_t bytes) {
  switch (bytes) {
  case 0:
    return 0;
  case 32:
    return 1;
  case 64:
    return 2;
  case 128:
    return 3;
  default:
    return -1;
  }
}

/// Checks what the driver would refuse without saying why.
static Outcome check(const TensorMapKey &key) {
  if (getDataType(key.dtype) < 0 || getSwizzle(key.swizzle) < 0) {
    return Outcome::failure("expected an element type and a swizzle of 0, 32, "
                            "64 or 128 bytes, but got %d and %d",
                            static_cast<int>(key.dtype),
                            static_cast<int>(key.swizzle));
  }
  if (key.base % 16 != 0) {
    return Outcome::failure(
        "expected a base aligned to 16 bytes, but got %#llx",
        static_cast<unsigned long long>(key.base));
  }
  for (int64_t i = 0; i < key.rank; ++i) {
    if (key.dims[i] < 0 || key.dims[i] > (int64_t(1) << 32)) {
      return Outcome::failure("expected dim %d to be 0 to 2^32, but got %lld",
                              static_cast<int>(i),
                              static_cast<long long>(key.dims[i]));
    }
    if (key.box[i] < 1 || key.box[i] > 256) {
      return Outcome::failure("expected dim %d of the box to be 1 to 256, but "
                              "got %lld",
                              static_cast<int>(i),
                              static_cast<long long>(key.box[i]));
    }
    if (i > 0 && (key.strides[i - 1] < 0 || key.strides[i - 1] % 16 != 0)) {
      return Outcome::failure("expected the stride of dim %d to be a multiple "
                              "of 16 bytes, but got %lld",
                              static_cast<int>(i),
                              static_cast<long long>(key.strides[i - 1]));
    }
  }
  int64_t row = key.box[0] * fusionDTypeSize(static_cast<int32_t>(key.dtype));
  if (row % 16 != 0 || (key.swizzle != 0 && row > key.swizzle)) {
    return Outcome::failure("expected rows of the box of a multiple of 16 "
                            "bytes, within the swizzle of %d, but got %lld",
                            static_cast<int>(key.swizzle),
                            static_cast<long long>(row));
  }
  return Outcome::success();
}

static Outcome encode(CudaDevice &device, const TensorMapKey &key, void *out) {
  constexpr int noInterleave = 0, promoteTo128Bytes = 2, fillWithZeros = 0;
  uint64_t dims[TensorMapKey::maxRank], strides[TensorMapKey::maxRank - 1];
  uint32_t box[TensorMapKey::maxRank], steps[TensorMapKey::maxRank];
  auto rank = static_cast<uint32_t>(key.rank);
  for (uint32_t i = 0; i < rank; ++i) {
    // The driver knows no empty tensors; such a map is never read through.
    dims[i] = static_cast<uint64_t>(std::max<int64_t>(key.dims[i], 1));
    box[i] = static_cast<uint32_t>(key.box[i]);
    steps[i] = 1;
    if (i > 0) {
      strides[i - 1] =
          static_cast<uint64_t>(std::max<int64_t>(key.strides[i - 1], 16));
    }
  }
  return device.call(device.getDriver().tensorMapEncodeTiled, out,
                     getDataType(key.dtype), rank,
                     reinterpret_cast<void *>(key.base), &dims[0], &strides[0],
                     &box[0], &steps[0], noInterleave, getSwizzle(key.swizzle),
                     promoteTo128Bytes, fillWithZeros);
}

/// FNV-1a over the words of the key, folded to its low bits.
static size_t hash(const TensorMapKey &key) {
  uint64_t words[sizeof(TensorMapKey) / sizeof(uint64_t)];
  std::memcpy(words, &key, sizeof(words));
  uint64_t value = 14695981039346656037ull;
  for (uint64_t word : words) {
    value = (value ^ word) * 1099511628211ull;
    value ^= value >> 32;
  }
  return static_cast<size_t>(value);
}

Outcome TensorMapCache::get(CudaDevice &device, const TensorMapKey &key,
                            void *out) {
  size_t set = hash(key) % numSets;
  std::lock_guard<std::mutex> lock(mutex);
  Slot *ways = &slots[set * numWays];
  for (size_t way = 0; way < numWays; ++way) {
    const Slot &slot = ways[way];
    if (slot.used && std::memcmp(&slot.key, &key, sizeof(key)) == 0) {
      std::memcpy(out, slot.map.data(), mapSize);
      return Outcome::success();
    }
  }
  Outcome outcome = check(key);
  if (!outcome.failed()) {
    outcome = encode(device, key, out);
  }
  if (outcome.failed()) {
    return outcome;
  }
  Slot &slot = ways[victims[set]];
  victims[set] = static_cast<uint8_t>((victims[set] + 1) % numWays);
  slot.key = key;
  slot.used = true;
  std::memcpy(slot.map.data(), out, mapSize);
  return Outcome::success();
}

int32_t fusionRtTensorMap(FusionContext *context, void *out, void *base,
                          int32_t dtype, int32_t rank, const int64_t *dims,
                          const int64_t *strides, const int32_t *box,
                          int32_t swizzle) {
  if (rank < 1 || rank > TensorMapKey::maxRank) {
    return context->report(
        Outcome::failure("tensor map: expected a rank of 1 to %d, but got %d",
                         TensorMapKey::maxRank, rank));
  }
  TensorMapKey key = {};
  key.base = reinterpret_cast<uint64_t>(base);
  key.dtype = dtype;
  key.rank = rank;
  key.swizzle = swizzle;
  for (int32_t i = 0; i < rank; ++i) {
    key.dims[i] = dims[i];
    key.box[i] = box[i];
    if (i > 0) {
      key.strides[i - 1] = strides[i - 1];
    }
  }
  return context->report(
      context->device->encodeTensorMap(key, out).within("tensor map"));
}
