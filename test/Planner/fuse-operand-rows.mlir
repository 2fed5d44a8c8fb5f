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

// -----

// Each of many columns of blocks would reduce the rows again.
// CHECK-LABEL: func.func @wide(
// CHECK-COUNT-2: fusion.group
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#col = affine_map<(i, j) -> (j)>
func.func @wide(%a: tensor<2048x1024xf32>, %b: tensor<1024x8192xf32>) -> tensor<2048x8192xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2048x1024xf32>
  %d = tensor.empty() : tensor<2048x8192xf32>
  %r = tensor.empty() : tensor<2048xf32>
  %f = linalg.fill ins(%zero : f32) outs(%d : tensor<2048x8192xf32>) -> tensor<2048x8192xf32>
  %g = linalg.fill ins(%zero : f32) outs(%r : tensor<2048xf32>) -> tensor<2048xf32>
  %0 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<2048x1024xf32>) outs(%g : tensor<2048xf32>) {
  ^bb0(%x: f32, %s: f32):
    %3 = arith.mulf %x, %x : f32
    %4 = arith.addf %s, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<2048xf32>
  // expected-remark @below {{fused with}}
  %1 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a, %0 : tensor<2048x1024xf32>, tensor<2048xf32>) outs(%e : tensor<2048x1024xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %3 = arith.divf %x, %y : f32
    linalg.yield %3 : f32
  } -> tensor<2048x1024xf32>
  // expected-remark-re @below {{Reason="estimated slower fused ({{[0-9.]+}} us) than apart ({{[0-9.]+}} us)"}}
  %2 = linalg.matmul ins(%1, %b : tensor<2048x1024xf32>, tensor<1024x8192xf32>) outs(%f : tensor<2048x8192xf32>) -> tensor<2048x8192xf32>
  return %2 : tensor<2048x8192xf32>
}

// -----

// It might pay: less than estimates can tell.
// CHECK-LABEL: func.func @close(
// CHECK-COUNT-2: fusion.group
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#col = affine_map<(i, j) -> (j)>
func.func @close(%a: tensor<32x384xf32>, %b: tensor<384x64xf32>) -> tensor<32x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x384xf32>
  %d = tensor.empty() : tensor<32x64xf32>
  %r = tensor.empty() : tensor<32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%d : tensor<32x64xf32>) -> tensor<32x64xf32>
  %g = linalg.fill ins(%zero : f32) outs(%r : tensor<32xf32>) -> tensor<32xf32>
  %0 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<32x384xf32>) outs(%g : tensor<32xf32>) {
  ^bb0(%x: f32, %s: f32):
    %3 = arith.mulf %x, %x : f32
    %4 = arith.addf %s, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<32xf32>
  // expected-remark @below {{fused with}}
  %1 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a, %0 : tensor<32x384xf32>, tensor<32xf32>) outs(%e : tensor<32x384xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %3 = arith.divf %x, %y : f32
    linalg.yield %3 : f32
  } -> tensor<32x384xf32>
  // expected-remark-re @below {{Reason="estimated at {{[0-9.]+}} us fused and {{[0-9.]+}} us apart, which is too close to tell for rows that are reduced before they are multiplied"}}
  %2 = linalg.matmul ins(%1, %b : tensor<32x384xf32>, tensor<384x64xf32>) outs(%f : tensor<32x64xf32>) -> tensor<32x64xf32>
  return %2 : tensor<32x64xf32>
}

// -----

// Sums of columns: no block has them.
// CHECK-LABEL: func.func @columns(
// CHECK-COUNT-2: fusion.group
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#col = affine_map<(i, j) -> (j)>
func.func @columns(%a: tensor<32x64xf32>, %b: tensor<64x64xf32>) -> tensor<32x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x64xf32>
  %d = tensor.empty() : tensor<32x64xf32>
  %r = tensor.empty() : tensor<64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%d : tensor<32x64xf32>) -> tensor<32x64xf32>
  %g = linalg.fill ins(%zero : f32) outs(%r : tensor<64xf32>) -> tensor<64xf32>
  %0 = linalg.generic {indexing_maps = [#id, #col], iterator_types = ["reduction", "parallel"]}
      ins(%a : tensor<32x64xf32>) outs(%g : tensor<64xf32>) {
  ^bb0(%x: f32, %s: f32):
    %3 = arith.mulf %x, %x : f32
    %4 = arith.addf %s, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<64xf32>
  // expected-remark @below {{fused with}}
  %1 = linalg.generic {indexing_maps = [#id, #col, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a, %0 : tensor<32x64xf32>, tensor<64xf32>) outs(%e : tensor<32x64xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %3 = arith.divf %x, %y : f32
    linalg.yield %3 : f32
  } -> tensor<32x64xf32>
  // expected-remark @below {{Reason="a contraction's tiles do not hold the whole rows of a reduction other than along one dim, its k"}}
  %2 = linalg.matmul ins(%1, %b : tensor<32x64xf32>, tensor<64x64xf32>) outs(%f : tensor<32x64xf32>) -> tensor<32x64xf32>
  return %2 : tensor<32x64xf32>
}

// -----

// The normalised rows are a result too; what they are computed from is read again.
// CHECK-LABEL: func.func @needed(
// CHECK-COUNT-2: fusion.group
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#col = affine_map<(i, j) -> (j)>
func.func @needed(%a: tensor<32x64xf32>, %b: tensor<64x64xf32>) -> (tensor<32x64xf32>, tensor<32x64xf32>) {
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
  // expected-remark-re @below {{Reason="the operand is needed outside of the group too: it is computed once, and written; to compute it again is estimated at {{[0-9.]+}} us in all kernels concerned, to write and read it at {{[0-9.]+}} us"}}
  %2 = linalg.matmul ins(%1, %b : tensor<32x64xf32>, tensor<64x64xf32>) outs(%f : tensor<32x64xf32>) -> tensor<32x64xf32>
  return %2, %1 : tensor<32x64xf32>, tensor<32x64xf32>
}

// -----

// Sums for each matrix, not for its rows: they stay in memory, what divides by them does not.
// CHECK-LABEL: func.func @matrices(
// CHECK:         fusion.group "reduce" kinds []
// CHECK:         fusion.group "elementwise+batch_matmul" kinds ["vertical"]
#all = affine_map<(b, i, j) -> (b, i, j)>
#one = affine_map<(b, i, j) -> (b)>
func.func @matrices(%a: tensor<4x16x32xf32>, %u: tensor<4x32xf32>, %b: tensor<4x32x16xf32>) -> tensor<4x16x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x16x32xf32>
  %d = tensor.empty() : tensor<4x16x16xf32>
  %r = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%d : tensor<4x16x16xf32>) -> tensor<4x16x16xf32>
  %g = linalg.fill ins(%zero : f32) outs(%r : tensor<4xf32>) -> tensor<4xf32>
  %0 = linalg.reduce { arith.addf } ins(%u : tensor<4x32xf32>) outs(%g : tensor<4xf32>) dimensions = [1]
  // expected-remark @below {{Reason="what makes the operand loops over dims that the contraction does not have"}}
  %1 = linalg.generic {indexing_maps = [#all, #one, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%a, %0 : tensor<4x16x32xf32>, tensor<4xf32>) outs(%e : tensor<4x16x32xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %3 = arith.divf %x, %y : f32
    linalg.yield %3 : f32
  } -> tensor<4x16x32xf32>
  // expected-remark @below {{fused with elementwise}}
  %2 = linalg.batch_matmul ins(%1, %b : tensor<4x16x32xf32>, tensor<4x32x16xf32>) outs(%f : tensor<4x16x16xf32>) -> tensor<4x16x16xf32>
  return %2 : tensor<4x16x16xf32>
}
