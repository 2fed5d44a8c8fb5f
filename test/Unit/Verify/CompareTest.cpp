//===- CompareTest.cpp - tolerances and odd values --------------*- C++ -*-===//

#include "fusion/Verify/Compare.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace mlir::fusion;

static HostArray makeF32(std::initializer_list<double> values) {
  HostArray array(FUSION_F32, {int64_t(values.size())});
  int64_t index = 0;
  for (double value : values) {
    array.set(index++, value);
  }
  return array;
}

TEST(CompareTest, EqualOddValuesAgree) {
  HostArray a = makeF32({NAN, INFINITY, -INFINITY, -0.0, 1});
  HostArray b = makeF32({NAN, INFINITY, -INFINITY, 0.0, 1});
  EXPECT_TRUE(compareArrays(a, b, {}).agrees);
}

TEST(CompareTest, NaNAndInfinityNeverAgreeWithNumbers) {
  Tolerance loose{1e30, 1e30};
  EXPECT_FALSE(compareArrays(makeF32({NAN}), makeF32({1}), loose).agrees);
  EXPECT_FALSE(compareArrays(makeF32({1}), makeF32({NAN}), loose).agrees);
  EXPECT_FALSE(compareArrays(makeF32({INFINITY}), makeF32({1}), loose).agrees);
  EXPECT_FALSE(
      compareArrays(makeF32({INFINITY}), makeF32({-INFINITY}), loose).agrees);
}

TEST(CompareTest, NamesTheFirstWrongElement) {
  Comparison found =
      compareArrays(makeF32({1, 2.5, 3.5}), makeF32({1, 2, 3}), {0.01, 0.01});
  EXPECT_FALSE(found.agrees);
  EXPECT_EQ(found.numWrong, 2);
  EXPECT_EQ(found.firstWrong, 1);
  EXPECT_EQ(found.firstGot, 2.5);
  EXPECT_EQ(found.firstWant, 2);
  EXPECT_EQ(found.maxAbsolute, 0.5);
}

TEST(CompareTest, ToleranceGrowsWithTheLengthOfASum) {
  EXPECT_GT(getTolerance(FUSION_F32, 4096).absolute,
            2 * getTolerance(FUSION_F32, 1).absolute);
  EXPECT_LT(getTolerance(FUSION_F32, 4096).absolute, 1e-4);
  EXPECT_EQ(getTolerance(FUSION_I32, 4096).absolute, 0);
}

TEST(CompareTest, WhatIsMadeOfRoundedValuesIsNoBetterThanThese) {
  Tolerance plain = getTolerance(FUSION_F32, 1);
  Tolerance rounded = getTolerance(FUSION_F32, 1, 0x1p-10);
  EXPECT_LT(plain.relative, 1e-5);
  EXPECT_NEAR(rounded.relative, 4 * 0x1p-10, 1e-5);
  EXPECT_NEAR(rounded.absolute, 4 * 0x1p-10, 1e-5);
  EXPECT_EQ(getTolerance(FUSION_F16, 1, 0x1p-23).relative,
            getTolerance(FUSION_F16, 1).relative);
  EXPECT_EQ(getTolerance(FUSION_I32, 1, 0x1p-10).relative, 0);
}

TEST(CompareTest, AHalfThatIsOffByTwentyUnitsIsWrong) {
  HostArray a(FUSION_F16, {2}), b(FUSION_F16, {2});
  a.set(0, 1), b.set(0, 1);
  a.set(1, 1 + 20 * 0x1p-10), b.set(1, 1);
  EXPECT_FALSE(compareArrays(a, b, getTolerance(FUSION_F16, 1)).agrees);
  a.set(1, 1 + 0x1p-10);
  EXPECT_TRUE(compareArrays(a, b, getTolerance(FUSION_F16, 1)).agrees);
}
