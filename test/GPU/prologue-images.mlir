// A factor for each channel of each image before a convolution of one place (squeeze
// and excitation): the places of all images are one dim of the product, and the array
// has the channels in between. One kernel, whatever the estimate says.
//
// RUN: %gpu-tests --device=cpu %s | FileCheck %s
// RUN: %gpu-tests --device=emulator --target=sm_90a,sm_80 %s | FileCheck %s
// RUN: %if cuda-sm90 %{ %gpu-tests --device=cuda %s | FileCheck %s %}
// CHECK: {{[1-9][0-9]*}} passed, 0 failed
//
// LAUNCHES: 1
// CASE-STATIC: n=2 c=37 o=19
// CASE: n=3 c=40 o=33
// GPU-CASE-STATIC: n=2,5 c=37,64 o=19,128
// GPU-CASE: n=1,3,64 c=64,127 o=33,256

func.func @main(%x: tensor<?x?x7x5xf16> {fusion.name = "x", fusion.dims = ["n", "c", "", ""]},
                %s: tensor<?x?xf16> {fusion.name = "s", fusion.dims = ["n", "c"]},
                %w: tensor<?x?x1x1xf16> {fusion.name = "w", fusion.dims = ["o", "c", "", ""]},
                %r: tensor<?x?x7x5xf16> {fusion.name = "r", fusion.dims = ["n", "o", "", ""]})
    -> (tensor<?x?x7x5xf16> {fusion.name = "y"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?x?x7x5xf16>
  %c = tensor.dim %x, %c1 : tensor<?x?x7x5xf16>
  %0 = fusion.sigmoid %s {fusion.fuse_with = "all"} : tensor<?x?xf16>
  %1 = fusion.broadcast %0 dims = [0, 1] sizes(%n, %c) : tensor<?x?xf16> to tensor<?x?x7x5xf16>
  %2 = fusion.mul %x, %1 {fusion.fuse_with = "all"} : tensor<?x?x7x5xf16>
  %3 = fusion.conv %2, %w strides = [1, 1] dilations = [1, 1] low = [0, 0] high = [0, 0] groups = 1 {fusion.fuse_with = "all"}
       : tensor<?x?x7x5xf16>, tensor<?x?x1x1xf16> -> tensor<?x?x7x5xf16>
  %4 = fusion.add %3, %r {fusion.fuse_with = "all"} : tensor<?x?x7x5xf16>
  return %4 : tensor<?x?x7x5xf16>
}
