// A contraction reads through what only rearranges its operand, where its tiles can
// follow the rows of memory.

// RUN: fusion-opt %s -fusion-fold-transposes -split-input-file | FileCheck %s
// RUN: fusion-opt %s -fusion-fold-transposes -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics -o /dev/null

// Keys transposed by hand: [b, n, h, k] read as k x n of each head.
#s = affine_map<(b, h, m, n, k) -> (b, h, m, n)>
#q = affine_map<(b, h, m, n, k) -> (b, h, m, k)>
#k = affine_map<(b, h, m, n, k) -> (b, h, k, n)>

// CHECK-DAG:   #[[$Q:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>
// CHECK-DAG:   #[[$K:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d3, d1, d4)>
// CHECK-LABEL: func.func @keys(
// CHECK-SAME:      %[[A:.*]]: tensor<2x3x8x16xf32>, %[[B:.*]]: tensor<2x8x3x16xf32>
// CHECK-NOT:     linalg.transpose
// CHECK:         linalg.generic {indexing_maps = [#[[$Q]], #[[$K]],
// CHECK-SAME:      ins(%[[A]], %[[B]] :
func.func @keys(%q: tensor<2x3x8x16xf32>, %k: tensor<2x8x3x16xf32>, %d: tensor<2x3x8x8xf32>)
    -> tensor<2x3x8x8xf32> {
  %e = tensor.empty() : tensor<2x3x16x8xf32>
  %t = linalg.transpose ins(%k : tensor<2x8x3x16xf32>) outs(%e : tensor<2x3x16x8xf32>) permutation = [0, 2, 3, 1]
  // expected-remark @below {{Remark="reads what transpose moves where it lies"}}
  %0 = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %t : tensor<2x3x8x16xf32>, tensor<2x3x16x8xf32>) outs(%d : tensor<2x3x8x8xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %1 = arith.mulf %x, %y : f32
    %2 = arith.addf %z, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<2x3x8x8xf32>
  return %0 : tensor<2x3x8x8xf32>
}

// -----

// A chain of two, the first of which another op needs: that one stays.

// CHECK-LABEL: func.func @chain(
// CHECK-SAME:      %[[A:.*]]: tensor<8x16xf32>, %[[B:.*]]: tensor<32x16xf32>
// CHECK:         %[[T:.*]] = linalg.transpose ins(%[[B]]
// CHECK-NOT:     linalg.transpose
// CHECK:         linalg.generic {{.*}} ins(%[[A]], %[[B]] :
// CHECK:         return %{{.*}}, %[[T]]
func.func @chain(%a: tensor<8x16xf32>, %b: tensor<32x16xf32>, %d: tensor<8x32xf32>)
    -> (tensor<8x32xf32>, tensor<16x32xf32>) {
  %e = tensor.empty() : tensor<16x32xf32>
  %f = tensor.empty() : tensor<32x16xf32>
  %t = linalg.transpose ins(%b : tensor<32x16xf32>) outs(%e : tensor<16x32xf32>) permutation = [1, 0]
  %u = linalg.transpose ins(%t : tensor<16x32xf32>) outs(%f : tensor<32x16xf32>) permutation = [1, 0]
  // expected-remark @below {{Remark="reads what transpose moves where it lies"}}
  %0 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%a, %u : tensor<8x16xf32>, tensor<32x16xf32>) outs(%d : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %0, %t : tensor<8x32xf32>, tensor<16x32xf32>
}

// -----

// Heads that share keys: the repeated dim vanishes from the map.

// CHECK:       #[[$K:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d4, d3)>
// CHECK-LABEL: func.func @shared(
// CHECK-NOT:     linalg.broadcast
// CHECK:         linalg.generic {indexing_maps = [#{{.*}}, #[[$K]], #{{.*}}]
#s = affine_map<(h, g, m, n, k) -> (h, g, m, n)>
#q = affine_map<(h, g, m, n, k) -> (h, g, m, k)>
#k = affine_map<(h, g, m, n, k) -> (h, g, k, n)>
func.func @shared(%q: tensor<2x3x8x16xf32>, %k: tensor<2x16x8xf32>, %d: tensor<2x3x8x8xf32>)
    -> tensor<2x3x8x8xf32> {
  %e = tensor.empty() : tensor<2x3x16x8xf32>
  %t = linalg.broadcast ins(%k : tensor<2x16x8xf32>) outs(%e : tensor<2x3x16x8xf32>) dimensions = [1]
  // expected-remark @below {{Remark="reads what broadcast moves where it lies"}}
  %0 = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %t : tensor<2x3x8x16xf32>, tensor<2x3x16x8xf32>) outs(%d : tensor<2x3x8x8xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %1 = arith.mulf %x, %y : f32
    %2 = arith.addf %z, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<2x3x8x8xf32>
  return %0 : tensor<2x3x8x8xf32>
}

// -----

// The expansion of a slice is a slice of the expansion: between heads.

// CHECK-LABEL: func.func @slice(
// CHECK-SAME:      %[[X:.*]]: tensor<8x96xf32>
// CHECK:         %[[E:.*]] = tensor.expand_shape %[[X]] {{\[\[}}0], [1, 2]] output_shape [8, 6, 16]
// CHECK:         linalg.generic
// CHECK:           %[[H:.*]] = linalg.index 1
// CHECK:           %[[P:.*]] = arith.addi %[[H]], %c2
// CHECK:           tensor.extract %[[E]][%{{.*}}, %[[P]], %{{.*}}]
// CHECK-NOT:     linalg.transpose
#out = affine_map<(i, j) -> (i, j)>
func.func @slice(%x: tensor<8x96xf32>, %q: tensor<2x8x16xf32>, %d: tensor<2x8x8xf32>) -> tensor<2x8x8xf32> {
  %e = tensor.empty() : tensor<8x32xf32>
  %part = linalg.generic {indexing_maps = [#out], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<8x32xf32>) {
  ^bb0(%z: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %c32 = arith.constant 32 : index
    %p = arith.addi %j, %c32 : index
    %v = tensor.extract %x[%i, %p] : tensor<8x96xf32>
    linalg.yield %v : f32
  } -> tensor<8x32xf32>
  %heads = tensor.expand_shape %part [[0], [1, 2]] output_shape [8, 2, 16] : tensor<8x32xf32> into tensor<8x2x16xf32>
  %f = tensor.empty() : tensor<2x16x8xf32>
  %t = linalg.transpose ins(%heads : tensor<8x2x16xf32>) outs(%f : tensor<2x16x8xf32>) permutation = [1, 2, 0]
  // expected-remark @below {{Remark="reads what transpose moves where it lies"}}
  %0 = linalg.batch_matmul ins(%q, %t : tensor<2x8x16xf32>, tensor<2x16x8xf32>) outs(%d : tensor<2x8x8xf32>) -> tensor<2x8x8xf32>
  return %0 : tensor<2x8x8xf32>
}

// -----

// One that begins within a head stays before the expansion.

// CHECK-LABEL: func.func @slice_within(
// CHECK:         linalg.generic
// CHECK:         tensor.expand_shape %{{.*}} {{\[\[}}0], [1, 2]] output_shape [8, 2, 16]
#out = affine_map<(i, j) -> (i, j)>
func.func @slice_within(%x: tensor<8x96xf32>, %q: tensor<2x8x16xf32>, %d: tensor<2x8x8xf32>) -> tensor<2x8x8xf32> {
  %e = tensor.empty() : tensor<8x32xf32>
  // expected-remark @below {{Reason="the slice does not begin and end between the parts that a reshape makes of a dim"}}
  %part = linalg.generic {indexing_maps = [#out], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<8x32xf32>) {
  ^bb0(%z: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %c8 = arith.constant 8 : index
    %p = arith.addi %j, %c8 : index
    %v = tensor.extract %x[%i, %p] : tensor<8x96xf32>
    linalg.yield %v : f32
  } -> tensor<8x32xf32>
  %heads = tensor.expand_shape %part [[0], [1, 2]] output_shape [8, 2, 16] : tensor<8x32xf32> into tensor<8x2x16xf32>
  %f = tensor.empty() : tensor<2x16x8xf32>
  %t = linalg.transpose ins(%heads : tensor<8x2x16xf32>) outs(%f : tensor<2x16x8xf32>) permutation = [1, 2, 0]
  // expected-remark @below {{Remark="reads what transpose moves where it lies"}}
  %0 = linalg.batch_matmul ins(%q, %t : tensor<2x8x16xf32>, tensor<2x16x8xf32>) outs(%d : tensor<2x8x8xf32>) -> tensor<2x8x8xf32>
  return %0 : tensor<2x8x8xf32>
}

// -----

// Both operands of a named op: it is made generic once.
// CHECK-DAG:   #[[$L:.*]] = affine_map<(d0, d1, d2) -> (d2, d0)>
// CHECK-DAG:   #[[$R:.*]] = affine_map<(d0, d1, d2) -> (d1, d2)>
// CHECK-LABEL: func.func @twice(
// CHECK-SAME:      %[[X:.*]]: tensor<16x16xf32>,
// CHECK-NOT:     linalg.transpose
// CHECK:         linalg.generic {indexing_maps = [#[[$L]], #[[$R]],
// CHECK-SAME:      ins(%[[X]], %[[X]] :
func.func @twice(%x: tensor<16x16xf32>, %d: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %e = tensor.empty() : tensor<16x16xf32>
  %t = linalg.transpose ins(%x : tensor<16x16xf32>) outs(%e : tensor<16x16xf32>) permutation = [1, 0]
  // expected-remark @below {{reads what}}
  %0 = linalg.matmul ins(%t, %t : tensor<16x16xf32>, tensor<16x16xf32>) outs(%d : tensor<16x16xf32>) -> tensor<16x16xf32>
  return %0 : tensor<16x16xf32>
}

// -----

// What a person asks of the contraction holds for the op that reads through, too.
// CHECK-LABEL: func.func @pinned(
// CHECK-SAME:      %[[A:.*]]: tensor<16x8xf16>
// CHECK-NOT:     linalg.transpose
// CHECK:         linalg.generic {{.*}} ins(%[[A]], %{{.*}} attrs = {{.*}}fusion.schedule = {bk = 16
func.func @pinned(%a: tensor<16x8xf16>, %b: tensor<16x32xf16>, %d: tensor<8x32xf32>) -> tensor<8x32xf32> {
  %e = tensor.empty() : tensor<8x16xf16>
  %t = linalg.transpose ins(%a : tensor<16x8xf16>) outs(%e : tensor<8x16xf16>) permutation = [1, 0]
  // expected-remark @below {{Remark="reads what transpose moves where it lies"}}
  %0 = linalg.matmul {fusion.schedule = {kind = "mma", bm = 16, bn = 16, bk = 16, stages = 2, warps = 1}} ins(%t, %b : tensor<8x16xf16>, tensor<16x32xf16>) outs(%d : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %0 : tensor<8x32xf32>
}
