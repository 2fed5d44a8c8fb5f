// gelu(x a + bias) b + residual, a and b of rank 24: what lies between stays in the
// block. Rows, columns and depth known only at run time, or all static.
//
// RUN: %gpu-tests --device=cpu %s | FileCheck %s
// RUN: %gpu-tests --device=emulator --target=sm_90a,sm_80 %s | FileCheck %s
// RUN: %if cuda-sm90 %{ %gpu-tests --device=cuda %s | FileCheck %s %}
// CHECK: {{[1-9][0-9]*}} passed, 0 failed
//
// LAUNCHES: 1
// CASE: m=1,33 k=129 n=100
// CASE-STATIC: m=40 k=17 n=15
// GPU-CASE: m=1,7,129,1000,8192 k=64,129,4096 n=64,129,4096
// GPU-CASE-STATIC: m=17,129,1000,8192 k=64,129,4096 n=64,129,4096

func.func @main(%x: tensor<?x?xf16> {fusion.name = "x", fusion.dims = ["m", "k"]},
                %a: tensor<?x24xf16> {fusion.name = "a", fusion.dims = ["k", ""]},
                %bias: tensor<24xf16> {fusion.name = "bias"},
                %b: tensor<24x?xf16> {fusion.name = "b", fusion.dims = ["", "n"]},
                %res: tensor<?x?xf16> {fusion.name = "res", fusion.dims = ["m", "n"]})
    -> (tensor<?x?xf16> {fusion.name = "y"}) {
  %c0 = arith.constant 0 : index
  %m = tensor.dim %x, %c0 : tensor<?x?xf16>
  %0 = fusion.matmul %x, %a {fusion.fuse_with = "chain"} : tensor<?x?xf16>, tensor<?x24xf16> -> tensor<?x24xf16>
  %1 = fusion.broadcast %bias dims = [1] sizes(%m) : tensor<24xf16> to tensor<?x24xf16>
  %2 = fusion.add %0, %1 : tensor<?x24xf16>
  %3 = fusion.gelu %2 : tensor<?x24xf16>
  %4 = fusion.matmul %3, %b {fusion.fuse_with = "chain"} : tensor<?x24xf16>, tensor<24x?xf16> -> tensor<?x?xf16>
  %5 = fusion.add %4, %res : tensor<?x?xf16>
  return %5 : tensor<?x?xf16>
}
