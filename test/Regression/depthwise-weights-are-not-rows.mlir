// A depthwise convolution of one place: the weights are contiguous along the
// window, which is reduced by a loop and must not become the rows of the tile.
// RUN: fusion-run %s --device=emulator --target=sm_80 --verify | FileCheck %s
// RUN: fusion-run %s --device=emulator --target=sm_90a --verify | FileCheck %s
// CHECK: verify: all {{[0-9]+}} results of groups agree with the unfused program
func.func @main(%x: tensor<2x64x1x1xf32> {fusion.name = "x"}, %w: tensor<64x1x3x3xf32> {fusion.name = "w"})
    -> (tensor<2x64x1x1xf32> {fusion.name = "y"}) {
  %0 = fusion.conv %x, %w strides = [1, 1] dilations = [1, 1] low = [1, 1] high = [1, 1] groups = 64
      : tensor<2x64x1x1xf32>, tensor<64x1x3x3xf32> -> tensor<2x64x1x1xf32>
  return %0 : tensor<2x64x1x1xf32>
}
