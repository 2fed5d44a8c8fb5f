//===- CudaFixture.h - contexts and models on a GPU, or on a mock -*- C++
//-*-===//
//
// Runs against MockCuda.so (FUSION_TEST_MOCK_CUDA), which needs no GPU, and
// where FUSION_TEST_CUDA is in the environment against the real driver; what
// only the mock can tell is then skipped.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_TEST_UNIT_RUNTIME_CUDAFIXTURE_H
#define FUSION_TEST_UNIT_RUNTIME_CUDAFIXTURE_H

#include "FakePrograms.h"
#include "MockCuda.h"

#include "gtest/gtest.h"

#include <cstdlib>
#include <dlfcn.h>

namespace fusion_test {

inline bool usesMock() { return !getenv("FUSION_TEST_CUDA"); }

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

} // namespace fusion_test

#endif // FUSION_TEST_UNIT_RUNTIME_CUDAFIXTURE_H
