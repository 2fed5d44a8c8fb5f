// RUN: fusion-opt %s | FileCheck %s
// RUN: fusion-opt %s -mlir-print-op-generic | fusion-opt | FileCheck %s

// CHECK-LABEL: func.func @iota(
func.func @iota(%n: index) {
  // CHECK: fusion.iota dim = 1 sizes(%{{.*}}) : tensor<4x?xui8>
  %0 = fusion.iota dim = 1 sizes(%n) : tensor<4x?xui8>
  // CHECK: fusion.iota dim = 0 : tensor<0xf16>
  %1 = fusion.iota dim = 0 : tensor<0xf16>
  return
}

// CHECK-LABEL: func.func @slice(
func.func @slice(%x: tensor<4x8xf32>, %i: index, %n: index) {
  // CHECK: fusion.slice %{{.*}} starts = [0, 7] steps = [1, -1] : tensor<4x8xf32> to tensor<4x8xf32>
  %0 = fusion.slice %x starts = [0, 7] steps = [1, -1] : tensor<4x8xf32> to tensor<4x8xf32>
  // CHECK: fusion.slice %{{.*}} starts = [%{{.*}}, 1] steps = [1, 2] sizes(%{{.*}}) : tensor<4x8xf32> to tensor<?x4xf32>
  %1 = fusion.slice %x starts = [%i, 1] steps = [1, 2] sizes(%n) : tensor<4x8xf32> to tensor<?x4xf32>
  // Of no elements none needs to exist.
  // CHECK: fusion.slice %{{.*}} starts = [4, 0] steps = [1, 1] : tensor<4x8xf32> to tensor<0x8xf32>
  %2 = fusion.slice %x starts = [4, 0] steps = [1, 1] : tensor<4x8xf32> to tensor<0x8xf32>
  return
}

// CHECK-LABEL: func.func @concat(
func.func @concat(%x: tensor<4x?xi1>, %y: tensor<?x8xi1>) {
  // CHECK: fusion.concat %{{.*}}, %{{.*}} dim = 1 : tensor<4x?xi1>, tensor<?x8xi1> -> tensor<4x?xi1>
  %0 = fusion.concat %x, %y dim = 1 : tensor<4x?xi1>, tensor<?x8xi1> -> tensor<4x?xi1>
  return
}

// CHECK-LABEL: func.func @pad(
func.func @pad(%x: tensor<4x?xf32>, %v: tensor<f32>) {
  // CHECK: fusion.pad constant, %{{.*}} value(%{{.*}} : tensor<f32>) low = [0, -1] high = [3, 2] : tensor<4x?xf32> to tensor<7x?xf32>
  %0 = fusion.pad constant, %x value(%v : tensor<f32>) low = [0, -1] high = [3, 2] : tensor<4x?xf32> to tensor<7x?xf32>
  // CHECK: fusion.pad reflect, %{{.*}} low = [3, 0] high = [0, 0] : tensor<4x?xf32> to tensor<7x?xf32>
  %1 = fusion.pad reflect, %x low = [3, 0] high = [0, 0] : tensor<4x?xf32> to tensor<7x?xf32>
  return
}

// CHECK-LABEL: func.func @gather(
func.func @gather(%x: tensor<9x?x5xf16>, %i: tensor<2x?xi64>, %j: tensor<9x3x5xui8>) {
  // CHECK: fusion.gather %{{.*}}, %{{.*}} dim = 1 : tensor<9x?x5xf16>, tensor<2x?xi64> -> tensor<9x2x?x5xf16>
  %0 = fusion.gather %x, %i dim = 1 : tensor<9x?x5xf16>, tensor<2x?xi64> -> tensor<9x2x?x5xf16>
  // CHECK: fusion.gather_elements %{{.*}}, %{{.*}} dim = 1 : tensor<9x?x5xf16>, tensor<9x3x5xui8> -> tensor<9x3x5xf16>
  %1 = fusion.gather_elements %x, %j dim = 1 : tensor<9x?x5xf16>, tensor<9x3x5xui8> -> tensor<9x3x5xf16>
  return
}
