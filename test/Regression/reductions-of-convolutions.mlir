// Convolutions whose results are reduced in their kernel although they have too few
// filters for tiles of their own, and sums that one operand has no dim of: both
// crashed the compiler.
// RUN: rm -rf %t && split-file %s %t
// RUN: fusion-run %t/filters.mlir --device=emulator --target=sm_90a --verify | FileCheck %s
// RUN: fusion-run %t/filters.mlir --device=emulator --target=sm_80 --verify | FileCheck %s
// RUN: fusion-run %t/places.mlir --device=emulator --target=sm_90a --verify | FileCheck %s
// RUN: fusion-run %t/places.mlir --device=emulator --target=sm_80 --verify | FileCheck %s
// RUN: fusion-run %t/repeated.mlir --device=emulator --target=sm_90a --verify | FileCheck %s
// RUN: fusion-run %t/repeated.mlir --device=emulator --target=sm_80 --verify | FileCheck %s
// RUN: fusion-run %t/image.mlir --device=emulator --target=sm_90a --verify | FileCheck %s
// RUN: fusion-run %t/image.mlir --device=emulator --target=sm_80 --verify | FileCheck %s
// CHECK: all 1 results of groups agree

//--- filters.mlir
func.func @main(%x: tensor<1x3x10x7xf32> {fusion.name = "x"}, %w: tensor<4x3x1x3xf32> {fusion.name = "w"}) -> (tensor<1x10x6xf32> {fusion.name = "y"}) {
  %0 = fusion.conv %x, %w strides = [1, 1] dilations = [1, 1] low = [0, 0] high = [0, 1] groups = 1 : tensor<1x3x10x7xf32>, tensor<4x3x1x3xf32> -> tensor<1x4x10x6xf32>
  %1 = fusion.reduce prod, %0 dims = [1] : tensor<1x4x10x6xf32> to tensor<1x10x6xf32>
  return %1 : tensor<1x10x6xf32>
}
//--- places.mlir
func.func @main(%x: tensor<2x3x10x11xf32> {fusion.name = "x"}, %w: tensor<4x3x1x3xf32> {fusion.name = "w"}) -> (tensor<2x4x5xf32> {fusion.name = "y"}) {
  %0 = fusion.conv %x, %w strides = [2, 2] dilations = [1, 1] low = [0, 0] high = [0, 0] groups = 1 : tensor<2x3x10x11xf32>, tensor<4x3x1x3xf32> -> tensor<2x4x5x5xf32>
  %1 = fusion.reduce max, %0 dims = [2] : tensor<2x4x5x5xf32> to tensor<2x4x5xf32>
  return %1 : tensor<2x4x5xf32>
}
//--- repeated.mlir
func.func @main(%x: tensor<5x1xf32> {fusion.name = "x"}, %w: tensor<4x1x2xf32> {fusion.name = "w"}) -> (tensor<5x4x7xf32> {fusion.name = "y"}) {
  %0 = fusion.broadcast %x dims = [0, 1] : tensor<5x1xf32> to tensor<5x1x8xf32>
  %1 = fusion.conv %0, %w strides = [1] dilations = [1] low = [0] high = [0] groups = 1 : tensor<5x1x8xf32>, tensor<4x1x2xf32> -> tensor<5x4x7xf32>
  return %1 : tensor<5x4x7xf32>
}
//--- image.mlir
func.func @main(%x: tensor<3x8x8x7xbf16> {fusion.name = "x"}, %w: tensor<5x8x3x3xbf16> {fusion.name = "w"}) -> (tensor<3x5xbf16> {fusion.name = "y"}) {
  %0 = fusion.conv %x, %w strides = [1, 1] dilations = [1, 1] low = [0, 0] high = [0, 0] groups = 1 : tensor<3x8x8x7xbf16>, tensor<5x8x3x3xbf16> -> tensor<3x5x6x5xbf16>
  %1 = fusion.reduce mean, %0 dims = [2, 3] : tensor<3x5x6x5xbf16> to tensor<3x5xbf16>
  return %1 : tensor<3x5xbf16>
}
