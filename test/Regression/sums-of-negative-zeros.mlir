// A sum of -0 alone is +0, fused or not, and also where it begins with a computed -0
// (docs/Numerics.md): all devices agree in the sign.
// DEFINE: %{npy} = %python %S/Inputs/npy.py
// DEFINE: %{run} = fusion-run %s --input arg0=zeros --input arg1=zeros
// RUN: rm -rf %t
// RUN: %{run} --device=cpu --fuse=none --save-outputs %t/unfused
// RUN: %{run} --device=cpu --save-outputs %t/cpu
// RUN: %{run} --device=emulator --target=sm_80 --save-outputs %t/sm_80
// RUN: %{run} --device=emulator --target=sm_90a --save-outputs %t/sm_90a
// RUN: %{npy} show %t/unfused/result0.npy %t/cpu/result0.npy %t/sm_80/result0.npy %t/sm_90a/result0.npy | FileCheck %s

// 1 / -0 would be -inf.
// CHECK-COUNT-4: f32 (4,) inf inf inf inf
#map = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#one = affine_map<(d0) -> (d0)>
func.func @main(%x: tensor<4x70xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %i = linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]} ins(%b : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %n = arith.negf %a : f32
    linalg.yield %n : f32
  } -> tensor<4xf32>
  %s = linalg.generic {indexing_maps = [#map, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x70xf32>) outs(%i : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %n = arith.negf %a : f32
    %t = arith.addf %o, %n : f32
    linalg.yield %t : f32
  } -> tensor<4xf32>
  %c = arith.constant 1.0 : f32
  %r = linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]} ins(%s : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %q = arith.divf %c, %a : f32
    linalg.yield %q : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}
