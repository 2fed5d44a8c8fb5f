// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups{target=h200}))' -split-input-file | FileCheck %s
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups{target=h200}))' -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics -o /dev/null

// A value with several readers that no kernel can hold together: each makes it for
// itself where that is estimated to save time.

// Weights of 8 bits, dequantized in the kernels of both products: no f16 weights.
// CHECK-LABEL: func.func @dequantize(
// CHECK-COUNT-2: fusion.group "elementwise+matmul" kinds ["vertical"] ins(%{{.*}}tensor<4096x4096xi8>
// CHECK-NOT:     fusion.group
#id = affine_map<(i, j) -> (i, j)>
#col = affine_map<(i, j) -> (j)>
func.func @dequantize(%x: tensor<1x4096xf16>, %u: tensor<2x4096xf16>, %w: tensor<4096x4096xi8>, %s: tensor<4096xf16>) -> (tensor<1x4096xf32>, tensor<2x4096xf32>) {
  %e = tensor.empty() : tensor<4096x4096xf16>
  %0 = linalg.generic {indexing_maps = [#id, #col, #id], iterator_types = ["parallel", "parallel"]}
      ins(%w, %s : tensor<4096x4096xi8>, tensor<4096xf16>) outs(%e : tensor<4096x4096xf16>) {
  ^bb0(%a: i8, %b: f16, %o: f16):
    %3 = arith.sitofp %a : i8 to f16
    %4 = arith.mulf %3, %b : f16
    linalg.yield %4 : f16
  } -> tensor<4096x4096xf16>
  %zero = arith.constant 0.0 : f32
  %d1 = tensor.empty() : tensor<1x4096xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%d1 : tensor<1x4096xf32>) -> tensor<1x4096xf32>
  %d2 = tensor.empty() : tensor<2x4096xf32>
  %f2 = linalg.fill ins(%zero : f32) outs(%d2 : tensor<2x4096xf32>) -> tensor<2x4096xf32>
  // expected-remark @below {{Remark="computes elementwise again"}}
  %1 = linalg.matmul ins(%x, %0 : tensor<1x4096xf16>, tensor<4096x4096xf16>) outs(%f1 : tensor<1x4096xf32>) -> tensor<1x4096xf32>
  // expected-remark @below {{Remark="computes elementwise again"}}
  %2 = linalg.matmul ins(%u, %0 : tensor<2x4096xf16>, tensor<4096x4096xf16>) outs(%f2 : tensor<2x4096xf32>) -> tensor<2x4096xf32>
  return %1, %2 : tensor<1x4096xf32>, tensor<2x4096xf32>
}
