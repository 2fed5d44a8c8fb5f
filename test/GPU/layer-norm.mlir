// Layer norm of a sum, with a scale: a residual that is a result as well.
//
// RUN: %gpu-tests --device=cpu %s | FileCheck %s
// RUN: %gpu-tests --device=emulator --target=sm_90a,sm_80 %s | FileCheck %s
// RUN: %if cuda-sm90 %{ %gpu-tests --device=cuda %s | FileCheck %s %}
// CHECK: {{[1-9][0-9]*}} passed, 0 failed
//
// CASE: m=1,7
// GPU-CASE: m=0,1,7,1000

func.func @main(%x: tensor<?x1000xf32> {fusion.name = "x", fusion.dims = ["m", ""]},
                %y: tensor<?x1000xf32> {fusion.name = "y", fusion.dims = ["m", ""]},
                %g: tensor<1000xf32> {fusion.name = "g"})
    -> (tensor<?x1000xf32> {fusion.name = "n"}, tensor<?x1000xf32> {fusion.name = "s"}) {
  %s = fusion.add %x, %y : tensor<?x1000xf32>
  %n = fusion.layer_norm %s scale(%g : tensor<1000xf32>) axis = 1 eps = 1.0e-05 : tensor<?x1000xf32>
  return %n, %s : tensor<?x1000xf32>, tensor<?x1000xf32>
}
