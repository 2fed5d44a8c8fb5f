//===- MemoryTest.cpp - arrays, tensor maps, swizzles ---------------------===//

#include "Emulator/Memory.h"
#include "Emulator/Swizzle.h"
#include "gtest/gtest.h"
#include <cstring>
#include <set>

using namespace mlir::fusion::emulator;

namespace {

TEST(MemoryTest, ArraysHaveBounds) {
  GlobalMemory memory;
  auto *first = static_cast<char *>(memory.allocate(100));
  auto address = reinterpret_cast<uint64_t>(first);
  EXPECT_EQ(address % 256, 0u);
  EXPECT_TRUE(memory.getState().find(address, 100));
  EXPECT_FALSE(memory.getState().find(address, 101));
  EXPECT_FALSE(memory.getState().find(address - 1, 1));
  EXPECT_FALSE(memory.markWritten(first + 99, 2));
  EXPECT_FALSE(memory.release(first + 1));
  EXPECT_TRUE(memory.release(first));
  EXPECT_FALSE(memory.getState().find(address, 1));
}

TEST(MemoryTest, KnowsWhatWasWritten) {
  GlobalMemory memory;
  auto *data = static_cast<char *>(memory.allocate(300));
  EXPECT_FALSE(memory.isWritten(data, 1));
  EXPECT_TRUE(memory.markWritten(data + 60, 130));
  EXPECT_TRUE(memory.isWritten(data + 60, 130));
  EXPECT_FALSE(memory.isWritten(data + 59, 2));
  EXPECT_FALSE(memory.isWritten(data + 189, 2));
  // Copies carry it on.
  auto *other = static_cast<char *>(memory.allocate(300));
  EXPECT_TRUE(memory.copy(other, data, 300));
  EXPECT_TRUE(memory.isWritten(other + 60, 130));
  EXPECT_FALSE(memory.isWritten(other, 1));
}

TEST(MemoryTest, TensorMapsKeepTheirFields) {
  TensorMapFields fields, back;
  fields.base = 4096;
  fields.rank = 3;
  fields.swizzle = 64;
  fields.dims[2] = 7;
  fields.strides[1] = 1024;
  fields.box[0] = 64;
  alignas(64) uint8_t map[128];
  encodeTensorMap(fields, map);
  ASSERT_TRUE(decodeTensorMap(map, back));
  EXPECT_EQ(back.base, 4096u);
  EXPECT_EQ(back.rank, 3u);
  EXPECT_EQ(back.swizzle, 64u);
  EXPECT_EQ(back.dims[2], 7u);
  EXPECT_EQ(back.strides[1], 1024u);
  EXPECT_EQ(back.box[0], 64u);
  std::memset(map, 0, 8);
  EXPECT_FALSE(decodeTensorMap(map, back));
}

TEST(MemoryTest, SwizzlesPermuteChunks) {
  EXPECT_EQ(swizzle(0x94, 0), 0x94u);
  EXPECT_EQ(swizzle(128, 128), 128u + 16);
  EXPECT_EQ(swizzle(128 * 7 + 16, 128), 128u * 7 + 16 * 6);
  EXPECT_EQ(swizzle(128 * 5, 64), 128u * 5 + 16);
  EXPECT_EQ(swizzle(128 * 3 + 16, 32), 128u * 3);
  for (uint32_t width : {32u, 64u, 128u}) {
    std::set<uint32_t> seen;
    for (uint32_t chunk = 0; chunk < 1024; chunk += 16) {
      seen.insert(swizzle(chunk, width));
    }
    EXPECT_EQ(seen.size(), 64u);
    EXPECT_EQ(*seen.rbegin(), 1008u);
  }
}

} // namespace
