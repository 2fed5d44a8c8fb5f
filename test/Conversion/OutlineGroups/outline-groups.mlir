// RUN: fusion-opt %s -fusion-outline-groups -split-input-file | FileCheck %s

// Equal groups share one function, whatever their names; the last group writes
// the result in place.
// CHECK-LABEL: func.func @main(
// CHECK-SAME:      %[[X:.*]]: memref<4xf32> {fusion.name = "x"}, %[[Y:.*]]: memref<4xf32> {fusion.name = "y", fusion.result}) {
// CHECK-NEXT:    %[[T:.*]] = memref.alloc() : memref<4xf32>
// CHECK-NEXT:    call @group_0(%[[X]], %[[T]])
// CHECK-NEXT:    call @group_0(%[[T]], %[[Y]])
// CHECK-NEXT:    return
// CHECK:       func.func @main_result_dims(%{{.*}}: index) -> index {
// CHECK-NEXT:    %[[C4:.*]] = arith.constant 4 : index
// CHECK-NEXT:    return %[[C4]]
// CHECK:       func.func private @group_0(%[[A:.*]]: memref<4xf32>, %[[D:.*]]: memref<4xf32>)
// CHECK-SAME:      attributes {fusion.group = "first", fusion.kinds = [], fusion.schedule = {tile = 4 : i64}} {
// CHECK-NEXT:    %[[TA:.*]] = bufferization.to_tensor %[[A]] restrict
// CHECK-NEXT:    %[[E:.*]] = tensor.empty() : tensor<4xf32>
// CHECK-NEXT:    %[[V:.*]] = linalg.negf ins(%[[TA]] : tensor<4xf32>) outs(%[[E]] : tensor<4xf32>)
// CHECK-NEXT:    bufferization.materialize_in_destination %[[V]] in restrict writable %[[D]]
// CHECK-NEXT:    return
// CHECK-NOT:   func.func
func.func @main(%x: tensor<4xf32> {fusion.name = "x"}) -> (tensor<4xf32> {fusion.name = "y"}) {
  %e = tensor.empty() : tensor<4xf32>
  %dead = fusion.group "dead" kinds [] ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%a: tensor<4xf32>, %d: tensor<4xf32>):
    %v = linalg.exp ins(%a : tensor<4xf32>) outs(%d : tensor<4xf32>) -> tensor<4xf32>
    fusion.yield %v : tensor<4xf32>
  } : tensor<4xf32>
  %0 = fusion.group "first" kinds [] schedule = {tile = 4} ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%a: tensor<4xf32>, %d: tensor<4xf32>):
    %v = linalg.negf ins(%a : tensor<4xf32>) outs(%d : tensor<4xf32>) -> tensor<4xf32>
    fusion.yield %v : tensor<4xf32>
  } : tensor<4xf32>
  %1 = fusion.group "second" kinds [] schedule = {tile = 4} ins(%0 : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%b: tensor<4xf32>, %c: tensor<4xf32>):
    %w = linalg.negf ins(%b : tensor<4xf32>) outs(%c : tensor<4xf32>) -> tensor<4xf32>
    fusion.yield %w : tensor<4xf32>
  } : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

// Groups that differ in an attribute, in a body or in a type do not.
// CHECK-LABEL: func.func @main(
// CHECK:         call @group_0(
// CHECK:         call @group_1(
// CHECK:         call @group_2(
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %0 = fusion.group "g" kinds [] ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%a: tensor<4xf32>, %d: tensor<4xf32>):
    %v = linalg.negf ins(%a : tensor<4xf32>) outs(%d : tensor<4xf32>) -> tensor<4xf32>
    fusion.yield %v : tensor<4xf32>
  } : tensor<4xf32>
  %1 = fusion.group "g" kinds [] ins(%0 : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%a: tensor<4xf32>, %d: tensor<4xf32>):
    %v = linalg.exp ins(%a : tensor<4xf32>) outs(%d : tensor<4xf32>) -> tensor<4xf32>
    fusion.yield %v : tensor<4xf32>
  } : tensor<4xf32>
  %2 = fusion.group "g" kinds [] schedule = {tile = 4} ins(%1 : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%a: tensor<4xf32>, %d: tensor<4xf32>):
    %v = linalg.negf ins(%a : tensor<4xf32>) outs(%d : tensor<4xf32>) -> tensor<4xf32>
    fusion.yield %v : tensor<4xf32>
  } : tensor<4xf32>
  return %2 : tensor<4xf32>
}

// -----

// Dynamic sizes, reshapes and constants. The result is a reshape of what the
// group makes: the group writes through the inverse reshape.
// CHECK-LABEL: func.func @main(
// CHECK-SAME:      %[[X:.*]]: memref<?x4xf32>, %[[K:.*]]: memref<4xf32> {fusion.constant = dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32>}, %[[Y:.*]]: memref<?x2x2xf32> {fusion.result}) {
// CHECK:         %[[V:.*]] = memref.collapse_shape %[[Y]] {{\[\[}}0], [1, 2]] : memref<?x2x2xf32> into memref<?x4xf32>
// CHECK:         call @group_0(%[[X]], %[[K]], %[[V]])
// CHECK:       func.func @main_result_dims(%[[D0:.*]]: index, %{{.*}}: index, %{{.*}}: index) -> (index, index, index) {
// CHECK:         %[[C2:.*]] = arith.constant 2 : index
// CHECK:         return %[[D0]], %[[C2]], %{{.*}}
// CHECK:       func.func private @group_0(
// CHECK:         %[[N:.*]] = memref.dim %{{.*}} : memref<?x4xf32>
// CHECK:         tensor.empty(%[[N]]) : tensor<?x4xf32>
func.func @main(%x: tensor<?x4xf32>) -> tensor<?x2x2xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x4xf32>
  %k = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %e = tensor.empty(%n) : tensor<?x4xf32>
  %0 = fusion.group "add" kinds [] ins(%x, %k : tensor<?x4xf32>, tensor<4xf32>) outs(%e : tensor<?x4xf32>) {
  ^bb0(%a: tensor<?x4xf32>, %b: tensor<4xf32>, %d: tensor<?x4xf32>):
    %v = linalg.generic {
        indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
        iterator_types = ["parallel", "parallel"]}
        ins(%a, %b : tensor<?x4xf32>, tensor<4xf32>) outs(%d : tensor<?x4xf32>) {
    ^bb0(%p: f32, %q: f32, %r: f32):
      %s = arith.addf %p, %q : f32
      linalg.yield %s : f32
    } -> tensor<?x4xf32>
    fusion.yield %v : tensor<?x4xf32>
  } : tensor<?x4xf32>
  %y = tensor.expand_shape %0 [[0], [1, 2]] output_shape [%n, 2, 2] : tensor<?x4xf32> into tensor<?x2x2xf32>
  return %y : tensor<?x2x2xf32>
}

// -----

// An argument, a splat, a reshaped argument, and one value twice: copies. The
// size of an intermediate comes from the sizes of arguments.
// CHECK-LABEL: func.func @main(
// CHECK-SAME:      %[[X:[a-z0-9]+]]: memref<?xf32>
// CHECK-SAME:      %[[R0:[a-z0-9]+]]: memref<?xf32> {fusion.result}, %[[R1:[a-z0-9]+]]: memref<?xf32> {fusion.result}, %[[R2:[a-z0-9]+]]: memref<?xf32> {fusion.result}, %[[R3:[a-z0-9]+]]: memref<2xi1> {fusion.result}) {
// CHECK:         call @group_0(%[[X]], %[[R0]])
// CHECK:         call @group_1(%[[R0]], %[[R1]])
// CHECK:         call @group_1(%[[X]], %[[R2]])
// CHECK:         call @group_2(%[[R3]])
// CHECK:       func.func @main_result_dims(%[[D:.*]]: index) -> (index, index, index, index) {
// CHECK:         return %[[D]], %[[D]], %[[D]], %{{.*}}
func.func @main(%x: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<2xi1>) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %true = arith.constant dense<true> : tensor<2xi1>
  %e = tensor.empty(%n) : tensor<?xf32>
  %0 = fusion.group "exp" kinds [] ins(%x : tensor<?xf32>) outs(%e : tensor<?xf32>) {
  ^bb0(%a: tensor<?xf32>, %d: tensor<?xf32>):
    %v = linalg.exp ins(%a : tensor<?xf32>) outs(%d : tensor<?xf32>) -> tensor<?xf32>
    fusion.yield %v : tensor<?xf32>
  } : tensor<?xf32>
  return %0, %0, %x, %true : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<2xi1>
}

// -----

// Scalars: rank 0 and no elements at all.
// CHECK-LABEL: func.func @main(
// CHECK-SAME:      %{{.*}}: memref<0x3xf32>, %{{.*}}: memref<f32> {fusion.result})
// CHECK:       func.func @main_result_dims(%{{.*}}: index, %{{.*}}: index) {
// CHECK-NEXT:    return
func.func @main(%x: tensor<0x3xf32>) -> tensor<f32> {
  %e = tensor.empty() : tensor<f32>
  %0 = fusion.group "sum" kinds [] ins(%x : tensor<0x3xf32>) outs(%e : tensor<f32>) {
  ^bb0(%a: tensor<0x3xf32>, %d: tensor<f32>):
    %zero = arith.constant 0.0 : f32
    %f = linalg.fill ins(%zero : f32) outs(%d : tensor<f32>) -> tensor<f32>
    %v = linalg.reduce ins(%a : tensor<0x3xf32>) outs(%f : tensor<f32>) dimensions = [0, 1]
      (%p: f32, %acc: f32) { %0 = arith.addf %p, %acc : f32 linalg.yield %0 : f32 }
    fusion.yield %v : tensor<f32>
  } : tensor<f32>
  return %0 : tensor<f32>
}

// -----

// Two dynamic sizes out of one: a view with explicit sizes and strides.
// CHECK-LABEL: func.func @main(
// CHECK-SAME:      %[[X:[a-z0-9]+]]: memref<?x3xf32>, %[[S:[a-z0-9]+]]: memref<?x?xf32>
// CHECK-DAG:     %[[N:.*]] = memref.dim %[[S]], %c0
// CHECK-DAG:     %[[M:.*]] = memref.dim %[[S]], %c1
// CHECK:         %[[L:.*]] = affine.apply #{{.*}}()[%[[M]]]
// CHECK:         %[[V:.*]] = memref.reinterpret_cast %[[X]] to offset: [0], sizes: [%[[N]], %[[M]], 3], strides: [%[[L]], 3, 1]
// CHECK:         call @group_0(%[[V]], %{{.*}})
func.func @main(%x: tensor<?x3xf32>, %s: tensor<?x?xf32>) -> tensor<?x?x3xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %s, %c0 : tensor<?x?xf32>
  %m = tensor.dim %s, %c1 : tensor<?x?xf32>
  %r = tensor.expand_shape %x [[0, 1], [2]] output_shape [%n, %m, 3] : tensor<?x3xf32> into tensor<?x?x3xf32>
  %e = tensor.empty(%n, %m) : tensor<?x?x3xf32>
  %0 = fusion.group "exp" kinds [] ins(%r : tensor<?x?x3xf32>) outs(%e : tensor<?x?x3xf32>) {
  ^bb0(%a: tensor<?x?x3xf32>, %d: tensor<?x?x3xf32>):
    %v = linalg.exp ins(%a : tensor<?x?x3xf32>) outs(%d : tensor<?x?x3xf32>) -> tensor<?x?x3xf32>
    fusion.yield %v : tensor<?x?x3xf32>
  } : tensor<?x?x3xf32>
  return %0 : tensor<?x?x3xf32>
}

// -----

// A choice becomes one of pointers; sizes are those of its first side.
// CHECK-LABEL: func.func @main(
// CHECK-NOT:     arith.select
// CHECK:       func.func private @group_0(%[[C:.*]]: memref<i1>, %[[X:.*]]: memref<?xf32>, %[[Y:.*]]: memref<?xf32>, %[[D:.*]]: memref<?xf32>)
// CHECK-DAG:     %[[TX:.*]] = bufferization.to_tensor %[[X]]
// CHECK-DAG:     %[[P:.*]] = memref.load %[[C]][] : memref<i1>
// CHECK-DAG:     %[[M:.*]] = arith.select %[[P]], %[[X]], %[[Y]] : memref<?xf32>
// CHECK-DAG:     %[[T:.*]] = bufferization.to_tensor %[[M]] restrict
// CHECK:         %[[N:.*]] = tensor.dim %[[TX]]
// CHECK:         tensor.empty(%[[N]])
// CHECK:         linalg.negf ins(%{{.*}} : tensor<?xf32>)
func.func @main(%c: tensor<i1>, %x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %0 = fusion.group "choice" kinds ["conditional"] ins(%c, %x, %y : tensor<i1>, tensor<?xf32>, tensor<?xf32>) outs(%e : tensor<?xf32>) {
  ^bb0(%q: tensor<i1>, %a: tensor<?xf32>, %b: tensor<?xf32>, %d: tensor<?xf32>):
    %p = tensor.extract %q[] : tensor<i1>
    %t = arith.select %p, %a, %b : tensor<?xf32>
    %i = arith.constant 0 : index
    %m = tensor.dim %t, %i : tensor<?xf32>
    %f = tensor.empty(%m) : tensor<?xf32>
    %u = linalg.exp ins(%t : tensor<?xf32>) outs(%f : tensor<?xf32>) -> tensor<?xf32>
    %v = linalg.negf ins(%u : tensor<?xf32>) outs(%d : tensor<?xf32>) -> tensor<?xf32>
    fusion.yield %v : tensor<?xf32>
  } : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// Two branches whose first groups are equal and were made one: each of the
// groups that write further has a destination of its own.
// CHECK:       func.func @main(%[[C:.*]]: memref<i1>, %[[X:.*]]: memref<4xf32>, %[[R:.*]]: memref<4xf32> {fusion.result}, %[[S:.*]]: memref<4xf32> {fusion.result})
// CHECK-DAG:     call @[[A:.*]](%[[C]], %[[X]], %[[R]])
// CHECK-DAG:     call @[[A]](%[[C]], %[[X]], %[[S]])
// CHECK:         call @{{.*}}(%[[C]], %[[X]], %[[R]])
// CHECK:         call @{{.*}}(%[[C]], %[[X]], %[[S]])
func.func @main(%c: tensor<i1>, %x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %e = tensor.empty() : tensor<4xf32>
  %0 = fusion.group "then" kinds ["conditional"] ins(%c, %x : tensor<i1>, tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%p: tensor<i1>, %a: tensor<4xf32>, %d: tensor<4xf32>):
    %i = fusion.if %p : tensor<i1> -> tensor<4xf32> {
      %g = fusion.group "exp" kinds [] ins(%a : tensor<4xf32>) outs(%d : tensor<4xf32>) {
      ^bb0(%b: tensor<4xf32>, %f: tensor<4xf32>):
        %v = linalg.exp ins(%b : tensor<4xf32>) outs(%f : tensor<4xf32>) -> tensor<4xf32>
        fusion.yield %v : tensor<4xf32>
      } : tensor<4xf32>
      fusion.yield %g : tensor<4xf32>
    } else {
      fusion.yield %d : tensor<4xf32>
    }
    fusion.yield %i : tensor<4xf32>
  } : tensor<4xf32>
  %1 = fusion.group "else" kinds ["conditional"] ins(%c, %x : tensor<i1>, tensor<4xf32>) outs(%0 : tensor<4xf32>) {
  ^bb0(%p: tensor<i1>, %a: tensor<4xf32>, %d: tensor<4xf32>):
    %i = fusion.if %p : tensor<i1> -> tensor<4xf32> {
      fusion.yield %d : tensor<4xf32>
    } else {
      %g = fusion.group "negf" kinds [] ins(%a : tensor<4xf32>) outs(%d : tensor<4xf32>) {
      ^bb0(%b: tensor<4xf32>, %f: tensor<4xf32>):
        %v = linalg.negf ins(%b : tensor<4xf32>) outs(%f : tensor<4xf32>) -> tensor<4xf32>
        fusion.yield %v : tensor<4xf32>
      } : tensor<4xf32>
      fusion.yield %g : tensor<4xf32>
    }
    fusion.yield %i : tensor<4xf32>
  } : tensor<4xf32>
  %2 = fusion.group "else" kinds ["conditional"] ins(%c, %x : tensor<i1>, tensor<4xf32>) outs(%0 : tensor<4xf32>) {
  ^bb0(%p: tensor<i1>, %a: tensor<4xf32>, %d: tensor<4xf32>):
    %i = fusion.if %p : tensor<i1> -> tensor<4xf32> {
      fusion.yield %d : tensor<4xf32>
    } else {
      %g = fusion.group "tanh" kinds [] ins(%a : tensor<4xf32>) outs(%d : tensor<4xf32>) {
      ^bb0(%b: tensor<4xf32>, %f: tensor<4xf32>):
        %v = linalg.tanh ins(%b : tensor<4xf32>) outs(%f : tensor<4xf32>) -> tensor<4xf32>
        fusion.yield %v : tensor<4xf32>
      } : tensor<4xf32>
      fusion.yield %g : tensor<4xf32>
    }
    fusion.yield %i : tensor<4xf32>
  } : tensor<4xf32>
  return %1, %2 : tensor<4xf32>, tensor<4xf32>
}
