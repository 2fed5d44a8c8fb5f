// relu(conv1x1(x)), conv3x3(x) + bias and x itself side by side along the channels,
// and a product of that: the two convolutions write their parts in place, beside a
// copy of x, all by one launch; rows of both end in the middle of a tile. A large image
// is turned before, by a launch of its own.
//
// RUN: %gpu-tests --device=cpu %s | FileCheck %s
// RUN: %gpu-tests --device=emulator --target=sm_90a,sm_80 %s | FileCheck %s
// RUN: %if cuda-sm90 %{ %gpu-tests --device=cuda %s | FileCheck %s %}
// CHECK: {{[1-9][0-9]*}} passed, 0 failed
//
// LAUNCHES: 4
// LAUNCHES-STATIC: 3
// CASE-STATIC: n=2 h=5 w=9
// CASE: n=2 h=6 w=11
// GPU-CASE-STATIC: n=1,2,32 h=7,14,28,56 w=7,14,28,56
// GPU-CASE: n=0,1,5 h=1,7,30 w=1,8,33

func.func @main(%x: tensor<?x24x?x?xf16> {fusion.name = "x", fusion.dims = ["n", "", "h", "w"]},
                %k: tensor<20x24x1x1xf16> {fusion.name = "k", fusion.weight},
                %l: tensor<37x24x3x3xf16> {fusion.name = "l", fusion.weight},
                %bias: tensor<37xf16> {fusion.name = "bias", fusion.weight},
                %o: tensor<16x81x1x1xf16> {fusion.name = "o", fusion.weight})
    -> (tensor<?x16x?x?xf16> {fusion.name = "y"}) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %n = tensor.dim %x, %c0 : tensor<?x24x?x?xf16>
  %h = tensor.dim %x, %c2 : tensor<?x24x?x?xf16>
  %w = tensor.dim %x, %c3 : tensor<?x24x?x?xf16>
  %0 = fusion.conv %x, %k strides = [1, 1] dilations = [1, 1] low = [0, 0] high = [0, 0] groups = 1
       : tensor<?x24x?x?xf16>, tensor<20x24x1x1xf16> -> tensor<?x20x?x?xf16>
  %1 = fusion.relu %0 : tensor<?x20x?x?xf16>
  %2 = fusion.conv %x, %l strides = [1, 1] dilations = [1, 1] low = [1, 1] high = [1, 1] groups = 1
       : tensor<?x24x?x?xf16>, tensor<37x24x3x3xf16> -> tensor<?x37x?x?xf16>
  %3 = fusion.broadcast %bias dims = [1] sizes(%n, %h, %w) : tensor<37xf16> to tensor<?x37x?x?xf16>
  %4 = fusion.add %2, %3 : tensor<?x37x?x?xf16>
  %5 = fusion.concat %1, %4, %x dim = 1
       : tensor<?x20x?x?xf16>, tensor<?x37x?x?xf16>, tensor<?x24x?x?xf16> -> tensor<?x81x?x?xf16>
  %6 = fusion.conv %5, %o strides = [1, 1] dilations = [1, 1] low = [0, 0] high = [0, 0] groups = 1
       : tensor<?x81x?x?xf16>, tensor<16x81x1x1xf16> -> tensor<?x16x?x?xf16>
  return %6 : tensor<?x16x?x?xf16>
}
