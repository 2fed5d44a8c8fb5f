// Reductions that do not share a kernel with what they read, or what reads them.

// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups))' -split-input-file | FileCheck %s
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups))' -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics -o /dev/null

// Two sums of the same rows, one of halves and one of quarters.
// CHECK-LABEL: func.func @parts_of_two_sizes(
// CHECK:         fusion.group "exp+reduction" kinds ["vertical"]
// CHECK:         fusion.group "reduction" kinds []
// CHECK-NOT:     fusion.group
#id = affine_map<(i, j) -> (i, j)>
func.func @parts_of_two_sizes(%x: tensor<64x256xf32>, %d: tensor<2x64xf32>, %f: tensor<4x64xf32>) -> (tensor<2x64xf32>, tensor<4x64xf32>) {
  %e = tensor.empty() : tensor<64x256xf32>
  %0 = linalg.exp ins(%x : tensor<64x256xf32>) outs(%e : tensor<64x256xf32>) -> tensor<64x256xf32>
  // expected-remark @below {{Remark="fused with exp"}}
  %1 = linalg.generic {indexing_maps = [#id, affine_map<(i, j) -> (j floordiv 128, i)>], iterator_types = ["parallel", "reduction"]}
      ins(%0 : tensor<64x256xf32>) outs(%d : tensor<2x64xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %b, %a : f32
    linalg.yield %s : f32
  } -> tensor<2x64xf32>
  // expected-remark @below {{Reason="the reductions have different parts"}}
  %2 = linalg.generic {indexing_maps = [#id, affine_map<(i, j) -> (j floordiv 64, i)>], iterator_types = ["parallel", "reduction"]}
      ins(%0 : tensor<64x256xf32>) outs(%f : tensor<4x64xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %b, %a : f32
    linalg.yield %s : f32
  } -> tensor<4x64xf32>
  return %1, %2 : tensor<2x64xf32>, tensor<4x64xf32>
}

// -----

// Halves of a row are summed by blocks of their own, of which none has both sums.
// CHECK-LABEL: func.func @parts_joined(
// CHECK:         fusion.group "reduction" kinds []
// CHECK:         fusion.group "reduce" kinds []
// CHECK-NOT:     fusion.group
#id = affine_map<(i, j) -> (i, j)>
func.func @parts_joined(%x: tensor<64x256xf32>, %d: tensor<2x64xf32>, %f: tensor<64xf32>) -> tensor<64xf32> {
  %1 = linalg.generic {indexing_maps = [#id, affine_map<(i, j) -> (j floordiv 128, i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<64x256xf32>) outs(%d : tensor<2x64xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %b, %a : f32
    linalg.yield %s : f32
  } -> tensor<2x64xf32>
  // expected-remark @below {{Reason="the value is written at computed positions"}}
  %2 = linalg.reduce { arith.addf } ins(%1 : tensor<2x64xf32>) outs(%f : tensor<64xf32>) dimensions = [0]
  return %2 : tensor<64xf32>
}

// -----

// Sums of rows for the rows of another array, which may have another length.
// CHECK-LABEL: func.func @unknown_lengths(
// CHECK:         fusion.group "reduce" kinds []
// CHECK:         fusion.group "elementwise" kinds []
// CHECK-NOT:     fusion.group
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
func.func @unknown_lengths(%x: tensor<8x?xf32>, %y: tensor<8x?xf32>, %d: tensor<8xf32>) -> tensor<8x?xf32> {
  %c1 = arith.constant 1 : index
  %n = tensor.dim %y, %c1 : tensor<8x?xf32>
  %e = tensor.empty(%n) : tensor<8x?xf32>
  %0 = linalg.reduce { arith.addf } ins(%x : tensor<8x?xf32>) outs(%d : tensor<8xf32>) dimensions = [1]
  // expected-remark @below {{Reason="each of the two loops over dims that the other does not have"}}
  %1 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y, %0 : tensor<8x?xf32>, tensor<8xf32>) outs(%e : tensor<8x?xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %2 = arith.subf %p, %q : f32
    linalg.yield %2 : f32
  } -> tensor<8x?xf32>
  return %1 : tensor<8x?xf32>
}

// -----

// The rows, and so their maxima, would be repeated along a third dim.
// CHECK-LABEL: func.func @repeated_rows(
// CHECK:         fusion.group "reduce" kinds []
// CHECK:         fusion.group "elementwise" kinds []
// CHECK-NOT:     fusion.group
#xyz = affine_map<(i, j, k) -> (i, j, k)>
func.func @repeated_rows(%x: tensor<8x16xf32>, %y: tensor<4xf32>, %d: tensor<8xf32>) -> tensor<8x16x4xf32> {
  %e = tensor.empty() : tensor<8x16x4xf32>
  %0 = linalg.reduce { arith.maximumf } ins(%x : tensor<8x16xf32>) outs(%d : tensor<8xf32>) dimensions = [1]
  // expected-remark @below {{Reason="the consumer repeats the rows of a reduction"}}
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j)>, affine_map<(i, j, k) -> (i)>, affine_map<(i, j, k) -> (k)>, #xyz], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %0, %y : tensor<8x16xf32>, tensor<8xf32>, tensor<4xf32>) outs(%e : tensor<8x16x4xf32>) {
  ^bb0(%p: f32, %q: f32, %r: f32, %o: f32):
    %2 = arith.subf %p, %q : f32
    %3 = arith.mulf %2, %r : f32
    linalg.yield %3 : f32
  } -> tensor<8x16x4xf32>
  return %1 : tensor<8x16x4xf32>
}

// -----

// A value for each column is a result too: each block of rows would write it.
// CHECK-LABEL: func.func @column_values_leave(
// CHECK:         fusion.group "exp" kinds []
// CHECK:         fusion.group "reduction" kinds []
// CHECK-NOT:     fusion.group
#id = affine_map<(i, j) -> (i, j)>
func.func @column_values_leave(%x: tensor<64x96xf32>, %c: tensor<96xf32>, %d: tensor<64xf32>) -> (tensor<64xf32>, tensor<96xf32>) {
  %e = tensor.empty() : tensor<96xf32>
  %0 = linalg.exp ins(%c : tensor<96xf32>) outs(%e : tensor<96xf32>) -> tensor<96xf32>
  // expected-remark @below {{Reason="a value that is smaller than the group's iteration space is needed outside of the group"}}
  %1 = linalg.generic {indexing_maps = [#id, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x, %0 : tensor<64x96xf32>, tensor<96xf32>) outs(%d : tensor<64xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %2 = arith.subf %p, %q : f32
    %3 = arith.maximumf %o, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<64xf32>
  return %1, %0 : tensor<64xf32>, tensor<96xf32>
}

// -----

// The largest element and where it is: two results.
// CHECK-LABEL: func.func @largest_place(
// CHECK:         fusion.group "abs" kinds []
// CHECK:         fusion.group "other" kinds []
// CHECK-NOT:     fusion.group
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
func.func @largest_place(%x: tensor<64x96xf32>, %d: tensor<64xf32>, %n: tensor<64xi32>) -> (tensor<64xf32>, tensor<64xi32>) {
  %e = tensor.empty() : tensor<64x96xf32>
  %0 = linalg.abs ins(%x : tensor<64x96xf32>) outs(%e : tensor<64x96xf32>) -> tensor<64x96xf32>
  // expected-remark @below {{Reason="the consumer is grouped alone: it reduces to several results"}}
  %1:2 = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%0 : tensor<64x96xf32>) outs(%d, %n : tensor<64xf32>, tensor<64xi32>) {
  ^bb0(%a: f32, %b: f32, %i: i32):
    %k = linalg.index 1 : index
    %at = arith.index_cast %k : index to i32
    %more = arith.cmpf ogt, %a, %b : f32
    %s = arith.select %more, %a, %b : f32
    %t = arith.select %more, %at, %i : i32
    linalg.yield %s, %t : f32, i32
  } -> (tensor<64xf32>, tensor<64xi32>)
  return %1#0, %1#1 : tensor<64xf32>, tensor<64xi32>
}

// -----

// Each element is added to a multiple of what came before: in no order but this.
// CHECK-LABEL: func.func @polynomial(
// CHECK:         fusion.group "other" kinds []
// CHECK:         fusion.group "exp" kinds []
// CHECK-NOT:     fusion.group
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
func.func @polynomial(%x: tensor<64x96xf32>, %d: tensor<64xf32>) -> tensor<64xf32> {
  %c = arith.constant 0.5 : f32
  %e = tensor.empty() : tensor<64xf32>
  %0 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<64x96xf32>) outs(%d : tensor<64xf32>) {
  ^bb0(%a: f32, %b: f32):
    %p = arith.mulf %b, %c : f32
    %s = arith.addf %p, %a : f32
    linalg.yield %s : f32
  } -> tensor<64xf32>
  // expected-remark @below {{Reason="the producer is grouped alone: its body has no single combiner"}}
  %1 = linalg.exp ins(%0 : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  return %1 : tensor<64xf32>
}

// -----

// What is divided by went through a call: the sum must be whole before it.
// CHECK-LABEL: func.func @sum_through_a_call(
// CHECK:         fusion.group "exp+reduce" kinds ["vertical"]
// CHECK:         fusion.group "elementwise" kinds []
// CHECK-NOT:     fusion.group
func.func private @other(tensor<64xf32>) -> tensor<64xf32>
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
func.func @sum_through_a_call(%x: tensor<64x96xf32>, %d: tensor<64xf32>) -> tensor<64x96xf32> {
  %e = tensor.empty() : tensor<64x96xf32>
  %0 = linalg.exp ins(%x : tensor<64x96xf32>) outs(%e : tensor<64x96xf32>) -> tensor<64x96xf32>
  // expected-remark @below {{Remark="fused with exp"}}
  %1 = linalg.reduce { arith.addf } ins(%0 : tensor<64x96xf32>) outs(%d : tensor<64xf32>) dimensions = [1]
  %2 = func.call @other(%1) : (tensor<64xf32>) -> tensor<64xf32>
  // expected-remark @below {{Reason="an operation between the two needs the one and feeds the other"}}
  %3 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%0, %2 : tensor<64x96xf32>, tensor<64xf32>) outs(%e : tensor<64x96xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %4 = arith.divf %p, %q : f32
    linalg.yield %4 : f32
  } -> tensor<64x96xf32>
  return %3 : tensor<64x96xf32>
}

// -----

// The middle dim, and then the last: no row has both.
// CHECK-LABEL: func.func @middle_then_last(
// CHECK:         fusion.group "reduce" kinds []
// CHECK:         fusion.group "reduce" kinds []
// CHECK-NOT:     fusion.group
func.func @middle_then_last(%x: tensor<4x8x16xf32>, %d: tensor<4x16xf32>, %f: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.reduce { arith.maximumf } ins(%x : tensor<4x8x16xf32>) outs(%d : tensor<4x16xf32>) dimensions = [1]
  // expected-remark @below {{Reason="the reductions run over different dims"}}
  %1 = linalg.reduce { arith.addf } ins(%0 : tensor<4x16xf32>) outs(%f : tensor<4xf32>) dimensions = [1]
  return %1 : tensor<4xf32>
}

// -----

// The largest element of all, and that of each row.
// CHECK-LABEL: func.func @rows_of_all(
// CHECK:         fusion.group "negf+reduce" kinds ["vertical"]
// CHECK:         fusion.group "reduce" kinds []
// CHECK-NOT:     fusion.group
func.func @rows_of_all(%x: tensor<?x96xf16>, %d: tensor<f16>, %f: tensor<?xf16>, %n: index) -> (tensor<f16>, tensor<?xf16>) {
  %e = tensor.empty(%n) : tensor<?x96xf16>
  %0 = linalg.negf ins(%x : tensor<?x96xf16>) outs(%e : tensor<?x96xf16>) -> tensor<?x96xf16>
  // expected-remark @below {{Reason="the reductions run over different dims"}}
  %1 = linalg.reduce { arith.maximumf } ins(%0 : tensor<?x96xf16>) outs(%d : tensor<f16>) dimensions = [0, 1]
  // expected-remark @below {{Remark="fused with negf"}}
  %2 = linalg.reduce { arith.maximumf } ins(%0 : tensor<?x96xf16>) outs(%f : tensor<?xf16>) dimensions = [1]
  return %1, %2 : tensor<f16>, tensor<?xf16>
}

// -----

// A long computation for each column, which each of many rows would do again.
// CHECK-LABEL: func.func @expensive_columns(
// CHECK:         fusion.group "elementwise" kinds []
// CHECK:         fusion.group "reduction" kinds []
// CHECK-NOT:     fusion.group
#id = affine_map<(i, j) -> (i, j)>
func.func @expensive_columns(%x: tensor<8192x4096xf32>, %c: tensor<4096xf32>, %d: tensor<8192xf32>) -> tensor<8192xf32> {
  %e = tensor.empty() : tensor<4096xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%c : tensor<4096xf32>) outs(%e : tensor<4096xf32>) {
  ^bb0(%p: f32, %o: f32):
    %a0 = math.erf %p : f32
    %a1 = math.erf %a0 : f32
    %a2 = math.erf %a1 : f32
    %a3 = math.erf %a2 : f32
    %a4 = math.erf %a3 : f32
    linalg.yield %a4 : f32
  } -> tensor<4096xf32>
  // expected-remark-re @below {{Reason="estimated slower fused ({{[0-9.]+}} us) than apart ({{[0-9.]+}} us)"}}
  %1 = linalg.generic {indexing_maps = [#id, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x, %0 : tensor<8192x4096xf32>, tensor<4096xf32>) outs(%d : tensor<8192xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %2 = arith.mulf %p, %q : f32
    %3 = arith.maximumf %o, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<8192xf32>
  return %1 : tensor<8192xf32>
}

// -----

// The sums of rows, subtracted from rows and from columns: each element wants two of them.
// CHECK-LABEL: func.func @sums_for_columns(
// CHECK:         fusion.group "reduce" kinds []
// CHECK:         fusion.group "elementwise" kinds []
// CHECK-NOT:     fusion.group
#id = affine_map<(i, j) -> (i, j)>
func.func @sums_for_columns(%x: tensor<64x64xf32>, %d: tensor<64xf32>) -> tensor<64x64xf32> {
  %e = tensor.empty() : tensor<64x64xf32>
  %0 = linalg.reduce { arith.addf } ins(%x : tensor<64x64xf32>) outs(%d : tensor<64xf32>) dimensions = [1]
  // expected-remark @below {{Reason="the consumer reads the value at other positions than the producer writes it"}}
  %1 = linalg.generic {indexing_maps = [#id, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (j)>, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %0, %0 : tensor<64x64xf32>, tensor<64xf32>, tensor<64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%p: f32, %q: f32, %r: f32, %o: f32):
    %2 = arith.subf %p, %q : f32
    %3 = arith.subf %2, %r : f32
    linalg.yield %3 : f32
  } -> tensor<64x64xf32>
  return %1 : tensor<64x64xf32>
}

// -----

// The second sum goes on where the first ended.
// CHECK-LABEL: func.func @continued_sum(
// CHECK:         fusion.group "reduce" kinds []
// CHECK:         fusion.group "reduce" kinds []
// CHECK-NOT:     fusion.group
func.func @continued_sum(%x: tensor<64x96xf32>, %y: tensor<64x96xf32>, %d: tensor<64xf32>) -> tensor<64xf32> {
  %0 = linalg.reduce { arith.addf } ins(%x : tensor<64x96xf32>) outs(%d : tensor<64xf32>) dimensions = [1]
  // expected-remark @below {{Reason="the value is the initial value of an accumulator"}}
  %1 = linalg.reduce { arith.addf } ins(%y : tensor<64x96xf32>) outs(%0 : tensor<64xf32>) dimensions = [1]
  return %1 : tensor<64xf32>
}
