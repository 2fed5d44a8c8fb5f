// A producer that is read by the row and also at one row's elements: whatever is
// fused, its definition stands before both uses. Case B033.
// DEFINE: %{npy} = %python %S/Inputs/npy.py
// DEFINE: %{run} = fusion-run %s --input a=%t/a.npy --save-outputs %t/out
// DEFINE: %{show} = %{npy} show %t/out/r.npy %t/out/g.npy
// RUN: rm -rf %t && mkdir -p %t
// RUN: %{npy} make %t/a.npy f32:2x3 1 2 3 4 5 6
// RUN: %{run} --device=cpu && %{show} | FileCheck %s
// RUN: %{run} --device=cpu --fuse=none && %{show} | FileCheck %s
// RUN: %{run} --device=emulator --target=sm_80 && %{show} | FileCheck %s
// RUN: %{run} --device=emulator --target=sm_90a && %{show} | FileCheck %s

// CHECK:      f32 (2, 3) 2 8 18 17 29 45
// CHECK-NEXT: f32 (2, 3) 17 29 45 2 8 18
func.func @main(%a: tensor<2x3xf32> {fusion.name = "a"})
    -> (tensor<2x3xf32> {fusion.name = "r"}, tensor<2x3xf32> {fusion.name = "g"}) {
  %s = fusion.mul %a, %a : tensor<2x3xf32>
  // r[i, j] = s[i, j] + s[0, j]
  %row = fusion.slice %s starts = [0, 0] steps = [1, 1] : tensor<2x3xf32> to tensor<1x3xf32>
  %flat = fusion.reshape %row : tensor<1x3xf32> to tensor<3xf32>
  %all = fusion.broadcast %flat dims = [1] : tensor<3xf32> to tensor<2x3xf32>
  %r = fusion.add %s, %all : tensor<2x3xf32>
  // g: its rows, gathered in reverse order
  %order = fusion.constant dense<[1, 0]> : tensor<2xi64>
  %g = fusion.gather %r, %order dim = 0 : tensor<2x3xf32>, tensor<2xi64> -> tensor<2x3xf32>
  return %r, %g : tensor<2x3xf32>, tensor<2x3xf32>
}
