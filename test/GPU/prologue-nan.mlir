// (a / r) (b / c): past the ends of k both operands would be 0 / 0. One kernel,
// whatever the estimate says.
//
// RUN: %gpu-tests --device=cpu %s | FileCheck %s
// RUN: %gpu-tests --device=emulator --target=sm_90a,sm_80 %s | FileCheck %s
// RUN: %if cuda-sm90 %{ %gpu-tests --device=cuda %s | FileCheck %s %}
// CHECK: {{[1-9][0-9]*}} passed, 0 failed
//
// ARGS: --input r=randint:1:4:1 --input c=randint:1:4:2
// LAUNCHES: 1
// CASE-STATIC: m=33 n=65 k=3,40
// CASE: m=2 n=40 k=33
// GPU-CASE-STATIC: m=2,129 n=7,257 k=1,7,33,100
// GPU-CASE: m=2,129,1000 n=7,257 k=7,129,1000

func.func @main(%a: tensor<?x?xf16> {fusion.name = "a", fusion.dims = ["m", "k"]},
                %r: tensor<?xf16> {fusion.name = "r", fusion.dims = ["k"]},
                %b: tensor<?x?xf16> {fusion.name = "b", fusion.dims = ["n", "k"]},
                %c: tensor<?xf16> {fusion.name = "c", fusion.dims = ["k"]})
    -> (tensor<?x?xf16> {fusion.name = "y"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %a, %c0 : tensor<?x?xf16>
  %k = tensor.dim %a, %c1 : tensor<?x?xf16>
  %n = tensor.dim %b, %c0 : tensor<?x?xf16>
  %rb = fusion.broadcast %r dims = [1] sizes(%m, %k) : tensor<?xf16> to tensor<?x?xf16>
  %0 = fusion.div %a, %rb {fusion.fuse_with = "all"} : tensor<?x?xf16>
  %cb = fusion.broadcast %c dims = [1] sizes(%n, %k) : tensor<?xf16> to tensor<?x?xf16>
  %1 = fusion.div %b, %cb {fusion.fuse_with = "all"} : tensor<?x?xf16>
  %2 = fusion.transpose %1 perm = [1, 0] : tensor<?x?xf16> to tensor<?x?xf16>
  %3 = fusion.matmul %0, %2 {fusion.fuse_with = "all"} : tensor<?x?xf16>, tensor<?x?xf16> -> tensor<?x?xf16>
  return %3 : tensor<?x?xf16>
}
