//===- ConcurrentTest.cpp -------------------------------------------------===//

#include "fusion/Cost/Concurrent.h"

#include "gtest/gtest.h"

using namespace mlir::fusion;

namespace {
KernelWork makeCopy(double bytes) {
  KernelWork work;
  work.bytesRead = work.bytesWritten = bytes / 2;
  work.blocks = bytes / 8192;
  return work;
}

KernelWork makeProduct(double size) {
  KernelWork work;
  work.bytesRead = 4 * size * size;
  work.bytesWritten = 2 * size * size;
  work.matmulFlops = 2 * size * size * size;
  work.tensorCores = true;
  work.blocks = size * size / (128 * 128);
  return work;
}

DeviceModel getH200() { return *getDeviceModel("h200"); }
} // namespace

TEST(ConcurrentTest, OneKernelIsItself) {
  KernelWork work = makeCopy(1 << 26);
  EXPECT_NEAR(estimateConcurrent(work, getH200()).us,
              estimateKernel(work, getH200()).us, 1e-9);
}

TEST(ConcurrentTest, SmallKernelsShareALaunch) {
  KernelWork work = makeCopy(4096);
  EXPECT_TRUE(static_cast<bool>(worthMerging({work, work}, getH200())));
}

TEST(ConcurrentTest, MemoryAndArithmeticOverlap) {
  // Two parts of equal kind add up; what each waits for differs here.
  KernelWork copy = makeCopy(1 << 22);
  KernelWork math = copy;
  math.bytesRead = math.bytesWritten = 0;
  math.flops = 1e8;
  double apart =
      estimateKernel(copy, getH200()).us + estimateKernel(math, getH200()).us;
  EXPECT_LT(estimateConcurrent({copy, math}, getH200()).us,
            apart - getH200().launchUs);
}

TEST(ConcurrentTest, LastWavesAreShared) {
  // 1.25 waves each, 2.5 together: three in place of four.
  KernelWork product = makeProduct(2048);
  product.blocks = 165;
  double together = estimateConcurrent({product, product}, getH200()).us;
  double apart = 2 * estimateKernel(product, getH200()).us;
  EXPECT_LT(together, 0.85 * apart);
}

TEST(ConcurrentTest, LargeCopiesGainNothing) {
  KernelWork copy = makeCopy(8e9);
  FusionDecision decision = worthMerging({copy, copy}, getH200());
  EXPECT_FALSE(static_cast<bool>(decision));
  EXPECT_TRUE(decision.getReason().contains("us) against launches of their"));
  ASSERT_TRUE(decision.getTimes());
  EXPECT_GT(decision.getTimes()->apartUs, decision.getTimes()->fusedUs);
}

TEST(ConcurrentTest, LargeCopiesStarveBesideProducts) {
  FusionDecision decision =
      worthMerging({makeCopy(1e8), makeProduct(1024)}, getH200());
  EXPECT_FALSE(static_cast<bool>(decision));
  EXPECT_TRUE(static_cast<bool>(
      worthMerging({makeCopy(1e5), makeProduct(1024)}, getH200())));
}

TEST(ConcurrentTest, SidesOfAConditionNeedNotGain) {
  KernelWork product = makeProduct(8192);
  product.blocks = 132 * 32;
  EXPECT_FALSE(static_cast<bool>(worthMerging({product, product}, getH200())));
  EXPECT_TRUE(static_cast<bool>(
      worthMerging({product, product}, getH200(), /*exclusive=*/true)));
}
