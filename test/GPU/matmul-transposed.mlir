// a bᵀ with b stored [n, k], as exporters write linear layers, then a residual.
//
// RUN: %gpu-tests --device=cpu %s | FileCheck %s
// RUN: %gpu-tests --device=emulator --target=sm_90a,sm_80 %s | FileCheck %s
// RUN: %if cuda-sm90 %{ %gpu-tests --device=cuda %s | FileCheck %s %}
// CHECK: {{[1-9][0-9]*}} passed, 0 failed
//
// LAUNCHES: 1
// CASE-STATIC: m=1,129 n=7,128 k=9,64
// GPU-CASE-STATIC: m=1,129,1000 n=7,128,1000 k=9,64,1000
// GPU-CASE: m=1,129,1000 n=7,128,1000 k=9,64,1000

func.func @main(%a: tensor<?x?xbf16> {fusion.name = "a", fusion.dims = ["m", "k"]},
                %b: tensor<?x?xbf16> {fusion.name = "b", fusion.dims = ["n", "k"]},
                %r: tensor<?x?xbf16> {fusion.name = "r", fusion.dims = ["m", "n"]})
    -> (tensor<?x?xbf16> {fusion.name = "y"}) {
  %0 = fusion.matmul %a, %b {transpose_b} : tensor<?x?xbf16>, tensor<?x?xbf16> -> tensor<?x?xbf16>
  %1 = fusion.add %0, %r : tensor<?x?xbf16>
  return %1 : tensor<?x?xbf16>
}
