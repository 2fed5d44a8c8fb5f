// On a CPU, where a branch costs nothing, arms are one computation where what differs
// is picked, not computed.

// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-merge-arms{target=cpu}))' -split-input-file | FileCheck %s
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-merge-arms{target=cpu}))' -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics -o /dev/null

// Operands that lie in memory are picked.
// CHECK-LABEL: func.func @picked(
// CHECK-NOT:     fusion.if
// CHECK:         arith.select
// CHECK:         linalg.matmul
func.func @picked(%c: tensor<i1>, %x: tensor<8x8xf32>, %y: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expected-remark @below {{both arms are one computation on chosen operands}}
  %r = fusion.if %c : tensor<i1> -> tensor<8x8xf32> {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<8x8xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    %0 = linalg.matmul ins(%x, %x : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
    fusion.yield %0 : tensor<8x8xf32>
  } else {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<8x8xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    %0 = linalg.matmul ins(%y, %y : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
    fusion.yield %0 : tensor<8x8xf32>
  }
  return %r : tensor<8x8xf32>
}
