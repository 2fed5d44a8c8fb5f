// Sums and products of halves in others' Linalg, whose accumulators are halves too, give
// what those of our dialect do: sums in f32, rounded once. A half sticks at 2048 ones, and
// 40000 + 40000 is infinite in it. Case B021.
// DEFINE: %{npy} = %python %S/Inputs/npy.py
// DEFINE: %{device} =
// DEFINE: %{run} = fusion-run %s --device=%{device} --input a=ones --input b=ones --input x=ones --input k=ones --input z=%t/z.npy --input bias=%t/bias.npy --save-outputs %t/out
// DEFINE: %{show} = %{npy} show %t/out/m.npy %t/out/s.npy %t/out/c.npy %t/out/v.npy %t/out/w.npy %t/out/q.npy
// RUN: rm -rf %t && mkdir -p %t
// RUN: %{npy} make %t/z.npy f16 40000 40000 -40000 -40000
// RUN: %{npy} make %t/bias.npy f16 -4096 1
// REDEFINE: %{device} = cpu
// RUN: %{run} && %{show} | FileCheck %s
// REDEFINE: %{device} = cpu --fuse=none
// RUN: %{run} && %{show} | FileCheck %s
// REDEFINE: %{device} = emulator --target=sm_80
// RUN: %{run} && %{show} | FileCheck %s
// REDEFINE: %{device} = emulator --target=sm_90a
// RUN: %{run} && %{show} | FileCheck %s

// A product with its bias; a sum; one that cancels; a convolution; a window; squares.
// CHECK:      f16 (2, 2) 0 4096 0 4096{{$}}
// CHECK-NEXT: f16 (2,) 4096 4096{{$}}
// CHECK-NEXT: f16 () 0{{$}}
// CHECK-NEXT: f16 (1, 1, 1, 1) 4096{{$}}
// CHECK-NEXT: f16 (1, 1, 1, 1) 4096{{$}}
// CHECK-NEXT: f16 () inf{{$}}
func.func @main(%a: tensor<2x4096xf16> {fusion.name = "a"}, %b: tensor<4096x2xf16> {fusion.name = "b"},
                %x: tensor<1x64x64x1xf16> {fusion.name = "x"}, %k: tensor<64x64x1x1xf16> {fusion.name = "k"},
                %z: tensor<4xf16> {fusion.name = "z"}, %bias: tensor<2xf16> {fusion.name = "bias"})
    -> (tensor<2x2xf16> {fusion.name = "m"}, tensor<2xf16> {fusion.name = "s"}, tensor<f16> {fusion.name = "c"},
        tensor<1x1x1x1xf16> {fusion.name = "v"}, tensor<1x1x1x1xf16> {fusion.name = "w"}, tensor<f16> {fusion.name = "q"}) {
  %zero = arith.constant 0.0 : f16
  %em = tensor.empty() : tensor<2x2xf16>
  %fm = linalg.broadcast ins(%bias : tensor<2xf16>) outs(%em : tensor<2x2xf16>) dimensions = [0]
  %m = linalg.matmul ins(%a, %b : tensor<2x4096xf16>, tensor<4096x2xf16>) outs(%fm : tensor<2x2xf16>) -> tensor<2x2xf16>
  %es = tensor.empty() : tensor<2xf16>
  %fs = linalg.fill ins(%zero : f16) outs(%es : tensor<2xf16>) -> tensor<2xf16>
  %s = linalg.reduce { arith.addf } ins(%a : tensor<2x4096xf16>) outs(%fs : tensor<2xf16>) dimensions = [1]
  %ec = tensor.empty() : tensor<f16>
  %fc = linalg.fill ins(%zero : f16) outs(%ec : tensor<f16>) -> tensor<f16>
  %c = linalg.reduce { arith.addf } ins(%z : tensor<4xf16>) outs(%fc : tensor<f16>) dimensions = [0]
  %ev = tensor.empty() : tensor<1x1x1x1xf16>
  %fv = linalg.fill ins(%zero : f16) outs(%ev : tensor<1x1x1x1xf16>) -> tensor<1x1x1x1xf16>
  %v = linalg.conv_2d_nhwc_hwcf ins(%x, %k : tensor<1x64x64x1xf16>, tensor<64x64x1x1xf16>) outs(%fv : tensor<1x1x1x1xf16>) -> tensor<1x1x1x1xf16>
  %window = tensor.empty() : tensor<64x64xf16>
  %w = linalg.pooling_nhwc_sum ins(%x, %window : tensor<1x64x64x1xf16>, tensor<64x64xf16>) outs(%fv : tensor<1x1x1x1xf16>) -> tensor<1x1x1x1xf16>
  %q = linalg.dot ins(%z, %z : tensor<4xf16>, tensor<4xf16>) outs(%fc : tensor<f16>) -> tensor<f16>
  return %m, %s, %c, %v, %w, %q : tensor<2x2xf16>, tensor<2xf16>, tensor<f16>, tensor<1x1x1x1xf16>, tensor<1x1x1x1xf16>, tensor<f16>
}
