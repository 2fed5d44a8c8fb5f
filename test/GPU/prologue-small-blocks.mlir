// x times weights of 8 bits, stored by columns, with a zero point and an f32 factor
// for each 12 rows of a column: one kernel. Steps along k cross the blocks; factors
// are read at positions divided by their size.
//
// RUN: %gpu-tests --device=cpu %s | FileCheck %s
// RUN: %gpu-tests --device=emulator --target=sm_90a,sm_80 %s | FileCheck %s
// RUN: %if cuda-sm90 %{ %gpu-tests --device=cuda %s | FileCheck %s %}
// CHECK: {{[1-9][0-9]*}} passed, 0 failed
//
// ARGS: --input w=randint:0:200:1 --input z=randint:0:200:2
// LAUNCHES: 1
// CASE-STATIC: m=33 n=24,65
// CASE: m=35 n=40
// GPU-CASE-STATIC: m=2,7,129,300 n=8,127,129,4096
// GPU-CASE: m=2,127,300 n=7,129,4096

func.func @main(%x: tensor<?x60xf16> {fusion.name = "x", fusion.dims = ["m", ""]},
                %w: tensor<?x5x12xui8> {fusion.name = "w", fusion.dims = ["n", "", ""]},
                %z: tensor<?x5xui8> {fusion.name = "z", fusion.dims = ["n", ""]},
                %s: tensor<?x5xf32> {fusion.name = "s", fusion.dims = ["n", ""]})
    -> (tensor<?x?xf16> {fusion.name = "y"}) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %w, %c0 : tensor<?x5x12xui8>
  %w0 = fusion.cast %w : tensor<?x5x12xui8> to tensor<?x5x12xf32>
  %z0 = fusion.cast %z : tensor<?x5xui8> to tensor<?x5xf32>
  %zb = fusion.broadcast %z0 dims = [0, 1] sizes(%n) : tensor<?x5xf32> to tensor<?x5x12xf32>
  %sb = fusion.broadcast %s dims = [0, 1] sizes(%n) : tensor<?x5xf32> to tensor<?x5x12xf32>
  %1 = fusion.sub %w0, %zb : tensor<?x5x12xf32>
  %2 = fusion.mul %1, %sb : tensor<?x5x12xf32>
  %3 = fusion.cast %2 {fusion.fuse_with = "all"} : tensor<?x5x12xf32> to tensor<?x5x12xf16>
  %4 = fusion.reshape %3 sizes(%n) : tensor<?x5x12xf16> to tensor<?x60xf16>
  %5 = fusion.matmul %x, %4 {transpose_b, fusion.fuse_with = "all"} : tensor<?x60xf16>, tensor<?x60xf16> -> tensor<?x?xf16>
  return %5 : tensor<?x?xf16>
}
