// Reductions beside products, of which no tile has the rows; they share kernels with others.

// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups{target=sm_90a}))' -split-input-file | FileCheck %s
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups{target=sm_90a}))' -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics -o /dev/null

// A norm of other rows is added to the product: the sums are not of what it makes.
// CHECK-LABEL: func.func @other_rows(
// CHECK:         fusion.group "matmul" kinds []
// CHECK:         fusion.group "reduce+elementwise" kinds ["vertical"]
// CHECK-NOT:     fusion.group
#id = affine_map<(i, j) -> (i, j)>
func.func @other_rows(%x: tensor<64x64xf16>, %w: tensor<64x16xf16>, %d: tensor<64x16xf32>, %z: tensor<64x16xf32>, %r: tensor<64xf32>) -> tensor<64x16xf32> {
  %e = tensor.empty() : tensor<64x16xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<64x64xf16>, tensor<64x16xf16>) outs(%d : tensor<64x16xf32>) -> tensor<64x16xf32>
  %1 = linalg.reduce { arith.maximumf } ins(%z : tensor<64x16xf32>) outs(%r : tensor<64xf32>) dimensions = [1]
  // expected-remark @below {{Remark="fused with reduce"}}
  // expected-remark @below {{Reason="a contraction's tiles do not hold the whole rows of a reduction: it is not over dims of the contraction's result"}}
  %2 = linalg.generic {indexing_maps = [#id, affine_map<(i, j) -> (i)>, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%z, %1, %0 : tensor<64x16xf32>, tensor<64xf32>, tensor<64x16xf32>) outs(%e : tensor<64x16xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %o: f32):
    %t = arith.subf %a, %b : f32
    %u = arith.addf %t, %c : f32
    linalg.yield %u : f32
  } -> tensor<64x16xf32>
  return %2 : tensor<64x16xf32>
}

// -----

// The second of two products, one after the other, in one kernel.
// CHECK-LABEL: func.func @rows_of_a_chain(
// CHECK:         fusion.group "matmul" kinds ["vertical"]
// CHECK:         fusion.group "reduce" kinds []
// CHECK-NOT:     fusion.group
#ij = affine_map<(i, j) -> (i, j)>
func.func @rows_of_a_chain(%x: tensor<4096x64xf16>, %w: tensor<64x64xf16>, %v: tensor<64x64xf16>, %r: tensor<4096xf32>) -> tensor<4096xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4096x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4096x64xf32>) -> tensor<4096x64xf32>
  %h = tensor.empty() : tensor<4096x64xf16>
  // expected-remark-re @below {{Remark="one kernel with matmul: {{[0-9.]+}} us instead of {{[0-9.]+}}"}}
  %0 = linalg.matmul ins(%x, %w : tensor<4096x64xf16>, tensor<64x64xf16>) outs(%f : tensor<4096x64xf32>) -> tensor<4096x64xf32>
  %1 = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<4096x64xf32>) outs(%h : tensor<4096x64xf16>) {
  ^bb0(%a: f32, %o: f16):
    %t = arith.truncf %a : f32 to f16
    linalg.yield %t : f16
  } -> tensor<4096x64xf16>
  %2 = linalg.matmul ins(%1, %v : tensor<4096x64xf16>, tensor<64x64xf16>) outs(%f : tensor<4096x64xf32>) -> tensor<4096x64xf32>
  // expected-remark @below {{Reason="a contraction's tiles do not hold the whole rows of a reduction: they are of two contractions, one after the other"}}
  %3 = linalg.reduce { arith.maximumf } ins(%2 : tensor<4096x64xf32>) outs(%r : tensor<4096xf32>) dimensions = [1]
  return %3 : tensor<4096xf32>
}
