// Repeated keys, with rows of a size known at run time, that stay as they are.

// RUN: fusion-opt %s -fusion-graph-to-linalg -fusion-expand-repeats -split-input-file | FileCheck %s
// RUN: fusion-opt %s -fusion-graph-to-linalg -fusion-expand-repeats -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics -o /dev/null

// Nothing takes rows of the scores.
// CHECK-LABEL: func.func @scores_alone(
// CHECK-SAME:      %[[Q:.*]]: tensor<2x4x?x16xf32>
// CHECK-NOT:     tensor.expand_shape %[[Q]]
// CHECK:         tensor.collapse_shape
func.func @scores_alone(%q: tensor<2x4x?x16xf32>, %k: tensor<2x2x?x16xf32>) -> tensor<2x4x?x?xf32> {
  %c2 = arith.constant 2 : index
  %n = tensor.dim %q, %c2 : tensor<2x4x?x16xf32>
  %t = fusion.tanh %q : tensor<2x4x?x16xf32>
  %k1 = fusion.reshape %k sizes(%n) : tensor<2x2x?x16xf32> to tensor<2x2x1x?x16xf32>
  %k2 = fusion.broadcast %k1 dims = [0, 1, 2, 3, 4] sizes(%n) : tensor<2x2x1x?x16xf32> to tensor<2x2x2x?x16xf32>
  %k3 = fusion.reshape %k2 sizes(%n) : tensor<2x2x2x?x16xf32> to tensor<2x4x?x16xf32>
  // expected-remark @below {{Reason="more than a softmax of its rows and a contraction over its columns follows"}}
  %s = fusion.matmul %t, %k3 {transpose_b} : tensor<2x4x?x16xf32>, tensor<2x4x?x16xf32> -> tensor<2x4x?x?xf32>
  return %s : tensor<2x4x?x?xf32>
}

// -----

// The scores are a result too.
// CHECK-LABEL: func.func @scores_returned(
// CHECK-SAME:      %[[Q:.*]]: tensor<2x4x?x16xf32>
// CHECK-NOT:     tensor.expand_shape %[[Q]]
// CHECK:         tensor.collapse_shape
func.func @scores_returned(%q: tensor<2x4x?x16xf32>, %k: tensor<2x2x?x16xf32>, %v: tensor<2x4x?x16xf32>) -> (tensor<2x4x?x16xf32>, tensor<2x4x?x?xf32>) {
  %c2 = arith.constant 2 : index
  %n = tensor.dim %q, %c2 : tensor<2x4x?x16xf32>
  %t = fusion.tanh %q : tensor<2x4x?x16xf32>
  %k1 = fusion.reshape %k sizes(%n) : tensor<2x2x?x16xf32> to tensor<2x2x1x?x16xf32>
  %k2 = fusion.broadcast %k1 dims = [0, 1, 2, 3, 4] sizes(%n) : tensor<2x2x1x?x16xf32> to tensor<2x2x2x?x16xf32>
  %k3 = fusion.reshape %k2 sizes(%n) : tensor<2x2x2x?x16xf32> to tensor<2x4x?x16xf32>
  // expected-remark @below {{Reason="what lies between the contractions is needed elsewhere"}}
  %s = fusion.matmul %t, %k3 {transpose_b} : tensor<2x4x?x16xf32>, tensor<2x4x?x16xf32> -> tensor<2x4x?x?xf32>
  %p = fusion.softmax %s dim = 3 : tensor<2x4x?x?xf32>
  %o = fusion.matmul %p, %v : tensor<2x4x?x?xf32>, tensor<2x4x?x16xf32> -> tensor<2x4x?x16xf32>
  return %o, %s : tensor<2x4x?x16xf32>, tensor<2x4x?x?xf32>
}
