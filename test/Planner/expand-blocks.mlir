// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-expand-blocks))' -split-input-file | FileCheck %s

#id = affine_map<(b, k, n) -> (b, k, n)>
#block = affine_map<(b, k, n) -> (b, n)>
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>

// Weights with a factor for each 32 rows, seen in one piece: the contraction runs
// over blocks, and in them.
// CHECK-LABEL: func.func @factors(
// CHECK-SAME:    %[[X:.*]]: tensor<8x128xf32>
// CHECK-DAG:     %[[E:.*]] = tensor.expand_shape %[[X]] {{\[\[}}0], [1, 2]] output_shape [8, 4, 32]
// CHECK-NOT:     tensor.collapse_shape
// CHECK:         linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%[[E]], %{{.*}} : tensor<8x4x32xf32>, tensor<4x32x16xf32>)
func.func @factors(%x: tensor<8x128xf32>, %w: tensor<4x32x16xf32>, %s: tensor<4x16xf32>, %d: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %e = tensor.empty() : tensor<4x32x16xf32>
  %0 = linalg.generic {indexing_maps = [#id, #block, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%w, %s : tensor<4x32x16xf32>, tensor<4x16xf32>) outs(%e : tensor<4x32x16xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %2 = arith.mulf %p, %q : f32
    linalg.yield %2 : f32
  } -> tensor<4x32x16xf32>
  %1 = tensor.collapse_shape %0 [[0, 1], [2]] : tensor<4x32x16xf32> into tensor<128x16xf32>
  %y = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %1 : tensor<8x128xf32>, tensor<128x16xf32>) outs(%d : tensor<8x16xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %2 = arith.mulf %p, %q : f32
    %3 = arith.addf %o, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<8x16xf32>
  return %y : tensor<8x16xf32>
}

// -----

#id = affine_map<(b, k, n) -> (b, k, n)>
#block = affine_map<(b, k, n) -> (b, n)>
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>

// Blocks of any size: steps may cross them.
// CHECK-LABEL: func.func @small_blocks(
// CHECK:         linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction", "reduction"]
func.func @small_blocks(%x: tensor<8x128xf32>, %w: tensor<8x16x16xf32>, %s: tensor<8x16xf32>, %d: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %e = tensor.empty() : tensor<8x16x16xf32>
  %0 = linalg.generic {indexing_maps = [#id, #block, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%w, %s : tensor<8x16x16xf32>, tensor<8x16xf32>) outs(%e : tensor<8x16x16xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %2 = arith.mulf %p, %q : f32
    linalg.yield %2 : f32
  } -> tensor<8x16x16xf32>
  %1 = tensor.collapse_shape %0 [[0, 1], [2]] : tensor<8x16x16xf32> into tensor<128x16xf32>
  %y = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %1 : tensor<8x128xf32>, tensor<128x16xf32>) outs(%d : tensor<8x16xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %2 = arith.mulf %p, %q : f32
    %3 = arith.addf %o, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<8x16xf32>
  return %y : tensor<8x16xf32>
}

// -----

// Rows of weights with their blocks, rounded after they are one piece.
// CHECK-LABEL: func.func @rows_of_weights(
// CHECK-NOT:     tensor.collapse_shape
// CHECK:         linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction", "reduction"]
func.func @rows_of_weights(%x: tensor<8x60xf16>, %w: tensor<16x5x12xf32>, %s: tensor<16x5xf32>, %d: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %e = tensor.empty() : tensor<16x5x12xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(n, b, k) -> (n, b, k)>, affine_map<(n, b, k) -> (n, b)>, affine_map<(n, b, k) -> (n, b, k)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%w, %s : tensor<16x5x12xf32>, tensor<16x5xf32>) outs(%e : tensor<16x5x12xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %2 = arith.mulf %p, %q : f32
    linalg.yield %2 : f32
  } -> tensor<16x5x12xf32>
  %1 = tensor.collapse_shape %0 [[0], [1, 2]] : tensor<16x5x12xf32> into tensor<16x60xf32>
  %e1 = tensor.empty() : tensor<16x60xf16>
  %3 = linalg.generic {indexing_maps = [affine_map<(n, k) -> (n, k)>, affine_map<(n, k) -> (n, k)>], iterator_types = ["parallel", "parallel"]}
      ins(%1 : tensor<16x60xf32>) outs(%e1 : tensor<16x60xf16>) {
  ^bb0(%p: f32, %o: f16):
    %4 = arith.truncf %p : f32 to f16
    linalg.yield %4 : f16
  } -> tensor<16x60xf16>
  %y = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %3 : tensor<8x60xf16>, tensor<16x60xf16>) outs(%d : tensor<8x16xf32>) {
  ^bb0(%p: f16, %q: f16, %o: f32):
    %5 = arith.extf %p : f16 to f32
    %6 = arith.extf %q : f16 to f32
    %7 = arith.mulf %5, %6 : f32
    %8 = arith.addf %o, %7 : f32
    linalg.yield %8 : f32
  } -> tensor<8x16xf32>
  return %y : tensor<8x16xf32>
}
