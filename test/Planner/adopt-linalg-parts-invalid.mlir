// Dims of results along several loops, or along a part of one: which elements are
// written cannot be told.
//
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-adopt-linalg))' -split-input-file -verify-diagnostics
// RUN: fusion-opt %s -pass-pipeline='builtin.module(fusion-to-linalg)' -split-input-file -verify-diagnostics

func.func @met(%x: tensor<40xf32>, %y: tensor<7x3xf32>) -> tensor<40xf32> {
  // expected-error @below {{expected step * loop + start, or a number, along each dim of a result, but got affine_map<(d0, d1) -> (d0 * 5 + d1)>}}
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i * 5 + j)>],
                       iterator_types = ["parallel", "parallel"]}
       ins(%y : tensor<7x3xf32>) outs(%x : tensor<40xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<40xf32>
  return %0 : tensor<40xf32>
}

// -----

// Several elements go to one place, and the last one is unknown.
func.func @modulo(%x: tensor<40xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{along each dim of a result, but got affine_map<(d0) -> (d0 mod 4)>}}
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i mod 4)>], iterator_types = ["parallel"]}
       ins(%x : tensor<40xf32>) outs(%y : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// One dim of two, of the second result.
func.func @quotient(%x: tensor<2x6xi8>, %y: tensor<2x6xi8>, %z: tensor<3x2xi8>) -> (tensor<2x6xi8>, tensor<3x2xi8>) {
  // expected-error @below {{along each dim of a result, but got affine_map<(d0, d1) -> (d1 floordiv 2, d0)>}}
  %0:2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j floordiv 2, i)>],
                         iterator_types = ["parallel", "parallel"]}
       ins(%x : tensor<2x6xi8>) outs(%y, %z : tensor<2x6xi8>, tensor<3x2xi8>) {
  ^bb0(%a: i8, %o: i8, %q: i8):
    linalg.yield %a, %a : i8, i8
  } -> (tensor<2x6xi8>, tensor<3x2xi8>)
  return %0#0, %0#1 : tensor<2x6xi8>, tensor<3x2xi8>
}
