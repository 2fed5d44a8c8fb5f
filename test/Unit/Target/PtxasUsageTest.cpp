//===- PtxasUsageTest.cpp - what ptxas says about kernels -----------------===//

#include "fusion/Target/PTX/PTX.h"
#include "gtest/gtest.h"

using namespace mlir::fusion;

TEST(PtxasUsage, ReadsEachKernel) {
  auto kernels = parsePtxasUsage(
      "ptxas info    : 0 bytes gmem\n"
      "ptxas info    : Compiling entry function 'first' for 'sm_90a'\n"
      "ptxas info    : Function properties for first\n"
      "    40 bytes stack frame, 32 bytes spill stores, 48 bytes spill loads\n"
      "ptxas info    : Used 168 registers, used 16 barriers\n"
      "ptxas info    : Compiling entry function 'second' for 'sm_90a'\n"
      "ptxas info    : Function properties for second\n"
      "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
      "ptxas info    : Used 30 registers, used 1 barriers, 1024 bytes smem\n");
  ASSERT_EQ(kernels.size(), 2u);
  EXPECT_EQ(kernels[0].name, "first");
  EXPECT_EQ(kernels[0].registers, 168);
  EXPECT_EQ(kernels[0].stackBytes, 40);
  EXPECT_EQ(kernels[0].spillStoreBytes, 32);
  EXPECT_EQ(kernels[0].spillLoadBytes, 48);
  EXPECT_EQ(kernels[0].sharedBytes, 0);
  EXPECT_EQ(kernels[1].name, "second");
  EXPECT_EQ(kernels[1].registers, 30);
  EXPECT_EQ(kernels[1].spillStoreBytes, 0);
  EXPECT_EQ(kernels[1].sharedBytes, 1024);
}

TEST(PtxasUsage, IgnoresTheRest) {
  EXPECT_TRUE(parsePtxasUsage("").empty());
  EXPECT_TRUE(parsePtxasUsage("ptxas fatal   : Unresolved extern\n").empty());
}
