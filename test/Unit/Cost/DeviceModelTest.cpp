//===- DeviceModelTest.cpp ------------------------------------------------===//

#include "fusion/Cost/DeviceModel.h"

#include "gtest/gtest.h"

using namespace mlir::fusion;

TEST(DeviceModelTest, NamesAndChips) {
  EXPECT_EQ(getDeviceModel("a100")->chip, "sm_80");
  EXPECT_EQ(getDeviceModel("H200")->chip, "sm_90a");
  EXPECT_EQ(getDeviceModel("sm_90a")->name, "h200");
  EXPECT_EQ(getDeviceModel("sm_90")->name, "h200");
  EXPECT_EQ(getDeviceModel("sm_89")->name, "rtx4090");
  EXPECT_EQ(getDeviceModel("l4")->chip, "sm_89");
  EXPECT_TRUE(getDeviceModel("cpu")->isCPU());
  EXPECT_FALSE(getDeviceModel("sm_10"));
  EXPECT_FALSE(getDeviceModel(""));
}

TEST(DeviceModelTest, FiguresAreSane) {
  for (const DeviceModel &device : getDeviceModels()) {
    EXPECT_GT(device.multiprocessors, 0u) << device.name.str();
    EXPECT_GT(device.memoryGBs, 0) << device.name.str();
    EXPECT_GT(device.vectorTFlops, 0) << device.name.str();
    EXPECT_LE(device.sharedPerBlock, device.sharedPerSM) << device.name.str();
    EXPECT_EQ(device.hasTensorCores(), !device.isCPU()) << device.name.str();
  }
}
