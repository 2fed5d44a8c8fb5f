//===- ContractionToVectorTest.cpp - contractions against plain loops -----===//

#include "CpuProgram.h"
#include "gtest/gtest.h"
#include <cmath>
#include <tuple>

namespace {

/// M, N, K, whether A is [K, M], whether B is [N, K].
using Shape = std::tuple<int64_t, int64_t, int64_t, bool, bool>;

class ContractionToVectorTest
    : public testing::TestWithParam<std::tuple<Shape, int64_t>> {};

/// A module for dynamic sizes: out[m, n] = sum of a * b.
std::string makeContraction(bool transposeA, bool transposeB) {
  std::string body = R"(
    %zero = arith.constant 0.0 : f32
    %cm = arith.constant MDIM : index
    %cn = arith.constant NDIM : index
    %m = tensor.dim %t0, %cm : tensor<?x?xf32>
    %n = tensor.dim %t1, %cn : tensor<?x?xf32>
    %e = tensor.empty(%m, %n) : tensor<?x?xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
    %r = linalg.generic {
        indexing_maps = [affine_map<(m, n, k) -> AMAP>, affine_map<(m, n, k) -> BMAP>, affine_map<(m, n, k) -> (m, n)>],
        iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%t0, %t1 : tensor<?x?xf32>, tensor<?x?xf32>) outs(%f : tensor<?x?xf32>) {
    ^bb0(%x: f32, %y: f32, %o: f32):
      %p = arith.mulf %x, %y : f32
      %s = arith.addf %o, %p : f32
      linalg.yield %s : f32
    } -> tensor<?x?xf32>
)";
  auto replace = [&](const std::string &from, const std::string &to) {
    body.replace(body.find(from), from.size(), to);
  };
  replace("MDIM", transposeA ? "1" : "0");
  replace("NDIM", transposeB ? "0" : "1");
  replace("AMAP", transposeA ? "(k, m)" : "(m, k)");
  replace("BMAP", transposeB ? "(n, k)" : "(k, n)");
  std::string m = transposeA ? "%d1" : "%d0";
  std::string n = transposeB ? "%d2" : "%d3";
  return makeModule({"?x?xf32", "?x?xf32", "?x?xf32"}, body,
                    "(index, index) {\nreturn " + m + ", " + n +
                        " : index, index\n}");
}

TEST_P(ContractionToVectorTest, EqualsPlainLoops) {
  auto [shape, vectorBits] = GetParam();
  auto [m, n, k, transposeA, transposeB] = shape;
  CpuProgram program(makeContraction(transposeA, transposeB), vectorBits);
  ASSERT_TRUE(program.isValid());
  std::vector<int64_t> dims = {transposeA ? k : m, transposeA ? m : k,
                               transposeB ? n : k, transposeB ? k : n};
  int64_t resultDims[2] = {};
  ASSERT_EQ(program.get().result_dims(dims.data(), resultDims), 0);
  EXPECT_EQ(resultDims[0], m);
  EXPECT_EQ(resultDims[1], n);
  std::vector<std::vector<float>> arrays = {makeValues(m * k, 1),
                                            makeValues(k * n, 2),
                                            std::vector<float>(m * n, NAN)};
  program.run(arrays, dims);
  for (int64_t i = 0; i < m; ++i) {
    for (int64_t j = 0; j < n; ++j) {
      float sum = 0;
      for (int64_t l = 0; l < k; ++l) {
        float a = arrays[0][transposeA ? l * m + i : i * k + l];
        float b = arrays[1][transposeB ? j * k + l : l * n + j];
        sum = std::fma(a, b, sum);
      }
      // The order of the terms is part of the contract: equal to the last bit.
      ASSERT_EQ(arrays[2][i * n + j], sum) << "at " << i << ", " << j;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Sizes, ContractionToVectorTest,
    testing::Combine(testing::Values(Shape(1, 1, 1, false, false),
                                     Shape(7, 127, 129, false, true),
                                     Shape(129, 7, 260, true, false),
                                     Shape(1, 300, 33, false, true),
                                     Shape(140, 1, 20, true, true),
                                     Shape(33, 270, 16, true, true),
                                     Shape(5, 40, 0, false, false),
                                     Shape(0, 40, 5, false, true),
                                     Shape(3, 0, 5, false, false)),
                     testing::Values(512, 256, 128)));

/// A convolution is a contraction that reads an input through sums of loops.
TEST(ContractionToVectorConvTest, EqualsPlainLoops) {
  const int64_t h = 6, w = 23, c = 3, f = 20, kh = 3, kw = 2;
  const int64_t oh = h - kh + 1, ow = w - kw + 1;
  CpuProgram program(makeModule({"6x23x3xf32", "3x2x3x20xf32", "4x22x20xf32"},
                                R"(
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<4x22x20xf32>
    %z = linalg.fill ins(%zero : f32) outs(%e : tensor<4x22x20xf32>) -> tensor<4x22x20xf32>
    %r = linalg.generic {
        indexing_maps = [affine_map<(h, w, f, y, x, c) -> (h + y, w + x, c)>, affine_map<(h, w, f, y, x, c) -> (y, x, c, f)>, affine_map<(h, w, f, y, x, c) -> (h, w, f)>],
        iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
        ins(%t0, %t1 : tensor<6x23x3xf32>, tensor<3x2x3x20xf32>) outs(%z : tensor<4x22x20xf32>) {
    ^bb0(%x: f32, %y: f32, %o: f32):
      %p = arith.mulf %x, %y : f32
      %s = arith.addf %o, %p : f32
      linalg.yield %s : f32
    } -> tensor<4x22x20xf32>
)",
                                R"((index, index, index) {
    %a = arith.constant 4 : index
    %b = arith.constant 22 : index
    %c = arith.constant 20 : index
    return %a, %b, %c : index, index, index
  })"));
  ASSERT_TRUE(program.isValid());
  std::vector<std::vector<float>> arrays = {
      makeValues(h * w * c, 1), makeValues(kh * kw * c * f, 2),
      std::vector<float>(oh * ow * f, NAN)};
  program.run(arrays, {h, w, c, kh, kw, c, f});
  for (int64_t i = 0; i < oh; ++i) {
    for (int64_t j = 0; j < ow; ++j) {
      for (int64_t l = 0; l < f; ++l) {
        float sum = 0;
        for (int64_t t = 0; t < kh * kw * c; ++t) {
          int64_t y = t / (kw * c), x = t / c % kw, q = t % c;
          sum = std::fma(arrays[0][((i + y) * w + j + x) * c + q],
                         arrays[1][t * f + l], sum);
        }
        ASSERT_EQ(arrays[2][(i * ow + j) * f + l], sum);
      }
    }
  }
}

} // namespace
