// A product of few columns, a residual, and a layer norm over the channels: one
// kernel, which writes the sum and its norm.
//
// RUN: %gpu-tests --device=cpu %s | FileCheck %s
// RUN: %gpu-tests --device=emulator --target=sm_90a,sm_80 %s | FileCheck %s
// RUN: %if cuda-sm90 %{ %gpu-tests --device=cuda %s | FileCheck %s %}
// CHECK: {{[1-9][0-9]*}} passed, 0 failed
//
// LAUNCHES: 1
// CASE: m=70 k=40
// GPU-CASE: m=1,2,1000,8192 k=1,64,1000
// GPU-CASE-STATIC: m=2,1000 k=64

func.func @main(%x: tensor<?x?xf32> {fusion.name = "x", fusion.dims = ["m", "k"]},
                %w: tensor<?x50xf32> {fusion.name = "w", fusion.dims = ["k", ""]},
                %r: tensor<?x50xf32> {fusion.name = "r", fusion.dims = ["m", ""]},
                %g: tensor<50xf32> {fusion.name = "g"}, %b: tensor<50xf32> {fusion.name = "b"})
    -> (tensor<?x50xf32> {fusion.name = "y"}, tensor<?x50xf32> {fusion.name = "z"}) {
  %0 = fusion.matmul %x, %w : tensor<?x?xf32>, tensor<?x50xf32> -> tensor<?x50xf32>
  %1 = fusion.add %0, %r : tensor<?x50xf32>
  %2 = fusion.layer_norm %1 scale(%g : tensor<50xf32>) bias(%b : tensor<50xf32>) axis = 1 eps = 1.0e-5 : tensor<?x50xf32>
  return %2, %1 : tensor<?x50xf32>, tensor<?x50xf32>
}
