// Batches of products of masked values of bf16 with weights of 8 bits that a
// factor of the batch scales: one kernel, whatever the estimate says.
//
// RUN: %gpu-tests --device=cpu %s | FileCheck %s
// RUN: %gpu-tests --device=emulator --target=sm_90a,sm_80 %s | FileCheck %s
// RUN: %if cuda-sm90 %{ %gpu-tests --device=cuda %s | FileCheck %s %}
// CHECK: {{[1-9][0-9]*}} passed, 0 failed
//
// ARGS: --input b=randint:-100:100:1 --input mask=randint:0:2:2
// LAUNCHES: 1
// CASE-STATIC: m=33 n=48 k=7,72
// CASE: m=35 n=40 k=33
// GPU-CASE-STATIC: m=2,129 n=8,127 k=7,64,129
// GPU-CASE: m=2,127,300 n=7,129 k=64,129,1000

func.func @main(%a: tensor<3x?x?xbf16> {fusion.name = "a", fusion.dims = ["", "m", "k"]},
                %mask: tensor<?x?xi1> {fusion.name = "mask", fusion.dims = ["m", "k"]},
                %b: tensor<3x?x?xi8> {fusion.name = "b", fusion.dims = ["", "k", "n"]},
                %s: tensor<3xf32> {fusion.name = "s"})
    -> (tensor<3x?x?xbf16> {fusion.name = "y"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %m = tensor.dim %a, %c1 : tensor<3x?x?xbf16>
  %k = tensor.dim %a, %c2 : tensor<3x?x?xbf16>
  %n = tensor.dim %b, %c2 : tensor<3x?x?xi8>
  %mb = fusion.broadcast %mask dims = [1, 2] sizes(%m, %k) : tensor<?x?xi1> to tensor<3x?x?xi1>
  %ones = fusion.constant dense<1.0> : tensor<bf16>
  %ob = fusion.broadcast %ones dims = [] sizes(%m, %k) : tensor<bf16> to tensor<3x?x?xbf16>
  %0 = fusion.select %mb, %a, %ob : tensor<3x?x?xbf16>
  %1 = fusion.silu %0 {fusion.fuse_with = "all"} : tensor<3x?x?xbf16>
  %b0 = fusion.cast %b : tensor<3x?x?xi8> to tensor<3x?x?xf32>
  %sb = fusion.broadcast %s dims = [0] sizes(%k, %n) : tensor<3xf32> to tensor<3x?x?xf32>
  %b1 = fusion.mul %b0, %sb : tensor<3x?x?xf32>
  %b2 = fusion.cast %b1 {fusion.fuse_with = "all"} : tensor<3x?x?xf32> to tensor<3x?x?xbf16>
  %3 = fusion.matmul %1, %b2 {fusion.fuse_with = "all"} : tensor<3x?x?xbf16>, tensor<3x?x?xbf16> -> tensor<3x?x?xbf16>
  return %3 : tensor<3x?x?xbf16>
}
