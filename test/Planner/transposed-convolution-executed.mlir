// A transposed convolution and what follows it are one kernel: the filters, a
// constant, are moved when they are compiled, places are stored side by side.

// RUN: rm -rf %t && mkdir %t
// RUN: fusion-compile %s --target=sm_90a --emit=groups | FileCheck %s
// RUN: fusion-run %s --device=cpu --fuse=none --save-outputs %t/expected
// RUN: fusion-run %s --device=cpu --save-outputs %t/cpu
// RUN: fusion-run %s --device=emulator --target=sm_90a --save-outputs %t/sm_90a
// RUN: fusion-run %s --device=emulator --target=sm_80 --save-outputs %t/sm_80
// RUN: %python %S/Inputs/same-outputs.py %t/expected %t/cpu %t/sm_90a %t/sm_80

// CHECK-COUNT-1: fusion.group
// CHECK-NOT:     fusion.group

func.func @main(%x: tensor<2x3x5x4xf32> {fusion.name = "x"}, %r: tensor<2x2x10x8xf32> {fusion.name = "r"})
    -> (tensor<2x2x10x8xf32> {fusion.name = "y"}) {
  %w = fusion.constant dense<[[[[1.0, -2.0], [0.5, 3.0]], [[-1.0, 4.0], [2.5, 0.25]]],
                              [[[0.75, 1.5], [-3.5, 1.0]], [[2.0, -0.5], [1.25, 6.0]]],
                              [[[-1.5, 2.0], [0.125, 5.0]], [[3.0, 1.0], [-2.0, 0.5]]]]> : tensor<3x2x2x2xf32>
  %0 = fusion.conv_transpose %x, %w strides = [2, 2] dilations = [1, 1] low = [0, 0] high = [0, 0] groups = 1
       : tensor<2x3x5x4xf32>, tensor<3x2x2x2xf32> -> tensor<2x2x10x8xf32>
  %1 = fusion.add %0, %r : tensor<2x2x10x8xf32>
  %2 = fusion.relu %1 : tensor<2x2x10x8xf32>
  return %2 : tensor<2x2x10x8xf32>
}
