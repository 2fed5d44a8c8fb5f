//===- ModelTest.cpp - programs on the CPU --------------------------------===//

#include "FakePrograms.h"

#include "gtest/gtest.h"

#include <cstdlib>
#include <cstring>
#include <thread>

using namespace fusion_test;

namespace {
/// A prepared model of the affine program, and arrays of a batch of 2 that fit.
class ModelTest : public ::testing::Test {
protected:
  void SetUp() override {
    context.reset(fusionContextCreate(FUSION_CPU, 0));
    ASSERT_TRUE(context) << fusionLastError(nullptr);
    model.reset(fusionModelCreate(context.get(), &getAffineProgram()));
    ASSERT_TRUE(model) << fusionLastError(context.get());
  }

  void prepare() {
    FusionArray weight = weights.view();
    ASSERT_EQ(fusionModelPrepare(model.get(), &weight, 1), 0) << error();
  }

  /// Runs on host arrays; returns the message of a failure.
  std::string runHost() {
    std::vector<FusionArray> in = {x.view(), offset.view(), mask.view()};
    std::vector<FusionArray> out = {y.view(), sum.view()};
    int32_t status =
        fusionModelRunHost(model.get(), in.data(), 3, out.data(), 2);
    return status ? error() : "";
  }

  std::string error() { return fusionLastError(context.get()); }

  ContextPtr context;
  ModelPtr model;
  Floats weights{{1, 10, 100}, {3}};
  Floats x{{1, 2, 3, 4, 5, 6}, {2, 3}};
  Floats offset{{0.5f, 0.25f}, {2}};
  Floats mask{{0}, {1}};
  Floats y{std::vector<float>(6, -1), {2, 3}};
  Floats sum{{-1}, {}};
};

/// Device arrays and a workspace for direct runs.
class DirectRunTest : public ModelTest {
protected:
  void SetUp() override {
    ModelTest::SetUp();
    prepare();
    for (Floats *floats : {&x, &offset, &mask, &y, &sum}) {
      FusionArray array = floats->view();
      void *data = allocate(floats->values.size() * sizeof(float));
      fusionCopyToDevice(context.get(), data, array.data,
                         static_cast<int64_t>(floats->values.size() * 4));
      array.data = data;
      (inputs.size() < 3 ? inputs : results).push_back(array);
    }
    workspace = allocate(24);
  }

  void TearDown() override {
    for (void *pointer : allocations) {
      fusionFree(context.get(), pointer);
    }
  }

  void *allocate(size_t bytes) {
    void *pointer = nullptr;
    EXPECT_EQ(fusionAlloc(context.get(), static_cast<int64_t>(bytes), &pointer),
              0);
    allocations.push_back(pointer);
    return pointer;
  }

  std::string run() {
    int32_t status =
        fusionModelRun(model.get(), inputs.data(), 3, results.data(), 2,
                       workspace, /*stream=*/nullptr);
    return status ? error() : "";
  }

  std::vector<void *> allocations;
  std::vector<FusionArray> inputs, results;
  void *workspace = nullptr;
};
} // namespace

TEST_F(ModelTest, ComputesOnHostArrays) {
  prepare();
  ASSERT_EQ(runHost(), "");
  EXPECT_EQ(y.values, (std::vector<float>{101.5f, 220.5f, 600.5f, 104.25f,
                                          250.25f, 900.25f}));
  EXPECT_EQ(sum.values[0], 2177.25f);
}

TEST_F(ModelTest, RunsOtherBatchesWithoutLoadingAgain) {
  prepare();
  for (int64_t batch : {0, 1, 7, 1000}) {
    auto count = static_cast<size_t>(batch);
    x = Floats(std::vector<float>(count * 3, 2), {batch, 3});
    offset = Floats(std::vector<float>(count, 1), {batch});
    y = Floats(std::vector<float>(count * 3, -1), {batch, 3});
    ASSERT_EQ(runHost(), "") << batch;
    for (size_t i = 0; i < count; ++i) {
      ASSERT_EQ(y.values[3 * i + 1], 221) << batch;
    }
    EXPECT_EQ(sum.values[0], static_cast<float>(batch) * (103 + 221 + 501));
  }
}

TEST_F(ModelTest, KeepsCopiesOfTheWeights) {
  prepare();
  weights.values.assign(3, 0);
  ASSERT_EQ(runHost(), "");
  EXPECT_EQ(y.values[0], 101.5f);
}

TEST_F(ModelTest, TellsResultDimsAndWorkspace) {
  prepare();
  std::vector<FusionArray> in = {x.view(), offset.view(), mask.view()};
  int64_t dims[2] = {}, bytes = 0;
  ASSERT_EQ(fusionModelResultDims(model.get(), in.data(), 3, 0, dims), 0);
  EXPECT_EQ(dims[0], 2);
  EXPECT_EQ(dims[1], 3);
  ASSERT_EQ(fusionModelWorkspaceSize(model.get(), in.data(), 3, &bytes), 0);
  EXPECT_EQ(bytes, 24);
  EXPECT_NE(fusionModelResultDims(model.get(), in.data(), 3, 2, dims), 0);
  EXPECT_EQ(error(), "expected the number of one of 2 results, but got 2");
}

TEST_F(ModelTest, WantsTheWeightsFirst) {
  EXPECT_EQ(runHost(), "expected the weights of fusionModelPrepare first");
}

TEST_F(ModelTest, WantsTheWeightsOnce) {
  prepare();
  FusionArray weight = weights.view();
  EXPECT_NE(fusionModelPrepare(model.get(), &weight, 1), 0);
  EXPECT_EQ(error(),
            "expected the weights once, but this model has them already");
}

TEST_F(ModelTest, ChecksTheWeights) {
  EXPECT_NE(fusionModelPrepare(model.get(), nullptr, 0), 0);
  EXPECT_EQ(error(), "expected 1 weights ('w'), but got 0");
  FusionArray weight = weights.view();
  weight.dtype = FUSION_F16;
  EXPECT_NE(fusionModelPrepare(model.get(), &weight, 1), 0);
  EXPECT_EQ(error(), "weight 'w': expected elements of type f32, but got f16");
  weight = weights.view();
  weight.data = nullptr;
  EXPECT_NE(fusionModelPrepare(model.get(), &weight, 1), 0);
  EXPECT_EQ(error(), "weight 'w': expected 12 bytes of data, but got null");
}

TEST_F(ModelTest, ChecksTheNumberOfArrays) {
  prepare();
  FusionArray in = x.view(), out = y.view();
  EXPECT_NE(fusionModelRunHost(model.get(), &in, 1, &out, 1), 0);
  EXPECT_EQ(error(), "expected 3 inputs ('x', 'offset', 'mask'), but got 1");
  std::vector<FusionArray> ins = {x.view(), offset.view(), mask.view()};
  EXPECT_NE(fusionModelRunHost(model.get(), ins.data(), 3, &out, 1), 0);
  EXPECT_EQ(error(), "expected 2 results ('y', 'sum'), but got 1");
  EXPECT_NE(fusionModelRunHost(model.get(), nullptr, 3, &out, 1), 0);
  EXPECT_EQ(error(), "expected 3 inputs, but got null");
}

TEST_F(ModelTest, ChecksRanksAndDims) {
  prepare();
  x.dims = {6};
  EXPECT_EQ(runHost(), "input 'x': expected rank 2, but got 1");
  x.dims = {3, 2};
  EXPECT_EQ(runHost(), "input 'x': expected dim 1 to be 3, but got 2");
  x.dims = {-2, 3};
  EXPECT_EQ(runHost(), "input 'x': expected dim 0 to be 0 or more, but got -2");
  x.dims = {int64_t(1) << 62, 3};
  EXPECT_EQ(runHost(), "input 'x': expected fewer than 2^63 bytes");
}

TEST_F(ModelTest, ChecksThatNamedDimsAgree) {
  prepare();
  offset.dims = {1};
  EXPECT_EQ(runHost(), "input 'offset': expected dim 0 ('batch') to be 2 as in "
                       "input 'x', but got 1");
}

TEST_F(ModelTest, LeavesUnnamedDimsFree) {
  prepare();
  mask = Floats(std::vector<float>(5), {5});
  EXPECT_EQ(runHost(), "");
}

TEST_F(ModelTest, ChecksResultsAgainstTheProgram) {
  prepare();
  y.dims = {1, 3};
  EXPECT_EQ(runHost(), "result 'y': expected dim 0 to be 2, but got 1");
}

TEST_F(ModelTest, ReportsThatTheProgramRefusesDims) {
  prepare();
  x = Floats(std::vector<float>(3003), {1001, 3});
  offset = Floats(std::vector<float>(1001), {1001});
  EXPECT_EQ(runHost(), "expected dims that fit each other, but the program "
                       "refuses those of the inputs (status 7)");
}

TEST_F(ModelTest, ReportsAStatusWithoutAMessage) {
  ModelPtr failing(fusionModelCreate(context.get(), &getFailingProgram()));
  ASSERT_TRUE(failing);
  Floats one({1, 2}, {2}), two({3, 4}, {2});
  std::vector<FusionArray> in = {one.view(), two.view()};
  EXPECT_EQ(fusionContextCreate(FUSION_CPU, 1), nullptr);
  const char *before = fusionLastError(nullptr);
  EXPECT_NE(fusionModelRunHost(failing.get(), in.data(), 2, nullptr, 0), 0);
  // A text that was handed out is left alone until the next one is.
  EXPECT_STREQ(before, "expected the CPU to be device 0, but got 1");
  EXPECT_EQ(error(), "the program failed with status 5");
}

TEST_F(ModelTest, RefusesOtherProgramsThanItsOwn) {
  FusionProgram program = getAffineProgram();
  program.abi_version = 99;
  EXPECT_FALSE(fusionModelCreate(context.get(), &program));
  EXPECT_EQ(error(), "expected a program of version 1 of the runtime contract, "
                     "but got version 99");
  EXPECT_FALSE(fusionModelCreate(context.get(), &getCudaProgram()));
  EXPECT_EQ(error(), "expected a program for the CPU, but got one for CUDA");
  program = getAffineProgram();
  program.run = nullptr;
  EXPECT_FALSE(fusionModelCreate(context.get(), &program));
  EXPECT_EQ(error(), "expected a complete program, but a function or the table "
                     "of arguments is missing");
  FusionArgument argument = program.arguments[0];
  argument.dtype = 77;
  program = getAffineProgram();
  program.num_arguments = 1;
  program.arguments = &argument;
  EXPECT_FALSE(fusionModelCreate(context.get(), &program));
  EXPECT_EQ(error(),
            "argument 0 of the program: expected an element type, but got 77");
}

TEST_F(ModelTest, OutlivesItsContext) {
  prepare();
  context.reset();
  FusionArray in[] = {x.view(), offset.view(), mask.view()};
  FusionArray out[] = {y.view(), sum.view()};
  EXPECT_EQ(fusionModelRunHost(model.get(), in, 3, out, 2), 0);
  EXPECT_EQ(y.values[0], 101.5f);
}

TEST_F(DirectRunTest, WritesToTheGivenArrays) {
  ASSERT_EQ(run(), "");
  fusionCopyToHost(context.get(), y.values.data(), results[0].data, 24);
  EXPECT_EQ(y.values[5], 900.25f);
}

TEST_F(DirectRunTest, ChecksAlignment) {
  inputs[0].data = static_cast<char *>(inputs[0].data) + 8;
  EXPECT_EQ(run().find("input 'x': expected data aligned to 16 bytes, but got"),
            0u);
  inputs[0].data = static_cast<char *>(inputs[0].data) + 8;
  EXPECT_EQ(run(), "");
  workspace = static_cast<char *>(workspace) + 128;
  EXPECT_EQ(run().find("expected a workspace of 24 bytes aligned to 256, but "
                       "got"),
            0u);
}

TEST_F(DirectRunTest, ChecksForNull) {
  workspace = nullptr;
  EXPECT_EQ(run().find("expected a workspace of 24 bytes"), 0u);
  results[1].data = nullptr;
  EXPECT_EQ(run(), "result 'sum': expected 4 bytes of data, but got null");
}

TEST_F(DirectRunTest, ChecksOverlaps) {
  void *y = results[0].data;
  results[0].data = inputs[0].data;
  EXPECT_EQ(
      run(),
      "input 'x': expected memory of its own, but it overlaps result 'y'");
  results[0].data = y;
  results[1].data = static_cast<char *>(y) + 16;
  EXPECT_EQ(
      run(),
      "result 'y': expected memory of its own, but it overlaps result 'sum'");
  results[1].data = workspace;
  EXPECT_EQ(run(), "result 'sum': expected memory of its own, but it overlaps "
                   "the workspace");
}

TEST_F(DirectRunTest, AllowsInputsToShareMemory) {
  inputs[2].data = inputs[1].data;
  EXPECT_EQ(run(), "");
}

TEST_F(ModelTest, RunsFromSeveralThreads) {
  prepare();
  std::vector<std::thread> threads;
  std::vector<int> wrong(4, 0);
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 50; ++i) {
        int64_t batch = 1 + (t * 50 + i) % 60;
        auto count = static_cast<size_t>(batch);
        Floats mine(std::vector<float>(count * 3, static_cast<float>(t)),
                    {batch, 3});
        Floats shift(std::vector<float>(count, 1), {batch});
        Floats other(std::vector<float>(count * 3), {batch, 3});
        Floats total({0}, {});
        // Every fifth run is wrong, and must not disturb the others.
        bool fails = i % 5 == 0;
        shift.dims[0] += fails;
        shift.values.resize(count + 1);
        FusionArray in[] = {mine.view(), shift.view(), mask.view()};
        FusionArray out[] = {other.view(), total.view()};
        int32_t status = fusionModelRunHost(model.get(), in, 3, out, 2);
        wrong[t] += (status != 0) != fails;
        wrong[t] +=
            !fails && other.values[1] != static_cast<float>(t) * 10 + 201;
      }
    });
  }
  for (std::thread &thread : threads) {
    thread.join();
  }
  EXPECT_EQ(wrong, std::vector<int>(4, 0));
}
