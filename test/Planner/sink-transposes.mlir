// An elementwise op between a transpose and a contraction runs before the
// transpose: there it can join what makes the tensor.

// RUN: fusion-opt %s -fusion-sink-transposes -split-input-file | FileCheck %s

// Its positions turn with it.
// CHECK-LABEL: func.func @scaled(
// CHECK-SAME:      %[[Q:.*]]: tensor<?x2x16xf32>, %[[F:.*]]: tensor<?x16xf32>,
// CHECK:         %[[S:.*]] = linalg.generic {{.*}} ins(%[[Q]], %[[F]] : {{.*}}) outs(%{{.*}} : tensor<?x2x16xf32>)
// CHECK:           linalg.index 0
// CHECK:         %[[T:.*]] = linalg.transpose ins(%[[S]] : {{.*}}) outs(%{{.*}} : tensor<2x?x16xf32>) permutation = [1, 0, 2]
// CHECK:         linalg.batch_matmul ins(%[[T]],
#id = affine_map<(h, m, k) -> (h, m, k)>
#rows = affine_map<(h, m, k) -> (m, k)>
func.func @scaled(%q: tensor<?x2x16xf32>, %f: tensor<?x16xf32>, %k: tensor<2x16x8xf32>, %d: tensor<2x?x8xf32>, %m: index) -> tensor<2x?x8xf32> {
  %e = tensor.empty(%m) : tensor<2x?x16xf32>
  %t = linalg.transpose ins(%q : tensor<?x2x16xf32>) outs(%e : tensor<2x?x16xf32>) permutation = [1, 0, 2]
  %s = linalg.generic {indexing_maps = [#id, #rows, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%t, %f : tensor<2x?x16xf32>, tensor<?x16xf32>) outs(%e : tensor<2x?x16xf32>) {
  ^bb0(%a: f32, %b: f32, %r: f32):
    %i = linalg.index 1 : index
    %n = arith.index_cast %i : index to i32
    %p = arith.sitofp %n : i32 to f32
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %0, %p : f32
    linalg.yield %1 : f32
  } -> tensor<2x?x16xf32>
  %0 = linalg.batch_matmul ins(%s, %k : tensor<2x?x16xf32>, tensor<2x16x8xf32>) outs(%d : tensor<2x?x8xf32>) -> tensor<2x?x8xf32>
  return %0 : tensor<2x?x8xf32>
}
