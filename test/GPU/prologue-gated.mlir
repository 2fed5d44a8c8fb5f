// silu(x g) (x u) with weights of 8 bits and a factor for each column, bf16: two
// products with one operand in common, both computed in the kernel; and the sizes of
// a layer's tokens.
//
// RUN: %gpu-tests --device=cpu %s | FileCheck %s
// RUN: %gpu-tests --device=emulator --target=sm_90a,sm_80 %s | FileCheck %s
// RUN: %if cuda-sm90 %{ %gpu-tests --device=cuda %s | FileCheck %s %}
// CHECK: {{[1-9][0-9]*}} passed, 0 failed
//
// ARGS: --input g=randint:-100:100:1 --input u=randint:-100:100:2
// LAUNCHES: 1
// CASE-STATIC: m=2,70 n=72 k=130
// CASE-STATIC: m=16 n=1000 k=513
// CASE: m=66 n=67 k=129
// GPU-CASE-STATIC: m=1,16,128,1000 n=4096 k=4096
// GPU-CASE-STATIC: m=16,129 n=1000,1023 k=513,1024
// GPU-CASE: m=1,16,1000 n=4096 k=1000

func.func @main(%x: tensor<?x?xbf16> {fusion.name = "x", fusion.dims = ["m", "k"]},
                %g: tensor<?x?xi8> {fusion.name = "g", fusion.dims = ["n", "k"]},
                %u: tensor<?x?xi8> {fusion.name = "u", fusion.dims = ["n", "k"]},
                %s: tensor<?xbf16> {fusion.name = "s", fusion.dims = ["n"]})
    -> (tensor<?x?xbf16> {fusion.name = "y"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %g, %c0 : tensor<?x?xi8>
  %k = tensor.dim %g, %c1 : tensor<?x?xi8>
  %0 = fusion.cast %g {fusion.fuse_with = "all"} : tensor<?x?xi8> to tensor<?x?xbf16>
  %1 = fusion.cast %u {fusion.fuse_with = "all"} : tensor<?x?xi8> to tensor<?x?xbf16>
  %sb = fusion.broadcast %s dims = [0] sizes(%n, %k) : tensor<?xbf16> to tensor<?x?xbf16>
  %2 = fusion.mul %0, %sb {fusion.fuse_with = "all"} : tensor<?x?xbf16>
  %3 = fusion.mul %1, %sb {fusion.fuse_with = "all"} : tensor<?x?xbf16>
  %gt = fusion.transpose %2 perm = [1, 0] : tensor<?x?xbf16> to tensor<?x?xbf16>
  %ut = fusion.transpose %3 perm = [1, 0] : tensor<?x?xbf16> to tensor<?x?xbf16>
  %4 = fusion.matmul %x, %gt {fusion.fuse_with = "all"} : tensor<?x?xbf16>, tensor<?x?xbf16> -> tensor<?x?xbf16>
  %5 = fusion.matmul %x, %ut {fusion.fuse_with = "all"} : tensor<?x?xbf16>, tensor<?x?xbf16> -> tensor<?x?xbf16>
  %6 = fusion.silu %4 : tensor<?x?xbf16>
  %7 = fusion.mul %6, %5 {fusion.fuse_with = "all"} : tensor<?x?xbf16>
  return %7 : tensor<?x?xbf16>
}
