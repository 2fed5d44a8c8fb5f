// Transposes are index maps: elementwise code, rows and products read and write
// through them where a block's tile has both orders.

// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups{target=sm_90a}))' -split-input-file | FileCheck %s
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups{target=sm_90a}))' -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics -o /dev/null

// On either side of a transpose (B006).
// CHECK-LABEL: func.func @elementwise(
// CHECK:         fusion.group "exp+transpose+negf" kinds ["vertical"]
// CHECK-NOT:     fusion.group
func.func @elementwise(%x: tensor<8x4xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<8x4xf32>
  %t = tensor.empty() : tensor<4x8xf32>
  %0 = linalg.exp ins(%x : tensor<8x4xf32>) outs(%e : tensor<8x4xf32>) -> tensor<8x4xf32>
  // expected-remark @below {{Remark="fused with exp"}}
  %1 = linalg.transpose ins(%0 : tensor<8x4xf32>) outs(%t : tensor<4x8xf32>) permutation = [1, 0]
  // expected-remark @below {{Remark="fused with transpose"}}
  %2 = linalg.negf ins(%1 : tensor<4x8xf32>) outs(%t : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %2 : tensor<4x8xf32>
}

// -----

// What a product makes is stored transposed.
// CHECK-LABEL: func.func @product(
// CHECK:         fusion.group "matmul+transpose" kinds ["vertical"]
// CHECK-NOT:     fusion.group
func.func @product(%x: tensor<32x16xf32>, %w: tensor<16x48xf32>, %d: tensor<32x48xf32>) -> tensor<48x32xf32> {
  %e = tensor.empty() : tensor<48x32xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<32x16xf32>, tensor<16x48xf32>) outs(%d : tensor<32x48xf32>) -> tensor<32x48xf32>
  // expected-remark @below {{Remark="fused with matmul"}}
  %1 = linalg.transpose ins(%0 : tensor<32x48xf32>) outs(%e : tensor<48x32xf32>) permutation = [1, 0]
  return %1 : tensor<48x32xf32>
}

// -----

// Rows of what is turned, and the result turned back, beside the sums.
// CHECK-LABEL: func.func @rows(
// CHECK:         fusion.group "transpose+reduce+elementwise" kinds ["vertical"]
// CHECK-NOT:     fusion.group
func.func @rows(%x: tensor<2x40x99xf32>, %d: tensor<2x99xf32>) -> tensor<2x40x99xf32> {
  %e = tensor.empty() : tensor<2x99x40xf32>
  %f = tensor.empty() : tensor<2x40x99xf32>
  %0 = linalg.transpose ins(%x : tensor<2x40x99xf32>) outs(%e : tensor<2x99x40xf32>) permutation = [0, 2, 1]
  // expected-remark @below {{Remark="fused with transpose"}}
  %1 = linalg.reduce { arith.addf } ins(%0 : tensor<2x99x40xf32>) outs(%d : tensor<2x99xf32>) dimensions = [2]
  // expected-remark @below {{Remark="fused with transpose"}}
  // expected-remark @below {{Remark="fused with reduce"}}
  %2 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>, affine_map<(b, i, j) -> (b, i, j)>],
                       iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%0, %1 : tensor<2x99x40xf32>, tensor<2x99xf32>) outs(%e : tensor<2x99x40xf32>) {
  ^bb0(%p: f32, %q: f32, %r: f32):
    %v = arith.subf %p, %q : f32
    linalg.yield %v : f32
  } -> tensor<2x99x40xf32>
  // expected-remark @below {{Remark="fused with elementwise"}}
  %3 = linalg.transpose ins(%2 : tensor<2x99x40xf32>) outs(%f : tensor<2x40x99xf32>) permutation = [0, 2, 1]
  return %3 : tensor<2x40x99xf32>
}

// -----

// A residual that is read transposed, of a product.
// CHECK-LABEL: func.func @residual(
// CHECK:         fusion.group "matmul+transpose+add" kinds ["vertical"]
// CHECK-NOT:     fusion.group
func.func @residual(%x: tensor<64x16xf32>, %w: tensor<16x64xf32>, %d: tensor<64x64xf32>, %r: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %e = tensor.empty() : tensor<64x64xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<64x16xf32>, tensor<16x64xf32>) outs(%d : tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = linalg.transpose ins(%r : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) permutation = [1, 0]
  // expected-remark @below {{Remark="fused with matmul"}}
  // expected-remark @below {{Remark="fused with transpose"}}
  %2 = linalg.add ins(%0, %1 : tensor<64x64xf32>, tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %2 : tensor<64x64xf32>
}
