// Stacks: parts that kernels make with other dims are written where they lie, along
// the dims that they are made with.

// RUN: fusion-opt %s -fusion-graph-to-linalg -fusion-place-parts | FileCheck %s
// RUN: fusion-opt %s -fusion-graph-to-linalg -fusion-linalg-to-groups=target=sm_90a | FileCheck %s --check-prefix=PLAN

// CHECK-LABEL: func.func @rows(
// CHECK-SAME:      %[[X:.*]]: tensor<32x16xf32>
// CHECK:         %[[P:.*]] = linalg.generic {{.*}} ins(%[[X]] : tensor<32x16xf32>)
// CHECK:         %[[Q:.*]] = linalg.generic {{.*}} ins(%{{.*}} : tensor<32x16xf32>) {{.*}} {fusion.further_part}
// CHECK:         %[[C:.*]] = tensor.concat dim(1) %[[P]], %[[Q]] : (tensor<32x16xf32>, tensor<32x16xf32>) -> tensor<32x32xf32>
// CHECK:         tensor.expand_shape %[[C]] {{\[\[}}0], [1, 2]] output_shape [32, 2, 16]
// PLAN-LABEL: func.func @rows(
// PLAN:         fusion.group "{{.*}} | elementwise"
// PLAN:         tensor.concat dim(1)
func.func @rows(%x: tensor<32x16xf32>, %h: tensor<32x64xf32>, %w: tensor<64x16xf32>) -> tensor<32x2x16xf32> {
  %y = fusion.matmul %h, %w : tensor<32x64xf32>, tensor<64x16xf32> -> tensor<32x16xf32>
  %a = fusion.reshape %x : tensor<32x16xf32> to tensor<32x1x16xf32>
  %b = fusion.reshape %y : tensor<32x16xf32> to tensor<32x1x16xf32>
  %z = fusion.concat %a, %b dim = 1 : tensor<32x1x16xf32>, tensor<32x1x16xf32> -> tensor<32x2x16xf32>
  return %z : tensor<32x2x16xf32>
}

// Whole tensors one after the other, and rows of a number known at run time.
// CHECK-LABEL: func.func @tensors(
// CHECK:         tensor.concat dim(0) {{.*}} -> tensor<64x16xf32>
// CHECK:         tensor.expand_shape {{.*}} {{\[\[}}0, 1], [2]] output_shape [2, 32, 16]
func.func @tensors(%x: tensor<32x16xf32>, %h: tensor<32x64xf32>, %w: tensor<64x16xf32>) -> tensor<2x32x16xf32> {
  %y = fusion.matmul %h, %w : tensor<32x64xf32>, tensor<64x16xf32> -> tensor<32x16xf32>
  %a = fusion.reshape %x : tensor<32x16xf32> to tensor<1x32x16xf32>
  %b = fusion.reshape %y : tensor<32x16xf32> to tensor<1x32x16xf32>
  %z = fusion.concat %a, %b dim = 0 : tensor<1x32x16xf32>, tensor<1x32x16xf32> -> tensor<2x32x16xf32>
  return %z : tensor<2x32x16xf32>
}
// CHECK-LABEL: func.func @dynamic_rows(
// CHECK:         tensor.concat dim(1) {{.*}} -> tensor<?x32xf32>
// CHECK:         tensor.expand_shape {{.*}} {{\[\[}}0], [1, 2]] output_shape [%{{.*}}, 2, 16]
func.func @dynamic_rows(%x: tensor<?x16xf32> {fusion.dims = ["n", ""]}, %h: tensor<?x64xf32> {fusion.dims = ["n", ""]}, %w: tensor<64x16xf32>) -> tensor<?x2x16xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x16xf32>
  %y = fusion.matmul %h, %w : tensor<?x64xf32>, tensor<64x16xf32> -> tensor<?x16xf32>
  %a = fusion.reshape %x sizes(%n) : tensor<?x16xf32> to tensor<?x1x16xf32>
  %b = fusion.reshape %y sizes(%n) : tensor<?x16xf32> to tensor<?x1x16xf32>
  %z = fusion.concat %a, %b dim = 1 : tensor<?x1x16xf32>, tensor<?x1x16xf32> -> tensor<?x2x16xf32>
  return %z : tensor<?x2x16xf32>
}

// Heads of one product before heads that are given as such.
// CHECK-LABEL: func.func @heads(
// CHECK-SAME:      %[[X:.*]]: tensor<32x2x16xf32>
// CHECK:         %[[F:.*]] = tensor.collapse_shape %[[X]] {{\[\[}}0], [1, 2]]
// CHECK:         linalg.generic {{.*}} ins(%[[F]] : tensor<32x32xf32>) {{.*}} {fusion.further_part}
// CHECK:         tensor.concat dim(1) {{.*}} : (tensor<32x48xf32>, tensor<32x32xf32>) -> tensor<32x80xf32>
// CHECK:         tensor.expand_shape {{.*}} output_shape [32, 5, 16]
func.func @heads(%x: tensor<32x2x16xf32>, %h: tensor<32x64xf32>, %w: tensor<64x48xf32>) -> tensor<32x5x16xf32> {
  %y = fusion.matmul %h, %w : tensor<32x64xf32>, tensor<64x48xf32> -> tensor<32x48xf32>
  %b = fusion.reshape %y : tensor<32x48xf32> to tensor<32x3x16xf32>
  %z = fusion.concat %b, %x dim = 1 : tensor<32x3x16xf32>, tensor<32x2x16xf32> -> tensor<32x5x16xf32>
  return %z : tensor<32x5x16xf32>
}
