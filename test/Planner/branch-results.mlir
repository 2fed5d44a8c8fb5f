// A region that ends in a reshape yields it as it is: what computes its operand writes
// the branch's result in its own shape.
//
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups, fusion-flatten-conditionals))' \
// RUN:   -split-input-file | FileCheck %s

// CHECK-LABEL: func.func @expands(
// CHECK:         %[[D:.*]] = tensor.empty() : tensor<2x2x8xf32>
// CHECK:         %[[R:.*]] = fusion.group "{{[a-z]+}}" kinds ["conditional"] ins({{.*}}) outs(%[[D]] : tensor<2x2x8xf32>)
// CHECK:           %[[V:.*]] = tensor.collapse_shape {{.*}} into tensor<4x8xf32>
// CHECK:           %[[G:.*]] = fusion.group "{{[a-z]+}}" kinds [] ins({{.*}}) outs(%[[V]] : tensor<4x8xf32>)
// CHECK:           %[[B:.*]] = tensor.expand_shape %[[G]] {{.*}} into tensor<2x2x8xf32>
// CHECK:           fusion.yield %[[B]]
// CHECK:         %[[S:.*]] = fusion.group "{{[a-z]+}}" kinds ["conditional"] ins({{.*}}) outs(%[[R]] : tensor<2x2x8xf32>)
// CHECK:         return %[[S]]
func.func @expands(%c: tensor<i1>, %x: tensor<4x8xf32>, %y: tensor<2x2x8xf32>) -> tensor<2x2x8xf32> {
  %r = fusion.if %c : tensor<i1> -> tensor<2x2x8xf32> {
    %e = tensor.empty() : tensor<4x8xf32>
    %0 = linalg.exp ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
    %z = tensor.expand_shape %0 [[0, 1], [2]] output_shape [2, 2, 8] : tensor<4x8xf32> into tensor<2x2x8xf32>
    fusion.yield %z : tensor<2x2x8xf32>
  } else {
    %e = tensor.empty() : tensor<2x2x8xf32>
    %0 = linalg.negf ins(%y : tensor<2x2x8xf32>) outs(%e : tensor<2x2x8xf32>) -> tensor<2x2x8xf32>
    fusion.yield %0 : tensor<2x2x8xf32>
  }
  return %r : tensor<2x2x8xf32>
}

// -----

// The other region's, and joined dims.
// CHECK-LABEL: func.func @collapses(
// CHECK:         %[[R:.*]] = fusion.group "{{[a-z]+}}" kinds ["conditional"] ins({{.*}}) outs({{.*}} : tensor<4x8xf32>)
// CHECK:         %[[S:.*]] = fusion.group "{{[a-z]+}}" kinds ["conditional"] ins({{.*}}) outs(%[[R]] : tensor<4x8xf32>)
// CHECK:           %[[V:.*]] = tensor.expand_shape {{.*}} into tensor<2x2x8xf32>
// CHECK:           %[[G:.*]] = fusion.group "{{[a-z]+}}" kinds [] ins({{.*}}) outs(%[[V]] : tensor<2x2x8xf32>)
// CHECK:           tensor.collapse_shape %[[G]] {{.*}} into tensor<4x8xf32>
// CHECK:         return %[[S]]
func.func @collapses(%c: tensor<i1>, %x: tensor<4x8xf32>, %y: tensor<2x2x8xf32>) -> tensor<4x8xf32> {
  %r = fusion.if %c : tensor<i1> -> tensor<4x8xf32> {
    %e = tensor.empty() : tensor<4x8xf32>
    %0 = linalg.exp ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
    fusion.yield %0 : tensor<4x8xf32>
  } else {
    %e = tensor.empty() : tensor<2x2x8xf32>
    %0 = linalg.negf ins(%y : tensor<2x2x8xf32>) outs(%e : tensor<2x2x8xf32>) -> tensor<2x2x8xf32>
    %z = tensor.collapse_shape %0 [[0, 1], [2]] : tensor<2x2x8xf32> into tensor<4x8xf32>
    fusion.yield %z : tensor<4x8xf32>
  }
  return %r : tensor<4x8xf32>
}
