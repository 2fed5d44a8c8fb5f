//===- ParameterTableTest.cpp - kernel parameters in memory ---------------===//

#include "CudaFixture.h"

#include <numeric>

using namespace fusion_test;

namespace {
/// What the run of the program below is to ask for, and what it was given.
struct Request {
  std::vector<int64_t> entries;
  void *memory = nullptr, *table = nullptr;
};
Request request;

int32_t runRequest(FusionContext *context, void *const *args,
                   const int64_t *dims, void *workspace, void *stream) {
  return fusionRtParameterTable(context, request.entries.data(),
                                static_cast<int64_t>(request.entries.size()),
                                request.memory, stream, &request.table);
}

/// A model whose runs ask for a table.
class ParameterTableTest : public CudaTest {
protected:
  static constexpr int64_t mostEntries = 20000;

  void SetUp() override {
    CudaTest::SetUp();
    FusionContext *c = context.get();
    program = getCudaProgram();
    program.run = runRequest;
    model.reset(fusionModelCreate(c, &program));
    ASSERT_TRUE(model) << error();
    Floats w({1, 2, 3, 4}, {4});
    FusionArray weight = w.view();
    ASSERT_EQ(fusionModelPrepare(model.get(), &weight, 1), 0) << error();
    for (void **pointer : {&x, &y, &workspace}) {
      ASSERT_EQ(fusionAlloc(c, 16, pointer), 0);
    }
    ASSERT_EQ(fusionAlloc(c, mostEntries * 8, &request.memory), 0);
    ASSERT_EQ(fusionStreamCreate(c, &stream), 0);
  }

  void TearDown() override {
    for (void *pointer : {x, y, workspace, request.memory}) {
      fusionFree(context.get(), pointer);
    }
    fusionStreamDestroy(context.get(), stream);
  }

  /// Asks for a table of `count` entries from `first` on.
  FusionStatus ask(int64_t first, size_t count) {
    request.entries.resize(count);
    std::iota(request.entries.begin(), request.entries.end(), first);
    int64_t dims[] = {1, 4};
    FusionArray in = {x, FUSION_F32, 2, dims}, out = {y, FUSION_F32, 2, dims};
    return fusionModelRun(model.get(), &in, 1, &out, 1, workspace, stream);
  }

  /// Whether the device's table has the entries that were asked for.
  bool isRight() {
    std::vector<int64_t> back(request.entries.size());
    return fusionStreamSynchronize(context.get(), stream) == 0 &&
           fusionCopyToHost(context.get(), back.data(), request.table,
                            static_cast<int64_t>(back.size()) * 8) == 0 &&
           back == request.entries;
  }

  FusionProgram program;
  ModelPtr model;
  void *x = nullptr, *y = nullptr, *workspace = nullptr, *stream = nullptr;
};
} // namespace

// The same entries again are the same table: nothing is copied.
TEST_F(ParameterTableTest, KeepsTables) {
  ASSERT_EQ(ask(1000, 600), 0) << error();
  EXPECT_TRUE(isRight());
  void *first = request.table;
  EXPECT_NE(first, request.memory);
  ASSERT_EQ(ask(2000, 600), 0) << error();
  EXPECT_TRUE(isRight());
  EXPECT_NE(request.table, first);
  ASSERT_EQ(ask(1000, 599), 0) << error();
  EXPECT_TRUE(isRight());
  EXPECT_NE(request.table, first);
  ASSERT_EQ(ask(1000, 600), 0) << error();
  EXPECT_EQ(request.table, first);
}

// A caller whose buffers are others each time: copies to the room that is
// given, in pieces where they are long.
TEST_F(ParameterTableTest, CopiesWhereTooManyAreKept) {
  for (int64_t i = 0; i < 64; ++i) {
    ASSERT_EQ(ask(i, 10), 0) << error();
    EXPECT_NE(request.table, request.memory);
  }
  for (int64_t i = 64; i < 70; ++i) {
    ASSERT_EQ(ask(i, mostEntries), 0) << error();
    EXPECT_EQ(request.table, request.memory);
    EXPECT_TRUE(isRight());
  }
}

// A recorded run has its table when the graph is launched, whatever ran since.
TEST_F(ParameterTableTest, KeepsTablesOfGraphs) {
  for (int64_t i = 0; i < 70; ++i) {
    ASSERT_EQ(ask(i, 10), 0) << error();
  }
  void *graph = nullptr;
  ASSERT_EQ(fusionGraphBegin(context.get(), stream), 0) << error();
  EXPECT_EQ(ask(5000, 600), 0) << error();
  ASSERT_EQ(fusionGraphEnd(context.get(), stream, &graph), 0) << error();
  Request recorded = request;
  EXPECT_NE(recorded.table, recorded.memory);
  ASSERT_EQ(ask(6000, 600), 0) << error();
  request = recorded;
  EXPECT_TRUE(isRight());
  fusionGraphDestroy(context.get(), graph);
}

TEST_F(ParameterTableTest, IsMadeOnlyInARun) {
  int64_t entry = 0;
  void *table = nullptr;
  EXPECT_NE(fusionRtParameterTable(context.get(), &entry, 1, request.memory,
                                   nullptr, &table),
            0);
  EXPECT_EQ(error(), "expected the context that a program's run was given, but "
                     "this one has no kernels");
}

TEST_F(ParameterTableTest, ReportsWhatTheDriverRefuses) {
  if (!usesMock()) {
    GTEST_SKIP() << "a real driver";
  }
  void *library = dlopen(FUSION_TEST_MOCK_CUDA, RTLD_NOW | RTLD_LOCAL);
  ASSERT_TRUE(library);
  auto *fail =
      reinterpret_cast<decltype(mockFail) *>(dlsym(library, "mockFail"));
  fail("cuMemAlloc_v2", 2);
  EXPECT_NE(ask(7, 600), 0);
  EXPECT_EQ(error(), "parameter table: cannot allocate 4800 bytes of GPU "
                     "memory: cuMemAlloc_v2 failed with "
                     "CUDA_ERROR_OUT_OF_MEMORY (2): out of memory");
  EXPECT_EQ(ask(7, 600), 0) << error();
  EXPECT_TRUE(isRight());
  dlclose(library);
}
