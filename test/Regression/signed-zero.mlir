// The sign of zero survives where it must, and adding +0 is no identity.
// Case B013.
// DEFINE: %{npy} = %python %S/Inputs/npy.py
// RUN: rm -rf %t && mkdir -p %t
// RUN: %{npy} make %t/x.npy f32 -0.25 -0.75 -0.01
// RUN: %{npy} make %t/z.npy f32:3 0
// RUN: fusion-run %s --device=cpu --input x=%t/x.npy --input z=%t/z.npy --save-outputs %t/fused
// RUN: fusion-run %s --device=cpu --fuse=none --input x=%t/x.npy --input z=%t/z.npy --save-outputs %t/unfused
// RUN: fusion-run %s --device=emulator --target=sm_80 --input x=%t/x.npy --input z=%t/z.npy --save-outputs %t/sm80
// RUN: fusion-run %s --device=emulator --target=sm_90a --input x=%t/x.npy --input z=%t/z.npy --save-outputs %t/sm90
// RUN: %{npy} show %t/fused/y.npy %t/fused/w.npy %t/fused/least.npy %t/fused/most.npy %t/fused/neg.npy | FileCheck %s
// RUN: %{npy} show %t/unfused/y.npy %t/unfused/w.npy %t/unfused/least.npy %t/unfused/most.npy %t/unfused/neg.npy | FileCheck %s
// RUN: %{npy} show %t/sm80/y.npy %t/sm80/w.npy %t/sm80/least.npy %t/sm80/most.npy %t/sm80/neg.npy | FileCheck %s
// RUN: %{npy} show %t/sm90/y.npy %t/sm90/w.npy %t/sm90/least.npy %t/sm90/most.npy %t/sm90/neg.npy | FileCheck %s

// CHECK:      f32 (3,) -0 -0 -0
// CHECK-NEXT: f32 (3,) inf inf inf
// CHECK-NEXT: f32 (3,) -0 -0 -0
// CHECK-NEXT: f32 (3,) 0 0 0
// CHECK-NEXT: f32 (3,) -0 -0 -0
func.func @main(%x: tensor<3xf32> {fusion.name = "x"}, %z: tensor<3xf32> {fusion.name = "z"})
    -> (tensor<3xf32> {fusion.name = "y"}, tensor<3xf32> {fusion.name = "w"},
        tensor<3xf32> {fusion.name = "least"}, tensor<3xf32> {fusion.name = "most"},
        tensor<3xf32> {fusion.name = "neg"}) {
  %y = fusion.ceil %x : tensor<3xf32>
  %zero = fusion.constant dense<0.0> : tensor<3xf32>
  %0 = fusion.add %y, %zero : tensor<3xf32>
  %w = fusion.reciprocal %0 : tensor<3xf32>
  %least = fusion.min %z, %y : tensor<3xf32>
  %most = fusion.max %z, %y : tensor<3xf32>
  %neg = fusion.neg %z : tensor<3xf32>
  return %y, %w, %least, %most, %neg : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
}
