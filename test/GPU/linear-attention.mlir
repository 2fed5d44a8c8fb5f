// Attention without a softmax: scores, scaled and causal, times values, for each
// head. One kernel walks over the keys.
//
// RUN: %gpu-tests --device=cpu %s | FileCheck %s
// RUN: %gpu-tests --device=emulator --target=sm_90a,sm_80 %s | FileCheck %s
// RUN: %if cuda-sm90 %{ %gpu-tests --device=cuda %s | FileCheck %s %}
// CHECK: {{[1-9][0-9]*}} passed, 0 failed
//
// LAUNCHES: 1
// CASE-STATIC: m=17 r=40 k=16 n=24
// CASE-STATIC: m=40 r=129 k=16 n=24
// GPU-CASE-STATIC: m=64,129,2048 r=64,129,1000,2048 k=64 n=64
// GPU-CASE-STATIC: m=512 r=512 k=32,128 n=32,128

func.func @main(%q: tensor<2x?x?xf16> {fusion.name = "q", fusion.dims = ["", "m", "k"]},
                %k: tensor<2x?x?xf16> {fusion.name = "k", fusion.dims = ["", "r", "k"]},
                %v: tensor<2x?x?xf16> {fusion.name = "v", fusion.dims = ["", "r", "n"]})
    -> (tensor<2x?x?xf16> {fusion.name = "y"}) {
  %c1 = arith.constant 1 : index
  %m = tensor.dim %q, %c1 : tensor<2x?x?xf16>
  %r = tensor.dim %k, %c1 : tensor<2x?x?xf16>
  %s = fusion.matmul %q, %k {transpose_b, fusion.fuse_with = "chain"} : tensor<2x?x?xf16>, tensor<2x?x?xf16> -> tensor<2x?x?xf16>
  %scale = fusion.constant dense<0.125> : tensor<f16>
  %sb = fusion.broadcast %scale dims = [] sizes(%m, %r) : tensor<f16> to tensor<2x?x?xf16>
  %scaled = fusion.mul %s, %sb : tensor<2x?x?xf16>
  %i = fusion.iota dim = 1 sizes(%m, %r) : tensor<2x?x?xi32>
  %j = fusion.iota dim = 2 sizes(%m, %r) : tensor<2x?x?xi32>
  %causal = fusion.compare le, %j, %i : tensor<2x?x?xi32>
  %zero = fusion.constant dense<0.0> : tensor<f16>
  %zb = fusion.broadcast %zero dims = [] sizes(%m, %r) : tensor<f16> to tensor<2x?x?xf16>
  %x = fusion.select %causal, %scaled, %zb : tensor<2x?x?xf16>
  %o = fusion.matmul %x, %v {fusion.fuse_with = "chain"} : tensor<2x?x?xf16>, tensor<2x?x?xf16> -> tensor<2x?x?xf16>
  return %o : tensor<2x?x?xf16>
}
