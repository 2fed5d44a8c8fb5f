// Sums and means of halves accumulate in f32. Case B021.
// DEFINE: %{npy} = %python %S/Inputs/npy.py
// RUN: rm -rf %t && mkdir -p %t
// RUN: %{npy} make %t/x.npy f16:4096 1
// RUN: %{npy} make %t/y.npy f16:70000 1
// RUN: %{npy} make %t/z.npy f16 40000 40000 -40000 -40000
// RUN: fusion-run %s --device=cpu --input x=%t/x.npy --input y=%t/y.npy --input z=%t/z.npy --save-outputs %t/fused
// RUN: fusion-run %s --device=cpu --fuse=none --input x=%t/x.npy --input y=%t/y.npy --input z=%t/z.npy --save-outputs %t/unfused
// RUN: fusion-run %s --device=emulator --target=sm_80 --input x=%t/x.npy --input y=%t/y.npy --input z=%t/z.npy --save-outputs %t/sm80
// RUN: fusion-run %s --device=emulator --target=sm_90a --input x=%t/x.npy --input y=%t/y.npy --input z=%t/z.npy --save-outputs %t/sm90
// RUN: %{npy} show %t/fused/sum.npy %t/fused/mean.npy %t/fused/cancel.npy | FileCheck %s
// RUN: %{npy} show %t/unfused/sum.npy %t/unfused/mean.npy %t/unfused/cancel.npy | FileCheck %s
// RUN: %{npy} show %t/sm80/sum.npy %t/sm80/mean.npy %t/sm80/cancel.npy | FileCheck %s
// RUN: %{npy} show %t/sm90/sum.npy %t/sm90/mean.npy %t/sm90/cancel.npy | FileCheck %s

// CHECK:      f16 () 4096{{$}}
// CHECK-NEXT: f16 () 1{{$}}
// CHECK-NEXT: f16 () 0{{$}}
func.func @main(%x: tensor<4096xf16> {fusion.name = "x"}, %y: tensor<70000xf16> {fusion.name = "y"},
                %z: tensor<4xf16> {fusion.name = "z"})
    -> (tensor<f16> {fusion.name = "sum"}, tensor<f16> {fusion.name = "mean"},
        tensor<f16> {fusion.name = "cancel"}) {
  %0 = fusion.reduce sum, %x dims = [0] : tensor<4096xf16> to tensor<f16>
  %1 = fusion.reduce mean, %y dims = [0] : tensor<70000xf16> to tensor<f16>
  %2 = fusion.reduce sum, %z dims = [0] : tensor<4xf16> to tensor<f16>
  return %0, %1, %2 : tensor<f16>, tensor<f16>, tensor<f16>
}
