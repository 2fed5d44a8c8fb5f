//===- LayoutTest.cpp - the layout algebra --------------------------------===//

#include "fusion/Tile/Layout.h"
#include "gtest/gtest.h"
#include <map>

using namespace mlir::fusion::tile;

namespace {

/// How often each element of the tile is held, over all threads.
std::map<Coords, int64_t> countHolders(const TileLayout &layout) {
  std::map<Coords, int64_t> held;
  for (int64_t w = 0; w < layout.getWarps(); ++w) {
    for (int64_t l = 0; l < 32; ++l) {
      for (int64_t r = 0; r < layout.getRegisters(); ++r) {
        ++held[layout.at(r, l, w)];
      }
    }
  }
  return held;
}

/// Every element of `shape` is held by the same number of threads.
void expectCovers(const TileLayout &layout, Coords shape, int64_t copies) {
  EXPECT_EQ(layout.check(), "");
  EXPECT_EQ(layout.getShape(), shape);
  int64_t elements = 1;
  for (int64_t size : shape) {
    elements *= size;
  }
  auto held = countHolders(layout);
  EXPECT_EQ(int64_t(held.size()), elements);
  for (auto &[coords, count] : held) {
    for (size_t d = 0; d < shape.size(); ++d) {
      EXPECT_GE(coords[d], 0);
      EXPECT_LT(coords[d], shape[d]);
    }
    EXPECT_EQ(count, copies);
  }
}

TEST(LayoutTest, BlockedCoversEveryElementOnce) {
  expectCovers(TileLayout::blocked({16, 128}, 4, 4, {1, 0}), {16, 128}, 1);
  expectCovers(TileLayout::blocked({128, 16}, 4, 2, {0, 1}), {128, 16}, 1);
  expectCovers(TileLayout::blocked({2048}, 8, 8, {0}), {2048}, 1);
}

TEST(LayoutTest, BlockedRepeatsOddFactors) {
  // 192 = 64 * 3 and 80 = 16 * 5: the odd factor is a repeat.
  TileLayout layout = TileLayout::blocked({192, 80}, 4, 4, {1, 0});
  expectCovers(layout, {192, 80}, 1);
  EXPECT_EQ(layout.repeat[1], 5);
}

TEST(LayoutTest, BlockedCopiesWhereThreadsOutnumberElements) {
  expectCovers(TileLayout::blocked({4, 8}, 2, 1, {1, 0}), {4, 8}, 2);
  expectCovers(TileLayout::blocked({1}, 1, 1, {0}), {1}, 32);
}

TEST(LayoutTest, BlockedVectorsAreNeighboursInMemory) {
  TileLayout layout = TileLayout::blocked({8, 256}, 1, 8, {1, 0});
  EXPECT_EQ(layout.getVectorWidth(1), 8);
  EXPECT_EQ(layout.getVectorWidth(0), 1);
  EXPECT_EQ(layout.at(7, 0, 0), (Coords{0, 7}));
  EXPECT_EQ(layout.at(0, 1, 0), (Coords{0, 8}));
}

// PTX ISA, wgmma register fragments: lane l of warp w holds d[4j + 0, 1] at row
// 16w + l/4, columns 8j + 2(l%4) + {0, 1}, and d[4j + 2, 3] eight rows below.
TEST(LayoutTest, WgmmaAccumulatorIsTheFragmentOfTheManual) {
  TileLayout layout = TileLayout::wgmmaAccumulator(128, 256, 8);
  expectCovers(layout, {128, 256}, 1);
  ASSERT_EQ(layout.getRegisters(), 128);
  for (int64_t w = 0; w < 8; ++w) {
    for (int64_t l = 0; l < 32; ++l) {
      for (int64_t r = 0; r < 128; ++r) {
        Coords expected = {16 * w + l / 4 + (r & 2 ? 8 : 0),
                           r / 4 * 8 + l % 4 * 2 + (r & 1)};
        ASSERT_EQ(layout.at(r, l, w), expected);
      }
    }
  }
}

TEST(LayoutTest, WgmmaAccumulatorTakesOddNumbersOfColumnBlocks) {
  expectCovers(TileLayout::wgmmaAccumulator(64, 24, 4), {64, 24}, 1);
  expectCovers(TileLayout::wgmmaAccumulator(128, 192, 4), {128, 192}, 1);
}

TEST(LayoutTest, OtherAccumulatorsCoverTheirTiles) {
  expectCovers(TileLayout::mmaAccumulator(128, 128, 2, 4), {128, 128}, 1);
  expectCovers(TileLayout::mmaAccumulator(64, 96, 2, 2), {64, 96}, 1);
  expectCovers(TileLayout::fmaAccumulator(128, 128, 4, 2), {128, 128}, 1);
}

TEST(LayoutTest, SliceKeepsTheOtherDims) {
  TileLayout layout = TileLayout::wgmmaAccumulator(64, 32, 4);
  TileLayout rows = layout.slice(1);
  EXPECT_EQ(rows.check(), "");
  EXPECT_EQ(rows.getShape(), (Coords{64}));
  // A thread holds two rows; the four lanes of a row hold copies.
  EXPECT_EQ(rows.getRegisters(), 2);
  for (auto &[coords, count] : countHolders(rows)) {
    EXPECT_EQ(count, 4);
  }
  // The slice of a slice: every thread holds the one element.
  EXPECT_EQ(rows.slice(0).getRank(), 0);
  EXPECT_EQ(rows.slice(0).getRegisters(), 1);
}

TEST(LayoutTest, FindRegisterInvertsAtRegister) {
  for (const TileLayout &layout : {TileLayout::wgmmaAccumulator(128, 24, 4),
                                   TileLayout::blocked({6, 320}, 2, 4, {1, 0}),
                                   TileLayout::fmaAccumulator(64, 64, 2, 2)}) {
    for (int64_t r = 0; r < layout.getRegisters(); ++r) {
      EXPECT_EQ(layout.findRegister(layout.atRegister(r)), r);
    }
    EXPECT_EQ(layout.findRegister({-1, 0}), std::nullopt);
    EXPECT_EQ(layout.findRegister({layout.getShape()[0], 0}), std::nullopt);
  }
  // Column 2 of this layout is another lane's.
  EXPECT_EQ(TileLayout::wgmmaAccumulator(64, 8, 4).findRegister({0, 2}),
            std::nullopt);
}

TEST(LayoutTest, CheckSaysWhatIsWrong) {
  TileLayout good = TileLayout::blocked({64}, 1, 2, {0});
  TileLayout bad = good;
  bad.lane.pop_back();
  EXPECT_EQ(bad.check(), "expected five lane bases, but got 4");
  bad = good;
  bad.lane[0] = {3};
  EXPECT_EQ(bad.check(),
            "expected the bases along a dim to be 1, 2, 4, ..., each once");
  bad = good;
  bad.lane[0] = bad.lane[1];
  EXPECT_NE(bad.check(), "");
  bad = good;
  bad.repeat[0] = 0;
  EXPECT_EQ(bad.check(), "expected positive repeats");
  bad = TileLayout::blocked({8, 8}, 1, 1, {1, 0});
  bad.lane[0] = {1, 1};
  EXPECT_EQ(bad.check(), "expected a basis to move along one dim at most");
}

// CUDA driver API, CU_TENSOR_MAP_SWIZZLE_128B: 16-byte chunk c of row r of a
// 128-byte wide panel lies at chunk c ^ (r % 8); 64B: rows of four chunks, each
// two rows share a pattern.
TEST(SharedOffsetTest, SwizzlesAsTheBulkCopiesDo) {
  for (int64_t row = 0; row < 64; ++row) {
    for (int64_t column = 0; column < 64; ++column) {
      int64_t chunk = column / 8 ^ row % 8;
      EXPECT_EQ(sharedOffset(row, column, 64, 64, 2, 128, 0),
                row * 128 + chunk * 16 + column % 8 * 2);
    }
    for (int64_t column = 0; column < 32; ++column) {
      int64_t chunk = column / 8 ^ row / 2 % 4;
      EXPECT_EQ(sharedOffset(row, column, 64, 32, 2, 64, 0),
                row * 64 + chunk * 16 + column % 8 * 2);
    }
  }
}

TEST(SharedOffsetTest, PanelsFollowEachOther) {
  EXPECT_EQ(sharedOffset(0, 64, 128, 64, 2, 128, 0), 128 * 128);
  EXPECT_EQ(sharedOffset(3, 5, 8, 16, 4, 0, 16), 3 * 80 + 20);
}

TEST(BankConflictsTest, SwizzledColumnsAreFree) {
  // ldmatrix reads 16 bytes of each of eight rows at a time.
  llvm::SmallVector<int64_t> swizzled, plain;
  for (int64_t lane = 0; lane < 32; ++lane) {
    swizzled.push_back(
        sharedOffset(lane % 16, lane / 16 * 8, 64, 64, 2, 128, 0));
    plain.push_back(lane % 16 * 128 + lane / 16 * 16);
  }
  EXPECT_EQ(bankConflicts(swizzled, 16), 1);
  EXPECT_EQ(bankConflicts(plain, 16), 8);
}

TEST(BankConflictsTest, EqualWordsAreBroadcast) {
  llvm::SmallVector<int64_t> same(32, 4), column;
  EXPECT_EQ(bankConflicts(same, 4), 1);
  for (int64_t lane = 0; lane < 32; ++lane) {
    column.push_back(lane * 128);
  }
  EXPECT_EQ(bankConflicts(column, 4), 32);
}

} // namespace
