// The two halves of a row, made by two products and returned side by side: the last
// dim of an array, cut in the middle of vectors and tiles.
//
// RUN: %gpu-tests --device=cpu %s | FileCheck %s
// RUN: %gpu-tests --device=emulator --target=sm_90a,sm_80 %s | FileCheck %s
// RUN: %if cuda-sm90 %{ %gpu-tests --device=cuda %s | FileCheck %s %}
// CHECK: {{[1-9][0-9]*}} passed, 0 failed
//
// LAUNCHES: 1
// CASE: m=1,33
// CASE-STATIC: m=70
// GPU-CASE: m=0,7,64,1000,4096

func.func @main(%x: tensor<?x48xf32> {fusion.name = "x", fusion.dims = ["m", ""]},
                %u: tensor<48x37xf32> {fusion.name = "u", fusion.weight},
                %v: tensor<48x66xf32> {fusion.name = "v", fusion.weight})
    -> (tensor<?x103xf32> {fusion.name = "y"}) {
  %0 = fusion.matmul %x, %u : tensor<?x48xf32>, tensor<48x37xf32> -> tensor<?x37xf32>
  %1 = fusion.matmul %x, %v : tensor<?x48xf32>, tensor<48x66xf32> -> tensor<?x66xf32>
  %2 = fusion.tanh %1 : tensor<?x66xf32>
  %3 = fusion.concat %0, %2 dim = 1 : tensor<?x37xf32>, tensor<?x66xf32> -> tensor<?x103xf32>
  return %3 : tensor<?x103xf32>
}
