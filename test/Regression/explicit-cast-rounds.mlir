// A narrowing that the model asks for happens, also between fused operations
// and behind a matmul. Case B017.
// DEFINE: %{npy} = %python %S/Inputs/npy.py
// RUN: rm -rf %t && mkdir -p %t
// RUN: %{npy} make %t/x.npy f32 1.001 3.14159274 1.00390625 1.01171875
// RUN: %{npy} make %t/one.npy f32:1x1 1
// RUN: fusion-run %s --device=cpu --input x=%t/x.npy --input one=%t/one.npy --save-outputs %t/fused
// RUN: fusion-run %s --device=cpu --fuse=none --input x=%t/x.npy --input one=%t/one.npy --save-outputs %t/unfused
// RUN: fusion-run %s --device=emulator --target=sm_80 --input x=%t/x.npy --input one=%t/one.npy --save-outputs %t/sm80
// RUN: fusion-run %s --device=emulator --target=sm_90a --input x=%t/x.npy --input one=%t/one.npy --save-outputs %t/sm90
// RUN: %{npy} show %t/fused/bf16.npy %t/fused/f16.npy %t/fused/product.npy | FileCheck %s
// RUN: %{npy} show %t/unfused/bf16.npy %t/unfused/f16.npy %t/unfused/product.npy | FileCheck %s
// RUN: %{npy} show %t/sm80/bf16.npy %t/sm80/f16.npy %t/sm80/product.npy | FileCheck %s
// RUN: %{npy} show %t/sm90/bf16.npy %t/sm90/f16.npy %t/sm90/product.npy | FileCheck %s

// CHECK:      f32 (4,) 1 3.140625 1 1.015625
// CHECK-NEXT: f32 (4,) 1.0009766 3.140625 1.0039062 1.0117188
// CHECK-NEXT: f32 (1, 4) 1 3.140625 1 1.015625
func.func @main(%x: tensor<4xf32> {fusion.name = "x"}, %one: tensor<1x1xf32> {fusion.name = "one"})
    -> (tensor<4xf32> {fusion.name = "bf16"}, tensor<4xf32> {fusion.name = "f16"},
        tensor<1x4xf32> {fusion.name = "product"}) {
  %0 = fusion.cast %x : tensor<4xf32> to tensor<4xbf16>
  %1 = fusion.cast %0 : tensor<4xbf16> to tensor<4xf32>
  %2 = fusion.cast %x : tensor<4xf32> to tensor<4xf16>
  %3 = fusion.cast %2 : tensor<4xf16> to tensor<4xf32>
  %4 = fusion.reshape %x : tensor<4xf32> to tensor<1x4xf32>
  %5 = fusion.matmul %one, %4 : tensor<1x1xf32>, tensor<1x4xf32> -> tensor<1x4xf32>
  %6 = fusion.cast %5 : tensor<1x4xf32> to tensor<1x4xbf16>
  %7 = fusion.cast %6 : tensor<1x4xbf16> to tensor<1x4xf32>
  return %1, %3, %7 : tensor<4xf32>, tensor<4xf32>, tensor<1x4xf32>
}
