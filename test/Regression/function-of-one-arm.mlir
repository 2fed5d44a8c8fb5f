// The arms of a branch: the same product on other weights, then a function in one of them only.
// RUN: fusion-fuzz %s --device=emulator --target=sm_90a --numerics=default | FileCheck %s
// CHECK: 1 agree
func.func @main(%arg0: tensor<65x1xf32> {fusion.name = "x1"}, %arg1: tensor<i1> {fusion.name = "x2"}, %arg2: tensor<1x4xf32> {fusion.name = "x3"}, %arg3: tensor<1x4xf32> {fusion.name = "x4", fusion.weight}) -> (tensor<65x4xf32> {fusion.name = "y0"}) {
  %0 = fusion.if %arg1 : tensor<i1> -> tensor<65x4xf32> {
    %1 = fusion.matmul %arg0, %arg2 : tensor<65x1xf32>, tensor<1x4xf32> -> tensor<65x4xf32>
    %2 = fusion.cosh %1 : tensor<65x4xf32>
    fusion.yield %2 : tensor<65x4xf32>
  } else {
    %1 = fusion.matmul %arg0, %arg3 : tensor<65x1xf32>, tensor<1x4xf32> -> tensor<65x4xf32>
    fusion.yield %1 : tensor<65x4xf32>
  }
  return %0 : tensor<65x4xf32>
}
