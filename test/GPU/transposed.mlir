// Transposes inside of kernels: a product that is stored transposed, a norm of
// what is read transposed and turned back, a sum of both orders.
//
// RUN: %gpu-tests --device=cpu %s | FileCheck %s
// RUN: %gpu-tests --device=emulator --target=sm_90a,sm_80 %s | FileCheck %s
// RUN: %if cuda-sm90 %{ %gpu-tests --device=cuda %s | FileCheck %s %}
// CHECK: {{[1-9][0-9]*}} passed, 0 failed
//
// CASE: m=1,37
// GPU-CASE: m=0,1,37,128,1000

func.func @main(%x: tensor<?x48xf16> {fusion.name = "x", fusion.dims = ["m", ""]},
                %w: tensor<48x72xf16> {fusion.name = "w"},
                %z: tensor<2x40x?xf32> {fusion.name = "z", fusion.dims = ["", "", "m"]},
                %g: tensor<40xf32> {fusion.name = "g"},
                %s: tensor<65x65xf16> {fusion.name = "s"})
    -> (tensor<72x?xf16> {fusion.name = "p"}, tensor<2x40x?xf32> {fusion.name = "n"}, tensor<65x65xf16> {fusion.name = "t"}) {
  %0 = fusion.matmul %x, %w : tensor<?x48xf16>, tensor<48x72xf16> -> tensor<?x72xf16>
  %1 = fusion.relu %0 : tensor<?x72xf16>
  %p = fusion.transpose %1 perm = [1, 0] : tensor<?x72xf16> to tensor<72x?xf16>
  %2 = fusion.transpose %z perm = [0, 2, 1] : tensor<2x40x?xf32> to tensor<2x?x40xf32>
  %3 = fusion.layer_norm %2 scale(%g : tensor<40xf32>) axis = 2 eps = 1.0e-05 : tensor<2x?x40xf32>
  %4 = fusion.transpose %3 perm = [0, 2, 1] : tensor<2x?x40xf32> to tensor<2x40x?xf32>
  %n = fusion.add %4, %z : tensor<2x40x?xf32>
  %5 = fusion.transpose %s perm = [1, 0] : tensor<65x65xf16> to tensor<65x65xf16>
  %t = fusion.add %s, %5 : tensor<65x65xf16>
  return %p, %n, %t : tensor<72x?xf16>, tensor<2x40x?xf32>, tensor<65x65xf16>
}
