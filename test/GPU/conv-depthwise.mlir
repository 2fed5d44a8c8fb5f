// A depthwise convolution and its activation: each thread sums the window of its
// own elements.
//
// RUN: %gpu-tests --device=cpu %s | FileCheck %s
// RUN: %gpu-tests --device=emulator --target=sm_90a,sm_80 %s | FileCheck %s
// RUN: %if cuda-sm90 %{ %gpu-tests --device=cuda %s | FileCheck %s %}
// CHECK: {{[1-9][0-9]*}} passed, 0 failed
//
// LAUNCHES: 1
// CASE: n=2 h=7 w=10
// CASE-STATIC: n=1 h=9 w=8
// GPU-CASE-STATIC: n=1,32 h=7,112 w=7,112
// GPU-CASE: n=0,3 h=1,55 w=7,56

func.func @main(%x: tensor<?x12x?x?xf16> {fusion.name = "x", fusion.dims = ["n", "", "h", "w"]},
                %k: tensor<12x1x3x3xf16> {fusion.name = "k", fusion.weight})
    -> (tensor<?x12x?x?xf16> {fusion.name = "y"}) {
  %0 = fusion.conv %x, %k strides = [2, 2] dilations = [1, 1] low = [1, 1] high = [1, 1] groups = 12
       : tensor<?x12x?x?xf16>, tensor<12x1x3x3xf16> -> tensor<?x12x?x?xf16>
  %1 = fusion.relu %0 : tensor<?x12x?x?xf16>
  return %1 : tensor<?x12x?x?xf16>
}
