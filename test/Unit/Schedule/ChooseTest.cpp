//===- ChooseTest.cpp - which schedule is chosen --------------------------===//

#include "fusion/Schedule/Choose.h"

#include "mlir/IR/BuiltinTypes.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::fusion;

namespace {
ContractionShape half(int64_t m, int64_t n, int64_t k) {
  ContractionShape shape;
  shape.m = m;
  shape.n = n;
  shape.k = k;
  shape.elementBytes = 2;
  shape.halfFloats = true;
  shape.bulkCopies = true;
  return shape;
}
const ScheduleTarget hopper = ScheduleTarget::get("sm_90a");
const ScheduleTarget ampere = ScheduleTarget::get("sm_80");
} // namespace

TEST(ScheduleTargetTest, Chips) {
  EXPECT_EQ(hopper.multiprocessors, 132);
  EXPECT_EQ(hopper.sharedBytes, 227 * 1024);
  EXPECT_TRUE(hopper.hasWGMMA);
  // The `a` says that wgmma may be used.
  EXPECT_FALSE(ScheduleTarget::get("sm_90").hasWGMMA);
  EXPECT_TRUE(ampere.hasMMA);
  EXPECT_FALSE(ampere.hasWGMMA);
  EXPECT_FALSE(ScheduleTarget::get("sm_75").hasMMA);
  // Between two known chips: the lower one.
  EXPECT_EQ(ScheduleTarget::get("sm_87").multiprocessors, 84);
}

TEST(ChooseContractionTest, LargeProductsTakeLargeTiles) {
  for (int64_t size : {2048, 4096, 8192}) {
    Schedule schedule = chooseContraction(half(size, size, size), hopper);
    EXPECT_EQ(schedule, (Schedule{Schedule::Kind::WGMMA, 128, 256, 64, 4, 8}));
  }
}

TEST(ChooseContractionTest, TwoProductsShareTheAccumulators) {
  ContractionShape shape = half(4096, 4096, 4096);
  shape.count = 2;
  shape.operandsN = 2;
  Schedule schedule = chooseContraction(shape, hopper);
  EXPECT_EQ(schedule, (Schedule{Schedule::Kind::WGMMA, 128, 128, 64, 4, 8}));
}

TEST(ChooseContractionTest, SmallProductsFillTheDevice) {
  Schedule schedule = chooseContraction(half(512, 1024, 1024), hopper);
  EXPECT_EQ(schedule.kind, Schedule::Kind::WGMMA);
  EXPECT_LE(schedule.rows * schedule.columns, 64 * 128);
  // Few rows: no more than there are multiplies for.
  EXPECT_EQ(chooseContraction(half(8, 8192, 1024), hopper).rows, 64);
}

TEST(ChooseContractionTest, KindsByTarget) {
  ContractionShape shape = half(4096, 4096, 4096);
  EXPECT_EQ(chooseContraction(shape, ampere).kind, Schedule::Kind::MMA);
  EXPECT_TRUE(chooseContraction(shape, hopper).isWarpSpecialized());
  // Strides that bulk copies can't take: all warps fetch.
  shape.bulkCopies = false;
  shape.fetchN = FetchKind::Stray;
  EXPECT_TRUE(chooseContraction(shape, hopper).multistage);
  EXPECT_EQ(chooseContraction(shape, ampere).kind, Schedule::Kind::MMA);
  EXPECT_EQ(chooseContraction(shape, ScheduleTarget::get("sm_70")).kind,
            Schedule::Kind::FMA);
  shape.halfFloats = false;
  shape.elementBytes = 4;
  EXPECT_EQ(chooseContraction(shape, hopper).kind, Schedule::Kind::FMA);
}

TEST(ChooseContractionTest, EverythingChosenFits) {
  for (const char *chip : {"sm_70", "sm_80", "sm_86", "sm_90", "sm_90a"}) {
    ScheduleTarget target = ScheduleTarget::get(chip);
    for (int64_t m : {1, 17, 129, 5000}) {
      for (int64_t count : {1, 2, 3}) {
        ContractionShape shape = half(m, ShapedType::kDynamic, 1000);
        shape.count = shape.operandsN = count;
        Schedule schedule = chooseContraction(shape, target);
        EXPECT_EQ(refuseContraction(schedule, shape, target), "")
            << chip << " m=" << m << " count=" << count;
      }
    }
  }
}

TEST(ChooseContractionTest, WgmmaOfWhatThreadsBring) {
  for (bool computes : {false, true}) {
    for (FetchKind fetch : {FetchKind::Lines, FetchKind::Stray,
                            FetchKind::Window, FetchKind::WindowLines}) {
      ContractionShape shape = half(4096, 4096, 4096);
      shape.bulkCopies = false;
      shape.fetchN = fetch;
      shape.computesN = computes;
      Schedule schedule = chooseContraction(shape, hopper);
      EXPECT_TRUE(schedule.multistage);
      EXPECT_EQ(refuseContraction(schedule, shape, hopper), "");
      // A part of a launch shares registers out with bodies of other kinds.
      shape.blockWarps = kSharedBlockWarps;
      schedule = chooseContraction(shape, hopper);
      EXPECT_LE(schedule.rows * schedule.columns / (schedule.warps * 32), 64);
      // Blocks of k that no step of 64 fits.
      shape.blockK = 32;
      EXPECT_EQ(chooseContraction(shape, hopper).kind, Schedule::Kind::MMA);
    }
  }
}

TEST(ChooseContractionTest, TilesThatOthersFetchAgainAreWide) {
  // The two products of a gated layer with 128 rows: 64 x 64 fills more of the
  // device, and fetches all of the weights twice.
  ContractionShape shape = half(128, 8960, 1536);
  shape.count = shape.operandsN = 2;
  Schedule schedule = chooseContraction(shape, hopper);
  EXPECT_TRUE(schedule.isWarpSpecialized());
  EXPECT_EQ(schedule.rows, 128);
  EXPECT_EQ(schedule.columns, 128);
  // With 16 rows nothing is fetched twice.
  shape.m = 16;
  EXPECT_EQ(chooseContraction(shape, hopper).rows, 64);
}

TEST(ChooseContractionTest, TilesOfUnknownRowsAreNarrow) {
  // Wide tiles would be best for many rows, and leave most of the device idle
  // with the 256 that a batch of two has.
  ContractionShape shape = half(ShapedType::kDynamic, 768, 768);
  EXPECT_EQ(chooseContraction(shape, hopper).columns, 64);
}

TEST(ChooseContractionTest, WindowsByElementOrByPiece) {
  // 3x3 convolutions of 32 images, as measured on an H200: mma.sync is faster
  // for 64 filters, 102 against 119 us, and slower for 128, 72 against 66.
  ContractionShape shape = half(64, 3136, 576);
  shape.batch = 32;
  shape.bulkCopies = false;
  shape.fetchN = FetchKind::Window;
  EXPECT_EQ(chooseContraction(shape, hopper).kind, Schedule::Kind::MMA);
  // Channels side by side cost no registers on their way.
  shape.fetchN = FetchKind::WindowLines;
  EXPECT_TRUE(chooseContraction(shape, hopper).multistage);
  shape = half(128, 784, 1152);
  shape.batch = 32;
  shape.bulkCopies = false;
  shape.fetchN = FetchKind::Window;
  EXPECT_TRUE(chooseContraction(shape, hopper).multistage);
}

TEST(ChooseContractionTest, Refusals) {
  ContractionShape shape = half(4096, 4096, 4096);
  auto refuse = [&](Schedule schedule) {
    return refuseContraction(schedule, shape, hopper);
  };
  EXPECT_EQ(refuse({Schedule::Kind::WGMMA, 128, 256, 64, 8, 8}),
            "427008 bytes of shared memory are more than 232448");
  EXPECT_EQ(refuse({Schedule::Kind::WGMMA, 256, 256, 64, 2, 8}),
            "256 accumulators a thread spill");
  for (Schedule schedule :
       {Schedule{Schedule::Kind::WGMMA, 128, 128, 64, 2, 8, true},
        Schedule{Schedule::Kind::WGMMA, 128, 96, 64, 3, 8, true},
        Schedule{Schedule::Kind::WGMMA, 128, 128, 32, 3, 8, true}}) {
    EXPECT_EQ(refuse(schedule), "wgmma on what all warps fetch wants 64 "
                                "columns, steps of 64 and three stages");
  }
  EXPECT_EQ(refuse({Schedule::Kind::MMA, 128, 128, 24, 3, 8}),
            "steps of 24 are no whole number of multiplies");
  EXPECT_EQ(refuse({Schedule::Kind::MMA, 128, 128, 32, 1, 8}),
            "a ring needs two stages");
  EXPECT_EQ(refuse(chooseRows({}, hopper)), "the group is a contraction");
}

TEST(ChooseContractionTest, BulkCopiesBringWholePanels) {
  ContractionShape shape = half(4096, 4096, 4096);
  Schedule narrow{Schedule::Kind::WGMMA, 64, 24, 64, 4, 4};
  Schedule shallow{Schedule::Kind::WGMMA, 64, 64, 48, 4, 4};
  EXPECT_EQ(refuseContraction(narrow, shape, hopper),
            "an operand lies along n, in panels of 64, of which 24 are no "
            "whole number");
  EXPECT_EQ(refuseContraction(shallow, shape, hopper),
            "an operand lies along k, in panels of 64, of which 48 are no "
            "whole number");
  shape.panelsAlongN = false;
  EXPECT_EQ(refuseContraction(narrow, shape, hopper), "");
  shape.panelsAlongK = false;
  EXPECT_EQ(refuseContraction(shallow, shape, hopper), "");
}

TEST(ChooseContractionTest, WhatIsReducedIsInOneTile) {
  for (const ScheduleTarget &target : {hopper, ampere}) {
    for (int64_t n : {3, 64, 65, 200, 256}) {
      for (bool isHalf : {true, false}) {
        ContractionShape shape = half(512, n, 256);
        shape.halfFloats = isHalf;
        shape.bulkCopies = isHalf && n % 8 == 0;
        shape.elementBytes = isHalf ? 2 : 4;
        shape.wholeN = true;
        Schedule schedule = chooseContraction(shape, target);
        EXPECT_GE(schedule.columns, n);
        EXPECT_EQ(refuseContraction(schedule, shape, target), "");
      }
    }
  }
  ContractionShape rows = half(100, 4096, 256);
  rows.wholeM = true;
  EXPECT_GE(chooseContraction(rows, hopper).rows, 100);
}

TEST(ChooseContractionTest, NoTileHasLongOrUnknownRows) {
  ContractionShape shape = half(512, 257, 256);
  shape.wholeN = true;
  auto refuse = [&] {
    return refuseContraction(chooseContraction(shape, ampere), shape, ampere);
  };
  EXPECT_EQ(refuse(), "257 elements are reduced, of which a tile has 64");
  shape.n = ShapedType::kDynamic;
  EXPECT_EQ(refuse(), "what is reduced has a length that is not known");
  shape.n = 0;
  EXPECT_EQ(refuse(), "nothing is reduced");
}

TEST(ChooseElementwiseTest, VectorsAndBlocks) {
  ElementwiseShape shape;
  shape.columns = shape.total = int64_t(1) << 28;
  shape.elementBytes = 2;
  // 128 threads, two vectors of eight each.
  EXPECT_EQ(chooseElementwise(shape, hopper).columns, 2048);
  // A small array: one element each, so that more multiprocessors work.
  shape.columns = shape.total = 10000;
  EXPECT_EQ(chooseElementwise(shape, hopper).columns, 128);
}

TEST(ChooseElementwiseTest, NarrowAndOddRows) {
  ElementwiseShape shape;
  shape.columns = 3;
  shape.rows = 1 << 24;
  shape.total = 3 << 24;
  Schedule schedule = chooseElementwise(shape, hopper);
  EXPECT_EQ(schedule.columns, 4);
  EXPECT_EQ(schedule.rows, 256);
  // 1536 is three times 512: no lane of a tile of 512 is idle.
  shape.columns = 1536;
  shape.total = int64_t(1536) << 24;
  schedule = chooseElementwise(shape, hopper);
  EXPECT_EQ(schedule.columns, 512);
  EXPECT_EQ(schedule.rows, 2);
}

TEST(ChooseRowsTest, ShortRowsShareABlock) {
  RowsShape shape;
  shape.rows = 100000;
  shape.columns = 64;
  shape.elementBytes = 2;
  Schedule schedule = chooseRows(shape, hopper);
  EXPECT_EQ(schedule.columns, 64);
  EXPECT_EQ(schedule.rows, 16); // four rows to a warp
  shape.columns = 1000;
  schedule = chooseRows(shape, hopper);
  EXPECT_EQ(schedule.columns, 1024);
  EXPECT_EQ(schedule.rows, 2); // two warps to a row
  EXPECT_EQ(schedule.warps, 4);
  // Few rows: one each.
  shape.rows = 64;
  schedule = chooseRows(shape, hopper);
  EXPECT_EQ(schedule.rows, 1);
  EXPECT_EQ(schedule.warps, 2);
}

TEST(ChooseRowsTest, RowsOfAnOddMultipleHaveNoTail) {
  RowsShape shape;
  shape.rows = 100000;
  shape.columns = 768;
  shape.elementBytes = 2;
  EXPECT_EQ(chooseRows(shape, hopper).columns, 768);
  shape.columns = 1536;
  EXPECT_EQ(chooseRows(shape, hopper).columns, 1536);
}

TEST(ChooseRowsTest, ReductionsAcrossMemory) {
  RowsShape shape;
  shape.rows = 8192;
  shape.columns = 8192;
  shape.contiguousColumns = false;
  Schedule schedule = chooseRows(shape, hopper);
  // 128 blocks nearly fill the device; a thread has 16 loads in flight.
  EXPECT_EQ(schedule.rows, 64);
  EXPECT_EQ(schedule.columns, 128);
  shape.rows = 512;
  EXPECT_EQ(chooseRows(shape, hopper).rows, 16);
}

TEST(ChooseRowsTest, LongRows) {
  RowsShape shape;
  shape.rows = 4096;
  shape.columns = 8960;
  shape.elementBytes = 2;
  Schedule schedule = chooseRows(shape, hopper);
  EXPECT_EQ(schedule.columns, 5 * 2048);
  EXPECT_EQ(schedule.warps, 8);
  // Too long for the registers of a block: chunks.
  shape.columns = 1 << 20;
  EXPECT_EQ(chooseRows(shape, hopper).columns, 4096);
  shape.columns = ShapedType::kDynamic;
  EXPECT_EQ(chooseRows(shape, hopper).columns, 4096);
}

//===----------------------------------------------------------------------===//
// A softmax between contractions
//===----------------------------------------------------------------------===//

namespace {
OnlineSoftmaxShape heads(int64_t batch, int64_t positions, int64_t width,
                         bool halfFloats) {
  OnlineSoftmaxShape shape;
  shape.batch = batch;
  shape.m = shape.n = positions;
  shape.k = shape.d = width;
  shape.halfFloats = halfFloats;
  shape.elementBytes = halfFloats ? 2 : 4;
  return shape;
}
} // namespace

TEST(ChooseOnlineSoftmaxTest, WhatIsChosenFits) {
  std::string reason;
  for (const ScheduleTarget &target : {hopper, ampere}) {
    for (int64_t width : {8, 32, 64, 80, 96, 128, 192, 256}) {
      for (int64_t positions : {int64_t(1), int64_t(128), int64_t(4096),
                                int64_t(ShapedType::kDynamic)}) {
        OnlineSoftmaxShape shape = heads(16, positions, width, true);
        auto schedule = chooseOnlineSoftmax(shape, target, reason);
        ASSERT_TRUE(schedule) << width << ": " << reason;
        EXPECT_NE(schedule->kind, Schedule::Kind::FMA);
        EXPECT_EQ(refuseOnlineSoftmax(*schedule, shape, target), "");
      }
    }
  }
}

TEST(ChooseOnlineSoftmaxTest, FewHeadsGetSmallTiles) {
  std::string reason;
  auto few = chooseOnlineSoftmax(heads(24, 128, 64, true), hopper, reason);
  auto many = chooseOnlineSoftmax(heads(128, 512, 64, true), hopper, reason);
  ASSERT_TRUE(few && many);
  EXPECT_LT(few->rows, many->rows);
}

TEST(ChooseOnlineSoftmaxTest, WarpgroupsWhereTheyFillTheDevice) {
  std::string reason;
  auto choose = [&](int64_t batch, int64_t positions, int64_t width,
                    const ScheduleTarget &target) {
    return *chooseOnlineSoftmax(heads(batch, positions, width, true), target,
                                reason);
  };
  // Measured on an H200: 31 us against 39, 51 against 59, 56 against 71.
  for (int64_t width : {64, 80, 128}) {
    Schedule schedule = choose(96, 512, width, hopper);
    EXPECT_EQ(schedule.kind, Schedule::Kind::WGMMA) << width;
    EXPECT_TRUE(schedule.multistage);
    EXPECT_EQ(schedule.rows, 64) << width;
    EXPECT_EQ(choose(96, 512, width, ampere).kind, Schedule::Kind::MMA);
  }
  // A block of 64 rows would have the multiprocessor's memory for itself.
  EXPECT_EQ(choose(96, 512, 256, hopper).rows, 128);
  // Few rows: 12.6 us by mma.sync, 13.1 by wgmma.
  EXPECT_EQ(choose(12, 197, 64, hopper).kind, Schedule::Kind::MMA);
}

TEST(ChooseOnlineSoftmaxTest, ScalarMultipliesForF32) {
  std::string reason;
  auto schedule =
      chooseOnlineSoftmax(heads(16, 512, 64, false), hopper, reason);
  ASSERT_TRUE(schedule);
  EXPECT_EQ(schedule->kind, Schedule::Kind::FMA);
  EXPECT_EQ(schedule->columns % 32, 0);
}

TEST(ChooseOnlineSoftmaxTest, RefusesWithAReason) {
  std::string reason;
  EXPECT_FALSE(chooseOnlineSoftmax(heads(16, 512, 1024, true), hopper, reason));
  EXPECT_NE(reason.find("spill"), std::string::npos);
  EXPECT_FALSE(chooseOnlineSoftmax(heads(16, 512, ShapedType::kDynamic, true),
                                   hopper, reason));
  EXPECT_NE(reason.find("not known"), std::string::npos);
  OnlineSoftmaxShape wide = heads(16, 512, 64, false);
  wide.k = 4096;
  EXPECT_FALSE(chooseOnlineSoftmax(wide, ampere, reason));
  EXPECT_NE(reason.find("shared memory"), std::string::npos);
}

//===----------------------------------------------------------------------===//
// A contraction of a contraction
//===----------------------------------------------------------------------===//

namespace {
ChainedShape chain(int64_t m, int64_t k, int64_t r, int64_t n,
                   bool halfFloats = true) {
  ChainedShape shape;
  shape.m = m;
  shape.k = k;
  shape.r = r;
  shape.n = n;
  shape.halfFloats = halfFloats;
  shape.elementBytes = halfFloats ? 2 : 4;
  return shape;
}
} // namespace

TEST(ChooseChainedTest, WhatIsChosenFits) {
  std::string reason;
  for (const ScheduleTarget &target : {hopper, ampere}) {
    for (bool halfFloats : {true, false}) {
      for (int64_t r : {2, 15, 16, 40, 64, 128, 200}) {
        for (int64_t m :
             {int64_t(2), int64_t(513), int64_t(ShapedType::kDynamic)}) {
          ChainedShape shape = chain(m, 4096, r, 4096, halfFloats);
          auto chained = chooseChained(shape, target, reason);
          ASSERT_TRUE(chained) << r << ": " << reason;
          EXPECT_FALSE(chained->streamed);
          EXPECT_EQ(chained->schedule.kind,
                    halfFloats ? Schedule::Kind::MMA : Schedule::Kind::FMA);
          EXPECT_EQ(refuseChained(*chained, shape, target), "");
        }
      }
    }
  }
}

TEST(ChooseChainedTest, WalksOverALongMiddle) {
  std::string reason;
  for (int64_t r : {int64_t(4096), int64_t(ShapedType::kDynamic)}) {
    auto chained = chooseChained(chain(2048, 64, r, 64), hopper, reason);
    ASSERT_TRUE(chained) << reason;
    EXPECT_TRUE(chained->streamed);
  }
}

TEST(ChooseChainedTest, IdleBlocksShareTheColumns) {
  std::string reason;
  ChainedShape few = chain(64, 1024, 16, 4096),
               many = chain(1 << 16, 64, 16, 64);
  auto narrow = chooseChained(few, hopper, reason);
  auto wide = chooseChained(many, hopper, reason);
  ASSERT_TRUE(narrow && wide);
  EXPECT_GT(getColumnBlocks(*narrow, few, hopper), 4);
  EXPECT_EQ(getColumnBlocks(*wide, many, hopper), 1);
}

TEST(ChooseChainedTest, RefusesWithAReason) {
  std::string reason;
  EXPECT_FALSE(chooseChained(chain(512, 8192, 4096, 8192), hopper, reason));
  EXPECT_NE(reason.find("spill"), std::string::npos);
  EXPECT_FALSE(chooseChained(chain(512, 8192, ShapedType::kDynamic, 8192),
                             hopper, reason));
  EXPECT_NE(reason.find("not known"), std::string::npos);
}
