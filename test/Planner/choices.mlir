// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups))' -split-input-file | FileCheck %s

// A group that reads choices has predicates and both sides as inputs; a choice
// may pick another one.
// CHECK-LABEL: func.func @main(
// CHECK-SAME:    %[[C:.*]]: tensor<i1>, %[[D:.*]]: tensor<i1>, %[[X:.*]]: tensor<8x8xf32>, %[[Y:.*]]: tensor<8x8xf32>, %[[Z:.*]]: tensor<8x8xf32>)
// CHECK-NOT:     arith.select
// CHECK:         %[[R:.*]] = fusion.group "exp" kinds ["conditional"] ins(%[[C]], %[[X]], %[[D]], %[[Y]], %[[Z]] :
// CHECK-NEXT:    ^bb0(%[[C0:.*]]: tensor<i1>, %[[X0:.*]]: tensor<8x8xf32>, %[[D0:.*]]: tensor<i1>, %[[Y0:.*]]: tensor<8x8xf32>, %[[Z0:.*]]: tensor<8x8xf32>, %[[O:.*]]: tensor<8x8xf32>):
// CHECK-DAG:       %[[Q:.*]] = tensor.extract %[[D0]][]
// CHECK-DAG:       %[[YZ:.*]] = arith.select %[[Q]], %[[Y0]], %[[Z0]]
// CHECK-DAG:       %[[P:.*]] = tensor.extract %[[C0]][]
// CHECK:           %[[T:.*]] = arith.select %[[P]], %[[X0]], %[[YZ]]
// CHECK:           linalg.exp ins(%[[T]] : tensor<8x8xf32>) outs(%[[O]]
// CHECK:         return %[[R]]
func.func @main(%c: tensor<i1>, %d: tensor<i1>, %x: tensor<8x8xf32>, %y: tensor<8x8xf32>, %z: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %q = tensor.extract %d[] : tensor<i1>
  %yz = arith.select %q, %y, %z : tensor<8x8xf32>
  %p = tensor.extract %c[] : tensor<i1>
  %t = arith.select %p, %x, %yz : tensor<8x8xf32>
  %e = tensor.empty() : tensor<8x8xf32>
  %0 = linalg.exp ins(%t : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

// Contractions that share a choice share a kernel.
// CHECK-LABEL: func.func @siblings(
// CHECK:         fusion.group {{.*}} kinds ["vertical", "horizontal", "conditional"]
// CHECK-COUNT-1:   arith.select
// CHECK-COUNT-2:   linalg.matmul
// CHECK-NOT:     fusion.group
func.func @siblings(%c: tensor<i1>, %x: tensor<512x512xf16>, %y: tensor<512x512xf16>, %a: tensor<512x512xf16>, %b: tensor<512x512xf16>) -> tensor<512x512xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<512x512xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<512x512xf32>) -> tensor<512x512xf32>
  %p = tensor.extract %c[] : tensor<i1>
  %t = arith.select %p, %x, %y : tensor<512x512xf16>
  %0 = linalg.matmul ins(%t, %a : tensor<512x512xf16>, tensor<512x512xf16>) outs(%f : tensor<512x512xf32>) -> tensor<512x512xf32>
  %1 = linalg.matmul ins(%t, %b : tensor<512x512xf16>, tensor<512x512xf16>) outs(%f : tensor<512x512xf32>) -> tensor<512x512xf32>
  %2 = linalg.mul ins(%0, %1 : tensor<512x512xf32>, tensor<512x512xf32>) outs(%e : tensor<512x512xf32>) -> tensor<512x512xf32>
  return %2 : tensor<512x512xf32>
}

// -----

// The reshape of a choice is a choice of reshapes, which only rename.
// CHECK-LABEL: func.func @reshaped(
// CHECK-SAME:    %[[C:.*]]: tensor<i1>, %[[X:.*]]: tensor<4x4x8xf32>, %[[Y:.*]]: tensor<4x4x8xf32>,
// CHECK-DAG:     %[[V:.*]] = tensor.collapse_shape %[[X]]
// CHECK-DAG:     %[[W:.*]] = tensor.collapse_shape %[[Y]]
// CHECK:         fusion.group "matmul" kinds ["conditional"] ins(%[[C]], %[[V]], %[[W]],
func.func @reshaped(%c: tensor<i1>, %x: tensor<4x4x8xf32>, %y: tensor<4x4x8xf32>, %a: tensor<8x8xf32>) -> tensor<16x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<16x8xf32>) -> tensor<16x8xf32>
  %p = tensor.extract %c[] : tensor<i1>
  %t = arith.select %p, %x, %y : tensor<4x4x8xf32>
  %v = tensor.collapse_shape %t [[0, 1], [2]] : tensor<4x4x8xf32> into tensor<16x8xf32>
  %0 = linalg.matmul ins(%v, %a : tensor<16x8xf32>, tensor<8x8xf32>) outs(%f : tensor<16x8xf32>) -> tensor<16x8xf32>
  return %0 : tensor<16x8xf32>
}

// -----

// What no kernel reads in place is copied: results, what is added to.
// CHECK-LABEL: func.func @returned(
// CHECK:         %[[T:.*]] = fusion.group "elementwise" kinds ["conditional"] ins(%{{.*}}, %{{.*}}, %{{.*}} :
// CHECK:           %[[S:.*]] = arith.select
// CHECK:           linalg.generic {{.*}} ins(%[[S]] :
// CHECK:         return %[[T]]
func.func @returned(%c: tensor<i1>, %x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %p = tensor.extract %c[] : tensor<i1>
  %t = arith.select %p, %x, %y : tensor<8xf32>
  return %t : tensor<8xf32>
}

// -----

// A region makes the choices that it reads for itself.
// CHECK-LABEL: func.func @region(
// CHECK:         fusion.if
// CHECK:           fusion.group "exp" kinds ["conditional"] ins(%arg0, %arg2, %arg3 :
// CHECK:             arith.select
// CHECK:         } else {
// CHECK:           fusion.group "tanh" kinds ["conditional"] ins(%arg0, %arg2, %arg3 :
// CHECK:             arith.select
func.func @region(%c: tensor<i1>, %d: tensor<i1>, %x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %p = tensor.extract %c[] : tensor<i1>
  %t = arith.select %p, %x, %y : tensor<8xf32>
  %r = fusion.if %d : tensor<i1> -> tensor<8xf32> {
    %e = tensor.empty() : tensor<8xf32>
    %0 = linalg.exp ins(%t : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    fusion.yield %0 : tensor<8xf32>
  } else {
    %e = tensor.empty() : tensor<8xf32>
    %0 = linalg.tanh ins(%t : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    fusion.yield %0 : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}
