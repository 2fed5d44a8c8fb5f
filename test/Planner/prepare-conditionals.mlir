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

// -----

// An activation that reads its argument twice moves as a whole; what is read twice
// is no result any more.
// CHECK-LABEL: func.func @activation(
// CHECK:         %[[R:.*]] = fusion.if %{{.*}} : tensor<i1> -> tensor<8xf32> {
// CHECK:           %[[E:.*]] = linalg.exp
// CHECK:           %[[T:.*]] = linalg.tanh ins(%[[E]]
// CHECK:           %[[A:.*]] = linalg.add ins(%[[T]], %arg2
// CHECK:           %[[M:.*]] = linalg.mul ins(%[[E]], %[[A]]
// CHECK:           fusion.yield %[[M]]
// CHECK:         } else {
// CHECK:           %[[U:.*]] = linalg.tanh ins(%arg1
// CHECK:           %[[B:.*]] = linalg.add ins(%[[U]], %arg2
// CHECK:           %[[N:.*]] = linalg.mul ins(%arg1, %[[B]]
// CHECK:           fusion.yield %[[N]]
// CHECK:         }
// CHECK-NEXT:    return %[[R]]
func.func @activation(%c: tensor<i1>, %x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %r = fusion.if %c : tensor<i1> -> tensor<8xf32> {
    %0 = linalg.exp ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    fusion.yield %0 : tensor<8xf32>
  } else {
    fusion.yield %x : tensor<8xf32>
  }
  %t = linalg.tanh ins(%r : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %a = linalg.add ins(%t, %y : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %m = linalg.mul ins(%r, %a : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %m : tensor<8xf32>
}

// -----

// What the condition is computed from too is computed again by the region that
// runs: before the branch nothing but the condition is left.
// CHECK-LABEL: func.func @of_condition(
// CHECK:         %[[T:.*]] = linalg.tanh ins(%arg0
// CHECK:         %[[S:.*]] = linalg.reduce {{.*}} ins(%[[T]]
// CHECK:         %[[C:.*]] = linalg.generic {{.*}} ins(%[[S]]
// CHECK:         fusion.if %[[C]]
// CHECK:           %[[U:.*]] = linalg.tanh ins(%arg0
// CHECK:           linalg.exp ins(%[[U]]
// CHECK:         } else {
// CHECK:           %[[V:.*]] = linalg.tanh ins(%arg0
// CHECK:           linalg.reduce {{.*}} ins(%[[V]]
func.func @of_condition(%x: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x16xf32>
  %d = tensor.empty() : tensor<f32>
  %b = tensor.empty() : tensor<i1>
  %rows = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%d : tensor<f32>) -> tensor<f32>
  %g = linalg.fill ins(%zero : f32) outs(%rows : tensor<8xf32>) -> tensor<8xf32>
  %t = linalg.tanh ins(%x : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  %s = linalg.reduce { arith.addf } ins(%t : tensor<8x16xf32>) outs(%f : tensor<f32>) dimensions = [0, 1]
  %c = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []}
      ins(%s : tensor<f32>) outs(%b : tensor<i1>) {
  ^bb0(%in: f32, %out: i1):
    %p = arith.cmpf ogt, %in, %zero : f32
    linalg.yield %p : i1
  } -> tensor<i1>
  %r = fusion.if %c : tensor<i1> -> tensor<8x16xf32> {
    %0 = linalg.exp ins(%t : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
    fusion.yield %0 : tensor<8x16xf32>
  } else {
    %0 = linalg.reduce { arith.addf } ins(%t : tensor<8x16xf32>) outs(%g : tensor<8xf32>) dimensions = [1]
    %1 = linalg.broadcast ins(%0 : tensor<8xf32>) outs(%e : tensor<8x16xf32>) dimensions = [1]
    fusion.yield %1 : tensor<8x16xf32>
  }
  return %r : tensor<8x16xf32>
}
