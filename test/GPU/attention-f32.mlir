// Attention in f32, on scalar multiplies: a mask of bits that lets some rows see
// nothing (NaN, as the unfused program says), a bias for each head, and a factor
// for each row after the softmax. One kernel.
//
// RUN: %gpu-tests --device=cpu %s | FileCheck %s
// RUN: %gpu-tests --device=emulator --target=sm_90a,sm_80 %s | FileCheck %s
// RUN: %if cuda-sm90 %{ %gpu-tests --device=cuda %s | FileCheck %s %}
// CHECK: {{[1-9][0-9]*}} passed, 0 failed
//
// Few rows are faster in kernels of their own (0.150 -> 0.044 ms for 2 rows and 1000
// keys on an H200): up to three there.
// LAUNCHES: 3
// ARGS: --input mask=randint:0:2
// CASE-STATIC: m=5 n=3,70 d=40
// GPU-CASE-STATIC: m=2,64,127,512 n=3,64,129,1000 d=8,64,128

func.func @main(%q: tensor<4x?x?xf32> {fusion.name = "q", fusion.dims = ["", "m", "d"]},
                %k: tensor<4x?x?xf32> {fusion.name = "k", fusion.dims = ["", "n", "d"]},
                %v: tensor<4x?x?xf32> {fusion.name = "v", fusion.dims = ["", "n", "d"]},
                %bias: tensor<4xf32> {fusion.name = "bias"},
                %mask: tensor<?x?xi1> {fusion.name = "mask", fusion.dims = ["m", "n"]},
                %gate: tensor<?xf32> {fusion.name = "gate", fusion.dims = ["m"]})
    -> (tensor<4x?x?xf32> {fusion.name = "y"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %q, %c1 : tensor<4x?x?xf32>
  %n = tensor.dim %k, %c1 : tensor<4x?x?xf32>
  %s = fusion.matmul %q, %k {transpose_b} : tensor<4x?x?xf32>, tensor<4x?x?xf32> -> tensor<4x?x?xf32>
  %bb = fusion.broadcast %bias dims = [0] sizes(%m, %n) : tensor<4xf32> to tensor<4x?x?xf32>
  %b = fusion.add %s, %bb : tensor<4x?x?xf32>
  %mb = fusion.broadcast %mask dims = [1, 2] sizes(%m, %n) : tensor<?x?xi1> to tensor<4x?x?xi1>
  %inf = fusion.constant dense<0xFF800000> : tensor<f32>
  %ib = fusion.broadcast %inf dims = [] sizes(%m, %n) : tensor<f32> to tensor<4x?x?xf32>
  %x = fusion.select %mb, %b, %ib : tensor<4x?x?xf32>
  %p = fusion.softmax %x dim = 2 : tensor<4x?x?xf32>
  %gb = fusion.broadcast %gate dims = [1] sizes(%m, %n) : tensor<?xf32> to tensor<4x?x?xf32>
  %w = fusion.mul %p, %gb : tensor<4x?x?xf32>
  %o = fusion.matmul %w, %v : tensor<4x?x?xf32>, tensor<4x?x?xf32> -> tensor<4x?x?xf32>
  return %o : tensor<4x?x?xf32>
}
