// Softmax of a row that is masked throughout is NaN, as the operator says; a
// masked element is 0. Case B010 (a).
// DEFINE: %{npy} = %python %S/Inputs/npy.py
// RUN: rm -rf %t && mkdir -p %t
// RUN: %{npy} make %t/x.npy f32:3x3 -inf -inf -inf -inf 0 -inf 1 1 1
// RUN: fusion-run %s --device=cpu --input x=%t/x.npy --save-outputs %t/fused
// RUN: fusion-run %s --device=cpu --fuse=none --input x=%t/x.npy --save-outputs %t/unfused
// RUN: fusion-run %s --device=emulator --target=sm_80 --input x=%t/x.npy --save-outputs %t/sm80
// RUN: fusion-run %s --device=emulator --target=sm_90a --input x=%t/x.npy --save-outputs %t/sm90
// RUN: %{npy} show %t/fused/y.npy %t/fused/one.npy | FileCheck %s
// RUN: %{npy} show %t/unfused/y.npy %t/unfused/one.npy | FileCheck %s
// RUN: %{npy} show %t/sm80/y.npy %t/sm80/one.npy | FileCheck %s
// RUN: %{npy} show %t/sm90/y.npy %t/sm90/one.npy | FileCheck %s

// CHECK:      f32 (3, 3) nan nan nan 0 1 0 0.33333334 0.33333334 0.33333334
// CHECK-NEXT: f32 (9, 1) nan nan nan nan 1 nan 1 1 1
func.func @main(%x: tensor<3x3xf32> {fusion.name = "x"})
    -> (tensor<3x3xf32> {fusion.name = "y"}, tensor<9x1xf32> {fusion.name = "one"}) {
  %0 = fusion.softmax %x dim = 1 : tensor<3x3xf32>
  %1 = fusion.reshape %x : tensor<3x3xf32> to tensor<9x1xf32>
  %2 = fusion.softmax %1 dim = 1 : tensor<9x1xf32>
  return %0, %2 : tensor<3x3xf32>, tensor<9x1xf32>
}
