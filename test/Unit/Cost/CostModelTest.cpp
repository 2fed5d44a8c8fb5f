//===- CostModelTest.cpp --------------------------------------------------===//

#include "fusion/Cost/CostModel.h"

#include "gtest/gtest.h"

using namespace mlir::fusion;

namespace {
KernelWork makeElementwise(double elements, double flopsPerElement) {
  KernelWork work;
  work.bytesRead = work.bytesWritten = 4 * elements;
  work.flops = elements * flopsPerElement;
  work.blocks = elements / 1024;
  return work;
}
} // namespace

TEST(CostModelTest, SavedTrafficPays) {
  KernelWork one = makeElementwise(1 << 24, 4);
  KernelWork fused = makeElementwise(1 << 24, 8);
  EXPECT_TRUE(static_cast<bool>(
      worthFusing(fused, {one, one}, *getDeviceModel("h200"))));
}

TEST(CostModelTest, SavedLaunchPaysForTinyKernels) {
  KernelWork one = makeElementwise(64, 4);
  EXPECT_TRUE(
      static_cast<bool>(worthFusing(one, {one, one}, *getDeviceModel("a100"))));
}

TEST(CostModelTest, RepeatedArithmeticDoesNot) {
  // 250 operations for each of 4096 rows, against once for each of 4096 x 512.
  KernelWork chain = makeElementwise(4096, 250);
  KernelWork broadcast = makeElementwise(4096 * 512, 1);
  KernelWork fused = makeElementwise(4096 * 512, 251);
  FusionDecision decision =
      worthFusing(fused, {chain, broadcast}, *getDeviceModel("h200"));
  EXPECT_FALSE(static_cast<bool>(decision));
  EXPECT_TRUE(decision.getReason().starts_with("estimated slower fused"));
}

TEST(CostModelTest, LostParallelismDoesNot) {
  // One row: as a part of the reduction, the elementwise work has one block.
  KernelWork reduce = makeElementwise(1 << 23, 1);
  reduce.bytesWritten = 4;
  reduce.blocks = 1;
  KernelWork scale = makeElementwise(1 << 23, 1);
  KernelWork fused = makeElementwise(1 << 23, 2);
  fused.blocks = 1;
  EXPECT_FALSE(static_cast<bool>(
      worthFusing(fused, {reduce, scale}, *getDeviceModel("h200"))));
}
