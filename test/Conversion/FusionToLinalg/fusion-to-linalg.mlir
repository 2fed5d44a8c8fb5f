// What the pass does around the operations: signatures, calls, other dialects.
// RUN: fusion-opt %s -fusion-to-linalg | FileCheck %s

// CHECK-LABEL: func.func @main(
// CHECK-SAME:    %[[X:.*]]: tensor<?xi8> {fusion.dims = ["n"], fusion.dtype = "u8", fusion.name = "x"}
// CHECK-SAME:    -> (tensor<?xi8> {fusion.dtype = "u8", fusion.name = "y"}, index)
func.func @main(%x: tensor<?xui8> {fusion.name = "x", fusion.dims = ["n"]}, %p: i1)
    -> (tensor<?xui8> {fusion.name = "y"}, index) {
  %c0 = arith.constant 0 : index
  // CHECK: %[[N:.*]] = tensor.dim %[[X]], %{{.*}} : tensor<?xi8>
  %n = tensor.dim %x, %c0 : tensor<?xui8>
  // CHECK: %[[C:.*]] = call @callee(%[[X]]) : (tensor<?xi8>) -> tensor<?xi8>
  %0 = call @callee(%x) : (tensor<?xui8>) -> tensor<?xui8>
  // CHECK: %[[I:.*]] = scf.if %{{.*}} -> (tensor<?xi8>)
  %1 = scf.if %p -> tensor<?xui8> {
    // CHECK: arith.addi
    %2 = fusion.add %0, %x : tensor<?xui8>
    scf.yield %2 : tensor<?xui8>
  } else {
    // CHECK: scf.yield %[[C]] : tensor<?xi8>
    scf.yield %0 : tensor<?xui8>
  }
  // CHECK: return %[[I]], %[[N]] : tensor<?xi8>, index
  return %1, %n : tensor<?xui8>, index
}

// CHECK-LABEL: func.func private @callee(
// CHECK-SAME:    tensor<?xi8> {fusion.dtype = "u8"}) -> (tensor<?xi8> {fusion.dtype = "u8"})
func.func private @callee(%x: tensor<?xui8>) -> tensor<?xui8> {
  return %x : tensor<?xui8>
}

// Groups stay.
// CHECK-LABEL: func.func @groups(
func.func @groups(%x: tensor<4xf32>, %d: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: fusion.group "exp" kinds []
  // CHECK:   linalg.generic
  // CHECK:   fusion.yield
  %0 = fusion.group "exp" kinds [] ins(%x : tensor<4xf32>) outs(%d : tensor<4xf32>) {
  ^bb0(%a: tensor<4xf32>, %b: tensor<4xf32>):
    %v = fusion.exp %a : tensor<4xf32>
    fusion.yield %v : tensor<4xf32>
  } : tensor<4xf32>
  return %0 : tensor<4xf32>
}
