// NaN wins in max, min, relu, clamp and in a maximum over a row, whichever
// operand and whichever lane it is in. Case B011.
// DEFINE: %{npy} = %python %S/Inputs/npy.py
// RUN: rm -rf %t && mkdir -p %t
// RUN: %{npy} make %t/a.npy f32 nan 2 nan 0 5 nan 7
// RUN: %{npy} make %t/b.npy f32 3 nan nan 0 nan -1 7
// RUN: fusion-run %s --device=cpu --input a=%t/a.npy --input b=%t/b.npy --save-outputs %t/fused
// RUN: fusion-run %s --device=cpu --fuse=none --input a=%t/a.npy --input b=%t/b.npy --save-outputs %t/unfused
// RUN: fusion-run %s --device=emulator --target=sm_80 --input a=%t/a.npy --input b=%t/b.npy --save-outputs %t/sm80
// RUN: fusion-run %s --device=emulator --target=sm_90a --input a=%t/a.npy --input b=%t/b.npy --save-outputs %t/sm90
// RUN: %{npy} show %t/fused/max.npy %t/fused/min.npy %t/fused/relu.npy %t/fused/clip.npy %t/fused/rows.npy | FileCheck %s
// RUN: %{npy} show %t/unfused/max.npy %t/unfused/min.npy %t/unfused/relu.npy %t/unfused/clip.npy %t/unfused/rows.npy | FileCheck %s
// RUN: %{npy} show %t/sm80/max.npy %t/sm80/min.npy %t/sm80/relu.npy %t/sm80/clip.npy %t/sm80/rows.npy | FileCheck %s
// RUN: %{npy} show %t/sm90/max.npy %t/sm90/min.npy %t/sm90/relu.npy %t/sm90/clip.npy %t/sm90/rows.npy | FileCheck %s
// RUN: fusion-compile %s --target=sm_80 --emit=ptx -o - | FileCheck %s --check-prefix=PTX --implicit-check-not=max.f32 --implicit-check-not=min.f32
// RUN: fusion-compile %s --target=sm_90a --emit=ptx -o - | FileCheck %s --check-prefix=PTX --implicit-check-not=max.f32 --implicit-check-not=min.f32
// PTX: max.NaN.f32

// CHECK:      f32 (7,) nan nan nan 0 nan nan 7
// CHECK-NEXT: f32 (7,) nan nan nan 0 nan nan 7
// CHECK-NEXT: f32 (7,) nan 2 nan 0 5 nan 7
// CHECK-NEXT: f32 (7,) nan 2 nan 0 5 nan 6
// CHECK-NEXT: f32 (2,) nan nan
func.func @main(%a: tensor<7xf32> {fusion.name = "a"}, %b: tensor<7xf32> {fusion.name = "b"})
    -> (tensor<7xf32> {fusion.name = "max"}, tensor<7xf32> {fusion.name = "min"},
        tensor<7xf32> {fusion.name = "relu"}, tensor<7xf32> {fusion.name = "clip"},
        tensor<2xf32> {fusion.name = "rows"}) {
  %0 = fusion.max %a, %b : tensor<7xf32>
  %1 = fusion.min %a, %b : tensor<7xf32>
  %2 = fusion.relu %a : tensor<7xf32>
  %zero = fusion.constant dense<0.0> : tensor<7xf32>
  %six = fusion.constant dense<6.0> : tensor<7xf32>
  %3 = fusion.clamp %a, %zero, %six : tensor<7xf32>
  %4 = fusion.broadcast %a dims = [1] : tensor<7xf32> to tensor<2x7xf32>
  %5 = fusion.reduce max, %4 dims = [1] : tensor<2x7xf32> to tensor<2xf32>
  return %0, %1, %2, %3, %5 : tensor<7xf32>, tensor<7xf32>, tensor<7xf32>, tensor<7xf32>, tensor<2xf32>
}
