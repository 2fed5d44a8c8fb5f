// Reshapes between two linalg ops that stay, each with its reason.

// RUN: fusion-opt %s -fusion-sink-reshapes -split-input-file | FileCheck %s
// RUN: fusion-opt %s -fusion-sink-reshapes -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics -o /dev/null

// A bias along a collapsed dim cannot be read in the collapsed shape.
#id = affine_map<(i, j, k) -> (i, j, k)>
#middle = affine_map<(i, j, k) -> (j)>

// CHECK-LABEL: func.func @not_together(
// CHECK:         linalg.matmul
// CHECK:         tensor.expand_shape
// CHECK:         linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<2x8x48xf32>, tensor<8xf32>)
func.func @not_together(%x: tensor<16x4xf32>, %w: tensor<4x48xf32>, %bias: tensor<8xf32>, %e: tensor<16x48xf32>) -> tensor<2x8x48xf32> {
  %f = tensor.empty() : tensor<2x8x48xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<16x4xf32>, tensor<4x48xf32>) outs(%e : tensor<16x48xf32>) -> tensor<16x48xf32>
  // expected-remark @below {{Reason="an index map does not keep the reshaped dims together"}}
  %r = tensor.expand_shape %0 [[0, 1], [2]] output_shape [2, 8, 48] : tensor<16x48xf32> into tensor<2x8x48xf32>
  %y = linalg.generic {indexing_maps = [#id, #middle, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%r, %bias : tensor<2x8x48xf32>, tensor<8xf32>) outs(%f : tensor<2x8x48xf32>) {
  ^bb0(%p: f32, %q: f32, %d: f32):
    %1 = arith.addf %p, %q : f32
    linalg.yield %1 : f32
  } -> tensor<2x8x48xf32>
  return %y : tensor<2x8x48xf32>
}

// -----

// Nothing to win, and nothing considered: the expanded value is an argument.
#id = affine_map<(i, j) -> (i, j)>

// CHECK-LABEL: func.func @argument(
// CHECK:         tensor.expand_shape %{{.*}}
// CHECK-NEXT:    linalg.generic
func.func @argument(%x: tensor<16xf32>, %e: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %r = tensor.expand_shape %x [[0, 1]] output_shape [2, 8] : tensor<16xf32> into tensor<2x8xf32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%r : tensor<2x8xf32>) outs(%e : tensor<2x8xf32>) {
  ^bb0(%p: f32, %d: f32):
    %0 = arith.negf %p : f32
    linalg.yield %0 : f32
  } -> tensor<2x8xf32>
  return %y : tensor<2x8xf32>
}

// -----

// A contraction runs on the shape that it has.
// CHECK-LABEL: func.func @before_a_contraction(
// CHECK:         linalg.exp
// CHECK:         tensor.expand_shape
// CHECK:         linalg.batch_matmul
func.func @before_a_contraction(%x: tensor<16x8xf32>, %w: tensor<2x8x4xf32>, %d: tensor<2x8x4xf32>) -> tensor<2x8x4xf32> {
  %e = tensor.empty() : tensor<16x8xf32>
  %0 = linalg.exp ins(%x : tensor<16x8xf32>) outs(%e : tensor<16x8xf32>) -> tensor<16x8xf32>
  // expected-remark @below {{Reason="only elementwise ops and reductions run on another shape"}}
  %r = tensor.expand_shape %0 [[0, 1], [2]] output_shape [2, 8, 8] : tensor<16x8xf32> into tensor<2x8x8xf32>
  %y = linalg.batch_matmul ins(%r, %w : tensor<2x8x8xf32>, tensor<2x8x4xf32>) outs(%d : tensor<2x8x4xf32>) -> tensor<2x8x4xf32>
  return %y : tensor<2x8x4xf32>
}

// -----

// From contraction to contraction: neither has another shape.
// CHECK-LABEL: func.func @between_contractions(
// CHECK:         linalg.batch_matmul
// CHECK-NEXT:    tensor.collapse_shape
// CHECK-NEXT:    linalg.matmul
func.func @between_contractions(%x: tensor<2x8x8xf32>, %w: tensor<2x8x4xf32>, %v: tensor<4x4xf32>, %d: tensor<2x8x4xf32>, %e: tensor<16x4xf32>) -> tensor<16x4xf32> {
  %0 = linalg.batch_matmul ins(%x, %w : tensor<2x8x8xf32>, tensor<2x8x4xf32>) outs(%d : tensor<2x8x4xf32>) -> tensor<2x8x4xf32>
  // expected-remark @below {{Reason="the loops of a contraction or of windows stay as they are"}}
  %r = tensor.collapse_shape %0 [[0, 1], [2]] : tensor<2x8x4xf32> into tensor<16x4xf32>
  %y = linalg.matmul ins(%r, %v : tensor<16x4xf32>, tensor<4x4xf32>) outs(%e : tensor<16x4xf32>) -> tensor<16x4xf32>
  return %y : tensor<16x4xf32>
}

// -----

// A reduction over one of the parts cannot run on the whole, nor a product on the
// parts.
// CHECK-LABEL: func.func @reduced_part(
// CHECK:         linalg.matmul
// CHECK:         tensor.expand_shape
// CHECK:         linalg.reduce
func.func @reduced_part(%x: tensor<16x4xf32>, %w: tensor<4x4xf32>, %e: tensor<16x4xf32>, %d: tensor<2xf32>) -> tensor<2xf32> {
  %0 = linalg.matmul ins(%x, %w : tensor<16x4xf32>, tensor<4x4xf32>) outs(%e : tensor<16x4xf32>) -> tensor<16x4xf32>
  // expected-remark @below {{Reason="an index map does not keep the reshaped dims together"}}
  %r = tensor.expand_shape %0 [[0, 1], [2]] output_shape [2, 8, 4] : tensor<16x4xf32> into tensor<2x8x4xf32>
  %y = linalg.reduce { arith.addf } ins(%r : tensor<2x8x4xf32>) outs(%d : tensor<2xf32>) dimensions = [1, 2]
  return %y : tensor<2xf32>
}

// -----

// The parts are read in another order: they are one dim in none.
#id = affine_map<(i, j, k) -> (i, j, k)>
#turned = affine_map<(i, j, k) -> (j, i, k)>

// CHECK-LABEL: func.func @turned(
// CHECK:         linalg.matmul
// CHECK:         tensor.expand_shape
// CHECK:         linalg.generic
func.func @turned(%x: tensor<16x4xf32>, %w: tensor<4x8xf32>, %e: tensor<16x8xf32>, %f: tensor<8x2x8xf32>) -> tensor<8x2x8xf32> {
  %0 = linalg.matmul ins(%x, %w : tensor<16x4xf32>, tensor<4x8xf32>) outs(%e : tensor<16x8xf32>) -> tensor<16x8xf32>
  // expected-remark @below {{Reason="an index map does not keep the reshaped dims together"}}
  %r = tensor.expand_shape %0 [[0, 1], [2]] output_shape [2, 8, 8] : tensor<16x8xf32> into tensor<2x8x8xf32>
  %y = linalg.generic {indexing_maps = [#turned, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%r : tensor<2x8x8xf32>) outs(%f : tensor<8x2x8xf32>) {
  ^bb0(%p: f32, %d: f32):
    %1 = math.exp %p : f32
    linalg.yield %1 : f32
  } -> tensor<8x2x8xf32>
  return %y : tensor<8x2x8xf32>
}

// -----

// A pool reads windows of the shape that it has.
// CHECK-LABEL: func.func @before_windows(
// CHECK:         linalg.exp
// CHECK:         tensor.expand_shape
// CHECK:         linalg.pooling_nhwc_max
func.func @before_windows(%x: tensor<200x8xf32>, %w: tensor<3x3xf32>, %d: tensor<2x8x8x8xf32>) -> tensor<2x8x8x8xf32> {
  %e = tensor.empty() : tensor<200x8xf32>
  %0 = linalg.exp ins(%x : tensor<200x8xf32>) outs(%e : tensor<200x8xf32>) -> tensor<200x8xf32>
  // expected-remark @below {{Reason="only elementwise ops and reductions run on another shape"}}
  %r = tensor.expand_shape %0 [[0, 1, 2], [3]] output_shape [2, 10, 10, 8] : tensor<200x8xf32> into tensor<2x10x10x8xf32>
  %y = linalg.pooling_nhwc_max {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%r, %w : tensor<2x10x10x8xf32>, tensor<3x3xf32>) outs(%d : tensor<2x8x8x8xf32>) -> tensor<2x8x8x8xf32>
  return %y : tensor<2x8x8x8xf32>
}
