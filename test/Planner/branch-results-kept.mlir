// What a branch gives is a copy of a reshape that no destination in another shape
// stands for.
//
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups))' -split-input-file | FileCheck %s
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups))' -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics -o /dev/null

// CHECK-LABEL: func.func @of_a_region(
// CHECK:         %[[Z:.*]] = tensor.expand_shape
// CHECK:         %[[COPY:.*]] = fusion.group "{{[a-z]+}}" kinds [] ins(%[[Z]]
// CHECK:         fusion.yield %[[COPY]]
func.func @of_a_region(%c: tensor<i1>, %d: tensor<i1>, %x: tensor<4x8xf32>, %y: tensor<2x2x8xf32>) -> tensor<2x2x8xf32> {
  %r = fusion.if %c : tensor<i1> -> tensor<2x2x8xf32> {
    %i = fusion.if %d : tensor<i1> -> tensor<4x8xf32> {
      %e = tensor.empty() : tensor<4x8xf32>
      %0 = linalg.exp ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
      fusion.yield %0 : tensor<4x8xf32>
    } else {
      %e = tensor.empty() : tensor<4x8xf32>
      %0 = linalg.abs ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
      fusion.yield %0 : tensor<4x8xf32>
    }
    // expected-remark @below {{Reason="the branch's result is a copy of the reshape: what the reshape reads is not computed in this region}}
    %z = tensor.expand_shape %i [[0, 1], [2]] output_shape [2, 2, 8] : tensor<4x8xf32> into tensor<2x2x8xf32>
    fusion.yield %z : tensor<2x2x8xf32>
  } else {
    %e = tensor.empty() : tensor<2x2x8xf32>
    %0 = linalg.negf ins(%y : tensor<2x2x8xf32>) outs(%e : tensor<2x2x8xf32>) -> tensor<2x2x8xf32>
    fusion.yield %0 : tensor<2x2x8xf32>
  }
  return %r : tensor<2x2x8xf32>
}

// -----

// CHECK-LABEL: func.func @of_an_argument(
// CHECK:         %[[Z:.*]] = tensor.expand_shape
// CHECK:         %[[COPY:.*]] = fusion.group "{{[a-z]+}}" kinds [] ins(%[[Z]]
// CHECK:         fusion.yield %[[COPY]]
func.func @of_an_argument(%c: tensor<i1>, %x: tensor<4x8xf32>, %y: tensor<2x2x8xf32>) -> tensor<2x2x8xf32> {
  %r = fusion.if %c : tensor<i1> -> tensor<2x2x8xf32> {
    // expected-remark @below {{Reason="the branch's result is a copy of the reshape: what the reshape reads is not computed in this region}}
    %z = tensor.expand_shape %x [[0, 1], [2]] output_shape [2, 2, 8] : tensor<4x8xf32> into tensor<2x2x8xf32>
    fusion.yield %z : tensor<2x2x8xf32>
  } else {
    %e = tensor.empty() : tensor<2x2x8xf32>
    %0 = linalg.negf ins(%y : tensor<2x2x8xf32>) outs(%e : tensor<2x2x8xf32>) -> tensor<2x2x8xf32>
    fusion.yield %0 : tensor<2x2x8xf32>
  }
  return %r : tensor<2x2x8xf32>
}

// -----

// CHECK-LABEL: func.func @unknown_sizes(
// CHECK:         %[[Z:.*]] = tensor.expand_shape
// CHECK:         %[[COPY:.*]] = fusion.group "{{[a-z]+}}" kinds [] ins(%[[Z]]
// CHECK:         fusion.yield %[[COPY]]
func.func @unknown_sizes(%c: tensor<i1>, %x: tensor<?x8xf32>, %y: tensor<?x2x4xf32>) -> tensor<?x2x4xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x8xf32>
  %r = fusion.if %c : tensor<i1> -> tensor<?x2x4xf32> {
    %e = tensor.empty(%n) : tensor<?x8xf32>
    %1 = linalg.exp ins(%x : tensor<?x8xf32>) outs(%e : tensor<?x8xf32>) -> tensor<?x8xf32>
    // expected-remark @below {{Reason="the branch's result is a copy of the reshape: the sizes of the reshape are not known}}
    %z = tensor.expand_shape %1 [[0], [1, 2]] output_shape [%n, 2, 4] : tensor<?x8xf32> into tensor<?x2x4xf32>
    fusion.yield %z : tensor<?x2x4xf32>
  } else {
    %e = tensor.empty(%n) : tensor<?x2x4xf32>
    %0 = linalg.negf ins(%y : tensor<?x2x4xf32>) outs(%e : tensor<?x2x4xf32>) -> tensor<?x2x4xf32>
    fusion.yield %0 : tensor<?x2x4xf32>
  }
  return %r : tensor<?x2x4xf32>
}

// -----

// CHECK-LABEL: func.func @two_reshapes(
// CHECK:         %[[Z:.*]] = tensor.expand_shape
// CHECK:         %[[COPY:.*]] = fusion.group "{{[a-z]+}}" kinds [] ins(%[[Z]]
// CHECK:         fusion.yield %[[COPY]]
func.func @two_reshapes(%c: tensor<i1>, %x: tensor<3x8xf32>, %y: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %r = fusion.if %c : tensor<i1> -> tensor<4x6xf32> {
    %e = tensor.empty() : tensor<3x8xf32>
    %0 = linalg.exp ins(%x : tensor<3x8xf32>) outs(%e : tensor<3x8xf32>) -> tensor<3x8xf32>
    %f = tensor.collapse_shape %0 [[0, 1]] : tensor<3x8xf32> into tensor<24xf32>
    // expected-remark @below {{Reason="the branch's result is a copy of the reshape: it follows another reshape}}
    %z = tensor.expand_shape %f [[0, 1]] output_shape [4, 6] : tensor<24xf32> into tensor<4x6xf32>
    fusion.yield %z : tensor<4x6xf32>
  } else {
    %e = tensor.empty() : tensor<4x6xf32>
    %0 = linalg.negf ins(%y : tensor<4x6xf32>) outs(%e : tensor<4x6xf32>) -> tensor<4x6xf32>
    fusion.yield %0 : tensor<4x6xf32>
  }
  return %r : tensor<4x6xf32>
}
