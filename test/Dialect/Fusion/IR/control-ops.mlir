// RUN: fusion-opt %s -split-input-file | FileCheck %s
// RUN: fusion-opt %s -split-input-file -mlir-print-op-generic | fusion-opt -split-input-file | FileCheck %s
// RUN: fusion-opt %s -split-input-file -canonicalize | FileCheck %s --check-prefix=FOLD

// CHECK-LABEL: func.func @if(
// CHECK:         fusion.if %{{.*}} : tensor<i1> -> tensor<4xf32>, tensor<?xf32> {
// CHECK:           fusion.exp
// CHECK:           fusion.yield
// CHECK:         } else {
// CHECK:           fusion.yield
func.func @if(%c: tensor<i1>, %x: tensor<4xf32>, %y: tensor<?xf32>) -> (tensor<4xf32>, tensor<?xf32>) {
  %0:2 = fusion.if %c : tensor<i1> -> tensor<4xf32>, tensor<?xf32> {
    %1 = fusion.exp %x : tensor<4xf32>
    fusion.yield %1, %y : tensor<4xf32>, tensor<?xf32>
  } else {
    fusion.yield %x, %y : tensor<4xf32>, tensor<?xf32>
  }
  return %0#0, %0#1 : tensor<4xf32>, tensor<?xf32>
}

// -----

// A condition that is known.
// FOLD-LABEL: func.func @known(
// FOLD-SAME:    %[[X:.*]]: tensor<4xf32>
// FOLD-NEXT:    %[[EXP:.*]] = fusion.exp %[[X]]
// FOLD-NEXT:    return %[[EXP]], %[[X]]
func.func @known(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %true = fusion.constant dense<true> : tensor<i1>
  %false = fusion.constant dense<false> : tensor<i1>
  %0 = fusion.if %true : tensor<i1> -> tensor<4xf32> {
    %2 = fusion.exp %x : tensor<4xf32>
    fusion.yield %2 : tensor<4xf32>
  } else {
    fusion.yield %x : tensor<4xf32>
  }
  %1 = fusion.if %false : tensor<i1> -> tensor<4xf32> {
    %3 = fusion.log %x : tensor<4xf32>
    fusion.yield %3 : tensor<4xf32>
  } else {
    fusion.yield %x : tensor<4xf32>
  }
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}
