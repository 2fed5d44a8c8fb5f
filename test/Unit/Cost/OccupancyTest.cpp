//===- OccupancyTest.cpp --------------------------------------------------===//

#include "fusion/Cost/Occupancy.h"

#include "gtest/gtest.h"

using namespace mlir::fusion;

TEST(OccupancyTest, EachResourceCanLimit) {
  DeviceModel device = *getDeviceModel("a100");
  EXPECT_EQ(getBlocksPerSM({128, 32, 0}, device), 16u);    // threads
  EXPECT_EQ(getBlocksPerSM({32, 32, 0}, device), 32u);     // blocks
  EXPECT_EQ(getBlocksPerSM({256, 128, 0}, device), 2u);    // registers
  EXPECT_EQ(getBlocksPerSM({128, 32, 60000}, device), 2u); // shared memory
}

TEST(OccupancyTest, WhatDoesNotFitIsZero) {
  DeviceModel device = *getDeviceModel("sm_89");
  EXPECT_EQ(getBlocksPerSM({128, 32, device.sharedPerBlock + 1}, device), 0u);
  EXPECT_EQ(getBlocksPerSM({1024, 255, 0}, device), 0u);
}

TEST(OccupancyTest, Waves) {
  DeviceModel device = *getDeviceModel("h200");
  EXPECT_EQ(getWaves(0, 1, device), 0);
  EXPECT_EQ(getWaves(1, 1, device), 1);
  EXPECT_EQ(getWaves(132, 1, device), 1);
  EXPECT_EQ(getWaves(133, 1, device), 2);
  EXPECT_EQ(getWaves(133, 2, device), 1);
}
