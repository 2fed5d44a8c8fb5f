// Numbers near 0 survive what moves them, and functions that are x there: bf16
// denormals in instructions that take bf16 for f32, and f64 in log(1 + x).
// DEFINE: %{npy} = %python %S/Inputs/npy.py
// DEFINE: %{run} = fusion-run %s --input half=%t/half.npy --input wide=%t/wide.npy --input index=%t/index.npy
// RUN: rm -rf %t && mkdir -p %t
// RUN: %{npy} make %t/half.npy f32 1.4693679385278594e-39 -9.183549615799121e-41
// RUN: %{npy} make %t/wide.npy f64 2.78134232e-309 -5e-324 1e-300 1e-10
// RUN: %{npy} make %t/index.npy i64 1 0 1
// RUN: %{run} --device=cpu --save-outputs %t/fused
// RUN: %{run} --device=cpu --fuse=none --save-outputs %t/unfused
// RUN: %{run} --device=emulator --target=sm_80 --save-outputs %t/kernels
// RUN: %{npy} show %t/fused/moved.npy %t/fused/log.npy %t/fused/exp.npy | FileCheck %s
// RUN: %{npy} show %t/unfused/moved.npy %t/unfused/log.npy %t/unfused/exp.npy | FileCheck %s
// RUN: %{npy} show %t/kernels/moved.npy %t/kernels/log.npy %t/kernels/exp.npy | FileCheck %s

// CHECK:      f32 (6,) -9.1835496e-41 1.4693679e-39 -9.1835496e-41 -9.1835496e-41 1.4693679e-39 -9.1835496e-41
// CHECK-NEXT: f64 (4,) 2.7813423e-309 -4.9406565e-324 1e-300 1e-10
// CHECK-NEXT: f64 (4,) 2.7813423e-309 -4.9406565e-324 1e-300 1e-10
func.func @main(%half: tensor<2xf32> {fusion.name = "half"}, %index: tensor<3xi64> {fusion.name = "index"},
                %wide: tensor<4xf64> {fusion.name = "wide"})
    -> (tensor<6xf32> {fusion.name = "moved"}, tensor<4xf64> {fusion.name = "log"},
        tensor<4xf64> {fusion.name = "exp"}) {
  %0 = fusion.cast %half : tensor<2xf32> to tensor<2xbf16>
  %1 = fusion.gather %0, %index dim = 0 : tensor<2xbf16>, tensor<3xi64> -> tensor<3xbf16>
  %2 = fusion.concat %1, %1 dim = 0 : tensor<3xbf16>, tensor<3xbf16> -> tensor<6xbf16>
  %3 = fusion.cast %2 : tensor<6xbf16> to tensor<6xf32>
  %4 = fusion.log1p %wide : tensor<4xf64>
  %5 = fusion.expm1 %wide : tensor<4xf64>
  return %3, %4, %5 : tensor<6xf32>, tensor<4xf64>, tensor<4xf64>
}
