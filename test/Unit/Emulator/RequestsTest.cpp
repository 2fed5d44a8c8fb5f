//===- RequestsTest.cpp - counts of banks and sectors ---------------------===//

#include "Emulator/Requests.h"
#include "llvm/ADT/SmallVector.h"
#include "gtest/gtest.h"
#include <functional>

using namespace mlir::fusion::emulator;

namespace {

constexpr uint32_t all = ~0u;

/// One address for each lane.
llvm::SmallVector<uint64_t, 32>
lanes(const std::function<uint64_t(unsigned)> &address) {
  llvm::SmallVector<uint64_t, 32> result;
  for (unsigned lane = 0; lane < 32; ++lane) {
    result.push_back(address(lane));
  }
  return result;
}

TEST(RequestsTest, WordsOfOneBankConflict) {
  auto conflicts = [](uint64_t stride, unsigned bytes) {
    auto addresses = lanes([&](unsigned lane) { return lane * stride; });
    return countBankPasses(addresses, all, bytes).conflicts;
  };
  EXPECT_EQ(conflicts(4, 4), 0);
  EXPECT_EQ(conflicts(8, 4), 1);
  EXPECT_EQ(conflicts(128, 4), 31);
  EXPECT_EQ(conflicts(132, 4), 0);
  // One word for all is one read.
  EXPECT_EQ(conflicts(0, 4), 0);
  // Two halves of a word.
  EXPECT_EQ(conflicts(2, 2), 0);
}

TEST(RequestsTest, WideAccessesConflictWithinTheirPhase) {
  auto count = [](uint64_t stride, unsigned bytes) {
    return countBankPasses(lanes([&](unsigned lane) { return lane * stride; }),
                           all, bytes);
  };
  // 512 bytes take four passes, one for each phase of eight lanes.
  EXPECT_EQ(count(16, 16).passes, 4);
  EXPECT_EQ(count(16, 16).conflicts, 0);
  EXPECT_EQ(count(8, 8).passes, 2);
  EXPECT_EQ(count(8, 8).conflicts, 0);
  // Rows of 80 bytes: eight lanes hit eight different groups of four banks.
  EXPECT_EQ(count(80, 16).conflicts, 0);
  // Rows of 64 bytes: only two groups.
  EXPECT_EQ(count(64, 16).conflicts, 4 * 3);
  EXPECT_EQ(count(128, 16).conflicts, 4 * 7);
}

TEST(RequestsTest, LanesOfDifferentPhasesDoNotConflict) {
  // All phases read the same bank group, each other words.
  auto addresses = lanes([](unsigned lane) { return lane / 8 * 128; });
  EXPECT_EQ(countBankPasses(addresses, all, 16).conflicts, 0);
  EXPECT_EQ(countBankPasses(addresses, all, 16).passes, 4);
  // A phase without a lane takes no pass.
  EXPECT_EQ(countBankPasses(addresses, 0xFFu, 16).passes, 1);
  EXPECT_EQ(countBankPasses(addresses, 0, 16).passes, 0);
}

TEST(RequestsTest, SectorsAreCountedOnce) {
  EXPECT_EQ(countSectors(lanes([](unsigned l) { return l * 4; }), all, 4), 4);
  EXPECT_EQ(countSectors(lanes([](unsigned l) { return l * 16; }), all, 16),
            16);
  EXPECT_EQ(countSectors(lanes([](unsigned l) { return l * 32; }), all, 4), 32);
  EXPECT_EQ(countSectors(lanes([](unsigned l) { return l * 2 + 30; }), all, 2),
            3);
  EXPECT_EQ(countSectors(lanes([](unsigned l) { return l * 4; }), 1, 4), 1);
}

/// The sectors of a copy of 16 bytes by each lane, 4 lanes to a row of 64
/// bytes: `source` and `target` are the strides of rows, `start` where row 0
/// begins in the array, `valid` the lanes of a row that read anything.
int64_t rowsOf64(uint64_t source, uint64_t start, uint32_t target,
                 unsigned valid = 4) {
  llvm::SmallVector<uint64_t, 32> from;
  llvm::SmallVector<uint32_t, 32> to, sizes;
  for (unsigned lane = 0; lane < 32; ++lane) {
    unsigned row = lane / 4, chunk = lane % 4;
    from.push_back(start + row * source + chunk * 16);
    to.push_back(row * target + chunk * 16);
    sizes.push_back(chunk < valid ? 16 : 0);
  }
  return countCopySectors(from, to, sizes, all);
}

// The right values are an H200's, from its profiler.
TEST(RequestsTest, CopiesCountSectorsWhereTheyGo) {
  EXPECT_EQ(rowsOf64(1024, 0, 64), 16);
  EXPECT_EQ(rowsOf64(1024, 64, 64), 16);
  // Every other row of 80 bytes begins in the middle of a sector.
  EXPECT_EQ(rowsOf64(1024, 0, 80), 20);
  EXPECT_EQ(rowsOf64(1024, 64, 80), 20);
  // Two of eight rows come from two lines.
  EXPECT_EQ(rowsOf64(800, 0, 80), 22);
  EXPECT_EQ(rowsOf64(800, 64, 80), 22);
  // Lanes that only fill with zeros read nothing.
  EXPECT_EQ(rowsOf64(800, 768, 80, 2), 12);
  EXPECT_EQ(rowsOf64(800, 768, 80, 0), 0);
}

TEST(RequestsTest, SwizzledCopiesOfWholeLinesAreExact) {
  llvm::SmallVector<uint64_t, 32> from;
  llvm::SmallVector<uint32_t, 32> to, sizes(32, 16);
  for (unsigned lane = 0; lane < 32; ++lane) {
    unsigned row = lane / 8, chunk = lane % 8;
    from.push_back(row * 512 + chunk * 16);
    to.push_back(row * 128 + (chunk ^ row) * 16);
  }
  EXPECT_EQ(countCopySectors(from, to, sizes, all), 16);
}

} // namespace
