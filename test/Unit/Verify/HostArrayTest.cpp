//===- HostArrayTest.cpp - conversions of elements --------------*- C++ -*-===//

#include "fusion/Verify/HostArray.h"
#include "gtest/gtest.h"
#include <cmath>
#include <cstring>

using namespace mlir::fusion;

static uint16_t roundTo(FusionDType dtype, double value) {
  HostArray array(dtype, {1});
  array.set(0, value);
  uint16_t bits;
  std::memcpy(&bits, array.getData(), 2);
  return bits;
}

TEST(HostArrayTest, EveryF16SurvivesARoundTrip) {
  HostArray array(FUSION_F16, {1});
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    auto half = uint16_t(bits);
    std::memcpy(array.getData(), &half, 2);
    double value = array.get(0);
    if (!std::isnan(value)) {
      EXPECT_EQ(roundTo(FUSION_F16, value), half) << value;
    }
  }
}

TEST(HostArrayTest, RoundsToNearestEven) {
  EXPECT_EQ(roundTo(FUSION_F16, 1 + 0x1p-11), 0x3c00);
  EXPECT_EQ(roundTo(FUSION_F16, 1 + 3 * 0x1p-11), 0x3c02);
  EXPECT_EQ(roundTo(FUSION_F16, 65519), 0x7bff);
  EXPECT_EQ(roundTo(FUSION_F16, 65520), 0x7c00);
  EXPECT_EQ(roundTo(FUSION_F16, 0x1p-25), 0);
  EXPECT_EQ(roundTo(FUSION_F16, -0x1p-24), 0x8001);
  EXPECT_EQ(roundTo(FUSION_BF16, 1 + 0x1p-8), 0x3f80);
  EXPECT_EQ(roundTo(FUSION_BF16, 1 + 3 * 0x1p-8), 0x3f82);
}

TEST(HostArrayTest, AnEmptyArrayHasAPointer) {
  HostArray array(FUSION_F32, {0, 5});
  EXPECT_EQ(array.getNumElements(), 0);
  EXPECT_NE(array.getData(), nullptr);
}

TEST(HostArrayTest, DescribesShapes) {
  EXPECT_EQ(describeShape({2, -1}, FUSION_BF16), "2x?:bf16");
  EXPECT_EQ(describeShape({}, FUSION_I64), "i64");
}
