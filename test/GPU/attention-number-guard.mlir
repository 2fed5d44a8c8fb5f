// The weights of attention where these are numbers, zero elsewhere: the guard of
// attention-nan-guard.mlir, asked the other way around. One kernel.
//
// RUN: %gpu-tests --device=cpu %s | FileCheck %s
// RUN: %gpu-tests --device=emulator --target=sm_90a,sm_80 %s | FileCheck %s
// RUN: %if cuda-sm90 %{ %gpu-tests --device=cuda %s | FileCheck %s %}
// CHECK: {{[1-9][0-9]*}} passed, 0 failed
//
// LAUNCHES: 1
// CASE: m=33 n=3
// CASE: m=5 n=70
// GPU-CASE: m=2,127 n=2,64

func.func @main(%q: tensor<3x?x40xf16> {fusion.name = "q", fusion.dims = ["", "m", ""]},
                %k: tensor<3x?x40xf16> {fusion.name = "k", fusion.dims = ["", "n", ""]},
                %v: tensor<3x?x24xf16> {fusion.name = "v", fusion.dims = ["", "n", ""]},
                %mask: tensor<?x?xi1> {fusion.name = "mask", fusion.dims = ["m", "n"]})
    -> (tensor<3x?x24xf16> {fusion.name = "y"}) {
  %c1 = arith.constant 1 : index
  %m = tensor.dim %q, %c1 : tensor<3x?x40xf16>
  %n = tensor.dim %k, %c1 : tensor<3x?x40xf16>
  %c = fusion.constant dense<0.4> : tensor<f16>
  %cq = fusion.broadcast %c dims = [] sizes(%m) : tensor<f16> to tensor<3x?x40xf16>
  %ck = fusion.broadcast %c dims = [] sizes(%n) : tensor<f16> to tensor<3x?x40xf16>
  %q1 = fusion.mul %q, %cq : tensor<3x?x40xf16>
  %k1 = fusion.mul %k, %ck : tensor<3x?x40xf16>
  %s = fusion.matmul %q1, %k1 {transpose_b} : tensor<3x?x40xf16>, tensor<3x?x40xf16> -> tensor<3x?x?xf16>
  %inf = fusion.constant dense<0xFC00> : tensor<f16>
  %zero = fusion.constant dense<0.0> : tensor<f16>
  %ib = fusion.broadcast %inf dims = [] sizes(%m, %n) : tensor<f16> to tensor<?x?xf16>
  %zb = fusion.broadcast %zero dims = [] sizes(%m, %n) : tensor<f16> to tensor<?x?xf16>
  %bias = fusion.select %mask, %zb, %ib : tensor<?x?xf16>
  %bb = fusion.broadcast %bias dims = [1, 2] sizes(%m, %n) : tensor<?x?xf16> to tensor<3x?x?xf16>
  %x = fusion.add %s, %bb : tensor<3x?x?xf16>
  %p = fusion.softmax %x dim = 2 : tensor<3x?x?xf16>
  %isnumber = fusion.compare eq, %p, %p : tensor<3x?x?xf16>
  %z = fusion.broadcast %zero dims = [] sizes(%m, %n) : tensor<f16> to tensor<3x?x?xf16>
  %w = fusion.select %isnumber, %p, %z : tensor<3x?x?xf16>
  %o = fusion.matmul %w, %v : tensor<3x?x?xf16>, tensor<3x?x24xf16> -> tensor<3x?x24xf16>
  return %o : tensor<3x?x24xf16>
}
