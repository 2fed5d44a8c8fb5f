// Residuals, and sums of two products, where a reshape stays, each with its reason.

// RUN: fusion-opt %s -fusion-sink-reshapes -split-input-file | FileCheck %s
// RUN: fusion-opt %s -fusion-sink-reshapes -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics -o /dev/null

// Nothing else reads either: the first kernel takes the sum, and reads the second
// product.
// CHECK-LABEL: func.func @read_once(
// CHECK:         linalg.batch_matmul
// CHECK:         %[[T:.*]] = linalg.generic
// CHECK:         %[[E:.*]] = tensor.expand_shape
// CHECK:         linalg.generic {{.*}} ins(%[[E]], %[[T]] : tensor<2x5x7xf32>, tensor<2x5x7xf32>)
#id = affine_map<(i, j, k) -> (i, j, k)>
#turned = affine_map<(i, j, k) -> (i, k, j)>
func.func @read_once(%x: tensor<2x7x3xf32>, %v: tensor<2x3x5xf32>, %h: tensor<10x9xf32>, %w: tensor<9x7xf32>, %c: tensor<2x7x5xf32>, %d: tensor<10x7xf32>) -> tensor<2x5x7xf32> {
  %e = tensor.empty() : tensor<2x5x7xf32>
  %0 = linalg.batch_matmul ins(%x, %v : tensor<2x7x3xf32>, tensor<2x3x5xf32>) outs(%c : tensor<2x7x5xf32>) -> tensor<2x7x5xf32>
  %r = linalg.generic {indexing_maps = [#turned, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%0 : tensor<2x7x5xf32>) outs(%e : tensor<2x5x7xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = math.tanh %a : f32
    linalg.yield %1 : f32
  } -> tensor<2x5x7xf32>
  %2 = linalg.matmul ins(%h, %w : tensor<10x9xf32>, tensor<9x7xf32>) outs(%d : tensor<10x7xf32>) -> tensor<10x7xf32>
  %3 = tensor.expand_shape %2 [[0, 1], [2]] output_shape [2, 5, 7] : tensor<10x7xf32> into tensor<2x5x7xf32>
  // expected-remark @below {{Reason="an index map does not keep the reshaped dims together"}}
  %4 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%3, %r : tensor<2x5x7xf32>, tensor<2x5x7xf32>) outs(%e : tensor<2x5x7xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %1 = arith.addf %a, %b : f32
    linalg.yield %1 : f32
  } -> tensor<2x5x7xf32>
  return %4 : tensor<2x5x7xf32>
}

// -----

// Both are results too: one of them is read from memory, whichever kernel adds.
// CHECK-LABEL: func.func @both_are_results(
// CHECK:         linalg.batch_matmul
// CHECK:         %[[T:.*]] = linalg.generic
// CHECK:         %[[E:.*]] = tensor.expand_shape
// CHECK:         linalg.generic {{.*}} ins(%[[E]], %[[T]] : tensor<2x5x7xf32>, tensor<2x5x7xf32>)
#id = affine_map<(i, j, k) -> (i, j, k)>
#turned = affine_map<(i, j, k) -> (i, k, j)>
func.func @both_are_results(%x: tensor<2x7x3xf32>, %v: tensor<2x3x5xf32>, %h: tensor<10x9xf32>, %w: tensor<9x7xf32>, %c: tensor<2x7x5xf32>, %d: tensor<10x7xf32>) -> (tensor<2x5x7xf32>, tensor<2x5x7xf32>, tensor<10x7xf32>) {
  %e = tensor.empty() : tensor<2x5x7xf32>
  %0 = linalg.batch_matmul ins(%x, %v : tensor<2x7x3xf32>, tensor<2x3x5xf32>) outs(%c : tensor<2x7x5xf32>) -> tensor<2x7x5xf32>
  %r = linalg.generic {indexing_maps = [#turned, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%0 : tensor<2x7x5xf32>) outs(%e : tensor<2x5x7xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = math.tanh %a : f32
    linalg.yield %1 : f32
  } -> tensor<2x5x7xf32>
  %2 = linalg.matmul ins(%h, %w : tensor<10x9xf32>, tensor<9x7xf32>) outs(%d : tensor<10x7xf32>) -> tensor<10x7xf32>
  %3 = tensor.expand_shape %2 [[0, 1], [2]] output_shape [2, 5, 7] : tensor<10x7xf32> into tensor<2x5x7xf32>
  // expected-remark @below {{Reason="an index map does not keep the reshaped dims together"}}
  %4 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%3, %r : tensor<2x5x7xf32>, tensor<2x5x7xf32>) outs(%e : tensor<2x5x7xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %1 = arith.addf %a, %b : f32
    linalg.yield %1 : f32
  } -> tensor<2x5x7xf32>
  return %4, %r, %2 : tensor<2x5x7xf32>, tensor<2x5x7xf32>, tensor<10x7xf32>
}
