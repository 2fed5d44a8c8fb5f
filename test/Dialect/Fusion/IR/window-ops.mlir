// RUN: fusion-opt %s | FileCheck %s
// RUN: fusion-opt %s -mlir-print-op-generic | fusion-opt | FileCheck %s

// CHECK-LABEL: func.func @conv(
func.func @conv(%x: tensor<?x6x9x?xf16>, %w: tensor<8x3x3x1xf16>) {
  // CHECK: fusion.conv %{{.*}}, %{{.*}} strides = [2, 1] dilations = [1, 3] low = [1, 0] high = [0, 2] groups = 2 : tensor<?x6x9x?xf16>, tensor<8x3x3x1xf16> -> tensor<?x8x4x?xf16>
  %0 = fusion.conv %x, %w strides = [2, 1] dilations = [1, 3] low = [1, 0] high = [0, 2] groups = 2
       : tensor<?x6x9x?xf16>, tensor<8x3x3x1xf16> -> tensor<?x8x4x?xf16>
  return
}

// CHECK-LABEL: func.func @conv_transpose(
func.func @conv_transpose(%x: tensor<?x4x5x?xf16>, %w: tensor<4x3x3x4xf16>) {
  // CHECK: fusion.conv_transpose %{{.*}}, %{{.*}} strides = [2, 3] dilations = [2, 1] low = [1, 0] high = [-1, 0] groups = 2 : tensor<?x4x5x?xf16>, tensor<4x3x3x4xf16> -> tensor<?x6x13x?xf16>
  %0 = fusion.conv_transpose %x, %w strides = [2, 3] dilations = [2, 1] low = [1, 0] high = [-1, 0] groups = 2
       : tensor<?x4x5x?xf16>, tensor<4x3x3x4xf16> -> tensor<?x6x13x?xf16>
  return
}

// CHECK-LABEL: func.func @pool(
func.func @pool(%x: tensor<2x?x10xi8>) {
  // CHECK: fusion.pool max, %{{.*}} window = [3] strides = [3] dilations = [2] low = [0] high = [1] : tensor<2x?x10xi8> to tensor<2x?x3xi8>
  %0 = fusion.pool max, %x window = [3] strides = [3] dilations = [2] low = [0] high = [1]
       : tensor<2x?x10xi8> to tensor<2x?x3xi8>
  return
}

// CHECK-LABEL: func.func @cumsum(
func.func @cumsum(%x: tensor<4x?xf32>) {
  // CHECK: fusion.cumsum %{{.*}} dim = 1 {exclusive, reverse} : tensor<4x?xf32>
  %0 = fusion.cumsum %x dim = 1 {exclusive, reverse} : tensor<4x?xf32>
  return
}
