//===- SmallerTest.cpp - schedules that take less -------------------------===//

#include "fusion/Schedule/Smaller.h"

#include "fusion/Schedule/Limits.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::fusion;

using Kind = Schedule::Kind;

static int64_t getArea(const Schedule &schedule) {
  return schedule.rows * schedule.columns;
}

TEST(Smaller, RowsEndInOneElementForEachThreadOfAWarp) {
  Schedule start{Kind::Rows, 4, 1536, 0, 0, 8};
  SmallVector<Schedule> space = getSmallerSchedules(start);
  ASSERT_FALSE(space.empty());
  Schedule last = start;
  for (const Schedule &schedule : space) {
    EXPECT_EQ(schedule.kind, Kind::Rows);
    EXPECT_LE(getArea(schedule), getArea(last));
    EXPECT_LE(schedule.warps, last.warps);
    EXPECT_FALSE(schedule == last);
    last = schedule;
  }
  EXPECT_EQ(getArea(last), 32);
  EXPECT_EQ(last.warps, 1);
}

TEST(Smaller, WalksHaveOneColumn) {
  for (const Schedule &schedule :
       getSmallerSchedules(Schedule{Kind::Rows, 128, 1, 0, 0, 4})) {
    EXPECT_EQ(schedule.columns, 1);
  }
}

TEST(Smaller, ContractionsGoFromTensorCoresToSums) {
  Schedule start{Kind::MMA, 64, 64, 32, 3, 4};
  SmallVector<Schedule> space = getSmallerSchedules(start);
  ASSERT_FALSE(space.empty());
  EXPECT_EQ(space.front().kind, Kind::MMA);
  EXPECT_EQ(space.back().kind, Kind::Elementwise);
  EXPECT_TRUE(llvm::any_of(space, [](const Schedule &schedule) {
    return schedule.kind == Kind::Rows;
  }));
  for (const Schedule &schedule : space) {
    EXPECT_NE(schedule.kind, Kind::WGMMA);
    EXPECT_LE(getArea(schedule), getArea(start));
  }
}

TEST(Smaller, AllKindsWhereNothingIsKnown) {
  SmallVector<Schedule> space = getSmallerSchedules(std::nullopt);
  for (Kind kind :
       {Kind::WGMMA, Kind::MMA, Kind::FMA, Kind::Rows, Kind::Elementwise}) {
    EXPECT_TRUE(llvm::any_of(space, [&](const Schedule &schedule) {
      return schedule.kind == kind;
    }));
  }
}

TEST(Smaller, TheSimplestHasNoSmallerOne) {
  EXPECT_TRUE(
      getSmallerSchedules(Schedule{Kind::Elementwise, 1, 32, 0, 0, 1}).empty());
}

static std::string getError(StringRef text) {
  return llvm::toString(checkLimits(text));
}

TEST(Limits, AreReadByName) {
  MLIRContext context;
  llvm::Expected<DictionaryAttr> limits =
      parseLimits("shared=16384,grid=7", &context);
  ASSERT_TRUE(bool(limits));
  EXPECT_EQ(limits->getAs<IntegerAttr>("shared").getInt(), 16384);
  EXPECT_EQ(limits->getAs<IntegerAttr>("grid").getInt(), 7);
  EXPECT_EQ(limits->size(), 2u);
}

TEST(Limits, WhatIsWrongIsSaid) {
  EXPECT_EQ(getError("shared=1"), "");
  EXPECT_NE(getError(""), "");
  EXPECT_NE(getError("blocks=1").find("but got 'blocks=1'"), std::string::npos);
  EXPECT_EQ(getError("threads=31"),
            "expected a limit 'threads' of 32 or more, but got '31'");
  EXPECT_EQ(getError("grid=1,grid=2"),
            "expected the limit 'grid' once, but got 'grid=1,grid=2'");
}

TEST(Limits, OnlyLower) {
  KernelLimits device = getKernelLimits(nullptr, "sm_80");
  EXPECT_GT(device.sharedBytes, 48 * 1024);
  EXPECT_EQ(device.threads, 1024);
  EXPECT_TRUE(device == getKernelLimits(nullptr, "sm_80"));
  EXPECT_FALSE(device == getKernelLimits(nullptr, "sm_90a"));
}
