// Two results that start from the same number, in one kernel: each has a buffer of
// its own from the start.
// RUN: fusion-run %s --device=cpu --verify | FileCheck %s
// RUN: fusion-run %s --device=emulator --target=sm_80 --verify | FileCheck %s
// CHECK: verify: all {{[0-9]+}} results of groups agree with the unfused program

func.func @main(%x: tensor<2x3xf32> {fusion.name = "x"}, %w: tensor<2x3xf32> {fusion.name = "w"})
    -> (tensor<f32> {fusion.name = "a"}, tensor<f32> {fusion.name = "b"}) {
  %n = fusion.neg %x : tensor<2x3xf32>
  %a = fusion.reduce sum, %n dims = [0, 1] : tensor<2x3xf32> to tensor<f32>
  %m = fusion.mul %n, %w : tensor<2x3xf32>
  %b = fusion.reduce sum, %m dims = [0, 1] : tensor<2x3xf32> to tensor<f32>
  return %a, %b : tensor<f32>, tensor<f32>
}
