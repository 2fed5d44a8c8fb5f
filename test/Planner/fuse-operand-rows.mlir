// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups{target=a100}))' -split-input-file | FileCheck %s
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups{target=a100}))' -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics -o /dev/null
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups{target=a100 fuse=vertical,-prologue}))' -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=OFF
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups{target=cpu}))' -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=CPU

// Rows that are normalised before they are multiplied, in one kernel where that is
// estimated to pay.

// OFF: Reason="computing operands in the kernels of contractions is switched off"
// CPU: Reason="a contraction's tiles do not hold the whole rows of a reduction

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#col = affine_map<(i, j) -> (j)>

// The statistics of 32 rows, and what they normalise.
// CHECK-LABEL: func.func @norm(
// CHECK:         fusion.group "{{.*}}" kinds ["vertical"]
// CHECK-NOT:     fusion.group
func.func @norm(%a: tensor<32x64xf32>, %b: tensor<64x64xf32>) -> tensor<32x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x64xf32>
  %d = tensor.empty() : tensor<32x64xf32>
  %r = tensor.empty() : tensor<32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%d : tensor<32x64xf32>) -> tensor<32x64xf32>
  %g = linalg.fill ins(%zero : f32) outs(%r : tensor<32xf32>) -> tensor<32xf32>
  %0 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<32x64xf32>) outs(%g : tensor<32xf32>) {
  ^bb0(%x: f32, %s: f32):
    %3 = arith.mulf %x, %x : f32
    %4 = arith.addf %s, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<32xf32>
  // expected-remark @below {{fused with}}
  %1 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a, %0 : tensor<32x64xf32>, tensor<32xf32>) outs(%e : tensor<32x64xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %3 = arith.divf %x, %y : f32
    linalg.yield %3 : f32
  } -> tensor<32x64xf32>
  // expected-remark @below {{fused with elementwise}}
  %2 = linalg.matmul ins(%1, %b : tensor<32x64xf32>, tensor<64x64xf32>) outs(%f : tensor<32x64xf32>) -> tensor<32x64xf32>
  return %2 : tensor<32x64xf32>
}
