// x times weights of 8 bits with a zero point and a factor for each column of each
// block of 32 rows: one kernel, whose steps along k stay inside of blocks.
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

func.func @main(%x: tensor<?x128xf16> {fusion.name = "x", fusion.dims = ["m", ""]},
                %w: tensor<4x32x?xui8> {fusion.name = "w", fusion.dims = ["", "", "n"]},
                %z: tensor<4x1x?xui8> {fusion.name = "z", fusion.dims = ["", "", "n"]},
                %s: tensor<4x1x?xf16> {fusion.name = "s", fusion.dims = ["", "", "n"]})
    -> (tensor<?x?xf16> {fusion.name = "y"}) {
  %c2 = arith.constant 2 : index
  %n = tensor.dim %w, %c2 : tensor<4x32x?xui8>
  %w0 = fusion.cast %w : tensor<4x32x?xui8> to tensor<4x32x?xf16>
  %z0 = fusion.cast %z : tensor<4x1x?xui8> to tensor<4x1x?xf16>
  %zb = fusion.broadcast %z0 dims = [0, 1, 2] sizes(%n) : tensor<4x1x?xf16> to tensor<4x32x?xf16>
  %sb = fusion.broadcast %s dims = [0, 1, 2] sizes(%n) : tensor<4x1x?xf16> to tensor<4x32x?xf16>
  %1 = fusion.sub %w0, %zb : tensor<4x32x?xf16>
  %2 = fusion.mul %1, %sb {fusion.fuse_with = "all"} : tensor<4x32x?xf16>
  %3 = fusion.reshape %2 sizes(%n) : tensor<4x32x?xf16> to tensor<128x?xf16>
  %4 = fusion.matmul %x, %3 {fusion.fuse_with = "all"} : tensor<?x128xf16>, tensor<128x?xf16> -> tensor<?x?xf16>
  return %4 : tensor<?x?xf16>
}
