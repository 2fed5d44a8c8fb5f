// Indexed ops of nothing, into nothing, and of rank 0.
// RUN: fusion-run %s --device=cpu --verify | FileCheck %s
// RUN: fusion-run %s --device=emulator --target=sm_80 --verify | FileCheck %s
// RUN: fusion-run %s --device=emulator --target=sm_90a --verify | FileCheck %s

// CHECK: verify: all {{[0-9]+}} results of groups agree with the unfused program

func.func @main(
    %x: tensor<0x5xf32> {fusion.name = "x"}, %y: tensor<4xf32> {fusion.name = "y"}, %i: tensor<0x1xi64> {fusion.name = "i"}, %u: tensor<0xf32> {fusion.name = "u"}, %j: tensor<0xi64> {fusion.name = "j"}, %k: tensor<1xi64> {fusion.name = "k"}, %s: tensor<f32> {fusion.name = "s"})
    -> (tensor<0xi64> {fusion.name = "a"}, tensor<4xf32> {fusion.name = "b"}, tensor<4xf32> {fusion.name = "c"}, tensor<0x3xf32> {fusion.name = "d"}, tensor<0x3xi64> {fusion.name = "e"}, tensor<f32> {fusion.name = "f"}, tensor<4xf32> {fusion.name = "g"}, tensor<4x0xf32> {fusion.name = "h"}) {
  %a = fusion.arg_reduce max, %x dim = 1 : tensor<0x5xf32> to tensor<0xi64>
  %b = fusion.scatter_nd replace, %y, %i, %u : tensor<4xf32>, tensor<0x1xi64>, tensor<0xf32>
  %c = fusion.scatter_elements add, %y, %j, %u dim = 0 : tensor<4xf32>, tensor<0xi64>, tensor<0xf32>
  %d, %e = fusion.top_k %x dim = 1 : tensor<0x5xf32> to tensor<0x3xf32>, tensor<0x3xi64>
  %f = fusion.gather_nd %y, %k batch_dims = 0 : tensor<4xf32>, tensor<1xi64> -> tensor<f32>
  %g = fusion.scatter_nd mul, %y, %k, %s : tensor<4xf32>, tensor<1xi64>, tensor<f32>
  %z = fusion.reshape %x : tensor<0x5xf32> to tensor<4x0xf32>
  %h, %hi = fusion.top_k %z dim = 1 : tensor<4x0xf32> to tensor<4x0xf32>, tensor<4x0xi64>
  return %a, %b, %c, %d, %e, %f, %g, %h : tensor<0xi64>, tensor<4xf32>, tensor<4xf32>, tensor<0x3xf32>, tensor<0x3xi64>, tensor<f32>, tensor<4xf32>, tensor<4x0xf32>
}
