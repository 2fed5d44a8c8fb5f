// Rows of one element that are not normalised in the kernel that multiplies them.

// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups{target=sm_90a}))' -split-input-file | FileCheck %s
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups{target=sm_90a}))' -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics -o /dev/null

// The maximum of a column, where the product sums rows of one element.
// CHECK-LABEL: func.func @maxima_of_columns(
// CHECK:         fusion.group "reduction+elementwise" kinds ["vertical"]
// CHECK:         fusion.group "matmul" kinds []
// CHECK-NOT:     fusion.group
#id = affine_map<(i, j) -> (i, j)>
#col = affine_map<(i, j) -> (j)>
func.func @maxima_of_columns(%a: tensor<32x1xf32>, %b: tensor<1x64xf32>, %r: tensor<1xf32>, %d: tensor<32x64xf32>) -> tensor<32x64xf32> {
  %e = tensor.empty() : tensor<32x1xf32>
  %0 = linalg.generic {indexing_maps = [#id, #col], iterator_types = ["reduction", "parallel"]}
      ins(%a : tensor<32x1xf32>) outs(%r : tensor<1xf32>) {
  ^bb0(%x: f32, %s: f32):
    %3 = arith.maximumf %s, %x : f32
    linalg.yield %3 : f32
  } -> tensor<1xf32>
  // expected-remark @below {{Remark="fused with reduction"}}
  %1 = linalg.generic {indexing_maps = [#id, #col, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a, %0 : tensor<32x1xf32>, tensor<1xf32>) outs(%e : tensor<32x1xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %3 = arith.divf %x, %y : f32
    linalg.yield %3 : f32
  } -> tensor<32x1xf32>
  // expected-remark @below {{Reason="a contraction's tiles do not hold the whole rows of a reduction other than along one dim, its k"}}
  %2 = linalg.matmul ins(%1, %b : tensor<32x1xf32>, tensor<1x64xf32>) outs(%d : tensor<32x64xf32>) -> tensor<32x64xf32>
  return %2 : tensor<32x64xf32>
}

// -----

// The normalised column is a result too.
// CHECK-LABEL: func.func @column_leaves(
// CHECK:         fusion.group "reduction+elementwise" kinds ["vertical"]
// CHECK:         fusion.group "matmul" kinds []
// CHECK-NOT:     fusion.group
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
func.func @column_leaves(%a: tensor<32x1xf32>, %b: tensor<1x64xf32>, %r: tensor<32xf32>, %d: tensor<32x64xf32>) -> (tensor<32x64xf32>, tensor<32x1xf32>) {
  %e = tensor.empty() : tensor<32x1xf32>
  %0 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<32x1xf32>) outs(%r : tensor<32xf32>) {
  ^bb0(%x: f32, %s: f32):
    %3 = arith.maximumf %s, %x : f32
    linalg.yield %3 : f32
  } -> tensor<32xf32>
  // expected-remark @below {{Remark="fused with reduction"}}
  %1 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a, %0 : tensor<32x1xf32>, tensor<32xf32>) outs(%e : tensor<32x1xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %3 = arith.divf %x, %y : f32
    linalg.yield %3 : f32
  } -> tensor<32x1xf32>
  // expected-remark @below {{Reason="what makes the operand loops over dims that the contraction does not have"}}
  %2 = linalg.matmul ins(%1, %b : tensor<32x1xf32>, tensor<1x64xf32>) outs(%d : tensor<32x64xf32>) -> tensor<32x64xf32>
  return %2, %1 : tensor<32x64xf32>, tensor<32x1xf32>
}

// -----

// The normalised column is added to the product of it.
// CHECK-LABEL: func.func @column_added(
// CHECK:         fusion.group "reduction+elementwise" kinds ["vertical"]
// CHECK:         fusion.group "matmul+elementwise" kinds ["vertical"]
// CHECK-NOT:     fusion.group
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
func.func @column_added(%a: tensor<32x1xf32>, %b: tensor<1x64xf32>, %r: tensor<32xf32>, %d: tensor<32x64xf32>) -> tensor<32x64xf32> {
  %e = tensor.empty() : tensor<32x1xf32>
  %f = tensor.empty() : tensor<32x64xf32>
  %0 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<32x1xf32>) outs(%r : tensor<32xf32>) {
  ^bb0(%x: f32, %s: f32):
    %3 = arith.maximumf %s, %x : f32
    linalg.yield %3 : f32
  } -> tensor<32xf32>
  // expected-remark @below {{Remark="fused with reduction"}}
  %1 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a, %0 : tensor<32x1xf32>, tensor<32xf32>) outs(%e : tensor<32x1xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %3 = arith.divf %x, %y : f32
    linalg.yield %3 : f32
  } -> tensor<32x1xf32>
  // expected-remark @below {{Reason="what makes the operand loops over dims that the contraction does not have"}}
  %2 = linalg.matmul ins(%1, %b : tensor<32x1xf32>, tensor<1x64xf32>) outs(%d : tensor<32x64xf32>) -> tensor<32x64xf32>
  // expected-remark @below {{Remark="fused with matmul"}}
  // expected-remark @below {{Reason="what makes the operand loops over dims that the contraction does not have"}}
  %4 = linalg.generic {indexing_maps = [#id, affine_map<(i, j) -> (i, 0)>, #id], iterator_types = ["parallel", "parallel"]}
      ins(%2, %1 : tensor<32x64xf32>, tensor<32x1xf32>) outs(%f : tensor<32x64xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %3 = arith.addf %x, %y : f32
    linalg.yield %3 : f32
  } -> tensor<32x64xf32>
  return %4 : tensor<32x64xf32>
}

// -----

// Both operands of a square are of one array, which is a result too.
// CHECK-LABEL: func.func @square_and_more(
// CHECK:         fusion.group "exp" kinds []
// CHECK:         fusion.group "matmul" kinds []
// CHECK-NOT:     fusion.group
#id = affine_map<(i, j) -> (i, j)>
func.func @square_and_more(%a: tensor<1x1xf32>, %d: tensor<1x1xf32>) -> (tensor<1x1xf32>, tensor<1x1xf32>) {
  %e = tensor.empty() : tensor<1x1xf32>
  %1 = linalg.exp ins(%a : tensor<1x1xf32>) outs(%e : tensor<1x1xf32>) -> tensor<1x1xf32>
  // expected-remark-re @below {{Reason="the operand is needed outside of the group too: it is computed once, and written; to compute it again is estimated at {{[0-9.]+}} us in all kernels concerned, to write and read it at {{[0-9.]+}} us"}}
  %2 = linalg.matmul ins(%1, %1 : tensor<1x1xf32>, tensor<1x1xf32>) outs(%d : tensor<1x1xf32>) -> tensor<1x1xf32>
  return %2, %1 : tensor<1x1xf32>, tensor<1x1xf32>
}

// -----

// Rows without elements, whose maxima are a result too.
// CHECK-LABEL: func.func @no_k(
// CHECK:         fusion.group "reduction+elementwise" kinds ["vertical"]
// CHECK:         fusion.group "matmul" kinds []
// CHECK-NOT:     fusion.group
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
func.func @no_k(%a: tensor<32x0xf32>, %b: tensor<0x64xf32>, %r: tensor<32xf32>, %d: tensor<32x64xf32>) -> (tensor<32x64xf32>, tensor<32xf32>) {
  %e = tensor.empty() : tensor<32x0xf32>
  %0 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<32x0xf32>) outs(%r : tensor<32xf32>) {
  ^bb0(%x: f32, %s: f32):
    %3 = arith.maximumf %s, %x : f32
    linalg.yield %3 : f32
  } -> tensor<32xf32>
  // expected-remark @below {{Remark="fused with reduction"}}
  %1 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a, %0 : tensor<32x0xf32>, tensor<32xf32>) outs(%e : tensor<32x0xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %3 = arith.divf %x, %y : f32
    linalg.yield %3 : f32
  } -> tensor<32x0xf32>
  // expected-remark-re @below {{Reason="the operand is needed outside of the group too: it is computed once, and written; to compute it again is estimated at {{[0-9.]+}} us in all kernels concerned, to write and read it at {{[0-9.]+}} us"}}
  %2 = linalg.matmul ins(%1, %b : tensor<32x0xf32>, tensor<0x64xf32>) outs(%d : tensor<32x64xf32>) -> tensor<32x64xf32>
  return %2, %0 : tensor<32x64xf32>, tensor<32xf32>
}

// -----

// A product of doubles has no tiles, however short its k is.
// CHECK-LABEL: func.func @doubles(
// CHECK:         fusion.group "reduction+elementwise" kinds ["vertical"]
// CHECK:         fusion.group "matmul" kinds []
// CHECK-NOT:     fusion.group
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
func.func @doubles(%a: tensor<32x1xf64>, %b: tensor<1x64xf64>, %r: tensor<32xf64>, %d: tensor<32x64xf64>) -> tensor<32x64xf64> {
  %e = tensor.empty() : tensor<32x1xf64>
  %0 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<32x1xf64>) outs(%r : tensor<32xf64>) {
  ^bb0(%x: f64, %s: f64):
    %3 = arith.maximumf %s, %x : f64
    linalg.yield %3 : f64
  } -> tensor<32xf64>
  // expected-remark @below {{Remark="fused with reduction"}}
  %1 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a, %0 : tensor<32x1xf64>, tensor<32xf64>) outs(%e : tensor<32x1xf64>) {
  ^bb0(%x: f64, %y: f64, %o: f64):
    %3 = arith.divf %x, %y : f64
    linalg.yield %3 : f64
  } -> tensor<32x1xf64>
  // expected-remark @below {{Reason="only operands of one type, f16, bf16 or f32, are computed inside of a contraction"}}
  %2 = linalg.matmul ins(%1, %b : tensor<32x1xf64>, tensor<1x64xf64>) outs(%d : tensor<32x64xf64>) -> tensor<32x64xf64>
  return %2 : tensor<32x64xf64>
}
