// Windows of other shapes: one and three spatial dims, groups, results of one
// place (the image is then the matrix product's rows), padding of pooling that
// is no zero.
//
// RUN: fusion-run %s --device=emulator --target=sm_80 --verify | FileCheck %s
// RUN: fusion-run %s --device=emulator --target=sm_90a --verify | FileCheck %s
// RUN: fusion-run %s --device=cpu --verify | FileCheck %s

// CHECK: verify: all {{[0-9]+}} results of groups agree with the unfused program
func.func @main(%a: tensor<2x6x19xbf16> {fusion.name = "a"}, %wa: tensor<8x3x4xbf16> {fusion.name = "wa", fusion.weight},
                %b: tensor<1x3x4x6x5xf32> {fusion.name = "b"}, %wb: tensor<5x3x3x2x3xf32> {fusion.name = "wb", fusion.weight},
                %c: tensor<3x20x2x2xf16> {fusion.name = "c"}, %wc: tensor<24x20x1x1xf16> {fusion.name = "wc", fusion.weight},
                %d: tensor<2x4x7x9xi32> {fusion.name = "d"})
    -> (tensor<2x8x7xbf16> {fusion.name = "ya"}, tensor<1x5x4x3x5xf32> {fusion.name = "yb"},
        tensor<3x24x1x1xf16> {fusion.name = "yc"}, tensor<2x4x4x5xi32> {fusion.name = "yd"}) {
  %0 = fusion.conv %a, %wa strides = [3] dilations = [1] low = [2] high = [1] groups = 2
       : tensor<2x6x19xbf16>, tensor<8x3x4xbf16> -> tensor<2x8x7xbf16>
  %1 = fusion.relu %0 : tensor<2x8x7xbf16>
  %2 = fusion.conv %b, %wb strides = [1, 2, 1] dilations = [1, 1, 1] low = [1, 0, 1] high = [1, 1, 1] groups = 1
       : tensor<1x3x4x6x5xf32>, tensor<5x3x3x2x3xf32> -> tensor<1x5x4x3x5xf32>
  %3 = fusion.tanh %2 : tensor<1x5x4x3x5xf32>
  %4 = fusion.conv %c, %wc strides = [2, 2] dilations = [1, 1] low = [0, 0] high = [0, 0] groups = 1
       : tensor<3x20x2x2xf16>, tensor<24x20x1x1xf16> -> tensor<3x24x1x1xf16>
  %5 = fusion.pool max, %d window = [3, 3] strides = [2, 2] dilations = [1, 1] low = [1, 1] high = [1, 1]
       : tensor<2x4x7x9xi32> to tensor<2x4x4x5xi32>
  return %1, %3, %4, %5 : tensor<2x8x7xbf16>, tensor<1x5x4x3x5xf32>, tensor<3x24x1x1xf16>, tensor<2x4x4x5xi32>
}
