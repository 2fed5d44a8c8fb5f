// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups{target=cpu}))' -split-input-file | FileCheck %s
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups{target=cpu}))' -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics -o /dev/null

// What a CPU computes while it packs the operands of a contraction.

// Weights of 8 bits with a factor for each column.
// CHECK-LABEL: func.func @dequantize(
// CHECK:         fusion.group "{{.*}}" kinds ["vertical"]
// CHECK-NOT:     fusion.group
func.func @dequantize(%x: tensor<64x64xf32>, %w: tensor<64x64xi8>, %s: tensor<64xf32>) -> tensor<64x64xf32> {
  %e = tensor.empty() : tensor<64x64xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%w, %s : tensor<64x64xi8>, tensor<64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%p0: i8, %p1: f32, %o: f32):
    %v = arith.sitofp %p0 : i8 to f32
    %u = arith.mulf %v, %p1 : f32
    linalg.yield %u : f32
  } -> tensor<64x64xf32>
  %zero = arith.constant 0.0 : f32
  %d = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%d : tensor<64x64xf32>) -> tensor<64x64xf32>
  // expected-remark @below {{fused with elementwise}}
  %y = linalg.matmul ins(%x, %0 : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %y : tensor<64x64xf32>
}

// -----

// A function of the rows' elements.
// CHECK-LABEL: func.func @activation(
// CHECK:         fusion.group "{{.*}}" kinds ["vertical"]
// CHECK-NOT:     fusion.group
func.func @activation(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %e = tensor.empty() : tensor<64x64xf32>
  %0 = linalg.exp ins(%x : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %zero = arith.constant 0.0 : f32
  %d = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%d : tensor<64x64xf32>) -> tensor<64x64xf32>
  // expected-remark @below {{fused with exp}}
  %y = linalg.matmul ins(%0, %w : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %y : tensor<64x64xf32>
}
