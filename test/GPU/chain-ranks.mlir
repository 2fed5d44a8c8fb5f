// exp(x a) b for each of three batches, operands of any rank up to what a block
// holds, and far beyond it: then the middle is walked over. exp of nothing is one,
// which must not reach the sums past the end of r.
//
// RUN: %gpu-tests --device=cpu %s | FileCheck %s
// RUN: %gpu-tests --device=emulator --target=sm_90a,sm_80 %s | FileCheck %s
// RUN: %if cuda-sm90 %{ %gpu-tests --device=cuda %s | FileCheck %s %}
// CHECK: {{[1-9][0-9]*}} passed, 0 failed
//
// CASE-STATIC: m=15 k=17 r=129 n=17
// CASE-STATIC: m=17 k=40 r=300 n=40
// GPU-CASE-STATIC: m=15,129,1000 k=15,64,129 r=1,15,40,128,200,1000 n=17,64,129

func.func @main(%x: tensor<3x?x?xbf16> {fusion.name = "x", fusion.dims = ["", "m", "k"]},
                %a: tensor<3x?x?xbf16> {fusion.name = "a", fusion.dims = ["", "r", "k"]},
                %b: tensor<3x?x?xbf16> {fusion.name = "b", fusion.dims = ["", "r", "n"]})
    -> (tensor<3x?x?xbf16> {fusion.name = "y"}) {
  %0 = fusion.matmul %x, %a {transpose_b, fusion.fuse_with = "chain"} : tensor<3x?x?xbf16>, tensor<3x?x?xbf16> -> tensor<3x?x?xbf16>
  %1 = fusion.exp %0 : tensor<3x?x?xbf16>
  %2 = fusion.matmul %1, %b {fusion.fuse_with = "chain"} : tensor<3x?x?xbf16>, tensor<3x?x?xbf16> -> tensor<3x?x?xbf16>
  return %2 : tensor<3x?x?xbf16>
}
