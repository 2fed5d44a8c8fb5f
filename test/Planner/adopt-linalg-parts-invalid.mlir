// Loops that meet in one dim of a result: which elements are written cannot be told.
//
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-adopt-linalg))' -verify-diagnostics
// RUN: fusion-opt %s -pass-pipeline='builtin.module(fusion-to-linalg)' -verify-diagnostics

func.func @met(%x: tensor<40xf32>, %y: tensor<7x3xf32>) -> tensor<40xf32> {
  // expected-error @below {{expected at most one loop along each dim of a result, but got affine_map<(d0, d1) -> (d0 * 5 + d1)>}}
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i * 5 + j)>],
                       iterator_types = ["parallel", "parallel"]}
       ins(%y : tensor<7x3xf32>) outs(%x : tensor<40xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<40xf32>
  return %0 : tensor<40xf32>
}
