// conv(x, w) + bias of two groups with dilations, and a product of the channels at
// each place (a convolution of 1x1), each a kernel by tensor cores.
//
// RUN: %gpu-tests --device=cpu %s | FileCheck %s
// RUN: %gpu-tests --device=emulator --target=sm_90a,sm_80 %s | FileCheck %s
// RUN: %if cuda-sm90 %{ %gpu-tests --device=cuda %s | FileCheck %s %}
// CHECK: {{[1-9][0-9]*}} passed, 0 failed
//
// Large ones turn image and filters in a launch of their own.
// LAUNCHES: 3
// CASE-STATIC: n=1 h=7 w=6
// CASE: n=2 h=6 w=9
// GPU-CASE-STATIC: n=1,8,32 h=7,14,56 w=7,14,28
// GPU-CASE: n=1,5 h=7,30 w=8,33

func.func @main(%x: tensor<?x80x?x?xf16> {fusion.name = "x", fusion.dims = ["n", "", "h", "w"]},
                %k: tensor<144x40x3x3xf16> {fusion.name = "k", fusion.weight},
                %p: tensor<72x144x1x1xf16> {fusion.name = "p", fusion.weight},
                %bias: tensor<144xf16> {fusion.name = "bias", fusion.weight})
    -> (tensor<?x72x?x?xf16> {fusion.name = "y"}) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %n = tensor.dim %x, %c0 : tensor<?x80x?x?xf16>
  %h = tensor.dim %x, %c2 : tensor<?x80x?x?xf16>
  %w = tensor.dim %x, %c3 : tensor<?x80x?x?xf16>
  %0 = fusion.conv %x, %k strides = [1, 1] dilations = [2, 2] low = [2, 2] high = [2, 2] groups = 2
       : tensor<?x80x?x?xf16>, tensor<144x40x3x3xf16> -> tensor<?x144x?x?xf16>
  %1 = fusion.broadcast %bias dims = [1] sizes(%n, %h, %w) : tensor<144xf16> to tensor<?x144x?x?xf16>
  %2 = fusion.add %0, %1 : tensor<?x144x?x?xf16>
  %3 = fusion.relu %2 : tensor<?x144x?x?xf16>
  %4 = fusion.conv %3, %p strides = [1, 1] dilations = [1, 1] low = [0, 0] high = [0, 0] groups = 1
       : tensor<?x144x?x?xf16>, tensor<72x144x1x1xf16> -> tensor<?x72x?x?xf16>
  return %4 : tensor<?x72x?x?xf16>
}
