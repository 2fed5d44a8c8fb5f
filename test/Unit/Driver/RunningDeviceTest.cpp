//===- RunningDeviceTest.cpp ----------------------------------------------===//

#include "fusion/Driver/RunningDevice.h"

#include "gtest/gtest.h"
#include <cstring>

using namespace mlir::fusion;

static FusionDeviceInfo makeInfo(const char *name) {
  FusionDeviceInfo info = {};
  std::strncpy(info.name, name, sizeof(info.name) - 1);
  return info;
}

TEST(RunningDeviceTest, NamesOfDrivers) {
  auto find = [](const char *name, const char *target) {
    return findRunningDevice(makeInfo(name), target)->name.str();
  };
  EXPECT_EQ(find("NVIDIA H200", "sm_90a"), "h200");
  EXPECT_EQ(find("NVIDIA H100 80GB HBM3", "sm_90a"), "h100");
  EXPECT_EQ(find("NVIDIA A100-SXM4-40GB", "sm_80"), "a100");
  EXPECT_EQ(find("NVIDIA GeForce RTX 4090", "sm_89"), "rtx4090");
  EXPECT_EQ(find("NVIDIA L4", "sm_89"), "l4");
  // Another device of the target stands for it.
  EXPECT_EQ(find("NVIDIA L40S", "sm_89"), "rtx4090");
  EXPECT_FALSE(findRunningDevice(makeInfo("NVIDIA L4"), "sm_10"));
}

TEST(RunningDeviceTest, FiguresOfTheDriver) {
  FusionDeviceInfo info = makeInfo("NVIDIA L40S");
  info.multiprocessors = 142;
  info.clock_khz = 2520000;
  info.memory_clock_khz = 9001000;
  info.memory_bus_bits = 384;
  info.l2_bytes = 96000000;
  DeviceModel known = *getDeviceModel("rtx4090");
  DeviceModel model = fitToDevice(known, info);
  EXPECT_EQ(model.multiprocessors, 142u);
  EXPECT_NEAR(model.tensorTFlops, known.tensorTFlops * 142 / 128, 1);
  EXPECT_NEAR(model.memoryGBs, 864, 1);
  EXPECT_EQ(model.l2MB, 96);
  EXPECT_EQ(model.registersPerSM, known.registersPerSM); // not reported
}

TEST(RunningDeviceTest, KnownDevicesKeepTheirRates) {
  FusionDeviceInfo info = makeInfo("NVIDIA H200");
  info.clock_khz = 1980000;
  info.multiprocessors = 132;
  DeviceModel known = *getDeviceModel("h200");
  DeviceModel model = fitToDevice(known, info);
  EXPECT_EQ(model.tensorTFlops, known.tensorTFlops);
  EXPECT_EQ(model.clockGHz, known.clockGHz);
}
