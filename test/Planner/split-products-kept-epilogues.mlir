// Products behind the epilogue of another one that keep the shape they have.

// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-split-products))' -split-input-file | FileCheck %s
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-split-products))' -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics -o /dev/null

// The second product is read by a third one too, as it is.
// CHECK-LABEL: func.func @third_product(
// CHECK:         %[[E:.*]] = linalg.exp
// CHECK:         linalg.matmul ins(%[[E]], %{{.*}} : tensor<14x31xf32>, tensor<31x15xf32>)
func.func @third_product(%x: tensor<14x9xf32>, %v: tensor<9x31xf32>, %w: tensor<31x15xf32>, %c: tensor<14x31xf32>, %d: tensor<14x15xf32>, %t: tensor<2x15x7xf32>, %u: tensor<2x15x3xf32>, %o: tensor<2x7x3xf32>) -> (tensor<2x15x7xf32>, tensor<2x7x3xf32>) {
  %e = tensor.empty() : tensor<14x31xf32>
  %0 = linalg.matmul ins(%x, %v : tensor<14x9xf32>, tensor<9x31xf32>) outs(%c : tensor<14x31xf32>) -> tensor<14x31xf32>
  %1 = linalg.exp ins(%0 : tensor<14x31xf32>) outs(%e : tensor<14x31xf32>) -> tensor<14x31xf32>
  %2 = linalg.matmul ins(%1, %w : tensor<14x31xf32>, tensor<31x15xf32>) outs(%d : tensor<14x15xf32>) -> tensor<14x15xf32>
  // expected-remark @below {{Reason="what the reshape makes is read as it is, not only by elementwise operations and reductions"}}
  %3 = tensor.expand_shape %2 [[0, 1], [2]] output_shape [2, 7, 15] : tensor<14x15xf32> into tensor<2x7x15xf32>
  %4 = linalg.transpose ins(%3 : tensor<2x7x15xf32>) outs(%t : tensor<2x15x7xf32>) permutation = [0, 2, 1]
  %5 = linalg.batch_matmul ins(%3, %u : tensor<2x7x15xf32>, tensor<2x15x3xf32>) outs(%o : tensor<2x7x3xf32>) -> tensor<2x7x3xf32>
  return %4, %5 : tensor<2x15x7xf32>, tensor<2x7x3xf32>
}

// -----

// The second product is marked.
// CHECK-LABEL: func.func @marked(
// CHECK:         %[[E:.*]] = linalg.exp
// CHECK:         linalg.matmul {fusion.no_fuse} ins(%[[E]], %{{.*}} : tensor<14x31xf32>, tensor<31x15xf32>)
func.func @marked(%x: tensor<14x9xf32>, %v: tensor<9x31xf32>, %w: tensor<31x15xf32>, %c: tensor<14x31xf32>, %d: tensor<14x15xf32>, %t: tensor<2x15x7xf32>) -> tensor<2x15x7xf32> {
  %e = tensor.empty() : tensor<14x31xf32>
  %0 = linalg.matmul ins(%x, %v : tensor<14x9xf32>, tensor<9x31xf32>) outs(%c : tensor<14x31xf32>) -> tensor<14x31xf32>
  %1 = linalg.exp ins(%0 : tensor<14x31xf32>) outs(%e : tensor<14x31xf32>) -> tensor<14x31xf32>
  %2 = linalg.matmul {fusion.no_fuse} ins(%1, %w : tensor<14x31xf32>, tensor<31x15xf32>) outs(%d : tensor<14x15xf32>) -> tensor<14x15xf32>
  // expected-remark @below {{Reason="the op is marked with fusion.no_fuse"}}
  %3 = tensor.expand_shape %2 [[0, 1], [2]] output_shape [2, 7, 15] : tensor<14x15xf32> into tensor<2x7x15xf32>
  %4 = linalg.transpose ins(%3 : tensor<2x7x15xf32>) outs(%t : tensor<2x15x7xf32>) permutation = [0, 2, 1]
  return %4 : tensor<2x15x7xf32>
}
