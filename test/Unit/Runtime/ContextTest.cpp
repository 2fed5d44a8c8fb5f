//===- ContextTest.cpp - devices, memory, events and their errors ---------===//

#include "FakePrograms.h"

#include "gtest/gtest.h"

#include <cstdlib>
#include <cstring>
#include <thread>

using namespace fusion_test;

// A sanitizer's allocator is to fail as the system's does.
extern "C" const char *__asan_default_options() {
  return "allocator_may_return_null=1";
}

TEST(ContextTest, KnowsOneCpu) {
  EXPECT_FALSE(fusionContextCreate(FUSION_CPU, 1));
  EXPECT_STREQ(fusionLastError(nullptr),
               "expected the CPU to be device 0, but got 1");
}

TEST(ContextTest, SaysThatThereIsNoCuda) {
  setenv("FUSION_CUDA_DRIVER", "/nowhere/libcuda.so.1", 1);
  EXPECT_FALSE(fusionContextCreate(FUSION_CUDA, 0));
  std::string error = fusionLastError(nullptr);
  EXPECT_EQ(error.find("cannot open the CUDA driver (is an NVIDIA driver "
                       "installed?): /nowhere/libcuda.so.1: "),
            0u)
      << error;
  // Some other library is no driver.
  setenv("FUSION_CUDA_DRIVER", "libm.so.6", 1);
  EXPECT_FALSE(fusionContextCreate(FUSION_CUDA, 0));
  EXPECT_STREQ(
      fusionLastError(nullptr),
      "cannot use the CUDA driver: expected a CUDA driver with cuInit, "
      "but this one is too old for it");
}

TEST(ContextTest, WantsANumberOfThreads) {
  setenv("FUSION_NUM_THREADS", "many", 1);
  EXPECT_FALSE(fusionContextCreate(FUSION_CPU, 0));
  EXPECT_STREQ(fusionLastError(nullptr),
               "expected FUSION_NUM_THREADS to be a "
               "number from 1 to 4096, but got 'many'");
  unsetenv("FUSION_NUM_THREADS");
}

TEST(ContextTest, KeepsTheFailureThatMadeAContextNull) {
  EXPECT_FALSE(fusionContextCreate(FUSION_CPU, 3));
  std::string error = fusionLastError(nullptr);
  EXPECT_FALSE(fusionModelLoad(nullptr, "model.so"));
  EXPECT_NE(fusionModelPrepare(nullptr, nullptr, 0), 0);
  EXPECT_NE(fusionModelRunHost(nullptr, nullptr, 0, nullptr, 0), 0);
  EXPECT_EQ(fusionLastError(nullptr), error);
  fusionModelDestroy(nullptr);
  fusionContextDestroy(nullptr);
  std::thread([] {
    EXPECT_STREQ(fusionLastError(nullptr), "");
    EXPECT_NE(fusionStreamSynchronize(nullptr, nullptr), 0);
    EXPECT_STREQ(fusionLastError(nullptr), "expected a context, but got null");
  }).join();
}

TEST(ContextTest, DescribesTheCpu) {
  ContextPtr context(fusionContextCreate(FUSION_CPU, 0));
  FusionDeviceInfo info;
  ASSERT_EQ(fusionDeviceInfo(context.get(), &info), 0);
  EXPECT_GT(strlen(info.name), 0u);
  EXPECT_GE(info.multiprocessors, 1);
  EXPECT_GT(info.memory_bytes, 1 << 20);
  EXPECT_EQ(info.compute_major, 0);
  EXPECT_EQ(fusionRtMultiprocessors(context.get()), 1);
}

TEST(ContextTest, ManagesMemory) {
  ContextPtr context(fusionContextCreate(FUSION_CPU, 0));
  char text[] = "sixteen letters.", back[16] = {};
  void *one = nullptr, *two = nullptr, *none = nullptr;
  ASSERT_EQ(fusionAlloc(context.get(), 16, &one), 0);
  ASSERT_EQ(fusionAlloc(context.get(), 16, &two), 0);
  ASSERT_EQ(fusionAlloc(context.get(), 0, &none), 0);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(one) % 256, 0u);
  EXPECT_TRUE(none);
  EXPECT_EQ(fusionCopyToDevice(context.get(), one, text, 16), 0);
  EXPECT_EQ(fusionCopy(context.get(), two, one, 16, nullptr), 0);
  EXPECT_EQ(fusionFill(context.get(), two, 'x', 3, nullptr), 0);
  EXPECT_EQ(fusionCopyToHost(context.get(), back, two, 16), 0);
  EXPECT_EQ(std::string(back, 16), "xxxteen letters.");
  for (void *pointer : {one, two, none, static_cast<void *>(nullptr)}) {
    fusionFree(context.get(), pointer);
  }
}

TEST(ContextTest, RefusesImpossibleSizes) {
  ContextPtr context(fusionContextCreate(FUSION_CPU, 0));
  void *pointer = context.get();
  EXPECT_NE(fusionAlloc(context.get(), -1, &pointer), 0);
  EXPECT_FALSE(pointer);
  EXPECT_STREQ(fusionLastError(context.get()),
               "expected a number of bytes, but got -1");
  EXPECT_NE(fusionAlloc(context.get(), INT64_MAX, &pointer), 0);
  EXPECT_STREQ(fusionLastError(context.get()),
               "cannot allocate 9223372036854775807 bytes of host memory");
  EXPECT_NE(fusionFill(context.get(), pointer, 256, 0, nullptr), 0);
  EXPECT_STREQ(fusionLastError(context.get()),
               "expected a byte from 0 to 255, but got 256");
}

TEST(ContextTest, MeasuresTime) {
  ContextPtr context(fusionContextCreate(FUSION_CPU, 0));
  void *stream = context.get(), *start = nullptr, *end = nullptr;
  ASSERT_EQ(fusionStreamCreate(context.get(), &stream), 0);
  EXPECT_FALSE(stream);
  ASSERT_EQ(fusionEventCreate(context.get(), &start), 0);
  ASSERT_EQ(fusionEventCreate(context.get(), &end), 0);
  EXPECT_EQ(fusionEventRecord(context.get(), start, stream), 0);
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_EQ(fusionEventRecord(context.get(), end, stream), 0);
  float elapsed = 0;
  EXPECT_EQ(fusionEventElapsedMs(context.get(), start, end, &elapsed), 0);
  EXPECT_GE(elapsed, 5);
  fusionEventDestroy(context.get(), start);
  fusionEventDestroy(context.get(), end);
  fusionStreamDestroy(context.get(), stream);
}

TEST(ContextTest, OffersGraphsOnCudaOnly) {
  ContextPtr context(fusionContextCreate(FUSION_CPU, 0));
  EXPECT_NE(fusionGraphBegin(context.get(), nullptr), 0);
  EXPECT_STREQ(fusionLastError(context.get()),
               "expected a CUDA device for graphs, but got the CPU");
  char map[128];
  int64_t dims[] = {8};
  int32_t box[] = {8};
  EXPECT_NE(fusionRtTensorMap(context.get(), map, map, FUSION_F32, 1, dims,
                              nullptr, box, 0),
            0);
  EXPECT_STREQ(fusionLastError(context.get()),
               "tensor map: expected a CUDA "
               "device for tensor maps, but got "
               "the CPU");
}

TEST(ContextTest, KeepsErrorsOfContextsApart) {
  ContextPtr one(fusionContextCreate(FUSION_CPU, 0));
  ContextPtr two(fusionContextCreate(FUSION_CPU, 0));
  void *pointer = nullptr;
  EXPECT_NE(fusionAlloc(one.get(), -1, &pointer), 0);
  EXPECT_STREQ(fusionLastError(two.get()), "");
  EXPECT_STREQ(fusionLastError(one.get()),
               "expected a number of bytes, but got -1");
}

TEST(ElementTypesTest, HaveSizesAndNames) {
  const char *names[] = {"f32", "f16", "bf16", "f64", "i1",  "i8", "i16",
                         "i32", "i64", "u8",   "u16", "u32", "u64"};
  const int64_t sizes[] = {4, 2, 2, 8, 1, 1, 2, 4, 8, 1, 2, 4, 8};
  for (int32_t i = 0; i < 13; ++i) {
    EXPECT_STREQ(fusionDTypeName(i + FUSION_F32), names[i]);
    EXPECT_EQ(fusionDTypeSize(i + FUSION_F32), sizes[i]);
  }
  EXPECT_STREQ(fusionDTypeName(0), "unknown");
  EXPECT_EQ(fusionDTypeSize(FUSION_U64 + 1), 0);
}
