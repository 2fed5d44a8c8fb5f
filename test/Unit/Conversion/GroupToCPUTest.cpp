//===- GroupToCPUTest.cpp - groups against plain loops --------------------===//

#include "CpuProgram.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <cmath>

namespace {

const char *const kMaps = R"(
    #id = affine_map<(m, n) -> (m, n)>
    #row = affine_map<(m, n) -> (m)>
)";

/// The softmax of rows of any number and length, as four linalg ops.
std::string makeSoftmax() {
  std::string body = R"(
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0.0 : f32
    %least = arith.constant 0xFF800000 : f32
    %m = tensor.dim %t0, %c0 : tensor<?x?xf32>
    %n = tensor.dim %t0, %c1 : tensor<?x?xf32>
    %er = tensor.empty(%m) : tensor<?xf32>
    %e = tensor.empty(%m, %n) : tensor<?x?xf32>
    %f0 = linalg.fill ins(%least : f32) outs(%er : tensor<?xf32>) -> tensor<?xf32>
    %max = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
        ins(%t0 : tensor<?x?xf32>) outs(%f0 : tensor<?xf32>) {
    ^bb0(%x: f32, %o: f32):
      %s = arith.maximumf %o, %x : f32
      linalg.yield %s : f32
    } -> tensor<?xf32>
    %exp = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
        ins(%t0, %max : tensor<?x?xf32>, tensor<?xf32>) outs(%e : tensor<?x?xf32>) {
    ^bb0(%x: f32, %y: f32, %o: f32):
      %s = arith.subf %x, %y : f32
      %t = math.exp %s : f32
      linalg.yield %t : f32
    } -> tensor<?x?xf32>
    %f1 = linalg.fill ins(%zero : f32) outs(%er : tensor<?xf32>) -> tensor<?xf32>
    %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
        ins(%exp : tensor<?x?xf32>) outs(%f1 : tensor<?xf32>) {
    ^bb0(%x: f32, %o: f32):
      %s = arith.addf %o, %x : f32
      linalg.yield %s : f32
    } -> tensor<?xf32>
    %r = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
        ins(%exp, %sum : tensor<?x?xf32>, tensor<?xf32>) outs(%e : tensor<?x?xf32>) {
    ^bb0(%x: f32, %y: f32, %o: f32):
      %s = arith.divf %x, %y : f32
      linalg.yield %s : f32
    } -> tensor<?x?xf32>
)";
  return kMaps + makeModule({"?x?xf32", "?x?xf32"}, body,
                            "(index, index) {\n"
                            "return %d0, %d1 : index, index\n}");
}

TEST(GroupToCPUTest, SoftmaxOfAnySize) {
  CpuProgram program(makeSoftmax());
  ASSERT_TRUE(program.isValid());
  for (auto [m, n] : {std::pair<int64_t, int64_t>{0, 8},
                      {1, 1},
                      {3, 16},
                      {37, 1000},
                      {5, 70001}}) {
    std::vector<std::vector<float>> arrays = {makeValues(m * n, 3),
                                              std::vector<float>(m * n, NAN)};
    program.run(arrays, {m, n});
    for (int64_t i = 0; i < m; ++i) {
      const float *row = &arrays[0][i * n];
      double largest = *std::max_element(row, row + n);
      double sum = 0;
      for (int64_t j = 0; j < n; ++j) {
        sum += std::exp(row[j] - largest);
      }
      for (int64_t j = 0; j < n; ++j) {
        double expected = std::exp(row[j] - largest) / sum;
        ASSERT_NEAR(arrays[1][i * n + j], expected, 1e-5 * expected)
            << m << "x" << n << " at " << i << ", " << j;
      }
    }
  }
}

/// The documented order of a row's sum: runs of 64 vectors, their sums, then
/// halves of the lanes.
TEST(GroupToCPUTest, RowSumOrder) {
  const int64_t n = 1000, lanes = 8, run = 64 * lanes;
  CpuProgram program("#id = affine_map<(m, n) -> (m, n)>\n"
                     "#row = affine_map<(m, n) -> (m)>\n" +
                         makeModule({"2x1000xf32", "2xf32"}, R"(
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<2xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2xf32>) -> tensor<2xf32>
    %r = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
        ins(%t0 : tensor<2x1000xf32>) outs(%f : tensor<2xf32>) {
    ^bb0(%x: f32, %o: f32):
      %s = arith.addf %o, %x : f32
      linalg.yield %s : f32
    } -> tensor<2xf32>
)",
                                    "index {\nreturn %d0 : index\n}"),
                     lanes * 32);
  ASSERT_TRUE(program.isValid());
  std::vector<std::vector<float>> arrays = {makeValues(2 * n, 5), {0, 0}};
  for (float &value : arrays[0]) {
    value = std::exp(8 * value); // so that the order matters
  }
  program.run(arrays, {2, n});
  for (int64_t i = 0; i < 2; ++i) {
    float sums[lanes];
    std::fill(sums, sums + lanes, -0.0f);
    for (int64_t first = 0; first < n; first += run) {
      float here[lanes];
      std::fill(here, here + lanes, -0.0f);
      for (int64_t j = first, e = std::min(n, first + run); j < e; ++j) {
        here[j % lanes] += arrays[0][i * n + j];
      }
      for (int64_t j = 0; j < lanes; ++j) {
        sums[j] += here[j];
      }
    }
    for (int64_t half = lanes / 2; half > 0; half /= 2) {
      for (int64_t j = 0; j < half; ++j) {
        sums[j] += sums[j + half];
      }
    }
    EXPECT_EQ(arrays[1][i], 0.0f + sums[0]);
  }
}

/// Squares transposed in registers, with parts of them at both edges.
TEST(GroupToCPUTest, Transpose) {
  CpuProgram program(makeModule({"30x70xf32", "70x30xf32"}, R"(
    %e = tensor.empty() : tensor<70x30xf32>
    %r = linalg.transpose ins(%t0 : tensor<30x70xf32>) outs(%e : tensor<70x30xf32>) permutation = [1, 0]
)",
                                "(index, index) {\n"
                                "return %d1, %d0 : index, index\n}"));
  ASSERT_TRUE(program.isValid());
  std::vector<std::vector<float>> arrays = {makeValues(2100, 7),
                                            std::vector<float>(2100, NAN)};
  program.run(arrays, {30, 70});
  for (int64_t i = 0; i < 30; ++i) {
    for (int64_t j = 0; j < 70; ++j) {
      ASSERT_EQ(arrays[1][j * 30 + i], arrays[0][i * 70 + j]);
    }
  }
}

} // namespace
