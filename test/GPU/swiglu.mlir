// silu(x w1) * (x w2): two matrix products that share an operand, one kernel.
//
// RUN: %gpu-tests --device=cpu %s | FileCheck %s
// RUN: %gpu-tests --device=emulator --target=sm_90a,sm_80 %s | FileCheck %s
// RUN: %if cuda-sm90 %{ %gpu-tests --device=cuda %s | FileCheck %s %}
// CHECK: {{[1-9][0-9]*}} passed, 0 failed
//
// LAUNCHES: 1
// CASE-STATIC: m=1,65 n=40 k=72
// GPU-CASE-STATIC: m=1,7,129,2048 n=129,1536 k=64,1000
// GPU-CASE: m=1,7,129 n=129,1536 k=64,1000
// GPU-CASE-STATIC: m=2048 n=8960 k=1536

func.func @main(%x: tensor<?x?xbf16> {fusion.name = "x", fusion.dims = ["m", "k"]},
                %w1: tensor<?x?xbf16> {fusion.name = "w1", fusion.dims = ["k", "n"]},
                %w2: tensor<?x?xbf16> {fusion.name = "w2", fusion.dims = ["k", "n"]})
    -> (tensor<?x?xbf16> {fusion.name = "y"}) {
  %0 = fusion.matmul %x, %w1 : tensor<?x?xbf16>, tensor<?x?xbf16> -> tensor<?x?xbf16>
  %1 = fusion.matmul %x, %w2 : tensor<?x?xbf16>, tensor<?x?xbf16> -> tensor<?x?xbf16>
  %2 = fusion.silu %0 : tensor<?x?xbf16>
  %3 = fusion.mul %2, %1 : tensor<?x?xbf16>
  return %3 : tensor<?x?xbf16>
}
