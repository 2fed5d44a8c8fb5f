// gelu(x ((w - z) s) + bias) with weights of 8 bits, a zero point and a factor for
// each column, and x rectified: one kernel that computes both
// operands, whatever the estimate says.
//
// RUN: %gpu-tests --device=cpu %s | FileCheck %s
// RUN: %gpu-tests --device=emulator --target=sm_90a,sm_80 %s | FileCheck %s
// RUN: %if cuda-sm90 %{ %gpu-tests --device=cuda %s | FileCheck %s %}
// CHECK: {{[1-9][0-9]*}} passed, 0 failed
//
// ARGS: --input w=randint:-100:100:1 --input z=randint:-9:9:2
// LAUNCHES: 1
// CASE-STATIC: m=2,33 n=24,65 k=7,72
// CASE: m=35 n=40 k=33
// GPU-CASE-STATIC: m=2,7,300 n=8,127,129,4096 k=1,7,64,129,4096
// GPU-CASE-STATIC: m=1,16,128,1000 n=4096,4095 k=4096
// GPU-CASE: m=2,127,300 n=7,129,4096 k=64,129,1000

func.func @main(%x: tensor<?x?xf16> {fusion.name = "x", fusion.dims = ["m", "k"]},
                %w: tensor<?x?xi8> {fusion.name = "w", fusion.dims = ["k", "n"]},
                %z: tensor<?xi8> {fusion.name = "z", fusion.dims = ["n"]},
                %s: tensor<?xf16> {fusion.name = "s", fusion.dims = ["n"]},
                %bias: tensor<?xf16> {fusion.name = "bias", fusion.dims = ["n"]})
    -> (tensor<?x?xf16> {fusion.name = "y"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %x, %c0 : tensor<?x?xf16>
  %k = tensor.dim %w, %c0 : tensor<?x?xi8>
  %n = tensor.dim %w, %c1 : tensor<?x?xi8>
  %x1 = fusion.relu %x {fusion.fuse_with = "all"} : tensor<?x?xf16>
  %0 = fusion.cast %w : tensor<?x?xi8> to tensor<?x?xf16>
  %z0 = fusion.cast %z : tensor<?xi8> to tensor<?xf16>
  %zb = fusion.broadcast %z0 dims = [1] sizes(%k, %n) : tensor<?xf16> to tensor<?x?xf16>
  %sb = fusion.broadcast %s dims = [1] sizes(%k, %n) : tensor<?xf16> to tensor<?x?xf16>
  %1 = fusion.sub %0, %zb : tensor<?x?xf16>
  %2 = fusion.mul %1, %sb {fusion.fuse_with = "all"} : tensor<?x?xf16>
  %3 = fusion.matmul %x1, %2 {fusion.fuse_with = "all"} : tensor<?x?xf16>, tensor<?x?xf16> -> tensor<?x?xf16>
  %4 = fusion.broadcast %bias dims = [1] sizes(%m, %n) : tensor<?xf16> to tensor<?x?xf16>
  %5 = fusion.add %3, %4 : tensor<?x?xf16>
  %6 = fusion.gelu %5 approximate = none : tensor<?x?xf16>
  return %6 : tensor<?x?xf16>
}
