//===- CudaTest.cpp - programs on a GPU, or on a mock of one --------------===//
//
// Runs against MockCuda.so (FUSION_TEST_MOCK_CUDA), which needs no GPU, and
// where FUSION_TEST_CUDA is in the environment against the real driver; what
// only the mock can tell is then skipped.
//
//===----------------------------------------------------------------------===//

#include "FakePrograms.h"
#include "MockCuda.h"

#include "gtest/gtest.h"

#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <utility>

using namespace fusion_test;

static bool usesMock() { return !getenv("FUSION_TEST_CUDA"); }

namespace {
/// A context on the GPU.
class CudaTest : public ::testing::Test {
protected:
  static void SetUpTestSuite() {
    if (usesMock()) {
      setenv("FUSION_CUDA_DRIVER", FUSION_TEST_MOCK_CUDA, 1);
    }
  }

  void SetUp() override {
    context.reset(fusionContextCreate(FUSION_CUDA, 0));
    ASSERT_TRUE(context) << fusionLastError(nullptr);
  }

  std::string error() { return fusionLastError(context.get()); }

  ContextPtr context;
};

/// With a model of the program, prepared.
class CudaModelTest : public CudaTest {
protected:
  void SetUp() override {
    CudaTest::SetUp();
    model.reset(fusionModelCreate(context.get(), &getCudaProgram()));
    ASSERT_TRUE(model) << error();
    Floats w({1, 2, 3, 4}, {4});
    FusionArray weight = w.view();
    ASSERT_EQ(fusionModelPrepare(model.get(), &weight, 1), 0) << error();
  }

  /// Runs a batch on host arrays and checks the result.
  void runHost(int64_t batch) {
    auto count = static_cast<size_t>(batch) * 4;
    Floats x(std::vector<float>(count, 10), {batch, 4});
    Floats y(std::vector<float>(count, -1), {batch, 4});
    FusionArray in = x.view(), out = y.view();
    ASSERT_EQ(fusionModelRunHost(model.get(), &in, 1, &out, 1), 0) << error();
    for (size_t i = 0; i < count; ++i) {
      ASSERT_EQ(y.values[i], 11 + static_cast<float>(i % 4)) << i;
    }
  }

  ModelPtr model;
};

/// What only the mock can tell.
class MockCudaTest : public CudaModelTest {
protected:
  void SetUp() override {
    if (!usesMock()) {
      GTEST_SKIP() << "a real driver";
    }
    library = dlopen(FUSION_TEST_MOCK_CUDA, RTLD_NOW | RTLD_LOCAL);
    ASSERT_TRUE(library) << dlerror();
    find(reset, "mockReset");
    find(log, "mockLog");
    find(fail, "mockFail");
    find(live, "mockLive");
    find(depth, "mockDepth");
    liveBefore = live();
    reset();
    CudaModelTest::SetUp();
  }

  void TearDown() override {
    if (!library) {
      return;
    }
    EXPECT_EQ(depth(), 0);
    model.reset();
    context.reset();
    EXPECT_EQ(live(), liveBefore);
    dlclose(library);
  }

  template <typename F> void find(F *&function, const char *name) {
    function = reinterpret_cast<F *>(dlsym(library, name));
    ASSERT_TRUE(function);
  }

  bool hasLogged(const std::string &line) {
    return std::string(log()).find(line) != std::string::npos;
  }

  std::string runHostFailing() {
    Floats x({1, 2, 3, 4}, {1, 4}), y({0, 0, 0, 0}, {1, 4});
    FusionArray in = x.view(), out = y.view();
    EXPECT_NE(fusionModelRunHost(model.get(), &in, 1, &out, 1), 0);
    return error();
  }

  void *library = nullptr;
  decltype(mockReset) *reset = nullptr;
  decltype(mockLog) *log = nullptr;
  decltype(mockFail) *fail = nullptr;
  decltype(mockLive) *live = nullptr;
  decltype(mockDepth) *depth = nullptr;
  int liveBefore = 0;
};
} // namespace

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
// Tensor maps
//===----------------------------------------------------------------------===//

namespace {
/// Arguments of a tensor map that fit: f16[100, 64] in boxes of 32 x 64.
struct MapArguments {
  void *base = nullptr;
  int32_t dtype = FUSION_F16, rank = 2, swizzle = 128;
  int64_t dims[2] = {64, 100}, strides[1] = {128};
  int32_t box[2] = {64, 32};

  int32_t encode(FusionContext *context, void *out) {
    return fusionRtTensorMap(context, out, base, dtype, rank, dims, strides,
                             box, swizzle);
  }
};

class TensorMapTest : public CudaTest {
protected:
  void SetUp() override {
    CudaTest::SetUp();
    ASSERT_EQ(fusionAlloc(context.get(), 12800, &arguments.base), 0);
  }
  void TearDown() override { fusionFree(context.get(), arguments.base); }

  std::string refuse() {
    EXPECT_NE(arguments.encode(context.get(), map), 0);
    return error();
  }

  alignas(64) char map[128] = {};
  MapArguments arguments;
};
} // namespace

TEST_F(TensorMapTest, EncodesAlsoEmptyTensors) {
  EXPECT_EQ(arguments.encode(context.get(), map), 0) << error();
  arguments.dims[1] = 0;
  EXPECT_EQ(arguments.encode(context.get(), map), 0) << error();
  arguments.dims[0] = 0;
  arguments.strides[0] = 0;
  EXPECT_EQ(arguments.encode(context.get(), map), 0) << error();
  void *base = std::exchange(arguments.base, nullptr);
  EXPECT_EQ(arguments.encode(context.get(), map), 0) << error();
  arguments.base = base;
}

TEST_F(TensorMapTest, ReturnsEqualMapsForEqualArguments) {
  ASSERT_EQ(arguments.encode(context.get(), map), 0) << error();
  alignas(64) char again[128] = {}, other[128] = {};
  ASSERT_EQ(arguments.encode(context.get(), again), 0);
  EXPECT_EQ(memcmp(map, again, 128), 0);
  arguments.dims[1] = 99;
  ASSERT_EQ(arguments.encode(context.get(), other), 0);
  EXPECT_NE(memcmp(map, other, 128), 0);
}

TEST_F(TensorMapTest, ChecksItsArguments) {
  arguments.rank = 6;
  EXPECT_EQ(refuse(), "tensor map: expected a rank of 1 to 5, but got 6");
  arguments = {arguments.base};
  arguments.swizzle = 16;
  EXPECT_EQ(refuse(), "tensor map: expected an element type and a swizzle of "
                      "0, 32, 64 or 128 bytes, but got 2 and 16");
  arguments = {arguments.base};
  arguments.box[1] = 257;
  EXPECT_EQ(
      refuse(),
      "tensor map: expected dim 1 of the box to be 1 to 256, but got 257");
  arguments = {arguments.base};
  arguments.strides[0] = 136;
  EXPECT_EQ(refuse(), "tensor map: expected the stride of dim 1 to be a "
                      "multiple of 16 bytes, but got 136");
  arguments = {arguments.base};
  arguments.box[0] = 128;
  EXPECT_EQ(refuse(), "tensor map: expected rows of the box of a multiple of "
                      "16 bytes, within the swizzle of 128, but got 256");
  arguments = {arguments.base};
  arguments.dims[0] = -1;
  EXPECT_EQ(refuse(), "tensor map: expected dim 0 to be 0 to 2^32, but got -1");
  void *base = arguments.base;
  arguments = {static_cast<char *>(base) + 8};
  EXPECT_EQ(refuse().find("tensor map: expected a base aligned to 16 bytes"),
            0u);
  arguments.base = base;
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

TEST_F(MockCudaTest, EncodesATensorMapOnce) {
  auto count = [&] {
    std::string text = log();
    size_t found = 0;
    for (size_t at = text.find("Encode"); at != std::string::npos;
         at = text.find("Encode", at + 1)) {
      ++found;
    }
    return found;
  };
  reset();
  MapArguments arguments;
  arguments.base = reinterpret_cast<void *>(uintptr_t(1) << 20);
  alignas(64) char map[128];
  for (int i = 0; i < 3; ++i) {
    ASSERT_EQ(arguments.encode(context.get(), map), 0) << error();
  }
  EXPECT_STREQ(log(),
               "cuTensorMapEncodeTiled type 6 swizzle 3 promotion 2 fill "
               "0 64:64 100:32:128\n");
  // Many more maps than the cache holds: each is right, old ones are remade.
  for (int round = 0; round < 2; ++round) {
    for (int64_t i = 1; i <= 5000; ++i) {
      arguments.dims[1] = i;
      ASSERT_EQ(arguments.encode(context.get(), map), 0) << error();
      int64_t dim = 0;
      memcpy(&dim, map + 16, sizeof(dim));
      ASSERT_EQ(dim, i);
    }
  }
  EXPECT_GT(count(), 5000u);
  EXPECT_LE(count(), 10001u);
  fail("cuTensorMapEncodeTiled", 700);
  arguments.dims[1] = 6000;
  EXPECT_NE(arguments.encode(context.get(), map), 0);
  EXPECT_EQ(error().find("tensor map: cuTensorMapEncodeTiled failed with "),
            0u);
}
