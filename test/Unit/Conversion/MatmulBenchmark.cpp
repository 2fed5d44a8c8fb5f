//===- MatmulBenchmark.cpp - the speed of the CPU's contractions ----------===//
//
//   FUSION_NUM_THREADS=1 MatmulBenchmark
//
// prints the time and, as items, the multiply-adds per second, times two.
//
//===----------------------------------------------------------------------===//

#include "CpuProgram.h"
#include "benchmark/benchmark.h"

static constexpr int64_t kSize = 1024;

static void multiply(benchmark::State &state, const std::string &rightMap) {
  const std::string type = "1024x1024xf32";
  CpuProgram program(
      makeModule({type, type, type},
                 R"(
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<1024x1024xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
    %r = linalg.generic {
        indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> )" +
                     rightMap + R"(>, affine_map<(m, n, k) -> (m, n)>],
        iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%t0, %t1 : tensor<1024x1024xf32>, tensor<1024x1024xf32>) outs(%f : tensor<1024x1024xf32>) {
    ^bb0(%x: f32, %y: f32, %o: f32):
      %p = arith.mulf %x, %y : f32
      %s = arith.addf %o, %p : f32
      linalg.yield %s : f32
    } -> tensor<1024x1024xf32>
)",
                 "(index, index) {\nreturn %d0, %d3 : index, index\n}"));
  if (!program.isValid()) {
    state.SkipWithError("expected a program");
    return;
  }
  std::vector<std::vector<float>> arrays = {makeValues(kSize * kSize, 1),
                                            makeValues(kSize * kSize, 2),
                                            std::vector<float>(kSize * kSize)};
  std::vector<int64_t> dims(4, kSize);
  for (auto _ : state) {
    program.run(arrays, dims);
  }
  state.SetItemsProcessed(state.iterations() * 2 * kSize * kSize * kSize);
}

BENCHMARK_CAPTURE(multiply, rows_of_k, "(k, n)")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(multiply, rows_of_n, "(n, k)")->Unit(benchmark::kMillisecond);

BENCHMARK_MAIN();
