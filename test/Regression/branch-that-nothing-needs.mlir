// A branch whose results nothing reads is gone before its blocks get groups.

// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups{fuse=none}))' | FileCheck %s
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups))' | FileCheck %s
// CHECK-LABEL: func.func @main(
// CHECK-NOT:   fusion.if
// CHECK:       fusion.group
// CHECK-NOT:   fusion.if

#id = affine_map<(i) -> (i)>
func.func @main(%c: tensor<i1>, %x: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %0 = fusion.if %c : tensor<i1> -> tensor<8xf32> {
    %1 = linalg.exp ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    fusion.yield %1 : tensor<8xf32>
  } else {
    %1 = linalg.abs ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    fusion.yield %1 : tensor<8xf32>
  }
  %2 = linalg.negf ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %2 : tensor<8xf32>
}
