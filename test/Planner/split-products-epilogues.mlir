// A product's operand that is the epilogue of the product before stays with that one.

// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-split-products))' | FileCheck %s
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-split-products))' \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics -o /dev/null

// What two ops of the epilogue read is part of it. The second product reads it reshaped.
// CHECK-LABEL: func.func @epilogue_before(
// CHECK:         %[[A:.*]] = linalg.matmul {{.*}} outs(%{{.*}} : tensor<14x31xf32>)
// CHECK:         %[[E:.*]] = linalg.exp ins(%[[A]] : tensor<14x31xf32>)
// CHECK:         %[[N:.*]] = linalg.negf ins(%[[E]] : tensor<14x31xf32>)
// CHECK:         %[[M:.*]] = linalg.mul ins(%[[E]], %[[N]] : tensor<14x31xf32>, tensor<14x31xf32>)
// CHECK:         %[[R:.*]] = tensor.expand_shape %[[M]] {{\[\[}}0, 1], [2]] output_shape [2, 7, 31]
// CHECK:         linalg.generic {{.*}} ins(%[[R]], %{{.*}} : tensor<2x7x31xf32>, tensor<31x15xf32>) outs(%{{.*}} : tensor<2x7x15xf32>)
func.func @epilogue_before(%x: tensor<14x9xf32>, %v: tensor<9x31xf32>, %w: tensor<31x15xf32>, %c: tensor<14x31xf32>, %d: tensor<14x15xf32>, %t: tensor<2x15x7xf32>) -> tensor<2x15x7xf32> {
  %e = tensor.empty() : tensor<14x31xf32>
  %0 = linalg.matmul ins(%x, %v : tensor<14x9xf32>, tensor<9x31xf32>) outs(%c : tensor<14x31xf32>) -> tensor<14x31xf32>
  %1 = linalg.exp ins(%0 : tensor<14x31xf32>) outs(%e : tensor<14x31xf32>) -> tensor<14x31xf32>
  %2 = linalg.negf ins(%1 : tensor<14x31xf32>) outs(%e : tensor<14x31xf32>) -> tensor<14x31xf32>
  %3 = linalg.mul ins(%1, %2 : tensor<14x31xf32>, tensor<14x31xf32>) outs(%e : tensor<14x31xf32>) -> tensor<14x31xf32>
  %4 = linalg.matmul ins(%3, %w : tensor<14x31xf32>, tensor<31x15xf32>) outs(%d : tensor<14x15xf32>) -> tensor<14x15xf32>
  // expected-remark @below {{Remark="a product runs on the shape of what reads it"}}
  %5 = tensor.expand_shape %4 [[0, 1], [2]] output_shape [2, 7, 15] : tensor<14x15xf32> into tensor<2x7x15xf32>
  %6 = linalg.transpose ins(%5 : tensor<2x7x15xf32>) outs(%t : tensor<2x15x7xf32>) permutation = [0, 2, 1]
  return %6 : tensor<2x15x7xf32>
}
