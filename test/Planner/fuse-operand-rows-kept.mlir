// Rows that are normalised before they are multiplied, by a kernel of their own.

// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups{target=a100}))' -split-input-file | FileCheck %s
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups{target=a100}))' -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics -o /dev/null

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

// -----

// Each element is taken from what those before it left: there is no other order.
// CHECK-LABEL: func.func @running_difference(
// CHECK:         fusion.group "reduction+elementwise" kinds ["vertical"]
// CHECK:         fusion.group "matmul" kinds []
// CHECK-NOT:     fusion.group
#id = affine_map<(i, j) -> (i, j)>
func.func @running_difference(%x: tensor<32x64xf32>, %w: tensor<64x64xf32>, %r: tensor<32xf32>, %d: tensor<32x64xf32>) -> tensor<32x64xf32> {
  %e = tensor.empty() : tensor<32x64xf32>
  %0 = linalg.generic {indexing_maps = [#id, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<32x64xf32>) outs(%r : tensor<32xf32>) {
  ^bb0(%a: f32, %s: f32):
    %t = arith.subf %s, %a : f32
    linalg.yield %t : f32
  } -> tensor<32xf32>
  // expected-remark @below {{Remark="fused with reduction"}}
  %1 = linalg.generic {indexing_maps = [#id, affine_map<(i, j) -> (i)>, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %0 : tensor<32x64xf32>, tensor<32xf32>) outs(%e : tensor<32x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %t = arith.divf %a, %b : f32
    linalg.yield %t : f32
  } -> tensor<32x64xf32>
  // expected-remark @below {{Reason="a reduction goes from element to element of the operand's rows"}}
  %2 = linalg.matmul ins(%1, %w : tensor<32x64xf32>, tensor<64x64xf32>) outs(%d : tensor<32x64xf32>) -> tensor<32x64xf32>
  return %2 : tensor<32x64xf32>
}

// -----

// Rows in halves, of which the first divides.
// CHECK-LABEL: func.func @halves(
// CHECK:         fusion.group "reduction" kinds []
// CHECK:         fusion.group "other" kinds []
// CHECK:         fusion.group "matmul" kinds []
// CHECK-NOT:     fusion.group
#id = affine_map<(i, j) -> (i, j)>
func.func @halves(%x: tensor<32x64xf32>, %w: tensor<64x64xf32>, %r: tensor<2x32xf32>, %d: tensor<32x64xf32>) -> tensor<32x64xf32> {
  %e = tensor.empty() : tensor<32x64xf32>
  %0 = linalg.generic {indexing_maps = [#id, affine_map<(i, j) -> (j floordiv 32, i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<32x64xf32>) outs(%r : tensor<2x32xf32>) {
  ^bb0(%a: f32, %s: f32):
    %t = arith.maximumf %s, %a : f32
    linalg.yield %t : f32
  } -> tensor<2x32xf32>
  // expected-remark @below {{Reason="the consumer is grouped alone: an operand is read at computed positions"}}
  %1 = linalg.generic {indexing_maps = [#id, affine_map<(i, j) -> (0, i)>, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %0 : tensor<32x64xf32>, tensor<2x32xf32>) outs(%e : tensor<32x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %t = arith.divf %a, %b : f32
    linalg.yield %t : f32
  } -> tensor<32x64xf32>
  // expected-remark @below {{Reason="the producer is grouped alone: an operand is read at computed positions"}}
  %2 = linalg.matmul ins(%1, %w : tensor<32x64xf32>, tensor<64x64xf32>) outs(%d : tensor<32x64xf32>) -> tensor<32x64xf32>
  return %2 : tensor<32x64xf32>
}

// -----

// A person keeps the product apart.
// CHECK-LABEL: func.func @marked(
// CHECK:         fusion.group "reduction+elementwise" kinds ["vertical"]
// CHECK:         fusion.group "matmul" kinds []
// CHECK-NOT:     fusion.group
#id = affine_map<(i, j) -> (i, j)>
func.func @marked(%x: tensor<32x64xf32>, %w: tensor<64x64xf32>, %r: tensor<32xf32>, %d: tensor<32x64xf32>) -> tensor<32x64xf32> {
  %e = tensor.empty() : tensor<32x64xf32>
  %0 = linalg.generic {indexing_maps = [#id, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<32x64xf32>) outs(%r : tensor<32xf32>) {
  ^bb0(%a: f32, %s: f32):
    %t = arith.maximumf %s, %a : f32
    linalg.yield %t : f32
  } -> tensor<32xf32>
  // expected-remark @below {{Remark="fused with reduction"}}
  %1 = linalg.generic {indexing_maps = [#id, affine_map<(i, j) -> (i)>, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %0 : tensor<32x64xf32>, tensor<32xf32>) outs(%e : tensor<32x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %t = arith.divf %a, %b : f32
    linalg.yield %t : f32
  } -> tensor<32x64xf32>
  // expected-remark @below {{Reason="the consumer is marked with fusion.no_fuse"}}
  %2 = linalg.matmul {fusion.no_fuse} ins(%1, %w : tensor<32x64xf32>, tensor<64x64xf32>) outs(%d : tensor<32x64xf32>) -> tensor<32x64xf32>
  return %2 : tensor<32x64xf32>
}

// -----

// One factor of the whole array.
// CHECK-LABEL: func.func @all(
// CHECK:         fusion.group "reduction+elementwise" kinds ["vertical"]
// CHECK:         fusion.group "matmul" kinds []
// CHECK-NOT:     fusion.group
#id = affine_map<(i, j) -> (i, j)>
func.func @all(%x: tensor<32x64xf32>, %w: tensor<64x64xf32>, %r: tensor<f32>, %d: tensor<32x64xf32>) -> tensor<32x64xf32> {
  %e = tensor.empty() : tensor<32x64xf32>
  %0 = linalg.generic {indexing_maps = [#id, affine_map<(i, j) -> ()>], iterator_types = ["reduction", "reduction"]}
      ins(%x : tensor<32x64xf32>) outs(%r : tensor<f32>) {
  ^bb0(%a: f32, %s: f32):
    %t = arith.maximumf %s, %a : f32
    linalg.yield %t : f32
  } -> tensor<f32>
  // expected-remark @below {{Remark="fused with reduction"}}
  %1 = linalg.generic {indexing_maps = [#id, affine_map<(i, j) -> ()>, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %0 : tensor<32x64xf32>, tensor<f32>) outs(%e : tensor<32x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %t = arith.divf %a, %b : f32
    linalg.yield %t : f32
  } -> tensor<32x64xf32>
  // expected-remark @below {{Reason="a contraction's tiles do not hold the whole rows of a reduction other than along one dim, its k"}}
  %2 = linalg.matmul ins(%1, %w : tensor<32x64xf32>, tensor<64x64xf32>) outs(%d : tensor<32x64xf32>) -> tensor<32x64xf32>
  return %2 : tensor<32x64xf32>
}

// -----

// Maxima along the rows of each matrix of a batch, where its product sums columns.
// CHECK-LABEL: func.func @sums_of_other_rows(
// CHECK:         fusion.group "reduce+elementwise" kinds ["vertical"]
// CHECK:         fusion.group "batch_matmul" kinds []
// CHECK-NOT:     fusion.group
#all = affine_map<(b, i, j) -> (b, i, j)>
func.func @sums_of_other_rows(%a: tensor<4x16x32xf32>, %b: tensor<4x32x16xf32>, %r: tensor<4x32xf32>, %s: tensor<4x16xf32>, %d: tensor<4x16x16xf32>) -> tensor<4x16x16xf32> {
  %e = tensor.empty() : tensor<4x16x32xf32>
  %0 = linalg.reduce { arith.maximumf } ins(%a : tensor<4x16x32xf32>) outs(%r : tensor<4x32xf32>) dimensions = [1]
  // expected-remark @below {{Remark="fused with reduce"}}
  %1 = linalg.generic {indexing_maps = [#all, affine_map<(b, i, j) -> (b, j)>, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%a, %0 : tensor<4x16x32xf32>, tensor<4x32xf32>) outs(%e : tensor<4x16x32xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %3 = arith.divf %x, %y : f32
    linalg.yield %3 : f32
  } -> tensor<4x16x32xf32>
  // expected-remark @below {{Reason="a contraction's tiles do not hold the whole rows of a reduction other than along one dim, its k"}}
  %2 = linalg.batch_matmul ins(%1, %b : tensor<4x16x32xf32>, tensor<4x32x16xf32>) outs(%d : tensor<4x16x16xf32>) -> tensor<4x16x16xf32>
  return %2 : tensor<4x16x16xf32>
}

// -----

// Maxima of the same row of all matrices.
// CHECK-LABEL: func.func @rows_of_a_batch(
// CHECK:         fusion.group "reduce+elementwise" kinds ["vertical"]
// CHECK:         fusion.group "batch_matmul" kinds []
// CHECK-NOT:     fusion.group
#all = affine_map<(b, i, j) -> (b, i, j)>
func.func @rows_of_a_batch(%a: tensor<4x16x32xf32>, %b: tensor<4x32x16xf32>, %r: tensor<16xf32>, %d: tensor<4x16x16xf32>) -> tensor<4x16x16xf32> {
  %e = tensor.empty() : tensor<4x16x32xf32>
  %0 = linalg.reduce { arith.maximumf } ins(%a : tensor<4x16x32xf32>) outs(%r : tensor<16xf32>) dimensions = [0, 2]
  // expected-remark @below {{Remark="fused with reduce"}}
  %1 = linalg.generic {indexing_maps = [#all, affine_map<(b, i, j) -> (i)>, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%a, %0 : tensor<4x16x32xf32>, tensor<16xf32>) outs(%e : tensor<4x16x32xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %3 = arith.divf %x, %y : f32
    linalg.yield %3 : f32
  } -> tensor<4x16x32xf32>
  // expected-remark @below {{Reason="a contraction's tiles do not hold the whole rows of a reduction other than along one dim, its k"}}
  %2 = linalg.batch_matmul ins(%1, %b : tensor<4x16x32xf32>, tensor<4x32x16xf32>) outs(%d : tensor<4x16x16xf32>) -> tensor<4x16x16xf32>
  return %2 : tensor<4x16x16xf32>
}

// -----

// The largest of the batch's vectors along k, for all its matrices' rows.
// CHECK-LABEL: func.func @vectors(
// CHECK:         fusion.group "reduce" kinds []
// CHECK:         fusion.group "elementwise+batch_matmul" kinds ["vertical"]
// CHECK-NOT:     fusion.group
#all = affine_map<(b, i, j) -> (b, i, j)>
func.func @vectors(%a: tensor<4x16x32xf32>, %u: tensor<4x32xf32>, %b: tensor<4x32x16xf32>, %r: tensor<4xf32>, %d: tensor<4x16x16xf32>) -> tensor<4x16x16xf32> {
  %e = tensor.empty() : tensor<4x16x32xf32>
  %0 = linalg.reduce { arith.maximumf } ins(%u : tensor<4x32xf32>) outs(%r : tensor<4xf32>) dimensions = [1]
  // expected-remark @below {{Reason="a contraction's tiles do not hold the whole rows of a reduction that are not those of its operand"}}
  %1 = linalg.generic {indexing_maps = [#all, affine_map<(b, i, j) -> (b)>, affine_map<(b, i, j) -> (b, j)>, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%a, %0, %u : tensor<4x16x32xf32>, tensor<4xf32>, tensor<4x32xf32>) outs(%e : tensor<4x16x32xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32, %o: f32):
    %3 = arith.divf %x, %y : f32
    %4 = arith.addf %3, %z : f32
    linalg.yield %4 : f32
  } -> tensor<4x16x32xf32>
  // expected-remark @below {{Remark="fused with elementwise"}}
  %2 = linalg.batch_matmul ins(%1, %b : tensor<4x16x32xf32>, tensor<4x32x16xf32>) outs(%d : tensor<4x16x16xf32>) -> tensor<4x16x16xf32>
  return %2 : tensor<4x16x16xf32>
}
