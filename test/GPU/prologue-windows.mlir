// conv(exp(x s + t), k), in the order of networks whose norms and activations come
// before the convolutions: one kernel that computes the image where windows read it.
// What pads is zero after the code, which makes something else of zeros.
//
// RUN: %gpu-tests --device=cpu %s | FileCheck %s
// RUN: %gpu-tests --device=emulator --target=sm_90a,sm_80 %s | FileCheck %s
// RUN: %if cuda-sm90 %{ %gpu-tests --device=cuda %s | FileCheck %s %}
// CHECK: {{[1-9][0-9]*}} passed, 0 failed
//
// LAUNCHES: 1
// CASE-STATIC: n=2 h=6 w=7
// CASE: n=1 h=5 w=8
// GPU-CASE-STATIC: n=1,2,32 h=7,28 w=7,30
// GPU-CASE: n=1,5 h=7,30 w=8,33

func.func @main(%x: tensor<?x16x?x?xf16> {fusion.name = "x", fusion.dims = ["n", "", "h", "w"]},
                %s: tensor<16xf16> {fusion.name = "s"}, %t: tensor<16xf16> {fusion.name = "t"},
                %k: tensor<24x16x3x3xf16> {fusion.name = "k"})
    -> (tensor<?x24x?x?xf16> {fusion.name = "y"}) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %n = tensor.dim %x, %c0 : tensor<?x16x?x?xf16>
  %h = tensor.dim %x, %c2 : tensor<?x16x?x?xf16>
  %w = tensor.dim %x, %c3 : tensor<?x16x?x?xf16>
  %sb = fusion.broadcast %s dims = [1] sizes(%n, %h, %w) : tensor<16xf16> to tensor<?x16x?x?xf16>
  %tb = fusion.broadcast %t dims = [1] sizes(%n, %h, %w) : tensor<16xf16> to tensor<?x16x?x?xf16>
  %x1 = fusion.mul %x, %sb {fusion.fuse_with = "all"} : tensor<?x16x?x?xf16>
  %x2 = fusion.add %x1, %tb {fusion.fuse_with = "all"} : tensor<?x16x?x?xf16>
  %x3 = fusion.exp %x2 {fusion.fuse_with = "all"} : tensor<?x16x?x?xf16>
  %0 = fusion.conv %x3, %k strides = [1, 1] dilations = [1, 1] low = [1, 1] high = [1, 1] groups = 1 {fusion.fuse_with = "all"}
       : tensor<?x16x?x?xf16>, tensor<24x16x3x3xf16> -> tensor<?x24x?x?xf16>
  return %0 : tensor<?x24x?x?xf16>
}
