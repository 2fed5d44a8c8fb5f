// What stays outside of a branch, each with its reason.

// RUN: fusion-opt %s -fusion-prepare-conditionals -split-input-file | FileCheck %s
// RUN: fusion-opt %s -fusion-prepare-conditionals -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics -o /dev/null

// What something outside reads too stays.
// CHECK-LABEL: func.func @read_outside(
// CHECK:         linalg.exp
// CHECK:         fusion.if
// CHECK-NOT:     linalg.exp
func.func @read_outside(%c: tensor<i1>, %x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  // expected-remark @below {{Reason="what is outside of the branch reads the value too"}}
  %0 = linalg.exp ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %r = fusion.if %c : tensor<i1> -> tensor<8xf32> {
    fusion.yield %0 : tensor<8xf32>
  } else {
    fusion.yield %x : tensor<8xf32>
  }
  return %r, %0 : tensor<8xf32>, tensor<8xf32>
}

// -----

// A product that both regions read is computed before, not twice in the code.
// CHECK-LABEL: func.func @read_by_both(
// CHECK:         linalg.matmul
// CHECK:         fusion.if
// CHECK-NOT:     linalg.matmul
func.func @read_by_both(%c: tensor<i1>, %x: tensor<8x8xf32>, %d: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %e = tensor.empty() : tensor<8x8xf32>
  // expected-remark @below {{Reason="both regions read it, and it is not elementwise"}}
  %0 = linalg.matmul ins(%x, %x : tensor<8x8xf32>, tensor<8x8xf32>) outs(%d : tensor<8x8xf32>) -> tensor<8x8xf32>
  %r = fusion.if %c : tensor<i1> -> tensor<8x8xf32> {
    %1 = linalg.exp ins(%0 : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    fusion.yield %1 : tensor<8x8xf32>
  } else {
    %1 = linalg.negf ins(%0 : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    fusion.yield %1 : tensor<8x8xf32>
  }
  return %r : tensor<8x8xf32>
}

// -----

// A result with two readers stays a result.
// CHECK-LABEL: func.func @two_readers(
// CHECK:         fusion.if
// CHECK:         }
// CHECK:         linalg.exp
// CHECK:         linalg.negf
func.func @two_readers(%c: tensor<i1>, %x: tensor<8xf32>, %y: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %r = fusion.if %c : tensor<i1> -> tensor<8xf32> {
    fusion.yield %y : tensor<8xf32>
  } else {
    fusion.yield %x : tensor<8xf32>
  }
  // expected-remark @below {{Reason="the branch's result has other readers"}}
  %0 = linalg.exp ins(%r : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %1 = linalg.negf ins(%r : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}

// -----

// A reduction stays behind the branch.
// CHECK-LABEL: func.func @reduction(
// CHECK:         fusion.if
// CHECK:         }
// CHECK:         linalg.reduce
func.func @reduction(%c: tensor<i1>, %x: tensor<8xf32>, %y: tensor<8xf32>, %d: tensor<f32>) -> tensor<f32> {
  %r = fusion.if %c : tensor<i1> -> tensor<8xf32> {
    fusion.yield %y : tensor<8xf32>
  } else {
    fusion.yield %x : tensor<8xf32>
  }
  // expected-remark @below {{Reason="what reads the branch's result is not elementwise"}}
  %0 = linalg.reduce { arith.addf } ins(%r : tensor<8xf32>) outs(%d : tensor<f32>) dimensions = [0]
  return %0 : tensor<f32>
}

// -----

// So does a contraction.
// CHECK-LABEL: func.func @contraction(
// CHECK:         fusion.if
// CHECK:         }
// CHECK:         linalg.matmul
func.func @contraction(%c: tensor<i1>, %x: tensor<8x8xf32>, %y: tensor<8x8xf32>, %d: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %r = fusion.if %c : tensor<i1> -> tensor<8x8xf32> {
    fusion.yield %y : tensor<8x8xf32>
  } else {
    fusion.yield %x : tensor<8x8xf32>
  }
  // expected-remark @below {{Reason="what reads the branch's result is not elementwise"}}
  %0 = linalg.matmul ins(%r, %x : tensor<8x8xf32>, tensor<8x8xf32>) outs(%d : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

// Its other operand depends on the branch by another way.
// CHECK-LABEL: func.func @depends_twice(
// CHECK:         fusion.if
// CHECK:         }
// CHECK:         linalg.reduce
// CHECK:         linalg.broadcast
// CHECK:         linalg.mul
func.func @depends_twice(%c: tensor<i1>, %x: tensor<8xf32>, %d: tensor<f32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %r:2 = fusion.if %c : tensor<i1> -> tensor<8xf32>, tensor<8xf32> {
    %0 = linalg.exp ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    %1 = linalg.tanh ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    fusion.yield %0, %1 : tensor<8xf32>, tensor<8xf32>
  } else {
    fusion.yield %x, %x : tensor<8xf32>, tensor<8xf32>
  }
  // expected-remark @below {{Reason="what reads the branch's result is not elementwise"}}
  %s = linalg.reduce { arith.addf } ins(%r#1 : tensor<8xf32>) outs(%d : tensor<f32>) dimensions = [0]
  %w = linalg.broadcast ins(%s : tensor<f32>) outs(%e : tensor<8xf32>) dimensions = [0]
  // expected-remark @below {{Reason="what reads the branch's result needs more that depends on it"}}
  %m = linalg.mul ins(%r#0, %w : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %m : tensor<8xf32>
}

// -----

// The predicate's own producer stays, though the branch alone reads it.
// CHECK-LABEL: func.func @predicate(
// CHECK:         %[[C:.*]] = linalg.generic
// CHECK:         fusion.if %[[C]]
func.func @predicate(%a: tensor<i1>, %x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %f = tensor.empty() : tensor<i1>
  %c = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []}
      ins(%a : tensor<i1>) outs(%f : tensor<i1>) {
  ^bb0(%p: i1, %q: i1):
    %t = arith.constant true
    %n = arith.xori %p, %t : i1
    linalg.yield %n : i1
  } -> tensor<i1>
  %r = fusion.if %c : tensor<i1> -> tensor<8xf32> {
    fusion.yield %y : tensor<8xf32>
  } else {
    fusion.yield %x : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// -----

// A sum that only one region and what follows read.
// CHECK-LABEL: func.func @reduction_read_outside(
// CHECK:         linalg.reduce
// CHECK:         fusion.if
// CHECK-NOT:     linalg.reduce
func.func @reduction_read_outside(%c: tensor<i1>, %x: tensor<8x8xf32>, %y: tensor<8xf32>, %d: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  // expected-remark @below {{Reason="what is outside of the branch reads the value too"}}
  %0 = linalg.reduce { arith.addf } ins(%x : tensor<8x8xf32>) outs(%d : tensor<8xf32>) dimensions = [1]
  %r = fusion.if %c : tensor<i1> -> tensor<8xf32> {
    fusion.yield %y : tensor<8xf32>
  } else {
    fusion.yield %0 : tensor<8xf32>
  }
  return %r, %0 : tensor<8xf32>, tensor<8xf32>
}

// -----

// Sums of rows that a product makes: they may be computed with it.
// CHECK-LABEL: func.func @sums_of_product(
// CHECK:         linalg.matmul
// CHECK:         linalg.reduce
// CHECK:         fusion.if
// CHECK-NOT:     linalg.reduce { arith.addf }
// CHECK:         return
func.func @sums_of_product(%c: tensor<i1>, %x: tensor<8x8xf32>, %d: tensor<8x8xf32>, %e: tensor<8xf32>) -> tensor<8xf32> {
  // expected-remark @below {{Reason="what is outside of the branch reads the value too"}}
  %0 = linalg.matmul ins(%x, %x : tensor<8x8xf32>, tensor<8x8xf32>) outs(%d : tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-remark @below {{Reason="both regions read it, and it is not elementwise"}}
  %1 = linalg.reduce { arith.addf } ins(%0 : tensor<8x8xf32>) outs(%e : tensor<8xf32>) dimensions = [1]
  %r = fusion.if %c : tensor<i1> -> tensor<8xf32> {
    %2 = linalg.exp ins(%1 : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    fusion.yield %2 : tensor<8xf32>
  } else {
    %2 = linalg.reduce { arith.maximumf } ins(%0 : tensor<8x8xf32>) outs(%e : tensor<8xf32>) dimensions = [1]
    %3 = linalg.add ins(%1, %2 : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    fusion.yield %3 : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// -----

// Sums of rows that something before the branch makes, which is read behind it.
// CHECK-LABEL: func.func @sums_of_returned(
// CHECK:         linalg.exp
// CHECK:         linalg.reduce
// CHECK:         fusion.if
// CHECK-NOT:     linalg.reduce
// CHECK:         return
func.func @sums_of_returned(%c: tensor<i1>, %x: tensor<8x8xf32>, %d: tensor<8x8xf32>, %e: tensor<8xf32>) -> (tensor<8xf32>, tensor<8x8xf32>) {
  %0 = linalg.exp ins(%x : tensor<8x8xf32>) outs(%d : tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-remark @below {{Reason="both regions read it, and it is not elementwise"}}
  %1 = linalg.reduce { arith.addf } ins(%0 : tensor<8x8xf32>) outs(%e : tensor<8xf32>) dimensions = [1]
  %r = fusion.if %c : tensor<i1> -> tensor<8xf32> {
    %2 = linalg.exp ins(%1 : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    fusion.yield %2 : tensor<8xf32>
  } else {
    %2 = linalg.negf ins(%1 : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    fusion.yield %2 : tensor<8xf32>
  }
  return %r, %0 : tensor<8xf32>, tensor<8x8xf32>
}

// -----

// Sums of windows.
// CHECK-LABEL: func.func @windows(
// CHECK:         linalg.pooling_ncw_sum
// CHECK:         fusion.if
// CHECK-NOT:     linalg.pooling
// CHECK:         return
func.func @windows(%c: tensor<i1>, %x: tensor<1x2x8xf32>, %d: tensor<1x2x6xf32>) -> tensor<1x2x6xf32> {
  %k = tensor.empty() : tensor<3xf32>
  // expected-remark @below {{Reason="both regions read it, and it is not elementwise"}}
  %0 = linalg.pooling_ncw_sum {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>}
      ins(%x, %k : tensor<1x2x8xf32>, tensor<3xf32>) outs(%d : tensor<1x2x6xf32>) -> tensor<1x2x6xf32>
  %r = fusion.if %c : tensor<i1> -> tensor<1x2x6xf32> {
    %2 = linalg.exp ins(%0 : tensor<1x2x6xf32>) outs(%d : tensor<1x2x6xf32>) -> tensor<1x2x6xf32>
    fusion.yield %2 : tensor<1x2x6xf32>
  } else {
    %2 = linalg.negf ins(%0 : tensor<1x2x6xf32>) outs(%d : tensor<1x2x6xf32>) -> tensor<1x2x6xf32>
    fusion.yield %2 : tensor<1x2x6xf32>
  }
  return %r : tensor<1x2x6xf32>
}

// -----

// What the condition is computed from, and a product in a region reads: that one
// reads memory.
// CHECK-LABEL: func.func @condition_and_product(
// CHECK:         linalg.tanh
// CHECK:         fusion.if
// CHECK-NOT:     linalg.tanh
// CHECK:         return
func.func @condition_and_product(%x: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x16xf32>
  %d = tensor.empty() : tensor<f32>
  %b = tensor.empty() : tensor<i1>
  %f = linalg.fill ins(%zero : f32) outs(%d : tensor<f32>) -> tensor<f32>
  // expected-remark @below {{Reason="what is outside of the branch reads the value too"}}
  %t = linalg.tanh ins(%x : tensor<16x16xf32>) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  %s = linalg.reduce { arith.addf } ins(%t : tensor<16x16xf32>) outs(%f : tensor<f32>) dimensions = [0, 1]
  %c = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []}
      ins(%s : tensor<f32>) outs(%b : tensor<i1>) {
  ^bb0(%in: f32, %out: i1):
    %p = arith.cmpf ogt, %in, %zero : f32
    linalg.yield %p : i1
  } -> tensor<i1>
  %r = fusion.if %c : tensor<i1> -> tensor<16x16xf32> {
    %g = linalg.fill ins(%zero : f32) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
    %0 = linalg.matmul ins(%t, %t : tensor<16x16xf32>, tensor<16x16xf32>) outs(%g : tensor<16x16xf32>) -> tensor<16x16xf32>
    fusion.yield %0 : tensor<16x16xf32>
  } else {
    fusion.yield %x : tensor<16x16xf32>
  }
  return %r : tensor<16x16xf32>
}

// -----

// What the condition is computed from is large.
// CHECK-LABEL: func.func @condition_of_large(
// CHECK:         linalg.tanh
// CHECK:         fusion.if
// CHECK-NOT:     linalg.tanh
// CHECK:         return
func.func @condition_of_large(%x: tensor<512x512xf32>) -> tensor<512x512xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<512x512xf32>
  %d = tensor.empty() : tensor<f32>
  %b = tensor.empty() : tensor<i1>
  %f = linalg.fill ins(%zero : f32) outs(%d : tensor<f32>) -> tensor<f32>
  // expected-remark @below {{Reason="what is outside of the branch reads the value too"}}
  %t = linalg.tanh ins(%x : tensor<512x512xf32>) outs(%e : tensor<512x512xf32>) -> tensor<512x512xf32>
  %s = linalg.reduce { arith.addf } ins(%t : tensor<512x512xf32>) outs(%f : tensor<f32>) dimensions = [0, 1]
  %c = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []}
      ins(%s : tensor<f32>) outs(%b : tensor<i1>) {
  ^bb0(%in: f32, %out: i1):
    %p = arith.cmpf ogt, %in, %zero : f32
    linalg.yield %p : i1
  } -> tensor<i1>
  %r = fusion.if %c : tensor<i1> -> tensor<512x512xf32> {
    %0 = linalg.exp ins(%t : tensor<512x512xf32>) outs(%e : tensor<512x512xf32>) -> tensor<512x512xf32>
    fusion.yield %0 : tensor<512x512xf32>
  } else {
    fusion.yield %x : tensor<512x512xf32>
  }
  return %r : tensor<512x512xf32>
}

// -----

// What the condition is computed from is in memory anyway.
// CHECK-LABEL: func.func @condition_and_result(
// CHECK:         linalg.tanh
// CHECK:         fusion.if
// CHECK-NOT:     linalg.tanh
// CHECK:         return
func.func @condition_and_result(%x: tensor<16x16xf32>) -> (tensor<16x16xf32>, tensor<16x16xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x16xf32>
  %d = tensor.empty() : tensor<f32>
  %b = tensor.empty() : tensor<i1>
  %f = linalg.fill ins(%zero : f32) outs(%d : tensor<f32>) -> tensor<f32>
  // expected-remark @below {{Reason="what is outside of the branch reads the value too"}}
  %t = linalg.tanh ins(%x : tensor<16x16xf32>) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  %s = linalg.reduce { arith.addf } ins(%t : tensor<16x16xf32>) outs(%f : tensor<f32>) dimensions = [0, 1]
  %c = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []}
      ins(%s : tensor<f32>) outs(%b : tensor<i1>) {
  ^bb0(%in: f32, %out: i1):
    %p = arith.cmpf ogt, %in, %zero : f32
    linalg.yield %p : i1
  } -> tensor<i1>
  %r = fusion.if %c : tensor<i1> -> tensor<16x16xf32> {
    %0 = linalg.exp ins(%t : tensor<16x16xf32>) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
    fusion.yield %0 : tensor<16x16xf32>
  } else {
    fusion.yield %x : tensor<16x16xf32>
  }
  return %r, %t : tensor<16x16xf32>, tensor<16x16xf32>
}

// -----

// What reads a result twice is a value again, but for a reduction on the way.
// CHECK-LABEL: func.func @reduction_between(
// CHECK:         fusion.if
// CHECK:         }
// CHECK:         linalg.reduce
// CHECK:         linalg.broadcast
// CHECK:         linalg.sub
func.func @reduction_between(%c: tensor<i1>, %x: tensor<8x8xf32>, %y: tensor<8x8xf32>, %d: tensor<8xf32>) -> tensor<8x8xf32> {
  %e = tensor.empty() : tensor<8x8xf32>
  %r = fusion.if %c : tensor<i1> -> tensor<8x8xf32> {
    fusion.yield %y : tensor<8x8xf32>
  } else {
    fusion.yield %x : tensor<8x8xf32>
  }
  // expected-remark @below {{Reason="the branch's result has other readers"}}
  %s = linalg.reduce { arith.addf } ins(%r : tensor<8x8xf32>) outs(%d : tensor<8xf32>) dimensions = [1]
  %w = linalg.broadcast ins(%s : tensor<8xf32>) outs(%e : tensor<8x8xf32>) dimensions = [1]
  %m = linalg.sub ins(%r, %w : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %m : tensor<8x8xf32>
}

// -----

// Two readers whose results meet, one of which is returned as well.
// CHECK-LABEL: func.func @two_ends(
// CHECK:         fusion.if
// CHECK:         }
// CHECK:         linalg.exp
// CHECK:         linalg.mul
func.func @two_ends(%c: tensor<i1>, %x: tensor<8xf32>, %y: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %r = fusion.if %c : tensor<i1> -> tensor<8xf32> {
    fusion.yield %y : tensor<8xf32>
  } else {
    fusion.yield %x : tensor<8xf32>
  }
  // expected-remark @below {{Reason="the branch's result has other readers"}}
  %0 = linalg.exp ins(%r : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %1 = linalg.mul ins(%r, %0 : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}
