// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-prepare-conditionals))' -split-input-file | FileCheck %s

// What one region alone reads moves into it.
// CHECK-LABEL: func.func @sinks(
// CHECK-NOT:     linalg.exp
// CHECK:         fusion.if
// CHECK:           %[[E:.*]] = linalg.exp
// CHECK:           fusion.yield %[[E]]
// CHECK:         } else {
// CHECK-NOT:       linalg.exp
func.func @sinks(%c: tensor<i1>, %x: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.exp ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %r = fusion.if %c : tensor<i1> -> tensor<8xf32> {
    fusion.yield %0 : tensor<8xf32>
  } else {
    fusion.yield %x : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// -----

// What something outside reads too stays.
// CHECK-LABEL: func.func @stays(
// CHECK:         linalg.exp
// CHECK:         fusion.if
// CHECK-NOT:     linalg.exp
func.func @stays(%c: tensor<i1>, %x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.exp ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %r = fusion.if %c : tensor<i1> -> tensor<8xf32> {
    fusion.yield %0 : tensor<8xf32>
  } else {
    fusion.yield %x : tensor<8xf32>
  }
  return %r, %0 : tensor<8xf32>, tensor<8xf32>
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

// Equal code of both regions moves out, with what follows from it; elementwise
// code goes back to its readers.
// CHECK-LABEL: func.func @common(
// CHECK:         %[[M:.*]] = linalg.matmul
// CHECK:         %[[N:.*]] = linalg.matmul ins(%[[M]], %[[M]]
// CHECK:         fusion.if
// CHECK-NOT:       linalg.matmul
// CHECK:           %[[E:.*]] = linalg.exp ins(%[[N]]
// CHECK:           linalg.tanh ins(%[[E]]
// CHECK:         } else {
// CHECK-NOT:       linalg.matmul
// CHECK:           %[[F:.*]] = linalg.exp ins(%[[N]]
// CHECK:           fusion.yield %[[F]]
func.func @common(%c: tensor<i1>, %x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %r = fusion.if %c : tensor<i1> -> tensor<8x8xf32> {
    %0 = linalg.matmul ins(%x, %x : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
    %1 = linalg.matmul ins(%0, %0 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
    %2 = linalg.exp ins(%1 : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    %3 = linalg.tanh ins(%2 : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    fusion.yield %3 : tensor<8x8xf32>
  } else {
    %0 = linalg.matmul ins(%x, %x : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
    %1 = linalg.matmul ins(%0, %0 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
    %2 = linalg.exp ins(%1 : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    fusion.yield %2 : tensor<8x8xf32>
  }
  return %r : tensor<8x8xf32>
}

// -----

// What alone reads a result moves to the ends of both regions.
// CHECK-LABEL: func.func @consumer(
// CHECK:         %[[R:.*]] = fusion.if
// CHECK:           %[[E:.*]] = linalg.exp
// CHECK:           %[[N:.*]] = linalg.negf ins(%[[E]]
// CHECK:           fusion.yield %[[N]]
// CHECK:         } else {
// CHECK:           %[[M:.*]] = linalg.negf ins(%arg1
// CHECK:           fusion.yield %[[M]]
// CHECK:         return %[[R]]
func.func @consumer(%c: tensor<i1>, %x: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %r = fusion.if %c : tensor<i1> -> tensor<8xf32> {
    %0 = linalg.exp ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    fusion.yield %0 : tensor<8xf32>
  } else {
    fusion.yield %x : tensor<8xf32>
  }
  %f = tensor.empty() : tensor<8xf32>
  %1 = linalg.negf ins(%r : tensor<8xf32>) outs(%f : tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// -----

// With it goes what it reads besides.
// CHECK-LABEL: func.func @other_operand(
// CHECK:         fusion.if
// CHECK:           linalg.exp
// CHECK:           linalg.add
// CHECK:         } else {
// CHECK:           linalg.add
// CHECK:         return
func.func @other_operand(%c: tensor<i1>, %x: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %r = fusion.if %c : tensor<i1> -> tensor<8xf32> {
    %0 = linalg.exp ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    fusion.yield %0 : tensor<8xf32>
  } else {
    fusion.yield %x : tensor<8xf32>
  }
  %t = linalg.tanh ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %1 = linalg.add ins(%r, %t : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// -----

// Not where another operand depends on the branch too, nor a second reader, nor
// a reduction.
// CHECK-LABEL: func.func @later(
// CHECK:         fusion.if
// CHECK-NOT:     linalg.add
// CHECK:         linalg.mul
// CHECK:         linalg.add
// CHECK-LABEL: func.func @reduction(
// CHECK:         fusion.if
// CHECK:         }
// CHECK:         linalg.reduce
func.func @later(%c: tensor<i1>, %x: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %r:2 = fusion.if %c : tensor<i1> -> tensor<8xf32>, tensor<8xf32> {
    %0 = linalg.exp ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    %1 = linalg.tanh ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    fusion.yield %0, %1 : tensor<8xf32>, tensor<8xf32>
  } else {
    fusion.yield %x, %x : tensor<8xf32>, tensor<8xf32>
  }
  %t = linalg.negf ins(%r#1 : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %u = linalg.negf ins(%t : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %v = linalg.mul ins(%r#1, %u : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %1 = linalg.add ins(%r#0, %v : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}
func.func @reduction(%c: tensor<i1>, %x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<f32> {
  %s = fusion.if %c : tensor<i1> -> tensor<8xf32> {
    fusion.yield %x : tensor<8xf32>
  } else {
    fusion.yield %y : tensor<8xf32>
  }
  %zero = arith.constant 0.0 : f32
  %g = tensor.empty() : tensor<f32>
  %h = linalg.fill ins(%zero : f32) outs(%g : tensor<f32>) -> tensor<f32>
  %2 = linalg.reduce ins(%s : tensor<8xf32>) outs(%h : tensor<f32>) dimensions = [0]
    (%p: f32, %q: f32) { %a = arith.addf %p, %q : f32  linalg.yield %a : f32 }
  return %2 : tensor<f32>
}
