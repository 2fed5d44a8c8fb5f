// Max pooling of a padded image and an average over windows, one kernel each.
//
// RUN: %gpu-tests --device=cpu %s | FileCheck %s
// RUN: %gpu-tests --device=emulator --target=sm_90a,sm_80 %s | FileCheck %s
// RUN: %if cuda-sm90 %{ %gpu-tests --device=cuda %s | FileCheck %s %}
// CHECK: {{[1-9][0-9]*}} passed, 0 failed
//
// LAUNCHES: 2
// CASE: n=2 h=9 w=12
// CASE-STATIC: n=1 h=8 w=8
// GPU-CASE-STATIC: n=1,32 h=112 w=112
// GPU-CASE: n=0,3 h=3,55 w=7,56

func.func @main(%x: tensor<?x6x?x?xf16> {fusion.name = "x", fusion.dims = ["n", "", "h", "w"]})
    -> (tensor<?x6x?x?xf16> {fusion.name = "y"}) {
  %0 = fusion.pool max, %x window = [3, 3] strides = [2, 2] dilations = [1, 1] low = [1, 1] high = [1, 1]
       : tensor<?x6x?x?xf16> to tensor<?x6x?x?xf16>
  %1 = fusion.pool sum, %0 window = [2, 1] strides = [1, 1] dilations = [1, 1] low = [0, 0] high = [0, 0]
       : tensor<?x6x?x?xf16> to tensor<?x6x?x?xf16>
  %2 = fusion.relu %1 : tensor<?x6x?x?xf16>
  return %2 : tensor<?x6x?x?xf16>
}
