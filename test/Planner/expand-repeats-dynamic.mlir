// Heads that share keys, with rows of a size known at run time.

// RUN: fusion-opt %s -fusion-graph-to-linalg -fusion-expand-repeats | FileCheck %s
// RUN: fusion-opt %s -fusion-graph-to-linalg -fusion-linalg-to-groups=target=sm_90a | FileCheck %s --check-prefix=PLAN

// What makes the queries runs on the heads' dims too, though the size that it was
// asked for was that of its result: it is in attention's kernel.
// CHECK-LABEL: func.func @main(
// CHECK-SAME:      %[[Q:.*]]: tensor<2x4x?x16xf32>
// CHECK:         %[[QE:.*]] = tensor.expand_shape %[[Q]] {{\[\[}}0], [1, 2], [3], [4]] output_shape [2, 2, 2, %{{.*}}, 16]
// CHECK:         %[[T:.*]] = linalg.generic {{.*}} ins(%[[QE]] : tensor<2x2x2x?x16xf32>)
// CHECK-NEXT:    ^bb0
// CHECK-NEXT:      math.tanh
// CHECK-NOT:     tensor.expand_shape
// CHECK:         linalg.generic {{.*}} ins(%[[T]], %{{.*}} : tensor<2x2x2x?x16xf32>, tensor<2x2x2x?x16xf32>)
// CHECK-NOT:     tensor.expand_shape
// PLAN-COUNT-1: fusion.group "
// PLAN-NOT:     fusion.group "
func.func @main(%q: tensor<2x4x?x16xf32> {fusion.dims = ["", "", "seq", ""]}, %k: tensor<2x2x?x16xf32> {fusion.dims = ["", "", "seq", ""]},
                %v: tensor<2x2x?x16xf32> {fusion.dims = ["", "", "seq", ""]}) -> tensor<2x4x?x16xf32> {
  %c2 = arith.constant 2 : index
  %n = tensor.dim %q, %c2 : tensor<2x4x?x16xf32>
  %t = fusion.tanh %q : tensor<2x4x?x16xf32>
  %k1 = fusion.reshape %k sizes(%n) : tensor<2x2x?x16xf32> to tensor<2x2x1x?x16xf32>
  %k2 = fusion.broadcast %k1 dims = [0, 1, 2, 3, 4] sizes(%n) : tensor<2x2x1x?x16xf32> to tensor<2x2x2x?x16xf32>
  %k3 = fusion.reshape %k2 sizes(%n) : tensor<2x2x2x?x16xf32> to tensor<2x4x?x16xf32>
  %v1 = fusion.reshape %v sizes(%n) : tensor<2x2x?x16xf32> to tensor<2x2x1x?x16xf32>
  %v2 = fusion.broadcast %v1 dims = [0, 1, 2, 3, 4] sizes(%n) : tensor<2x2x1x?x16xf32> to tensor<2x2x2x?x16xf32>
  %v3 = fusion.reshape %v2 sizes(%n) : tensor<2x2x2x?x16xf32> to tensor<2x4x?x16xf32>
  %s = fusion.matmul %t, %k3 {transpose_b} : tensor<2x4x?x16xf32>, tensor<2x4x?x16xf32> -> tensor<2x4x?x?xf32>
  %p = fusion.softmax %s dim = 3 : tensor<2x4x?x?xf32>
  %o = fusion.matmul %p, %v3 : tensor<2x4x?x?xf32>, tensor<2x4x?x16xf32> -> tensor<2x4x?x16xf32>
  return %o : tensor<2x4x?x16xf32>
}
