//===- NumbersTest.cpp - narrow floats against APFloat --------------------===//

#include "Emulator/Numbers.h"
#include "llvm/ADT/APFloat.h"
#include "gtest/gtest.h"
#include <random>

using namespace mlir::fusion::emulator;
using llvm::APFloat;

namespace {

float widen(const llvm::fltSemantics &format, uint16_t bits) {
  APFloat number(format, llvm::APInt(16, bits));
  bool inexact = false;
  number.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven, &inexact);
  return number.convertToFloat();
}

uint16_t narrow(const llvm::fltSemantics &format, APFloat number) {
  bool inexact = false;
  number.convert(format, APFloat::rmNearestTiesToEven, &inexact);
  return static_cast<uint16_t>(number.bitcastToAPInt().getZExtValue());
}

TEST(NumbersTest, AllNarrowNumbersWiden) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    auto narrowBits = static_cast<uint16_t>(bits);
    float half = widen(APFloat::IEEEhalf(), narrowBits);
    float bfloat = widen(APFloat::BFloat(), narrowBits);
    if (!std::isnan(half)) {
      ASSERT_EQ(llvm::bit_cast<uint32_t>(fromHalf(narrowBits)),
                llvm::bit_cast<uint32_t>(half))
          << bits;
    }
    ASSERT_EQ(std::isnan(fromHalf(narrowBits)), std::isnan(half)) << bits;
    if (!std::isnan(bfloat)) {
      ASSERT_EQ(llvm::bit_cast<uint32_t>(fromBFloat(narrowBits)),
                llvm::bit_cast<uint32_t>(bfloat))
          << bits;
    }
  }
}

TEST(NumbersTest, RoundsToNearestEven) {
  std::mt19937 random(1);
  for (int i = 0; i < 1000000; ++i) {
    // Exponents around those of f16, ties among the low bits.
    uint32_t bits = (random() & 0x80000000u) | (90 + random() % 60) << 23 |
                    (random() & 0x7FFFFF);
    if (i % 2) {
      bits &= ~0xFFFu;
    }
    auto value = llvm::bit_cast<float>(bits);
    ASSERT_EQ(toHalf(value), narrow(APFloat::IEEEhalf(), APFloat(value)))
        << value;
    ASSERT_EQ(toBFloat(value), narrow(APFloat::BFloat(), APFloat(value)))
        << value;
  }
  EXPECT_EQ(toHalf(65520.0f), 0x7C00);
  EXPECT_EQ(toHalf(65519.996f), 0x7BFF);
  EXPECT_EQ(toHalf(-0.0f), 0x8000);
  EXPECT_TRUE(std::isnan(fromHalf(toHalf(std::nanf("")))));
  EXPECT_TRUE(std::isnan(fromBFloat(toBFloat(std::nanf("")))));
}

TEST(NumbersTest, DoublesRoundOnce) {
  // Just above the middle of two halves: rounding to f32 first would lose it.
  double value = 1.0 + 0x1p-11 + 0x1p-40;
  EXPECT_EQ(toHalf(roundToOdd(value)), 0x3C01);
  EXPECT_EQ(toHalf(static_cast<float>(value)), 0x3C00);
}

TEST(NumbersTest, Integers) {
  EXPECT_EQ(signExtend(0x80, 8), -128);
  EXPECT_EQ(signExtend(1, 1), -1);
  EXPECT_EQ(maskTo(~uint64_t(0), 32), 0xFFFFFFFFu);
  EXPECT_EQ(maskTo(~uint64_t(0), 64), ~uint64_t(0));
}

} // namespace
