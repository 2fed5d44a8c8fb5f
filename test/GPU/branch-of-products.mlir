// Both arms are one matrix product and an epilogue, of different weights and
// activations: one launch besides the one that computes the predicate. In the
// arm that is not taken stands what would give NaN.
//
// RUN: %gpu-tests --device=cpu %s | FileCheck %s
// RUN: %gpu-tests --device=emulator --target=sm_90a,sm_80 %s | FileCheck %s
// RUN: %if cuda-sm90 %{ %gpu-tests --device=cuda %s | FileCheck %s %}
// CHECK: {{[1-9][0-9]*}} passed, 0 failed
//
// LAUNCHES: 2
// CASE-STATIC: m=130 n=64 k=72
// CASE: m=65 n=40 k=24
// GPU-CASE-STATIC: m=1,7,129,1000,4096 n=64,129,1024 k=64,129,1536
// GPU-CASE: m=1,129,4095 n=8,1024 k=64,1536

func.func @main(%x: tensor<?x?xf16> {fusion.name = "x", fusion.dims = ["m", "k"]},
                %a: tensor<?x?xf16> {fusion.name = "a", fusion.dims = ["k", "n"]},
                %b: tensor<?x?xf16> {fusion.name = "b", fusion.dims = ["k", "n"]},
                %bias: tensor<?xf16> {fusion.name = "bias", fusion.dims = ["n"]})
    -> (tensor<?x?xf16> {fusion.name = "r"}) {
  %c0 = arith.constant 0 : index
  %m = tensor.dim %x, %c0 : tensor<?x?xf16>
  %n = tensor.dim %bias, %c0 : tensor<?xf16>
  %square = fusion.mul %x, %x : tensor<?x?xf16>
  %sum = fusion.reduce sum, %square dims = [0, 1] : tensor<?x?xf16> to tensor<f16>
  %limit = fusion.constant dense<-1.0> : tensor<f16>
  %no = fusion.compare lt, %sum, %limit : tensor<f16>
  %r = fusion.if %no : tensor<i1> -> tensor<?x?xf16> {
    %0 = fusion.matmul %x, %a : tensor<?x?xf16>, tensor<?x?xf16> -> tensor<?x?xf16>
    %1 = fusion.sub %0, %0 : tensor<?x?xf16>
    %2 = fusion.div %0, %1 : tensor<?x?xf16>
    fusion.yield %2 : tensor<?x?xf16>
  } else {
    %0 = fusion.matmul %x, %b : tensor<?x?xf16>, tensor<?x?xf16> -> tensor<?x?xf16>
    %1 = fusion.broadcast %bias dims = [1] sizes(%m, %n) : tensor<?xf16> to tensor<?x?xf16>
    %2 = fusion.add %0, %1 : tensor<?x?xf16>
    %3 = fusion.tanh %2 : tensor<?x?xf16>
    fusion.yield %3 : tensor<?x?xf16>
  }
  return %r : tensor<?x?xf16>
}
