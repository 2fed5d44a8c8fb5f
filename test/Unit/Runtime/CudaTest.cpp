//===- CudaTest.cpp - programs on a GPU, or on a mock of one --------------===//

#include "CudaFixture.h"

#include <cstring>

using namespace fusion_test;

//===----------------------------------------------------------------------===//
// On either driver
//===----------------------------------------------------------------------===//

TEST_F(CudaTest, DescribesTheDevice) {
  FusionDeviceInfo info;
  ASSERT_EQ(fusionDeviceInfo(context.get(), &info), 0);
  EXPECT_GT(strlen(info.name), 0u);
  EXPECT_GE(info.compute_major, 8);
  EXPECT_GT(info.multiprocessors, 0);
  EXPECT_GE(info.driver_version, 11000);
  EXPECT_GE(info.threads_per_block, 1024);
  EXPECT_GT(info.shared_bytes_per_block, 48 * 1024);
  EXPECT_GT(info.l2_bytes, 1 << 20);
  EXPECT_GT(info.memory_bytes, 1 << 30);
  EXPECT_EQ(fusionRtMultiprocessors(context.get()), info.multiprocessors);
}

TEST_F(CudaTest, WantsAGpuThatIsThere) {
  EXPECT_FALSE(fusionContextCreate(FUSION_CUDA, 99));
  std::string error = fusionLastError(nullptr);
  EXPECT_EQ(error.find("expected the number of one of "), 0u) << error;
  EXPECT_NE(error.find(" GPUs, but got 99"), std::string::npos) << error;
}

TEST_F(CudaTest, CopiesAndFills) {
  void *one = nullptr, *two = nullptr, *none = nullptr, *stream = nullptr;
  char text[] = "sixteen letters.", back[17] = {};
  ASSERT_EQ(fusionAlloc(context.get(), 16, &one), 0);
  ASSERT_EQ(fusionAlloc(context.get(), 16, &two), 0);
  ASSERT_EQ(fusionAlloc(context.get(), 0, &none), 0);
  ASSERT_EQ(fusionStreamCreate(context.get(), &stream), 0);
  EXPECT_EQ(fusionCopyToDevice(context.get(), one, text, 16), 0);
  EXPECT_EQ(fusionCopy(context.get(), two, one, 16, stream), 0);
  EXPECT_EQ(fusionFill(context.get(), two, 'x', 3, stream), 0);
  EXPECT_EQ(fusionStreamSynchronize(context.get(), stream), 0);
  EXPECT_EQ(fusionCopyToHost(context.get(), back, two, 16), 0);
  EXPECT_STREQ(back, "xxxteen letters.");
  for (void *pointer : {one, two, none}) {
    fusionFree(context.get(), pointer);
  }
  fusionStreamDestroy(context.get(), stream);
}

TEST_F(CudaTest, ReportsThatMemoryIsShort) {
  void *pointer = nullptr;
  EXPECT_NE(fusionAlloc(context.get(), int64_t(1) << 50, &pointer), 0);
  EXPECT_FALSE(pointer);
  EXPECT_EQ(error(), "cannot allocate 1125899906842624 bytes of GPU memory: "
                     "cuMemAlloc_v2 failed with CUDA_ERROR_OUT_OF_MEMORY (2): "
                     "out of memory");
}

TEST_F(CudaModelTest, RunsBatchesOfAnySize) {
  for (int64_t batch : {0, 1, 7, 1000}) {
    runHost(batch);
  }
}

TEST_F(CudaModelTest, RunsInAGraph) {
  void *x = nullptr, *y = nullptr, *workspace = nullptr, *stream = nullptr;
  for (void **pointer : {&x, &y, &workspace}) {
    ASSERT_EQ(fusionAlloc(context.get(), 32, pointer), 0);
  }
  std::vector<float> values = {1, 1, 1, 1, 2, 2, 2, 2};
  fusionCopyToDevice(context.get(), x, values.data(), 32);
  ASSERT_EQ(fusionStreamCreate(context.get(), &stream), 0);
  int64_t dims[] = {2, 4};
  FusionArray in = {x, FUSION_F32, 2, dims}, out = {y, FUSION_F32, 2, dims};
  void *graph = nullptr, *start = nullptr, *end = nullptr;
  // Nothing in a run may wait or allocate: a capture forbids both.
  ASSERT_EQ(fusionGraphBegin(context.get(), stream), 0) << error();
  EXPECT_EQ(fusionModelRun(model.get(), &in, 1, &out, 1, workspace, stream), 0)
      << error();
  ASSERT_EQ(fusionGraphEnd(context.get(), stream, &graph), 0) << error();
  fusionEventCreate(context.get(), &start);
  fusionEventCreate(context.get(), &end);
  fusionEventRecord(context.get(), start, stream);
  EXPECT_EQ(fusionGraphLaunch(context.get(), graph, stream), 0) << error();
  fusionEventRecord(context.get(), end, stream);
  float elapsed = 0;
  EXPECT_EQ(fusionEventElapsedMs(context.get(), start, end, &elapsed), 0);
  EXPECT_GT(elapsed, 0);
  fusionCopyToHost(context.get(), values.data(), y, 32);
  EXPECT_EQ(values, (std::vector<float>{2, 3, 4, 5, 3, 4, 5, 6}));
  int64_t nodes = 0;
  if (!usesMock()) {
    EXPECT_EQ(fusionGraphNodeCount(context.get(), graph, &nodes), 0);
    EXPECT_EQ(nodes, 2);
  }
  fusionGraphDestroy(context.get(), graph);
  fusionEventDestroy(context.get(), start);
  fusionEventDestroy(context.get(), end);
  fusionStreamDestroy(context.get(), stream);
  for (void *pointer : {x, y, workspace}) {
    fusionFree(context.get(), pointer);
  }
}

TEST_F(CudaModelTest, WantsAStreamForAGraph) {
  EXPECT_NE(fusionGraphBegin(context.get(), nullptr), 0);
  EXPECT_EQ(error(), "expected a stream of fusionStreamCreate to record a "
                     "graph, but got the null stream");
}

TEST_F(CudaTest, WantsATargetThatTheGpuRuns) {
  FusionProgram program = getCudaProgram();
  FusionDeviceInfo info;
  fusionDeviceInfo(context.get(), &info);
  for (const char *target : {"sm_120", "sm_80a", "sm_103f"}) {
    program.target = target;
    EXPECT_FALSE(fusionModelCreate(context.get(), &program));
    EXPECT_EQ(error(), std::string("expected a GPU that runs ") + target +
                           ", but got " + info.name + ", which is sm_90");
  }
  program.target = "gpu";
  EXPECT_FALSE(fusionModelCreate(context.get(), &program));
  EXPECT_EQ(error(), "expected a GPU target like sm_80, but got 'gpu'");
}

TEST_F(CudaTest, WantsADriverThatIsNewEnough) {
  FusionProgram program = getCudaProgram();
  program.least_driver = 99010;
  EXPECT_FALSE(fusionModelCreate(context.get(), &program));
  EXPECT_EQ(
      error().find("expected a driver for CUDA 99.1 or newer, but got one for"),
      0u);
}

TEST_F(CudaTest, ReportsWhatTheDriverSaysOfAnImage) {
  FusionProgram program = getCudaProgram();
  std::string text = ".version 7.0\n.target sm_80\nnonsense";
  program.image = text.c_str();
  program.image_size = static_cast<int64_t>(text.size());
  EXPECT_FALSE(fusionModelCreate(context.get(), &program));
  EXPECT_EQ(
      error().find("cuModuleLoadDataEx failed with CUDA_ERROR_INVALID_PTX "
                   "(218): a PTX JIT compilation failed\n"),
      0u)
      << error();
  EXPECT_NE(error().find("nonsense"), std::string::npos) << error();
  program.image_size = 0;
  EXPECT_FALSE(fusionModelCreate(context.get(), &program));
  EXPECT_EQ(error(),
            "expected a GPU image for 1 kernels, but the program has none");
}

TEST_F(CudaTest, ChecksKernels) {
  FusionProgram program = getCudaProgram();
  FusionKernel kernel = {"subtract", 128, 0};
  program.kernels = &kernel;
  EXPECT_FALSE(fusionModelCreate(context.get(), &program));
  EXPECT_EQ(error(), "kernel 'subtract': cuModuleGetFunction failed with "
                     "CUDA_ERROR_NOT_FOUND (500): named symbol not found");
  kernel = {"add", 128, 300000};
  EXPECT_FALSE(fusionModelCreate(context.get(), &program));
  EXPECT_EQ(error(), "kernel 'add': expected at most 232448 bytes of shared "
                     "memory, which is what the GPU has per block, but got "
                     "300000");
  kernel = {"add", 2048, 0};
  EXPECT_FALSE(fusionModelCreate(context.get(), &program));
  EXPECT_EQ(error(), "kernel 'add': expected a block of 1 to 1024 threads, but "
                     "got 2048");
}

TEST_F(CudaTest, LaunchesOnlyFromARun) {
  EXPECT_NE(fusionRtLaunch(context.get(), 0, 1, 1, 1, nullptr, nullptr), 0);
  EXPECT_EQ(error(), "expected the context that a program's run was given, but "
                     "this one has no kernels");
}

namespace {
/// A program whose run launches what a test asks for.
struct Launch {
  int32_t kernel = 0;
  int64_t grid[3] = {1, 1, 1};
};
Launch launch;

int32_t runLaunch(FusionContext *context, void *const *args,
                  const int64_t *dims, void *workspace, void *stream) {
  void *x = args[0], *w = args[1], *y = args[2];
  int64_t n = 0;
  void *params[] = {&x, &w, &y, &n};
  return fusionRtLaunch(context, launch.kernel, launch.grid[0], launch.grid[1],
                        launch.grid[2], params, stream);
}
} // namespace

TEST_F(CudaTest, ChecksLaunches) {
  FusionProgram program = getCudaProgram();
  program.run = runLaunch;
  ModelPtr model(fusionModelCreate(context.get(), &program));
  ASSERT_TRUE(model) << error();
  Floats w({1, 2, 3, 4}, {4}), x({1, 2, 3, 4}, {1, 4}), y({0, 0, 0, 0}, {1, 4});
  FusionArray weight = w.view(), in = x.view(), out = y.view();
  ASSERT_EQ(fusionModelPrepare(model.get(), &weight, 1), 0);
  auto run = [&](Launch wanted) {
    launch = wanted;
    bool failed = fusionModelRunHost(model.get(), &in, 1, &out, 1) != 0;
    return failed ? error() : "";
  };
  EXPECT_EQ(run({0, {1, 65535, 65535}}), "");
  EXPECT_EQ(run({0, {5, 0, 5}}), "");
  EXPECT_EQ(run({1, {1, 1, 1}}),
            "expected the number of one of 1 kernels, but got 1");
  EXPECT_EQ(run({0, {-1, 1, 1}}),
            "kernel 'add': expected 0 to 2147483647 blocks in dimension x of "
            "the grid, but got -1");
  EXPECT_EQ(run({0, {1, 1, 65536}}),
            "kernel 'add': expected 0 to 65535 blocks in dimension z of the "
            "grid, but got 65536");
}

//===----------------------------------------------------------------------===//
// What only the mock can tell
//===----------------------------------------------------------------------===//

TEST_F(MockCudaTest, LaunchesWithTheKernelsProperties) {
  EXPECT_TRUE(hasLogged("cuFuncSetAttribute 65536\n"));
  reset();
  runHost(33);
  EXPECT_TRUE(hasLogged("cuLaunchKernel add grid 2 1 1 block 128 1 1 shared "
                        "65536\n"))
      << log();
  EXPECT_TRUE(hasLogged("cuMemsetD8Async 0 528\n"));
  EXPECT_TRUE(hasLogged("cuStreamCreate 1\n"));
  EXPECT_FALSE(hasLogged("refused")) << log();
  EXPECT_FALSE(hasLogged("without a context")) << log();
}

TEST_F(MockCudaTest, LaunchesNothingForAnEmptyGrid) {
  reset();
  runHost(0);
  EXPECT_FALSE(hasLogged("cuLaunchKernel")) << log();
  EXPECT_FALSE(hasLogged("cuMemsetD8Async")) << log();
}

TEST_F(MockCudaTest, NamesTheCallTheCodeAndTheKernel) {
  fail("cuLaunchKernel", 700);
  EXPECT_EQ(runHostFailing(),
            "kernel 'add' (grid 1x1x1, 128 threads, 65536 bytes of shared "
            "memory): cuLaunchKernel failed with CUDA_ERROR_ILLEGAL_ADDRESS "
            "(700): an illegal memory access");
  fail("cuMemsetD8Async", 12345);
  EXPECT_EQ(runHostFailing(),
            "cuMemsetD8Async failed with an error (12345): no description");
  // The next run is not disturbed.
  runHost(3);
}

TEST_F(MockCudaTest, FreesWhatItTookWhereACallFails) {
  int before = live();
  for (const char *call :
       {"cuMemAlloc_v2", "cuMemcpyHtoDAsync_v2", "cuStreamCreate",
        "cuLaunchKernel", "cuStreamSynchronize", "cuMemcpyDtoHAsync_v2"}) {
    fail(call, 700);
    EXPECT_NE(runHostFailing().find(call), std::string::npos) << call;
    EXPECT_EQ(live(), before) << call;
    EXPECT_EQ(depth(), 0) << call;
  }
  fail("cuFuncSetAttribute", 700);
  EXPECT_FALSE(fusionModelCreate(context.get(), &getCudaProgram()));
  EXPECT_EQ(live(), before);
}

TEST_F(MockCudaTest, FailsOnlyWhenAMissingEntryPointIsUsed) {
  void *stream = nullptr, *graph = nullptr;
  ASSERT_EQ(fusionStreamCreate(context.get(), &stream), 0);
  ASSERT_EQ(fusionGraphBegin(context.get(), stream), 0);
  ASSERT_EQ(fusionGraphEnd(context.get(), stream, &graph), 0);
  int64_t nodes = 0;
  EXPECT_NE(fusionGraphNodeCount(context.get(), graph, &nodes), 0);
  EXPECT_EQ(error(),
            "expected a CUDA driver with cuGraphGetNodes, but this one "
            "is too old for it");
  fusionGraphDestroy(context.get(), graph);
  fusionStreamDestroy(context.get(), stream);
}
