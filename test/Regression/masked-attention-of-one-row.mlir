// A mask over one row of queries makes that row NaN, as the operators say, or 0 where the
// graph puts 0 in place of weights that are NaN; the others are as without it. In bf16,
// with fewer queries and keys than any tile has. Case B010 (b).
// DEFINE: %{npy} = %python %S/Inputs/npy.py
// DEFINE: %{device} =
// DEFINE: %{run} = fusion-run %s --device=%{device} --input q=%t/q.npy --input mask=%t/mask.npy --input v=%t/v.npy --save-outputs %t/out
// DEFINE: %{show} = %{npy} show %t/out/y.npy %t/out/z.npy
// RUN: rm -rf %t && mkdir -p %t
// RUN: %{npy} make %t/q.npy f32:1x2x3x4 0
// RUN: %{npy} make %t/mask.npy f32:3x3 0 0 -inf -inf -inf -inf 0 -inf 0
// RUN: %{npy} make %t/v.npy f32:1x2x3x4 0 3 6 9 3 6 9 12 6 9 12 15 1 1 1 1 7 7 7 7 4 4 4 4
// REDEFINE: %{device} = cpu
// RUN: %{run} && %{show} | FileCheck %s
// REDEFINE: %{device} = cpu --fuse=none
// RUN: %{run} && %{show} | FileCheck %s
// REDEFINE: %{device} = emulator --target=sm_80
// RUN: %{run} && %{show} | FileCheck %s
// REDEFINE: %{device} = emulator --target=sm_90a
// RUN: %{run} && %{show} | FileCheck %s

// Weights are halves: means of two rows of v.
// CHECK:      f32 (1, 2, 3, 4) 1.5 4.5 7.5 10.5 nan nan nan nan 3 6 9 12 4 4 4 4 nan nan nan nan 2.5 2.5 2.5 2.5{{$}}
// CHECK-NEXT: f32 (1, 2, 3, 4) 1.5 4.5 7.5 10.5 0 0 0 0 3 6 9 12 4 4 4 4 0 0 0 0 2.5 2.5 2.5 2.5{{$}}
func.func @main(%q: tensor<1x2x3x4xf32> {fusion.name = "q"}, %k: tensor<1x2x3x4xbf16> {fusion.name = "k"},
                %v: tensor<1x2x3x4xf32> {fusion.name = "v"}, %mask: tensor<3x3xf32> {fusion.name = "mask"})
    -> (tensor<1x2x3x4xf32> {fusion.name = "y"}, tensor<1x2x3x4xf32> {fusion.name = "z"}) {
  %qb = fusion.cast %q : tensor<1x2x3x4xf32> to tensor<1x2x3x4xbf16>
  %vb = fusion.cast %v : tensor<1x2x3x4xf32> to tensor<1x2x3x4xbf16>
  %m = fusion.cast %mask : tensor<3x3xf32> to tensor<3x3xbf16>
  %s = fusion.matmul %qb, %k {transpose_b} : tensor<1x2x3x4xbf16>, tensor<1x2x3x4xbf16> -> tensor<1x2x3x3xbf16>
  %w = fusion.broadcast %m dims = [2, 3] : tensor<3x3xbf16> to tensor<1x2x3x3xbf16>
  %x = fusion.add %s, %w : tensor<1x2x3x3xbf16>
  %p = fusion.softmax %x dim = 3 : tensor<1x2x3x3xbf16>
  %o = fusion.matmul %p, %vb : tensor<1x2x3x3xbf16>, tensor<1x2x3x4xbf16> -> tensor<1x2x3x4xbf16>
  %y = fusion.cast %o : tensor<1x2x3x4xbf16> to tensor<1x2x3x4xf32>
  %none = fusion.compare ne, %p, %p : tensor<1x2x3x3xbf16>
  %zero = fusion.constant dense<0.0> : tensor<1x2x3x3xbf16>
  %p0 = fusion.select %none, %zero, %p : tensor<1x2x3x3xbf16>
  %o0 = fusion.matmul %p0, %vb : tensor<1x2x3x3xbf16>, tensor<1x2x3x4xbf16> -> tensor<1x2x3x4xbf16>
  %z = fusion.cast %o0 : tensor<1x2x3x4xbf16> to tensor<1x2x3x4xf32>
  return %y, %z : tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>
}
