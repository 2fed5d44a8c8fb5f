// An f32 matrix product, which no tensor core computes exactly, with relu.
//
// RUN: %gpu-tests --device=cpu %s | FileCheck %s
// RUN: %gpu-tests --device=emulator --target=sm_90a,sm_80 %s | FileCheck %s
// RUN: %if cuda-sm90 %{ %gpu-tests --device=cuda %s | FileCheck %s %}
// CHECK: {{[1-9][0-9]*}} passed, 0 failed
//
// LAUNCHES: 1
// CASE-STATIC: m=1,33 n=7,65 k=9,64
// GPU-CASE-STATIC: m=1,129,1000 n=7,128,1000 k=9,64,1000
// GPU-CASE: m=1,129,1000 n=7,128,1000 k=9,64,1000

func.func @main(%a: tensor<?x?xf32> {fusion.name = "a", fusion.dims = ["m", "k"]},
                %b: tensor<?x?xf32> {fusion.name = "b", fusion.dims = ["k", "n"]})
    -> (tensor<?x?xf32> {fusion.name = "y"}) {
  %0 = fusion.matmul %a, %b : tensor<?x?xf32>, tensor<?x?xf32> -> tensor<?x?xf32>
  %1 = fusion.relu %0 : tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}
