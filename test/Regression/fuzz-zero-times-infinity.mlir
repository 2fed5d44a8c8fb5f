// What cancels to nearly nothing may cancel to zero, whose product with an infinity is
// no number: not a difference that counts (gelu, times a weight that is infinite, in a
// norm).
// RUN: fusion-fuzz %s --seed=3100030 --device=emulator --numerics=strict --target=sm_90a | FileCheck %s
// CHECK: 1 agree, 0 refused, 0 fail
func.func @main(%arg0: tensor<257x7xf64> {fusion.name = "x2"}, %arg1: tensor<2x7xf64> {fusion.name = "x3"}, %arg2: tensor<7x2xf64> {fusion.name = "x5"}, %arg3: tensor<7xf64> {fusion.name = "int4_x6"}) -> (tensor<257x7xf64> {fusion.name = "y2"}, tensor<257x7xf64>) {
  %0 = fusion.matmul %arg0, %arg1 {transpose_b} : tensor<257x7xf64>, tensor<2x7xf64> -> tensor<257x2xf64>
  %1 = fusion.gelu %0 approximate =  tanh : tensor<257x2xf64>
  %2 = fusion.matmul %1, %arg2 {transpose_b} : tensor<257x2xf64>, tensor<7x2xf64> -> tensor<257x7xf64>
  %3 = fusion.rms_norm %2 scale(%arg3 : tensor<7xf64>) axis = 1 eps = 9.99999974E-6 : tensor<257x7xf64>
  return %2, %3 : tensor<257x7xf64>, tensor<257x7xf64>
}
