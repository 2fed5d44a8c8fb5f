// A residual that lies in memory is read reshaped: the sum stays with its product.

// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-sink-reshapes))' | FileCheck %s

// What is added follows another product, and is a result too.
// CHECK-LABEL: func.func @residual_of_another_product(
// CHECK:         %[[R:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<2x5x7xf32>)
// CHECK:         %[[MM:.*]] = linalg.matmul {{.*}} outs(%{{.*}} : tensor<10x7xf32>)
// CHECK:         %[[C:.*]] = tensor.collapse_shape %[[R]] {{\[\[}}0, 1], [2]]
// CHECK:         linalg.generic {{.*}} ins(%[[MM]], %[[C]] : tensor<10x7xf32>, tensor<10x7xf32>)
#id = affine_map<(i, j, k) -> (i, j, k)>
#turned = affine_map<(i, j, k) -> (i, k, j)>
func.func @residual_of_another_product(%x: tensor<2x7x3xf32>, %v: tensor<2x3x5xf32>, %h: tensor<10x9xf32>, %w: tensor<9x7xf32>, %c: tensor<2x7x5xf32>, %d: tensor<10x7xf32>) -> (tensor<2x5x7xf32>, tensor<2x5x7xf32>) {
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
  %4 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%3, %r : tensor<2x5x7xf32>, tensor<2x5x7xf32>) outs(%e : tensor<2x5x7xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %1 = arith.addf %a, %b : f32
    linalg.yield %1 : f32
  } -> tensor<2x5x7xf32>
  return %4, %r : tensor<2x5x7xf32>, tensor<2x5x7xf32>
}
