// Operations that are kernels by themselves: of other loops, bodies or schedules.

// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups{target=sm_90a}))' -split-input-file | FileCheck %s
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups{target=sm_90a}))' -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics -o /dev/null

// A loop for each element.
// CHECK-LABEL: func.func @loop_in_the_body(
// CHECK:         fusion.group "exp" kinds []
// CHECK:         fusion.group "other" kinds []
// CHECK-NOT:     fusion.group
func.func @loop_in_the_body(%x: tensor<8xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.exp ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  // expected-remark @below {{Reason="the consumer is grouped alone: its body is not straight-line code"}}
  %1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%0 : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = scf.for %k = %c0 to %c9 step %c1 iter_args(%s = %a) -> (f32) {
      %t = arith.mulf %s, %a : f32
      scf.yield %t : f32
    }
    linalg.yield %r : f32
  } -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// -----

// A sum of elements of a table.
// CHECK-LABEL: func.func @sum_of_looked_up(
// CHECK:         fusion.group "exp" kinds []
// CHECK:         fusion.group "other" kinds []
// CHECK-NOT:     fusion.group
func.func @sum_of_looked_up(%x: tensor<8x4xf32>, %t: tensor<9xf32>, %d: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8x4xf32>
  %0 = linalg.exp ins(%x : tensor<8x4xf32>) outs(%e : tensor<8x4xf32>) -> tensor<8x4xf32>
  // expected-remark @below {{Reason="the consumer is grouped alone: its body reads a tensor at computed positions"}}
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%0 : tensor<8x4xf32>) outs(%d : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %j = linalg.index 1 : index
    %v = tensor.extract %t[%j] : tensor<9xf32>
    %m = arith.mulf %a, %v : f32
    %s = arith.maximumf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// -----

// Two results, of which the second is turned.
// CHECK-LABEL: func.func @results_of_two_orders(
// CHECK:         fusion.group "exp" kinds []
// CHECK:         fusion.group "other" kinds []
// CHECK-NOT:     fusion.group
func.func @results_of_two_orders(%x: tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<4x8xf32>) {
  %e = tensor.empty() : tensor<8x4xf32>
  %f = tensor.empty() : tensor<4x8xf32>
  %0 = linalg.exp ins(%x : tensor<8x4xf32>) outs(%e : tensor<8x4xf32>) -> tensor<8x4xf32>
  // expected-remark @below {{Reason="the consumer is grouped alone: its results have different maps"}}
  %1:2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j, i)>], iterator_types = ["parallel", "parallel"]}
      ins(%0 : tensor<8x4xf32>) outs(%e, %f : tensor<8x4xf32>, tensor<4x8xf32>) {
  ^bb0(%a: f32, %o: f32, %p: f32):
    %t = arith.negf %a : f32
    linalg.yield %a, %t : f32, f32
  } -> (tensor<8x4xf32>, tensor<4x8xf32>)
  return %1#0, %1#1 : tensor<8x4xf32>, tensor<4x8xf32>
}

// -----

// Each place of the result is written for two elements, the last of which stays.
// CHECK-LABEL: func.func @written_at_halves(
// CHECK:         fusion.group "exp" kinds []
// CHECK:         fusion.group "other" kinds []
// CHECK-NOT:     fusion.group
func.func @written_at_halves(%x: tensor<8x4xf32>) -> tensor<8x2xf32> {
  %e = tensor.empty() : tensor<8x4xf32>
  %f = tensor.empty() : tensor<8x2xf32>
  %0 = linalg.exp ins(%x : tensor<8x4xf32>) outs(%e : tensor<8x4xf32>) -> tensor<8x4xf32>
  // expected-remark @below {{Reason="the consumer is grouped alone: its result is not indexed by each loop once"}}
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j floordiv 2)>], iterator_types = ["parallel", "parallel"]}
      ins(%0 : tensor<8x4xf32>) outs(%f : tensor<8x2xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<8x2xf32>
  return %1 : tensor<8x2xf32>
}

// -----

// A fill of a size that comes from outside is a result, and read as well.
// CHECK-LABEL: func.func @fill(
// CHECK:         fusion.group "fill" kinds []
// CHECK:         fusion.group "add" kinds []
// CHECK-NOT:     fusion.group
func.func @fill(%x: tensor<?xf32>, %n: index, %v: f32) -> (tensor<?xf32>, tensor<?xf32>) {
  %e = tensor.empty(%n) : tensor<?xf32>
  %f = linalg.fill ins(%v : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  // expected-remark @below {{Reason="the producer is grouped alone: a fill whose users have no copy of it is a kernel by itself"}}
  %1 = linalg.add ins(%x, %f : tensor<?xf32>, tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  return %1, %f : tensor<?xf32>, tensor<?xf32>
}

// -----

// Every second element of rows.
// CHECK-LABEL: func.func @every_second(
// CHECK:         fusion.group "exp" kinds []
// CHECK:         fusion.group "other" kinds []
// CHECK-NOT:     fusion.group
func.func @every_second(%x: tensor<8x4xf32>) -> tensor<8x2xf32> {
  %e = tensor.empty() : tensor<8x4xf32>
  %f = tensor.empty() : tensor<8x2xf32>
  %0 = linalg.exp ins(%x : tensor<8x4xf32>) outs(%e : tensor<8x4xf32>) -> tensor<8x4xf32>
  // expected-remark @below {{Reason="the consumer is grouped alone: an operand is read at computed positions"}}
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j * 2)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%0 : tensor<8x4xf32>) outs(%f : tensor<8x2xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<8x2xf32>
  return %1 : tensor<8x2xf32>
}

// -----

// The last rows, added to others.
// CHECK-LABEL: func.func @first_rows(
// CHECK:         fusion.group "exp" kinds []
// CHECK:         fusion.group "other" kinds []
// CHECK-NOT:     fusion.group
func.func @first_rows(%x: tensor<8x4xf32>, %y: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %e = tensor.empty() : tensor<8x4xf32>
  %f = tensor.empty() : tensor<2x4xf32>
  %0 = linalg.exp ins(%x : tensor<8x4xf32>) outs(%e : tensor<8x4xf32>) -> tensor<8x4xf32>
  // expected-remark @below {{Reason="the consumer is grouped alone: an operand is read at computed positions"}}
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i + 6, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%0, %y : tensor<8x4xf32>, tensor<2x4xf32>) outs(%f : tensor<2x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %t = arith.addf %a, %b : f32
    linalg.yield %t : f32
  } -> tensor<2x4xf32>
  return %1 : tensor<2x4xf32>
}

// -----

// A person wants other tiles of each of the two.
// CHECK-LABEL: func.func @pinned(
// CHECK:         fusion.group "exp" kinds []
// CHECK:         fusion.group "negf" kinds []
// CHECK-NOT:     fusion.group
func.func @pinned(%x: tensor<64x96xf32>) -> tensor<64x96xf32> {
  %e = tensor.empty() : tensor<64x96xf32>
  %0 = linalg.exp {fusion.schedule = {kind = "elementwise", rows = 1, columns = 1024, warps = 4}} ins(%x : tensor<64x96xf32>) outs(%e : tensor<64x96xf32>) -> tensor<64x96xf32>
  // expected-remark @below {{Reason="the operations pin different schedules"}}
  %1 = linalg.negf {fusion.schedule = {kind = "elementwise", rows = 2, columns = 512, warps = 4}} ins(%0 : tensor<64x96xf32>) outs(%e : tensor<64x96xf32>) -> tensor<64x96xf32>
  return %1 : tensor<64x96xf32>
}

// -----

// A person wants tiles of elements, of which rows have none.
// CHECK-LABEL: func.func @pinned_kind(
// CHECK:         fusion.group "exp" kinds []
// CHECK:         fusion.group "reduce" kinds []
// CHECK-NOT:     fusion.group
func.func @pinned_kind(%x: tensor<64x96xf32>, %d: tensor<64xf32>) -> tensor<64xf32> {
  %e = tensor.empty() : tensor<64x96xf32>
  %0 = linalg.exp {fusion.schedule = {kind = "elementwise", rows = 1, columns = 1024, warps = 4}} ins(%x : tensor<64x96xf32>) outs(%e : tensor<64x96xf32>) -> tensor<64x96xf32>
  // expected-remark @below {{Reason="the pinned schedule is for another kind of kernel"}}
  %1 = linalg.reduce { arith.maximumf } ins(%0 : tensor<64x96xf32>) outs(%d : tensor<64xf32>) dimensions = [1]
  return %1 : tensor<64xf32>
}
