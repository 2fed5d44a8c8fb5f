//===- DeviceModelTest.cpp ------------------------------------------------===//

#include "fusion/Cost/DeviceModel.h"

#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"
#include <cmath>

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

TEST(DeviceModelTest, PeaksFollowFromClocks) {
  // 128 scalar multiply-adds and, by generation, 512 or 1024 (sm_80), 2048
  // (sm_90a) of f16 with f32 sums for each multiprocessor and cycle; data
  // sheets of some devices take a higher clock for one of the two.
  for (const DeviceModel &device : getDeviceModels()) {
    if (device.isCPU()) {
      continue;
    }
    double cycles = device.multiprocessors * device.clockGHz * 1e-3; // T/s
    double lanes = device.chip == "sm_80" ? 64 : 128;
    EXPECT_NEAR(device.vectorTFlops / (2 * lanes * cycles), 1, 0.1)
        << device.name.str();
    double perCycle = device.tensorTFlops / (2 * cycles);
    bool known = llvm::any_of(
        llvm::ArrayRef<double>{256, 512, 1024, 2048},
        [&](double count) { return std::abs(perCycle / count - 1) < 0.05; });
    EXPECT_TRUE(known) << device.name.str() << " " << perCycle;
  }
}

TEST(DeviceModelTest, FiguresOfDataSheets) {
  struct Sheet {
    const char *name;
    unsigned multiprocessors;
    double memoryGBs, tensorTFlops, l2MB;
    unsigned sharedKB, threads, blocks;
  };
  const Sheet sheets[] = {{"a100", 108, 2039, 312, 40, 164, 2048, 32},
                          {"h100", 132, 3350, 989, 50, 228, 2048, 32},
                          {"h200", 132, 4800, 989, 50, 228, 2048, 32},
                          {"rtx4090", 128, 1008, 165, 72, 100, 1536, 24},
                          {"rtx3090", 82, 936, 71, 6, 100, 1536, 16},
                          {"l4", 58, 300, 121, 48, 100, 1536, 24}};
  for (const Sheet &sheet : sheets) {
    DeviceModel device = *getDeviceModel(sheet.name);
    EXPECT_EQ(device.multiprocessors, sheet.multiprocessors) << sheet.name;
    EXPECT_EQ(device.memoryGBs, sheet.memoryGBs) << sheet.name;
    EXPECT_EQ(device.tensorTFlops, sheet.tensorTFlops) << sheet.name;
    EXPECT_EQ(device.l2MB, sheet.l2MB) << sheet.name;
    EXPECT_EQ(device.sharedPerSM, sheet.sharedKB * 1024) << sheet.name;
    // A block leaves 1 KB to the system.
    EXPECT_EQ(device.sharedPerBlock, device.sharedPerSM - 1024) << sheet.name;
    EXPECT_EQ(device.maxThreadsPerSM, sheet.threads) << sheet.name;
    EXPECT_EQ(device.maxBlocksPerSM, sheet.blocks) << sheet.name;
    EXPECT_EQ(device.registersPerSM, 65536u) << sheet.name;
    bool hopper = device.chip == "sm_90a";
    EXPECT_EQ(device.mmaShare < 1, hopper) << sheet.name;
  }
}
