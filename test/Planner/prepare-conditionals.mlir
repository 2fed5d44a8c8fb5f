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

// Statistics of rows in memory join both readers, with what makes the rows: one
// region runs.
// CHECK-LABEL: func.func @statistics(
// CHECK-NOT:     linalg.reduce
// CHECK:         fusion.if
// CHECK:           %[[H:.*]] = linalg.mul
// CHECK:           %[[S:.*]] = linalg.reduce {{.*}} ins(%[[H]]
// CHECK:           linalg.exp ins(%[[S]]
// CHECK:         } else {
// CHECK:           %[[I:.*]] = linalg.mul
// CHECK:           %[[T:.*]] = linalg.reduce {{.*}} ins(%[[I]]
// CHECK:           linalg.matmul
// CHECK:           fusion.yield
func.func @statistics(%c: tensor<i1>, %x: tensor<8x16xf32>, %w: tensor<1x8xf32>) -> tensor<8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %d = tensor.empty() : tensor<8x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %h = linalg.mul ins(%x, %x : tensor<8x16xf32>, tensor<8x16xf32>) outs(%d : tensor<8x16xf32>) -> tensor<8x16xf32>
  %s = linalg.reduce { arith.addf } ins(%h : tensor<8x16xf32>) outs(%f : tensor<8xf32>) dimensions = [1]
  %r = fusion.if %c : tensor<i1> -> tensor<8xf32> {
    %0 = linalg.exp ins(%s : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    fusion.yield %0 : tensor<8xf32>
  } else {
    %0 = tensor.expand_shape %s [[0, 1]] output_shape [8, 1] : tensor<8xf32> into tensor<8x1xf32>
    %1 = tensor.empty() : tensor<8x8xf32>
    %2 = linalg.fill ins(%zero : f32) outs(%1 : tensor<8x8xf32>) -> tensor<8x8xf32>
    %3 = linalg.matmul ins(%0, %w : tensor<8x1xf32>, tensor<1x8xf32>) outs(%2 : tensor<8x8xf32>) -> tensor<8x8xf32>
    %4 = linalg.reduce { arith.addf } ins(%3 : tensor<8x8xf32>) outs(%f : tensor<8xf32>) dimensions = [1]
    fusion.yield %4 : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}
