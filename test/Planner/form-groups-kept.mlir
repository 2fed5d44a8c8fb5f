// What must not share a kernel does not, and the remark says why.

// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups))' -split-input-file | FileCheck %s
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups))' -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics -o /dev/null

// The reasons are also kept for reports.
// CHECK-LABEL: func.func @two_contractions(
// CHECK-SAME:    fusion.not_fused = [{consumer = "second", producer = "first", reason = "a contraction's operand
// CHECK-COUNT-2: fusion.group "{{.*}}" kinds []
func.func @two_contractions(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%init : tensor<8x8xf32>) -> tensor<8x8xf32> loc("first")
  // expected-remark @unknown {{ChainedProducts | Category:fusion | Function=two_contractions | Consumer=second, Reason="what lies between the contractions is needed elsewhere"}}
  // expected-remark @unknown {{Producer=first, Reason="a contraction's operand would be the result of another contraction: what lies between the contractions is needed elsewhere"}}
  %1 = linalg.matmul ins(%0, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%init : tensor<8x8xf32>) -> tensor<8x8xf32> loc("second")
  return %0, %1 : tensor<8x8xf32>, tensor<8x8xf32>
}

// -----

// The addend is wider than the product (B008): the product would be repeated.
#id = affine_map<(i, j) -> (i, j)>
#narrow = affine_map<(i, j) -> (i, 0)>

// CHECK-LABEL: func.func @consumer_repeats(
// CHECK-COUNT-2: fusion.group "{{.*}}" kinds []
func.func @consumer_repeats(%a: tensor<2x3xf32>, %b: tensor<3x1xf32>, %c: tensor<2x5xf32>) -> tensor<2x5xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x1xf32>
  %f = tensor.empty() : tensor<2x5xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<2x1xf32>) -> tensor<2x1xf32>
  %mm = linalg.matmul ins(%a, %b : tensor<2x3xf32>, tensor<3x1xf32>) outs(%init : tensor<2x1xf32>) -> tensor<2x1xf32>
  // expected-remark @below {{Reason="the consumer repeats the result of a contraction"}}
  %y = linalg.generic {indexing_maps = [#narrow, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%mm, %c : tensor<2x1xf32>, tensor<2x5xf32>) outs(%f : tensor<2x5xf32>) {
  ^bb0(%p: f32, %q: f32, %d: f32):
    %0 = arith.addf %p, %q : f32
    linalg.yield %0 : f32
  } -> tensor<2x5xf32>
  return %y : tensor<2x5xf32>
}

// -----

// Two readers at different positions: x + exp(x) is fine, but the second
// value is read with its dims exchanged.
#id = affine_map<(i, j) -> (i, j)>
#t = affine_map<(i, j) -> (j, i)>

// CHECK-LABEL: func.func @square_transposed(
// CHECK-COUNT-2: fusion.group "{{.*}}" kinds []
func.func @square_transposed(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %e = tensor.empty() : tensor<8x8xf32>
  %0 = linalg.exp ins(%x : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-remark @below {{Reason="the consumer reads the value at other positions than the producer writes it"}}
  %1 = linalg.generic {indexing_maps = [#id, #t, #id], iterator_types = ["parallel", "parallel"]}
      ins(%0, %0 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%p: f32, %q: f32, %d: f32):
    %2 = arith.addf %p, %q : f32
    linalg.yield %2 : f32
  } -> tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}

// -----

// One value read as a row and as a column: no single alignment of loops.
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#col = affine_map<(i, j) -> (j)>

// CHECK-LABEL: func.func @outer_sum(
// CHECK-COUNT-2: fusion.group "{{.*}}" kinds []
func.func @outer_sum(%x: tensor<8xf32>) -> tensor<8x8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %f = tensor.empty() : tensor<8x8xf32>
  %0 = linalg.exp ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  // expected-remark @below {{Reason="the consumer reads the value at other positions than the producer writes it"}}
  %1 = linalg.generic {indexing_maps = [#row, #col, #id], iterator_types = ["parallel", "parallel"]}
      ins(%0, %0 : tensor<8xf32>, tensor<8xf32>) outs(%f : tensor<8x8xf32>) {
  ^bb0(%p: f32, %q: f32, %d: f32):
    %2 = arith.addf %p, %q : f32
    linalg.yield %2 : f32
  } -> tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}

// -----

// The small value is also a result: several blocks would write it.
#id = affine_map<(i, j) -> (i, j)>
#col = affine_map<(i, j) -> (j)>

// CHECK-LABEL: func.func @small_value_leaves(
// CHECK-COUNT-2: fusion.group "{{.*}}" kinds []
func.func @small_value_leaves(%x: tensor<4xf32>, %y: tensor<8x4xf32>) -> (tensor<4xf32>, tensor<8x4xf32>) {
  %e = tensor.empty() : tensor<4xf32>
  %f = tensor.empty() : tensor<8x4xf32>
  %0 = linalg.exp ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  // expected-remark @below {{Reason="a value that is smaller than the group's iteration space is needed outside of the group"}}
  %1 = linalg.generic {indexing_maps = [#id, #col, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y, %0 : tensor<8x4xf32>, tensor<4xf32>) outs(%f : tensor<8x4xf32>) {
  ^bb0(%p: f32, %q: f32, %d: f32):
    %2 = arith.addf %p, %q : f32
    linalg.yield %2 : f32
  } -> tensor<8x4xf32>
  return %0, %1 : tensor<4xf32>, tensor<8x4xf32>
}

// -----

// A long computation per row, repeated for each column (B055).
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// CHECK-LABEL: func.func @repeated_arithmetic(
// CHECK-COUNT-2: fusion.group "{{.*}}" kinds []
func.func @repeated_arithmetic(%x: tensor<4096xf32>, %y: tensor<4096x4096xf32>) -> tensor<4096x4096xf32> {
  %e = tensor.empty() : tensor<4096xf32>
  %f = tensor.empty() : tensor<4096x4096xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : tensor<4096xf32>) outs(%e : tensor<4096xf32>) {
  ^bb0(%p: f32, %d: f32):
    %a0 = math.exp %p : f32
    %a1 = math.log %a0 : f32
    %a2 = math.exp %a1 : f32
    %a3 = math.log %a2 : f32
    %a4 = math.exp %a3 : f32
    %a5 = math.log %a4 : f32
    %a6 = math.exp %a5 : f32
    %a7 = math.log %a6 : f32
    %a8 = math.exp %a7 : f32
    %a9 = math.log %a8 : f32
    linalg.yield %a9 : f32
  } -> tensor<4096xf32>
  // expected-remark-re @below {{Reason="estimated slower fused ({{[0-9.]+}} us) than apart ({{[0-9.]+}} us)"}}
  %1 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y, %0 : tensor<4096x4096xf32>, tensor<4096xf32>) outs(%f : tensor<4096x4096xf32>) {
  ^bb0(%p: f32, %q: f32, %d: f32):
    %2 = arith.addf %p, %q : f32
    linalg.yield %2 : f32
  } -> tensor<4096x4096xf32>
  return %1 : tensor<4096x4096xf32>
}

// -----

// exp feeds the transpose, and both feed add: one kernel would compute exp at two
// positions for each element.
// CHECK-LABEL: func.func @cycle(
// CHECK-COUNT-2: fusion.group "{{.*}}" kinds [
func.func @cycle(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %e = tensor.empty() : tensor<8x8xf32>
  %0 = linalg.exp ins(%x : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-remark @below {{Remark="fused with exp"}}
  %1 = linalg.transpose ins(%0 : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) permutation = [1, 0]
  // expected-remark @below {{Producer=exp, Reason="the consumer reads the value at other positions than the producer writes it"}}
  // expected-remark @below {{Producer=transpose, Reason="the consumer reads the value at other positions than the producer writes it"}}
  %2 = linalg.add ins(%0, %1 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}

// -----

// CHECK-LABEL: func.func @reduction_of_contraction(
// CHECK-COUNT-2: fusion.group "{{.*}}" kinds []
func.func @reduction_of_contraction(%a: tensor<8x8xf32>, %b: tensor<8x300xf32>) -> tensor<8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x300xf32>
  %r = tensor.empty() : tensor<8xf32>
  %i1 = linalg.fill ins(%zero : f32) outs(%e : tensor<8x300xf32>) -> tensor<8x300xf32>
  %mm = linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x300xf32>) outs(%i1 : tensor<8x300xf32>) -> tensor<8x300xf32>
  %i2 = linalg.fill ins(%zero : f32) outs(%r : tensor<8xf32>) -> tensor<8xf32>
  // expected-remark @below {{Reason="a contraction's tiles do not hold the whole rows of a reduction: 300 elements are reduced, of which a tile has}}
  %sum = linalg.reduce ins(%mm : tensor<8x300xf32>) outs(%i2 : tensor<8xf32>) dimensions = [1]
    (%p: f32, %acc: f32) { %t = arith.addf %p, %acc : f32 linalg.yield %t : f32 }
  return %sum : tensor<8xf32>
}

// -----

// The sum over rows of the sums over columns.
// CHECK-LABEL: func.func @other_dims(
// CHECK-COUNT-2: fusion.group "{{.*}}" kinds []
func.func @other_dims(%x: tensor<8x4xf32>) -> tensor<f32> {
  %zero = arith.constant 0.0 : f32
  %r = tensor.empty() : tensor<8xf32>
  %s = tensor.empty() : tensor<f32>
  %i1 = linalg.fill ins(%zero : f32) outs(%r : tensor<8xf32>) -> tensor<8xf32>
  %0 = linalg.reduce ins(%x : tensor<8x4xf32>) outs(%i1 : tensor<8xf32>) dimensions = [1]
    (%p: f32, %acc: f32) { %t = arith.addf %p, %acc : f32 linalg.yield %t : f32 }
  %i2 = linalg.fill ins(%zero : f32) outs(%s : tensor<f32>) -> tensor<f32>
  // expected-remark @below {{Reason="the reductions run over different dims"}}
  %1 = linalg.reduce ins(%0 : tensor<8xf32>) outs(%i2 : tensor<f32>) dimensions = [0]
    (%p: f32, %acc: f32) { %t = arith.addf %p, %acc : f32 linalg.yield %t : f32 }
  return %1 : tensor<f32>
}

// -----

// Rows repeated to another length than they were reduced from.
// CHECK-LABEL: func.func @other_length(
// CHECK-COUNT-2: fusion.group "{{.*}}" kinds []
func.func @other_length(%x: tensor<8x4xf32>) -> tensor<8x5xf32> {
  %zero = arith.constant 0.0 : f32
  %r = tensor.empty() : tensor<8xf32>
  %f = tensor.empty() : tensor<8x5xf32>
  %init = linalg.fill ins(%zero : f32) outs(%r : tensor<8xf32>) -> tensor<8xf32>
  %0 = linalg.reduce ins(%x : tensor<8x4xf32>) outs(%init : tensor<8xf32>) dimensions = [1]
    (%p: f32, %acc: f32) { %t = arith.addf %p, %acc : f32 linalg.yield %t : f32 }
  // expected-remark @below {{Reason="each of the two loops over dims that the other does not have"}}
  %1 = linalg.broadcast ins(%0 : tensor<8xf32>) outs(%f : tensor<8x5xf32>) dimensions = [1]
  return %1 : tensor<8x5xf32>
}

// -----

// A value that is accumulated into is no operand of an epilogue.
// CHECK-LABEL: func.func @accumulator(
// CHECK-COUNT-2: fusion.group "{{.*}}" kinds []
func.func @accumulator(%x: tensor<8xf32>, %y: tensor<8x4xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.exp ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  // expected-remark @below {{Reason="the value is the initial value of an accumulator"}}
  %1 = linalg.reduce ins(%y : tensor<8x4xf32>) outs(%0 : tensor<8xf32>) dimensions = [1]
    (%p: f32, %acc: f32) { %t = arith.addf %p, %acc : f32 linalg.yield %t : f32 }
  return %1 : tensor<8xf32>
}

// -----

// CHECK-LABEL: func.func @barrier(
// CHECK-COUNT-2: fusion.group "{{.*}}" kinds []
func.func @barrier(%x: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.exp {fusion.no_fuse} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  // expected-remark @below {{Reason="the producer is marked with fusion.no_fuse"}}
  %1 = linalg.negf ins(%0 : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// -----

// Contractions of one shape that meet, but share no operand.
// CHECK-LABEL: func.func @no_common_operand(
// CHECK-COUNT-2: fusion.group
// CHECK-NOT:     fusion.group
func.func @no_common_operand(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>, %c: tensor<8x8xf32>, %d: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%init : tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = linalg.matmul ins(%c, %d : tensor<8x8xf32>, tensor<8x8xf32>) outs(%init : tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-remark @below {{fused with matmul}}
  // expected-remark @below {{Reason="the contractions of the two kernels, matmul and matmul, share no operand"}}
  %2 = linalg.add ins(%0, %1 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}

// -----

// The same shapes, but K differs.
// CHECK-LABEL: func.func @other_k(
// CHECK-COUNT-2: fusion.group
// CHECK-NOT:     fusion.group
func.func @other_k(%a: tensor<8x8xf32>, %b: tensor<8x16xf32>, %c: tensor<16x8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %0 = linalg.matmul ins(%a, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%init : tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = linalg.matmul ins(%b, %c : tensor<8x16xf32>, tensor<16x8xf32>) outs(%init : tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-remark @below {{fused with matmul}}
  // expected-remark @below {{Reason="the contractions of the two kernels, matmul and matmul, differ in shape, types or layout"}}
  %2 = linalg.add ins(%0, %1 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}

// -----

// A gather, and an op of another dialect in the way.
// CHECK-LABEL: func.func @others(
// CHECK:         fusion.group "exp" kinds []
// CHECK:         tensor.extract_slice
// CHECK:         fusion.group "tanh" kinds []
// CHECK:         fusion.group "elementwise" kinds []
func.func @others(%x: tensor<8xf32>, %i: tensor<4xindex>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %f = tensor.empty() : tensor<4xf32>
  %0 = linalg.exp ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %s = tensor.extract_slice %0[2] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %1 = linalg.tanh ins(%s : tensor<4xf32>) outs(%f : tensor<4xf32>) -> tensor<4xf32>
  // expected-remark @+2 {{Reason="an element takes more than a few cheap ops"}}
  // expected-remark @+1 {{Reason="the value is not read as a tensor operand"}}
  %2 = linalg.generic {indexing_maps = [affine_map<(a) -> (a)>, affine_map<(a) -> (a)>], iterator_types = ["parallel"]}
      ins(%i : tensor<4xindex>) outs(%f : tensor<4xf32>) {
  ^bb0(%p: index, %d: f32):
    %v = tensor.extract %1[%p] : tensor<4xf32>
    linalg.yield %v : f32
  } -> tensor<4xf32>
  return %2 : tensor<4xf32>
}

// -----

// They share an operand and meet, but the one also reads the other.
// CHECK-LABEL: func.func @chained_siblings(
// CHECK:         fusion.group "matmul+add" kinds ["vertical"]
// CHECK-NOT:     horizontal
func.func @chained_siblings(%x: tensor<8x8xf32>, %w: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-remark @below {{Consumer=matmul, Reason="what lies between the contractions is needed elsewhere"}}
  %0 = linalg.matmul ins(%x, %w : tensor<8x8xf32>, tensor<8x8xf32>) outs(%init : tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-remark @below {{Producer=matmul, Reason="a contraction's operand would be}}
  %1 = linalg.matmul ins(%0, %w : tensor<8x8xf32>, tensor<8x8xf32>) outs(%init : tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-remark @below {{fused with matmul}}
  // expected-remark @below {{Producer=matmul, Reason="a contraction's operand would be}}
  %2 = linalg.add ins(%1, %0 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}

// -----

// Results that are arguments, or are returned twice, are copied.
// CHECK-LABEL: func.func @copies(
// CHECK-SAME:      %[[X:.*]]: tensor<8xf32>
// CHECK:         %[[R:.*]] = fusion.group "exp" kinds []
// CHECK:         %[[C0:.*]] = fusion.group "copy" kinds [] ins(%[[R]] :
// CHECK:         %[[C1:.*]] = fusion.group "copy" kinds [] ins(%[[X]] :
// CHECK:         return %[[R]], %[[C0]], %[[C1]]
func.func @copies(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.exp ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %0, %0, %x : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

// -----

// A fill that is returned, and what starts from it: the sum has a copy of its own
// and waits for nothing.
// CHECK-LABEL: func.func @returned_fill(
// CHECK-SAME:      %[[X:.*]]: tensor<8x16xf32>
// CHECK-DAG:     %[[F:.*]] = fusion.group "fill" kinds [] outs(
// CHECK-DAG:     %[[S:.*]] = fusion.group "reduce" kinds [] ins(%[[X]] : tensor<8x16xf32>) outs(
// CHECK:         return %[[F]], %[[S]]
func.func @returned_fill(%x: tensor<8x16xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %s = linalg.reduce ins(%x : tensor<8x16xf32>) outs(%f : tensor<8xf32>) dimensions = [1]
    (%p: f32, %q: f32) { %0 = arith.addf %p, %q : f32  linalg.yield %0 : f32 }
  return %f, %s : tensor<8xf32>, tensor<8xf32>
}
