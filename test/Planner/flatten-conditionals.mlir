// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-prepare-conditionals,fusion-form-groups,fusion-flatten-conditionals))' -split-input-file | FileCheck %s --check-prefixes=CHECK,FLAT
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-prepare-conditionals,fusion-form-groups,fusion-flatten-conditionals,fusion-pack-launches))' -split-input-file | FileCheck %s --check-prefixes=CHECK,PACK

// Both sides write one destination; packed, they are one launch.
// CHECK-LABEL: func.func @two_arms(
// CHECK-SAME:    %[[C:.*]]: tensor<i1>, %[[X:.*]]: tensor<8xf32>, %[[Y:.*]]: tensor<8xf32>)
// CHECK:         %[[D:.*]] = tensor.empty() : tensor<8xf32>
// FLAT:          %[[A:.*]] = fusion.group "exp" kinds ["conditional"] ins(%[[C]], %[[X]] : tensor<i1>, tensor<8xf32>) outs(%[[D]] : tensor<8xf32>)
// FLAT:          ^bb0(%[[P:.*]]: tensor<i1>, %[[X0:.*]]: tensor<8xf32>, %[[D0:.*]]: tensor<8xf32>):
// FLAT:            %[[I:.*]] = fusion.if %[[P]] : tensor<i1> -> tensor<8xf32> {
// FLAT:              %[[E:.*]] = fusion.group "exp" kinds [] ins(%[[X0]] : tensor<8xf32>) outs(%[[D0]]
// FLAT:              fusion.yield %[[E]]
// FLAT:            } else {
// FLAT:              fusion.yield %[[D0]]
// FLAT:            fusion.yield %[[I]]
// FLAT:          %[[B:.*]] = fusion.group "negf" kinds ["conditional"] ins(%[[C]], %[[Y]] : tensor<i1>, tensor<8xf32>) outs(%[[A]] : tensor<8xf32>)
// FLAT:          return %[[B]]
// PACK:          %[[R:.*]] = fusion.group "exp | negf" kinds ["conditional"] ins(%[[C]], %[[X]], %[[Y]] : tensor<i1>, tensor<8xf32>, tensor<8xf32>) outs(%[[D]]
// PACK:            fusion.if
// PACK:              fusion.group "exp"
// PACK:            } else {
// PACK:              fusion.group "negf"
// PACK:          return %[[R]]
func.func @two_arms(%c: tensor<i1>, %x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %r = fusion.if %c : tensor<i1> -> tensor<8xf32> {
    %0 = linalg.exp ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    fusion.yield %0 : tensor<8xf32>
  } else {
    %0 = linalg.negf ins(%y : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    fusion.yield %0 : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// -----

// A value that is passed through is copied, under the condition.
// CHECK-LABEL: func.func @passes_through(
// PACK:          fusion.group "exp | elementwise" kinds ["conditional"]
// FLAT:          fusion.group "exp" kinds ["conditional"]
// FLAT:          fusion.group "elementwise" kinds ["conditional"]
func.func @passes_through(%c: tensor<i1>, %x: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %r = fusion.if %c : tensor<i1> -> tensor<8xf32> {
    %0 = linalg.exp ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    fusion.yield %0 : tensor<8xf32>
  } else {
    fusion.yield %x : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// -----

// A branch inside of a branch: both conditions guard the inner group.
// CHECK-LABEL: func.func @nested(
// CHECK-SAME:    %[[C:.*]]: tensor<i1>, %[[D:.*]]: tensor<i1>, %[[X:.*]]: tensor<8xf32>)
// PACK:          fusion.group "exp | negf | tanh" kinds ["conditional"] ins(%[[C]], %[[D]], %[[X]] :
// PACK:          ^bb0(%[[C0:.*]]: tensor<i1>, %[[D0:.*]]: tensor<i1>,
// PACK:            fusion.if %[[C0]]
// PACK:              fusion.if %[[D0]]
// PACK:                fusion.group "exp"
// PACK:              else
// PACK:                fusion.group "negf"
// PACK:            else
// PACK:              fusion.group "tanh"
func.func @nested(%c: tensor<i1>, %d: tensor<i1>, %x: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %r = fusion.if %c : tensor<i1> -> tensor<8xf32> {
    %s = fusion.if %d : tensor<i1> -> tensor<8xf32> {
      %0 = linalg.exp ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
      fusion.yield %0 : tensor<8xf32>
    } else {
      %0 = linalg.negf ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
      fusion.yield %0 : tensor<8xf32>
    }
    fusion.yield %s : tensor<8xf32>
  } else {
    %0 = linalg.tanh ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    fusion.yield %0 : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// -----

// Arms of two groups each: the launches of both sides pair up.
// CHECK-LABEL: func.func @deep(
// PACK:          fusion.group "matmul | matmul" kinds ["conditional"]
// PACK:          fusion.group "matmul | matmul" kinds ["conditional"]
// PACK-NOT:      fusion.group "matmul | matmul"
func.func @deep(%c: tensor<i1>, %x: tensor<16x16xi32>, %y: tensor<16x16xi32>) -> tensor<16x16xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<16x16xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<16x16xi32>) -> tensor<16x16xi32>
  %r = fusion.if %c : tensor<i1> -> tensor<16x16xi32> {
    %0 = linalg.matmul ins(%x, %x : tensor<16x16xi32>, tensor<16x16xi32>) outs(%f : tensor<16x16xi32>) -> tensor<16x16xi32>
    %1 = linalg.matmul ins(%0, %y : tensor<16x16xi32>, tensor<16x16xi32>) outs(%f : tensor<16x16xi32>) -> tensor<16x16xi32>
    fusion.yield %1 : tensor<16x16xi32>
  } else {
    %0 = linalg.matmul ins(%y, %y : tensor<16x16xi32>, tensor<16x16xi32>) outs(%f : tensor<16x16xi32>) -> tensor<16x16xi32>
    %1 = linalg.matmul ins(%0, %x : tensor<16x16xi32>, tensor<16x16xi32>) outs(%f : tensor<16x16xi32>) -> tensor<16x16xi32>
    fusion.yield %1 : tensor<16x16xi32>
  }
  return %r : tensor<16x16xi32>
}
