// A 5x3 convolution with strides, dilations and padding on one side more than
// on the other, in f32.
//
// RUN: %gpu-tests --device=cpu %s | FileCheck %s
// RUN: %gpu-tests --device=emulator --target=sm_90a,sm_80 %s | FileCheck %s
// RUN: %if cuda-sm90 %{ %gpu-tests --device=cuda %s | FileCheck %s %}
// CHECK: {{[1-9][0-9]*}} passed, 0 failed
//
// LAUNCHES: 1
// CASE: n=1 h=11 w=13
// CASE-STATIC: n=2 h=12 w=9
// GPU-CASE-STATIC: n=1,16 h=13,224 w=9,224
// GPU-CASE: n=1,3 h=14,55 w=9,127

func.func @main(%x: tensor<?x5x?x?xf32> {fusion.name = "x", fusion.dims = ["n", "", "h", "w"]},
                %k: tensor<19x5x5x3xf32> {fusion.name = "k", fusion.weight})
    -> (tensor<?x19x?x?xf32> {fusion.name = "y"}) {
  %0 = fusion.conv %x, %k strides = [2, 1] dilations = [1, 3] low = [2, 0] high = [1, 4] groups = 1
       : tensor<?x5x?x?xf32>, tensor<19x5x5x3xf32> -> tensor<?x19x?x?xf32>
  %1 = fusion.relu %0 : tensor<?x19x?x?xf32>
  return %1 : tensor<?x19x?x?xf32>
}
