// Tensors of rank 0: reductions over no dims, results, a predicate. Case B037.
// DEFINE: %{npy} = %python %S/Inputs/npy.py
// RUN: rm -rf %t && mkdir -p %t
// RUN: %{npy} make %t/x.npy f32: 2.5
// RUN: fusion-run %s --device=cpu --input x=%t/x.npy --save-outputs %t/fused
// RUN: fusion-run %s --device=cpu --fuse=none --input x=%t/x.npy --save-outputs %t/unfused
// RUN: fusion-run %s --device=emulator --target=sm_80 --input x=%t/x.npy --save-outputs %t/sm80
// RUN: fusion-run %s --device=emulator --target=sm_90a --input x=%t/x.npy --save-outputs %t/sm90
// RUN: %{npy} show %t/fused/mean.npy %t/fused/sum.npy %t/fused/twice.npy %t/fused/chosen.npy | FileCheck %s
// RUN: %{npy} show %t/unfused/mean.npy %t/unfused/sum.npy %t/unfused/twice.npy %t/unfused/chosen.npy | FileCheck %s
// RUN: %{npy} show %t/sm80/mean.npy %t/sm80/sum.npy %t/sm80/twice.npy %t/sm80/chosen.npy | FileCheck %s
// RUN: %{npy} show %t/sm90/mean.npy %t/sm90/sum.npy %t/sm90/twice.npy %t/sm90/chosen.npy | FileCheck %s

// CHECK:      f32 () 2.5
// CHECK-NEXT: f32 () 2.5
// CHECK-NEXT: f32 () 5
// CHECK-NEXT: f32 () 5
func.func @main(%x: tensor<f32> {fusion.name = "x"})
    -> (tensor<f32> {fusion.name = "mean"}, tensor<f32> {fusion.name = "sum"},
        tensor<f32> {fusion.name = "twice"}, tensor<f32> {fusion.name = "chosen"}) {
  %0 = fusion.reduce mean, %x dims = [] : tensor<f32> to tensor<f32>
  %1 = fusion.reduce sum, %x dims = [] : tensor<f32> to tensor<f32>
  %2 = fusion.add %x, %x : tensor<f32>
  %3 = fusion.compare gt, %x, %2 : tensor<f32>
  %4 = fusion.select %3, %x, %2 : tensor<f32>
  return %0, %1, %2, %4 : tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>
}
