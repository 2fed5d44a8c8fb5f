// What is read in another shape is apart for the reason that it has without the reshape.

// RUN: fusion-compile %s --target=sm_90a --report=- --emit=groups -o /dev/null | FileCheck %s

// Factors of channels from a product, each for a whole plane.
// CHECK-DAG: factor -> {{.*}}the consumer repeats the result of a contraction
// Means of planes, which a product reads: it has no loops over places.
// CHECK-DAG: -> filters{{ .*}}what makes the operand loops over dims that the contraction does not have
func.func @main(%z: tensor<2x4x1x1xf32>, %w: tensor<64x4x1x1xf32>, %h: tensor<2x64x8x8xf32>, %f: tensor<32x64x1x1xf32>) -> (tensor<2x64x8x8xf32>, tensor<2x32x1x1xf32>) {
  %c = fusion.conv %z, %w strides = [1, 1] dilations = [1, 1] low = [0, 0] high = [0, 0] groups = 1 : tensor<2x4x1x1xf32>, tensor<64x4x1x1xf32> -> tensor<2x64x1x1xf32>
  %s = fusion.sigmoid %c : tensor<2x64x1x1xf32> loc("factor")
  %b = fusion.broadcast %s dims = [0, 1, 2, 3] : tensor<2x64x1x1xf32> to tensor<2x64x8x8xf32>
  %y = fusion.mul %h, %b : tensor<2x64x8x8xf32>
  %m = fusion.reduce mean, %h dims = [2, 3] : tensor<2x64x8x8xf32> to tensor<2x64xf32>
  %r = fusion.reshape %m : tensor<2x64xf32> to tensor<2x64x1x1xf32>
  %q = fusion.conv %r, %f strides = [1, 1] dilations = [1, 1] low = [0, 0] high = [0, 0] groups = 1 : tensor<2x64x1x1xf32>, tensor<32x64x1x1xf32> -> tensor<2x32x1x1xf32> loc("filters")
  return %y, %q : tensor<2x64x8x8xf32>, tensor<2x32x1x1xf32>
}
