// Reductions that begin with what was computed and must, and those whose results one op
// has to make.
//
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-adopt-linalg))' -split-input-file | FileCheck %s
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-adopt-linalg))' -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics -o /dev/null

// Maxima that begin with what was computed: no sum.
// CHECK-LABEL: func.func @maxima(
// CHECK:         %[[K:.*]] = linalg.exp
// CHECK-NOT:     linalg.fill
// CHECK:         %[[Y:.*]] = linalg.reduce { arith.maximumf } ins(%{{.*}}) outs(%[[K]] : tensor<?xf32>)
// CHECK-NEXT:    return %[[Y]]
func.func @maxima(%x: tensor<?x16xf32>, %k: tensor<?xf32>, %e: tensor<?xf32>) -> tensor<?xf32> {
  %0 = linalg.exp ins(%k : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  // expected-remark @below {{Reason="it begins with computed values, and does not only add to them"}}
  %1 = linalg.reduce { arith.maximumf } ins(%x : tensor<?x16xf32>) outs(%0 : tensor<?xf32>) dimensions = [1]
  return %1 : tensor<?xf32>
}

// -----

// What was summed so far is read twice: it is not the same beginning with nothing.
#both = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// CHECK-LABEL: func.func @sum_read_twice(
// CHECK:         %[[K:.*]] = linalg.exp
// CHECK:         %[[Y:.*]] = linalg.generic {{.*}} outs(%[[K]] : tensor<4xf64>)
// CHECK:         return %[[Y]]
func.func @sum_read_twice(%x: tensor<4x8xf64>, %k: tensor<4xf64>, %e: tensor<4xf64>) -> tensor<4xf64> {
  %0 = linalg.exp ins(%k : tensor<4xf64>) outs(%e : tensor<4xf64>) -> tensor<4xf64>
  // expected-remark @below {{Reason="it begins with computed values, and does not only add to them"}}
  %1 = linalg.generic {indexing_maps = [#both, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x8xf64>) outs(%0 : tensor<4xf64>) {
  ^bb0(%a: f64, %s: f64):
    %m = arith.mulf %a, %s : f64
    %n = arith.addf %s, %m : f64
    linalg.yield %n : f64
  } -> tensor<4xf64>
  return %1 : tensor<4xf64>
}

// -----

// A product of elements begins with factors: with zero it would be zero.
// CHECK-LABEL: func.func @products(
// CHECK:         %[[K:.*]] = linalg.generic
// CHECK:           math.exp
// CHECK-NOT:     linalg.fill
// CHECK:         %[[Y:.*]] = linalg.reduce { arith.mulf } ins(%{{.*}}) outs(%[[K]] : tensor<4xf32>)
// CHECK-NEXT:    return %[[Y]]
func.func @products(%x: tensor<16x4xf32>, %k: tensor<4xf32>) -> tensor<4xf32> {
  %0 = math.exp %k : tensor<4xf32>
  // expected-remark @below {{Reason="it begins with computed values, and does not only add to them"}}
  %1 = linalg.reduce { arith.mulf } ins(%x : tensor<16x4xf32>) outs(%0 : tensor<4xf32>) dimensions = [0]
  return %1 : tensor<4xf32>
}

// -----

// What is added up is subtracted from: not the other way round.
#both = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// CHECK-LABEL: func.func @alternating(
// CHECK:         %[[K:.*]] = linalg.generic
// CHECK:         %[[Y:.*]] = linalg.generic {{.*}} outs(%[[K]] : tensor<?xi32>)
// CHECK:           arith.subi
// CHECK:         return %[[Y]]
func.func @alternating(%x: tensor<?x8xi32>, %k: tensor<?xi32>) -> tensor<?xi32> {
  %0 = math.absi %k : tensor<?xi32>
  // expected-remark @below {{Reason="it begins with computed values, and does not only add to them"}}
  %1 = linalg.generic {indexing_maps = [#both, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<?x8xi32>) outs(%0 : tensor<?xi32>) {
  ^bb0(%a: i32, %s: i32):
    %m = arith.subi %a, %s : i32
    linalg.yield %m : i32
  } -> tensor<?xi32>
  return %1 : tensor<?xi32>
}

// -----

// A sum in halves, of which each step reads twice what it has: it is not widened either.
#both = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// CHECK-LABEL: func.func @half_read_twice(
// CHECK:         %[[K:.*]] = linalg.generic
// CHECK:         %[[Y:.*]] = linalg.generic {{.*}} outs(%[[K]] : tensor<4xf16>)
// CHECK:         return %[[Y]]
func.func @half_read_twice(%x: tensor<4x8xf16>, %k: tensor<4xf16>) -> tensor<4xf16> {
  %0 = arith.negf %k : tensor<4xf16>
  // expected-remark @+2 {{Reason="a sum of halves is needed on its way, and rounded at each step"}}
  // expected-remark @+1 {{Reason="it begins with computed values, and does not only add to them"}}
  %1 = linalg.generic {indexing_maps = [#both, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x8xf16>) outs(%0 : tensor<4xf16>) {
  ^bb0(%a: f16, %s: f16):
    %m = arith.maximumf %s, %a : f16
    %n = arith.addf %s, %m : f16
    linalg.yield %n : f16
  } -> tensor<4xf16>
  return %1 : tensor<4xf16>
}

// -----

// A sum of bytes is rounded at each step: with the bias behind it, it would be rounded
// where it is not.
// CHECK-LABEL: func.func @sum_of_bytes(
// CHECK:         %[[K:.*]] = linalg.broadcast
// CHECK:         %[[Y:.*]] = linalg.reduce { arith.addf } ins(%{{.*}}) outs(%[[K]] : tensor<4xf8E5M2>)
// CHECK-NEXT:    return %[[Y]]
func.func @sum_of_bytes(%x: tensor<4x8xf8E5M2>, %k: tensor<f8E5M2>, %e: tensor<4xf8E5M2>) -> tensor<4xf8E5M2> {
  %0 = linalg.broadcast ins(%k : tensor<f8E5M2>) outs(%e : tensor<4xf8E5M2>) dimensions = [0]
  // expected-remark @below {{Reason="it begins with computed values, and its sum would be rounded before these are added"}}
  %1 = linalg.reduce { arith.addf } ins(%x : tensor<4x8xf8E5M2>) outs(%0 : tensor<4xf8E5M2>) dimensions = [1]
  return %1 : tensor<4xf8E5M2>
}

// -----

// Two sums in one op, of which one begins with a bias.
#both = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// CHECK-LABEL: func.func @two_sums(
// CHECK:         %[[K:.*]] = linalg.generic
// CHECK:         %[[Y:.*]]:2 = linalg.generic {{.*}} outs(%{{.*}}, %[[K]] : tensor<4xf32>, tensor<4xf32>)
// CHECK:         return %[[Y]]#0, %[[Y]]#1
func.func @two_sums(%x: tensor<4x8xf32>, %k: tensor<4xf32>, %d: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = math.exp %k : tensor<4xf32>
  // expected-remark @below {{Reason="it begins with computed values, and has several results"}}
  %1:2 = linalg.generic {indexing_maps = [#both, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x8xf32>) outs(%d, %0 : tensor<4xf32>, tensor<4xf32>) {
  ^bb0(%a: f32, %s: f32, %t: f32):
    %m = arith.addf %s, %a : f32
    %q = arith.mulf %a, %a : f32
    %n = arith.addf %t, %q : f32
    linalg.yield %m, %n : f32, f32
  } -> (tensor<4xf32>, tensor<4xf32>)
  return %1#0, %1#1 : tensor<4xf32>, tensor<4xf32>
}

// -----

// A person's word. An argument, beside it, is read by the kernel where it lies.
// CHECK-LABEL: func.func @kept_alone(
// CHECK:         linalg.matmul {{.*}} outs(%arg2 :
// CHECK:         %[[BIAS:.*]] = linalg.broadcast
// CHECK:         linalg.matmul {{.*}} outs(%[[BIAS]] :
// CHECK-NOT:     arith.addf
func.func @kept_alone(%x: tensor<8x16xf32>, %w: tensor<16x4xf32>, %d: tensor<8x4xf32>, %b: tensor<4xf32>)
    -> (tensor<8x4xf32>, tensor<8x4xf32>) {
  %e = tensor.empty() : tensor<8x4xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<8x16xf32>, tensor<16x4xf32>) outs(%d : tensor<8x4xf32>) -> tensor<8x4xf32>
  %1 = linalg.broadcast ins(%b : tensor<4xf32>) outs(%e : tensor<8x4xf32>) dimensions = [0]
  // expected-remark @below {{Reason="it begins with computed values, and is marked with a directive"}}
  %2 = linalg.matmul {fusion.no_fuse} ins(%x, %w : tensor<8x16xf32>, tensor<16x4xf32>) outs(%1 : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %0, %2 : tensor<8x4xf32>, tensor<8x4xf32>
}

// -----

// A schedule is for the op as it is written.
// CHECK-LABEL: func.func @pinned(
// CHECK:         %[[K:.*]] = linalg.transpose
// CHECK:         linalg.matvec {{.*}} outs(%[[K]] :
// CHECK-NOT:     arith.addf
func.func @pinned(%x: tensor<8x16xf32>, %v: tensor<16xf32>, %k: tensor<8xf32>, %e: tensor<8xf32>) -> tensor<8xf32> {
  %0 = linalg.transpose ins(%k : tensor<8xf32>) outs(%e : tensor<8xf32>) permutation = [0]
  // expected-remark @below {{Reason="it begins with computed values, and is marked with a directive"}}
  %1 = linalg.matvec {fusion.schedule = {kind = "rows", rows = 1, columns = 16, warps = 1}}
    ins(%x, %v : tensor<8x16xf32>, tensor<16xf32>) outs(%0 : tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// -----

// What a sum has at each step is needed too: one op has to make both.
#both = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// CHECK-LABEL: func.func @running_sum(
// CHECK:         linalg.generic {{.*}} outs(%{{.*}}, %{{.*}} : tensor<?xf64>, tensor<?x8xf64>)
// CHECK-NOT:     linalg.generic
func.func @running_sum(%x: tensor<?x8xf64>, %d: tensor<?xf64>, %e: tensor<?x8xf64>) -> (tensor<?xf64>, tensor<?x8xf64>) {
  // expected-remark @below {{Reason="a result along a reduced loop is what another one has on the way"}}
  %0:2 = linalg.generic {indexing_maps = [#both, #row, #both], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<?x8xf64>) outs(%d, %e : tensor<?xf64>, tensor<?x8xf64>) {
  ^bb0(%a: f64, %s: f64, %o: f64):
    %m = arith.addf %s, %a : f64
    %n = arith.negf %m : f64
    linalg.yield %m, %n : f64, f64
  } -> (tensor<?xf64>, tensor<?x8xf64>)
  return %0#0, %0#1 : tensor<?xf64>, tensor<?x8xf64>
}

// -----

// The same where only one arm of a branch reads what is summed so far.
#both = affine_map<(i, j) -> (j, i)>
#row = affine_map<(i, j) -> (i)>

// CHECK-LABEL: func.func @running_in_a_branch(
// CHECK:         linalg.generic {{.*}} outs(%{{.*}}, %{{.*}} : tensor<8x4xi32>, tensor<4xi32>)
// CHECK-NOT:     linalg.generic
func.func @running_in_a_branch(%x: tensor<8x4xi32>, %d: tensor<4xi32>, %e: tensor<8x4xi32>) -> (tensor<8x4xi32>, tensor<4xi32>) {
  // expected-remark @below {{Reason="a result along a reduced loop is what another one has on the way"}}
  %0:2 = linalg.generic {indexing_maps = [#both, #both, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8x4xi32>) outs(%e, %d : tensor<8x4xi32>, tensor<4xi32>) {
  ^bb0(%a: i32, %o: i32, %s: i32):
    %m = arith.addi %s, %a : i32
    %z = arith.constant 0 : i32
    %p = arith.cmpi sgt, %a, %z : i32
    %n = scf.if %p -> i32 {
      %t = arith.muli %s, %a : i32
      scf.yield %t : i32
    } else {
      scf.yield %z : i32
    }
    linalg.yield %n, %m : i32, i32
  } -> (tensor<8x4xi32>, tensor<4xi32>)
  return %0#0, %0#1 : tensor<8x4xi32>, tensor<4xi32>
}

// -----

// Several elements are added to one place: no dim of the result has a loop of its own.
#pairs = affine_map<(i, j) -> (i, j)>
#met = affine_map<(i, j) -> (i + j)>

// CHECK-LABEL: func.func @meeting_loops(
// CHECK:         linalg.generic
// CHECK-NOT:     linalg.generic
func.func @meeting_loops(%x: tensor<4x3xf32>, %d: tensor<6xf32>) -> tensor<6xf32> {
  // expected-remark @below {{Reason="a dim of result 0 is along several loops, or along a part of one"}}
  %0 = linalg.generic {indexing_maps = [#pairs, #met], iterator_types = ["reduction", "reduction"]}
      ins(%x : tensor<4x3xf32>) outs(%d : tensor<6xf32>) {
  ^bb0(%a: f32, %s: f32):
    %m = arith.addf %s, %a : f32
    linalg.yield %m : f32
  } -> tensor<6xf32>
  return %0 : tensor<6xf32>
}

// -----

// A product of halves that a second result has twice.
#both = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// CHECK-LABEL: func.func @product_and_its_double(
// CHECK:         linalg.generic {{.*}} outs(%{{.*}}, %{{.*}} : tensor<?xbf16>, tensor<?xbf16>)
// CHECK:           arith.mulf %{{.*}}, %{{.*}} : bf16
func.func @product_and_its_double(%x: tensor<?x8xbf16>, %d: tensor<?xbf16>) -> (tensor<?xbf16>, tensor<?xbf16>) {
  // expected-remark @below {{Reason="a sum of halves is needed on its way, and rounded at each step"}}
  %0:2 = linalg.generic {indexing_maps = [#both, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<?x8xbf16>) outs(%d, %d : tensor<?xbf16>, tensor<?xbf16>) {
  ^bb0(%a: bf16, %s: bf16, %t: bf16):
    %m = arith.mulf %s, %a : bf16
    %n = arith.addf %m, %m : bf16
    linalg.yield %m, %n : bf16, bf16
  } -> (tensor<?xbf16>, tensor<?xbf16>)
  return %0#0, %0#1 : tensor<?xbf16>, tensor<?xbf16>
}

// -----

// Sums of blocks of four: each place is a part of one loop.
// CHECK-LABEL: func.func @blocks(
// CHECK:         linalg.generic
// CHECK-NOT:     linalg.generic
func.func @blocks(%x: tensor<40xi64>, %d: tensor<10xi64>) -> tensor<10xi64> {
  // expected-remark @below {{Reason="a dim of result 0 is along several loops, or along a part of one"}}
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i floordiv 4)>], iterator_types = ["reduction"]}
      ins(%x : tensor<40xi64>) outs(%d : tensor<10xi64>) {
  ^bb0(%a: i64, %s: i64):
    %m = arith.addi %s, %a : i64
    linalg.yield %m : i64
  } -> tensor<10xi64>
  return %0 : tensor<10xi64>
}
