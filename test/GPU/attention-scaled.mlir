// Queries and keys scaled after their heads were moved, as exporters of scaled dot
// products write it: the factors join the projections, two launches in all.
//
// RUN: %gpu-tests --device=cpu %s | FileCheck %s
// RUN: %gpu-tests --device=emulator --target=sm_90a,sm_80 %s | FileCheck %s
// RUN: %if cuda-sm90 %{ %gpu-tests --device=cuda %s | FileCheck %s %}
// CHECK: {{[1-9][0-9]*}} passed, 0 failed
//
// LAUNCHES: 2
// CASE-STATIC: m=33
// GPU-CASE-STATIC: m=2,64,127,1000

func.func @main(%x: tensor<?x64xf16> {fusion.name = "x", fusion.dims = ["m", ""]},
                %wq: tensor<64x64xf16> {fusion.name = "wq", fusion.weight},
                %wk: tensor<64x64xf16> {fusion.name = "wk", fusion.weight},
                %wv: tensor<64x64xf16> {fusion.name = "wv", fusion.weight})
    -> (tensor<?x2x32xf16> {fusion.name = "y"}) {
  %c0 = arith.constant 0 : index
  %m = tensor.dim %x, %c0 : tensor<?x64xf16>
  %q0 = fusion.matmul %x, %wq : tensor<?x64xf16>, tensor<64x64xf16> -> tensor<?x64xf16>
  %k0 = fusion.matmul %x, %wk : tensor<?x64xf16>, tensor<64x64xf16> -> tensor<?x64xf16>
  %v0 = fusion.matmul %x, %wv : tensor<?x64xf16>, tensor<64x64xf16> -> tensor<?x64xf16>
  %q1 = fusion.reshape %q0 sizes(%m) : tensor<?x64xf16> to tensor<?x2x32xf16>
  %k1 = fusion.reshape %k0 sizes(%m) : tensor<?x64xf16> to tensor<?x2x32xf16>
  %v1 = fusion.reshape %v0 sizes(%m) : tensor<?x64xf16> to tensor<?x2x32xf16>
  %q2 = fusion.transpose %q1 perm = [1, 0, 2] : tensor<?x2x32xf16> to tensor<2x?x32xf16>
  %k2 = fusion.transpose %k1 perm = [1, 2, 0] : tensor<?x2x32xf16> to tensor<2x32x?xf16>
  %v2 = fusion.transpose %v1 perm = [1, 0, 2] : tensor<?x2x32xf16> to tensor<2x?x32xf16>
  %c = fusion.constant dense<0.42> : tensor<f16>
  %cq = fusion.broadcast %c dims = [] sizes(%m) : tensor<f16> to tensor<2x?x32xf16>
  %ck = fusion.broadcast %c dims = [] sizes(%m) : tensor<f16> to tensor<2x32x?xf16>
  %q3 = fusion.mul %q2, %cq : tensor<2x?x32xf16>
  %k3 = fusion.mul %k2, %ck : tensor<2x32x?xf16>
  %s = fusion.matmul %q3, %k3 : tensor<2x?x32xf16>, tensor<2x32x?xf16> -> tensor<2x?x?xf16>
  %p = fusion.softmax %s dim = 2 : tensor<2x?x?xf16>
  %o = fusion.matmul %p, %v2 : tensor<2x?x?xf16>, tensor<2x?x32xf16> -> tensor<2x?x32xf16>
  %y = fusion.transpose %o perm = [1, 0, 2] : tensor<2x?x32xf16> to tensor<?x2x32xf16>
  return %y : tensor<?x2x32xf16>
}
