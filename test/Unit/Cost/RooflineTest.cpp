//===- RooflineTest.cpp ---------------------------------------------------===//

#include "fusion/Cost/Roofline.h"

#include "gtest/gtest.h"

using namespace mlir::fusion;

namespace {
KernelWork makeMatmul(double m, double n, double k) {
  KernelWork work;
  work.bytesRead = 2 * (m * k + k * n);
  work.bytesWritten = 2 * m * n;
  work.matmulFlops = 2 * m * n * k;
  work.tensorCores = true;
  work.blocks = m * n / (128 * 128);
  return work;
}
} // namespace

TEST(RooflineTest, NothingCostsALaunch) {
  DeviceModel device = *getDeviceModel("h200");
  Estimate estimate = estimateKernel(KernelWork(), device);
  EXPECT_EQ(estimate.us, device.launchUs);
  EXPECT_EQ(estimate.bound, Bound::Launch);
}

TEST(RooflineTest, CopiesAreMemoryBound) {
  DeviceModel device = *getDeviceModel("h200");
  KernelWork work;
  work.bytesRead = work.bytesWritten = 256 << 20;
  work.blocks = 1 << 16;
  Estimate estimate = estimateKernel(work, device);
  EXPECT_EQ(estimate.bound, Bound::Memory);
  // Between the peak and half of it.
  double peakUs = 2.0 * (256 << 20) / (device.memoryGBs * 1e3);
  EXPECT_GT(estimate.us, peakUs);
  EXPECT_LT(estimate.us, 2 * peakUs);
}

TEST(RooflineTest, LargeHalfMatmulsAreTensorBound) {
  DeviceModel device = *getDeviceModel("h200");
  Estimate estimate = estimateKernel(makeMatmul(4096, 4096, 4096), device);
  EXPECT_EQ(estimate.bound, Bound::TensorCores);
  EXPECT_GT(estimate.us, 139); // 989 TFLOP/s
  EXPECT_LT(estimate.us, 280);
}

TEST(RooflineTest, WithoutTensorCoresArithmeticBounds) {
  KernelWork work = makeMatmul(1024, 1024, 1024);
  work.tensorCores = false;
  Estimate gpu = estimateKernel(work, *getDeviceModel("a100"));
  EXPECT_EQ(gpu.bound, Bound::Arithmetic);
  Estimate cpu =
      estimateKernel(makeMatmul(1024, 1024, 1024), *getDeviceModel("cpu"));
  EXPECT_EQ(cpu.bound, Bound::Arithmetic);
  EXPECT_GT(cpu.us, gpu.us);
}

TEST(RooflineTest, OneBlockCannotUseTheDevice) {
  DeviceModel device = *getDeviceModel("h200");
  KernelWork work;
  work.bytesRead = 64 << 20;
  work.blocks = 1;
  double alone = estimateKernel(work, device).us;
  work.blocks = 1024;
  EXPECT_GT(alone, 20 * estimateKernel(work, device).us);
}

TEST(RooflineTest, MoreWorkIsNeverFaster) {
  for (const DeviceModel &device : getDeviceModels()) {
    double last = 0;
    for (double size = 128; size <= 8192; size *= 2) {
      double us = estimateKernel(makeMatmul(size, size, size), device).us;
      EXPECT_GE(us, last) << device.name.str() << " " << size;
      last = us;
    }
  }
}
