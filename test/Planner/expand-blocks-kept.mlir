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

// One block: the factor is one for each column. No blocks, and nothing is said.
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

// A factor for each element: no blocks.
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

// A factor for some columns: these are no blocks of k, of which alone the pass speaks.
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

// -----

// Two contractions read it.
// CHECK-LABEL: func.func @two_contractions(
// CHECK:         tensor.collapse_shape
// CHECK-COUNT-2: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]
func.func @two_contractions(%x: tensor<8x128xf32>, %v: tensor<24x128xf32>, %w: tensor<4x32x16xf32>, %s: tensor<4x16xf32>, %d: tensor<8x16xf32>, %f: tensor<24x16xf32>) -> (tensor<8x16xf32>, tensor<24x16xf32>) {
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
  // expected-remark @below {{Reason="what is computed by blocks has several readers"}}
  %z = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%v, %1 : tensor<24x128xf32>, tensor<128x16xf32>) outs(%f : tensor<24x16xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %2 = arith.mulf %p, %q : f32
    %3 = arith.addf %o, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<24x16xf32>
  return %y, %z : tensor<8x16xf32>, tensor<24x16xf32>
}

// -----

// Windows cross the blocks.
// CHECK-LABEL: func.func @windows(
// CHECK:         tensor.collapse_shape
// CHECK:         linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]
func.func @windows(%x: tensor<4x32xf32>, %s: tensor<4xf32>, %w: tensor<5x16xf32>, %d: tensor<124x16xf32>) -> tensor<124x16xf32> {
  %e = tensor.empty() : tensor<4x32xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(b, k) -> (b, k)>, affine_map<(b, k) -> (b)>, affine_map<(b, k) -> (b, k)>], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : tensor<4x32xf32>, tensor<4xf32>) outs(%e : tensor<4x32xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %2 = arith.mulf %p, %q : f32
    linalg.yield %2 : f32
  } -> tensor<4x32xf32>
  %1 = tensor.collapse_shape %0 [[0, 1]] : tensor<4x32xf32> into tensor<128xf32>
  // expected-remark @below {{Reason="blocks are read at computed positions"}}
  %y = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m + k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%1, %w : tensor<128xf32>, tensor<5x16xf32>) outs(%d : tensor<124x16xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %2 = arith.mulf %p, %q : f32
    %3 = arith.addf %o, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<124x16xf32>
  return %y : tensor<124x16xf32>
}

// -----

// Blocks of unknown size, rounded after they are one piece: it is said of the
// contraction.
// CHECK-LABEL: func.func @dynamic_size(
// CHECK:         tensor.collapse_shape
// CHECK:         linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]
func.func @dynamic_size(%x: tensor<8x?xf16>, %w: tensor<4x?x16xf32>, %s: tensor<4x16xf32>, %d: tensor<8x16xf32>, %size: index, %all: index) -> tensor<8x16xf32> {
  %e = tensor.empty(%size) : tensor<4x?x16xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(b, k, n) -> (b, k, n)>, affine_map<(b, k, n) -> (b, n)>, affine_map<(b, k, n) -> (b, k, n)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%w, %s : tensor<4x?x16xf32>, tensor<4x16xf32>) outs(%e : tensor<4x?x16xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %2 = arith.mulf %p, %q : f32
    linalg.yield %2 : f32
  } -> tensor<4x?x16xf32>
  %1 = tensor.collapse_shape %0 [[0, 1], [2]] : tensor<4x?x16xf32> into tensor<?x16xf32>
  %e1 = tensor.empty(%all) : tensor<?x16xf16>
  %3 = linalg.generic {indexing_maps = [affine_map<(k, n) -> (k, n)>, affine_map<(k, n) -> (k, n)>], iterator_types = ["parallel", "parallel"]}
      ins(%1 : tensor<?x16xf32>) outs(%e1 : tensor<?x16xf16>) {
  ^bb0(%p: f32, %o: f16):
    %4 = arith.truncf %p : f32 to f16
    linalg.yield %4 : f16
  } -> tensor<?x16xf16>
  // expected-remark @below {{Reason="the sizes or the number of blocks are known only at run time"}}
  %y = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %3 : tensor<8x?xf16>, tensor<?x16xf16>) outs(%d : tensor<8x16xf32>) {
  ^bb0(%p: f16, %q: f16, %o: f32):
    %5 = arith.extf %p : f16 to f32
    %6 = arith.extf %q : f16 to f32
    %7 = arith.mulf %5, %6 : f32
    %8 = arith.addf %o, %7 : f32
    linalg.yield %8 : f32
  } -> tensor<8x16xf32>
  return %y : tensor<8x16xf32>
}

// -----

// No factors: rows of several batches, of which one has its bias, seen as rows. What
// is summed over has no blocks, and nothing is said.
// CHECK-LABEL: func.func @no_blocks(
// CHECK:         tensor.collapse_shape
func.func @no_blocks(%x: tensor<2x8x128xf32>, %s: tensor<8x128xf32>, %w: tensor<128x16xf32>, %d: tensor<16x16xf32>) -> (tensor<16x16xf32>, tensor<16x128xf32>) {
  %e = tensor.empty() : tensor<2x8x128xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(b, m, k) -> (b, m, k)>, affine_map<(b, m, k) -> (m, k)>, affine_map<(b, m, k) -> (b, m, k)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %s : tensor<2x8x128xf32>, tensor<8x128xf32>) outs(%e : tensor<2x8x128xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %2 = arith.addf %p, %q : f32
    linalg.yield %2 : f32
  } -> tensor<2x8x128xf32>
  %1 = tensor.collapse_shape %0 [[0, 1], [2]] : tensor<2x8x128xf32> into tensor<16x128xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%1, %w : tensor<16x128xf32>, tensor<128x16xf32>) outs(%d : tensor<16x16xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %2 = arith.mulf %p, %q : f32
    %3 = arith.addf %o, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<16x16xf32>
  return %y, %1 : tensor<16x16xf32>, tensor<16x128xf32>
}

// -----

// CHECK-LABEL: func.func @unit_block(
// CHECK:         tensor.collapse_shape
func.func @unit_block(%x: tensor<64x4x16x1xf32>, %s: tensor<64x4xf32>, %w: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %b = tensor.empty() : tensor<64x4x16x1xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j, k, l) -> (i, j, k, l)>, affine_map<(i, j, k, l) -> (i, j)>, affine_map<(i, j, k, l) -> (i, j, k, l)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x, %s : tensor<64x4x16x1xf32>, tensor<64x4xf32>) outs(%b : tensor<64x4x16x1xf32>) {
  ^bb0(%a: f32, %c: f32, %d: f32):
    %t = arith.mulf %a, %c : f32
    linalg.yield %t : f32
  } -> tensor<64x4x16x1xf32>
  %1 = tensor.collapse_shape %0 [[0], [1, 2, 3]] : tensor<64x4x16x1xf32> into tensor<64x64xf32>
  // expected-remark @below {{Reason="blocks of one element, or one block, are no blocks"}}
  %2 = linalg.matmul ins(%1, %w : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %2 : tensor<64x64xf32>
}

// -----

// The op that rounds the weights gives what is lost by that, too: its loops, which a
// contraction reads one result of, stay as they are.
// CHECK-LABEL: func.func @several_results(
// CHECK:         tensor.collapse_shape %{{.*}} : tensor<16x5x12xf32> into tensor<16x60xf32>
// CHECK:         linalg.generic {{.*}} outs(%{{.*}}, %{{.*}} : tensor<16x60xf16>, tensor<16x60xf32>)
// CHECK:         linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]
func.func @several_results(%x: tensor<8x60xf16>, %w: tensor<16x5x12xf32>, %s: tensor<16x5xf32>, %d: tensor<8x16xf32>) -> (tensor<8x16xf32>, tensor<16x60xf32>) {
  %e = tensor.empty() : tensor<16x5x12xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(n, b, k) -> (n, b, k)>, affine_map<(n, b, k) -> (n, b)>, affine_map<(n, b, k) -> (n, b, k)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%w, %s : tensor<16x5x12xf32>, tensor<16x5xf32>) outs(%e : tensor<16x5x12xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %2 = arith.mulf %p, %q : f32
    linalg.yield %2 : f32
  } -> tensor<16x5x12xf32>
  %1 = tensor.collapse_shape %0 [[0], [1, 2]] : tensor<16x5x12xf32> into tensor<16x60xf32>
  %e1 = tensor.empty() : tensor<16x60xf16>
  %e2 = tensor.empty() : tensor<16x60xf32>
  %3, %lost = linalg.generic {indexing_maps = [affine_map<(n, k) -> (n, k)>, affine_map<(n, k) -> (n, k)>, affine_map<(n, k) -> (n, k)>], iterator_types = ["parallel", "parallel"]}
      ins(%1 : tensor<16x60xf32>) outs(%e1, %e2 : tensor<16x60xf16>, tensor<16x60xf32>) {
  ^bb0(%p: f32, %o: f16, %r: f32):
    %4 = arith.truncf %p : f32 to f16
    %5 = arith.extf %4 : f16 to f32
    %6 = arith.subf %p, %5 : f32
    linalg.yield %4, %6 : f16, f32
  } -> (tensor<16x60xf16>, tensor<16x60xf32>)
  // expected-remark @below {{Reason="what reads blocks has several results"}}
  %y = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %3 : tensor<8x60xf16>, tensor<16x60xf16>) outs(%d : tensor<8x16xf32>) {
  ^bb0(%p: f16, %q: f16, %o: f32):
    %5 = arith.extf %p : f16 to f32
    %6 = arith.extf %q : f16 to f32
    %7 = arith.mulf %5, %6 : f32
    %8 = arith.addf %o, %7 : f32
    linalg.yield %8 : f32
  } -> tensor<8x16xf32>
  return %y, %lost : tensor<8x16xf32>, tensor<16x60xf32>
}
