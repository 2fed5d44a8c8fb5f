// relu(conv(x, w) + bias + r), one kernel: a padded 3x3 convolution by tensor
// cores, of any number of images of any size.
//
// RUN: %gpu-tests --device=cpu %s | FileCheck %s
// RUN: %gpu-tests --device=emulator --target=sm_90a,sm_80 %s | FileCheck %s
// RUN: %if cuda-sm90 %{ %gpu-tests --device=cuda %s | FileCheck %s %}
// CHECK: {{[1-9][0-9]*}} passed, 0 failed
//
// Large ones turn image and filters in a launch of their own.
// LAUNCHES: 2
// CASE-STATIC: n=1 h=7 w=7
// CASE-STATIC: n=3 h=5 w=9
// CASE: n=2 h=6 w=11
// GPU-CASE-STATIC: n=1,2,32 h=7,14,28,56 w=7,14,28,56
// GPU-CASE: n=0,1,5 h=1,7,30 w=1,8,33

func.func @main(%x: tensor<?x40x?x?xf16> {fusion.name = "x", fusion.dims = ["n", "", "h", "w"]},
                %k: tensor<72x40x3x3xf16> {fusion.name = "k", fusion.weight},
                %bias: tensor<72xf16> {fusion.name = "bias", fusion.weight},
                %r: tensor<?x72x?x?xf16> {fusion.name = "r", fusion.dims = ["n", "", "h", "w"]})
    -> (tensor<?x72x?x?xf16> {fusion.name = "y"}) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %n = tensor.dim %x, %c0 : tensor<?x40x?x?xf16>
  %h = tensor.dim %x, %c2 : tensor<?x40x?x?xf16>
  %w = tensor.dim %x, %c3 : tensor<?x40x?x?xf16>
  %0 = fusion.conv %x, %k strides = [1, 1] dilations = [1, 1] low = [1, 1] high = [1, 1] groups = 1
       : tensor<?x40x?x?xf16>, tensor<72x40x3x3xf16> -> tensor<?x72x?x?xf16>
  %1 = fusion.broadcast %bias dims = [1] sizes(%n, %h, %w) : tensor<72xf16> to tensor<?x72x?x?xf16>
  %2 = fusion.add %0, %1 : tensor<?x72x?x?xf16>
  %3 = fusion.add %2, %r : tensor<?x72x?x?xf16>
  %4 = fusion.relu %3 : tensor<?x72x?x?xf16>
  return %4 : tensor<?x72x?x?xf16>
}
