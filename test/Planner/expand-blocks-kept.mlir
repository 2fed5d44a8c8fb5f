// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-expand-blocks))' -split-input-file | FileCheck %s
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-expand-blocks))' -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics -o /dev/null

// What is computed by blocks stays in one piece where the contraction reads it.

// The value is a result too.
// CHECK-LABEL: func.func @two_readers(
// CHECK:         tensor.collapse_shape
// CHECK:         linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]
func.func @two_readers(%x: tensor<8x128xf32>, %w: tensor<4x32x16xf32>, %s: tensor<4x16xf32>, %d: tensor<8x16xf32>) -> (tensor<8x16xf32>, tensor<128x16xf32>) {
  %e = tensor.empty() : tensor<4x32x16xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(b, k, n) -> (b, k, n)>, affine_map<(b, k, n) -> (b, n)>, affine_map<(b, k, n) -> (b, k, n)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%w, %s : tensor<4x32x16xf32>, tensor<4x16xf32>) outs(%e : tensor<4x32x16xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %2 = arith.mulf %p, %q : f32
    linalg.yield %2 : f32
  } -> tensor<4x32x16xf32>
  %1 = tensor.collapse_shape %0 [[0, 1], [2]] : tensor<4x32x16xf32> into tensor<128x16xf32>
  // expected-remark @below {{Reason="what is computed by blocks has several readers"}}
  %y = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %1 : tensor<8x128xf32>, tensor<128x16xf32>) outs(%d : tensor<8x16xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %2 = arith.mulf %p, %q : f32
    %3 = arith.addf %o, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<8x16xf32>
  return %y, %1 : tensor<8x16xf32>, tensor<128x16xf32>
}

// -----

// Nobody knows how many blocks there are.
// CHECK-LABEL: func.func @dynamic_blocks(
// CHECK:         tensor.collapse_shape
// CHECK:         linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]
func.func @dynamic_blocks(%x: tensor<8x?xf32>, %w: tensor<?x32x16xf32>, %s: tensor<?x16xf32>, %d: tensor<8x16xf32>, %size: index) -> tensor<8x16xf32> {
  %e = tensor.empty(%size) : tensor<?x32x16xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(b, k, n) -> (b, k, n)>, affine_map<(b, k, n) -> (b, n)>, affine_map<(b, k, n) -> (b, k, n)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%w, %s : tensor<?x32x16xf32>, tensor<?x16xf32>) outs(%e : tensor<?x32x16xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %2 = arith.mulf %p, %q : f32
    linalg.yield %2 : f32
  } -> tensor<?x32x16xf32>
  %1 = tensor.collapse_shape %0 [[0, 1], [2]] : tensor<?x32x16xf32> into tensor<?x16xf32>
  // expected-remark @below {{Reason="the sizes or the number of blocks are known only at run time"}}
  %y = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %1 : tensor<8x?xf32>, tensor<?x16xf32>) outs(%d : tensor<8x16xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %2 = arith.mulf %p, %q : f32
    %3 = arith.addf %o, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<8x16xf32>
  return %y : tensor<8x16xf32>
}

// -----

// One block: the factor is one for each column.
// CHECK-LABEL: func.func @one_block(
// CHECK:         tensor.collapse_shape
// CHECK:         linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]
func.func @one_block(%x: tensor<8x32xf32>, %w: tensor<1x32x16xf32>, %s: tensor<1x16xf32>, %d: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %e = tensor.empty() : tensor<1x32x16xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(b, k, n) -> (b, k, n)>, affine_map<(b, k, n) -> (b, n)>, affine_map<(b, k, n) -> (b, k, n)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%w, %s : tensor<1x32x16xf32>, tensor<1x16xf32>) outs(%e : tensor<1x32x16xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %2 = arith.mulf %p, %q : f32
    linalg.yield %2 : f32
  } -> tensor<1x32x16xf32>
  %1 = tensor.collapse_shape %0 [[0, 1], [2]] : tensor<1x32x16xf32> into tensor<32x16xf32>
  // expected-remark @below {{Reason="blocks of one element, or one block, are no blocks"}}
  %y = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %1 : tensor<8x32xf32>, tensor<32x16xf32>) outs(%d : tensor<8x16xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %2 = arith.mulf %p, %q : f32
    %3 = arith.addf %o, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<8x16xf32>
  return %y : tensor<8x16xf32>
}

// -----

// A factor for each element.
// CHECK-LABEL: func.func @elements(
// CHECK:         tensor.collapse_shape
// CHECK:         linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]
func.func @elements(%x: tensor<8x32xf32>, %w: tensor<32x1x16xf32>, %s: tensor<32x16xf32>, %d: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %e = tensor.empty() : tensor<32x1x16xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(b, k, n) -> (b, k, n)>, affine_map<(b, k, n) -> (b, n)>, affine_map<(b, k, n) -> (b, k, n)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%w, %s : tensor<32x1x16xf32>, tensor<32x16xf32>) outs(%e : tensor<32x1x16xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %2 = arith.mulf %p, %q : f32
    linalg.yield %2 : f32
  } -> tensor<32x1x16xf32>
  %1 = tensor.collapse_shape %0 [[0, 1], [2]] : tensor<32x1x16xf32> into tensor<32x16xf32>
  // expected-remark @below {{Reason="blocks of one element, or one block, are no blocks"}}
  %y = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %1 : tensor<8x32xf32>, tensor<32x16xf32>) outs(%d : tensor<8x16xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %2 = arith.mulf %p, %q : f32
    %3 = arith.addf %o, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<8x16xf32>
  return %y : tensor<8x16xf32>
}

// -----

// A factor for some columns: these are no blocks of k.
// CHECK-LABEL: func.func @blocks_of_columns(
// CHECK:         tensor.collapse_shape
// CHECK:         linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]
func.func @blocks_of_columns(%x: tensor<8x128xf32>, %w: tensor<128x4x8xf32>, %s: tensor<128x4xf32>, %d: tensor<8x32xf32>) -> tensor<8x32xf32> {
  %e = tensor.empty() : tensor<128x4x8xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(k, b, n) -> (k, b, n)>, affine_map<(k, b, n) -> (k, b)>, affine_map<(k, b, n) -> (k, b, n)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%w, %s : tensor<128x4x8xf32>, tensor<128x4xf32>) outs(%e : tensor<128x4x8xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %2 = arith.mulf %p, %q : f32
    linalg.yield %2 : f32
  } -> tensor<128x4x8xf32>
  %1 = tensor.collapse_shape %0 [[0], [1, 2]] : tensor<128x4x8xf32> into tensor<128x32xf32>
  // expected-remark @below {{Reason="the contraction does not sum over the blocks"}}
  %y = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %1 : tensor<8x128xf32>, tensor<128x32xf32>) outs(%d : tensor<8x32xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %2 = arith.mulf %p, %q : f32
    %3 = arith.addf %o, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<8x32xf32>
  return %y : tensor<8x32xf32>
}

// -----

// Blocks of k and of columns.
// CHECK-LABEL: func.func @blocks_of_both(
// CHECK:         tensor.collapse_shape
// CHECK:         linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]
func.func @blocks_of_both(%x: tensor<8x128xf32>, %w: tensor<4x32x4x8xf32>, %s: tensor<4x4xf32>, %d: tensor<8x32xf32>) -> tensor<8x32xf32> {
  %e = tensor.empty() : tensor<4x32x4x8xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(b, k, c, n) -> (b, k, c, n)>, affine_map<(b, k, c, n) -> (b, c)>, affine_map<(b, k, c, n) -> (b, k, c, n)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%w, %s : tensor<4x32x4x8xf32>, tensor<4x4xf32>) outs(%e : tensor<4x32x4x8xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %2 = arith.mulf %p, %q : f32
    linalg.yield %2 : f32
  } -> tensor<4x32x4x8xf32>
  %1 = tensor.collapse_shape %0 [[0, 1], [2, 3]] : tensor<4x32x4x8xf32> into tensor<128x32xf32>
  // expected-remark @below {{Reason="several dims have blocks"}}
  %y = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %1 : tensor<8x128xf32>, tensor<128x32xf32>) outs(%d : tensor<8x32xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %2 = arith.mulf %p, %q : f32
    %3 = arith.addf %o, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<8x32xf32>
  return %y : tensor<8x32xf32>
}
