// Convolutions and sums of what is the same everywhere (a product over no elements,
// and a constant), cut into groups of channels: no array is read in windows then, the
// value stands in the kernel.
// DEFINE: %{npy} = %python %S/Inputs/npy.py
// DEFINE: %{run} = rm -rf %t && fusion-run %s --input w=ones --save-outputs %t --verify
// DEFINE: %{show} = %{npy} show %t/zeros.npy %t/least.npy %t/most.npy
// RUN: %{run} --device=cpu | FileCheck %s --check-prefix=VERIFY
// RUN: %{show} | FileCheck %s
// RUN: %{run} --device=emulator --target=sm_80 | FileCheck %s --check-prefix=VERIFY
// RUN: %{show} | FileCheck %s
// RUN: %{run} --device=emulator --target=sm_90a | FileCheck %s --check-prefix=VERIFY
// RUN: %{show} | FileCheck %s
// RUN: fusion-opt %s -pass-pipeline='builtin.module(fusion-graph,fusion-graph-to-linalg)' | FileCheck %s --check-prefix=LINALG

// LINALG: d3 * 2 + d6
// LINALG: linalg.fill
// VERIFY: verify: all {{[0-9]+}} results of groups agree with the unfused program
// CHECK:      i32 () 0{{$}}
// CHECK-NEXT: f32 () 128{{$}}
// CHECK-NEXT: f32 () 128{{$}}
func.func @main(%p: tensor<3x32x2x0xi32> {fusion.name = "p"}, %q: tensor<3x32x13x0xi32> {fusion.name = "q"},
                %r: tensor<3x32x2x0xf32> {fusion.name = "r"}, %s: tensor<3x32x13x0xf32> {fusion.name = "s"},
                %w: tensor<4x16x2x2xf32> {fusion.name = "w"})
    -> (tensor<i32> {fusion.name = "zeros"}, tensor<f32> {fusion.name = "least"}, tensor<f32> {fusion.name = "most"}) {
  %w0 = fusion.cast %w : tensor<4x16x2x2xf32> to tensor<4x16x2x2xi32>
  %a = fusion.matmul %p, %q {transpose_b} : tensor<3x32x2x0xi32>, tensor<3x32x13x0xi32> -> tensor<3x32x2x13xi32>
  %0 = fusion.conv %a, %w0 strides = [2, 1] dilations = [1, 2] low = [0, 0] high = [0, 0] groups = 2 : tensor<3x32x2x13xi32>, tensor<4x16x2x2xi32> -> tensor<3x4x1x11xi32>
  %1 = fusion.reduce max, %0 dims = [0, 1, 2, 3] : tensor<3x4x1x11xi32> to tensor<i32>
  %b = fusion.matmul %r, %s {transpose_b} : tensor<3x32x2x0xf32>, tensor<3x32x13x0xf32> -> tensor<3x32x2x13xf32>
  %c = fusion.constant dense<2.0> : tensor<f32>
  %d = fusion.broadcast %c dims = [] : tensor<f32> to tensor<3x32x2x13xf32>
  %e = fusion.add %b, %d : tensor<3x32x2x13xf32>
  %2 = fusion.conv %e, %w strides = [2, 1] dilations = [1, 2] low = [0, 0] high = [0, 0] groups = 2 : tensor<3x32x2x13xf32>, tensor<4x16x2x2xf32> -> tensor<3x4x1x11xf32>
  %3 = fusion.reduce min, %2 dims = [0, 1, 2, 3] : tensor<3x4x1x11xf32> to tensor<f32>
  %4 = fusion.reduce max, %2 dims = [0, 1, 2, 3] : tensor<3x4x1x11xf32> to tensor<f32>
  return %1, %3, %4 : tensor<i32>, tensor<f32>, tensor<f32>
}
