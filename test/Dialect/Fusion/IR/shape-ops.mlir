// RUN: fusion-opt %s | FileCheck %s
// RUN: fusion-opt %s -mlir-print-op-generic | fusion-opt | FileCheck %s

// CHECK-LABEL: func.func @constant(
func.func @constant() -> (tensor<2xui8>, tensor<f32>) {
  // CHECK: fusion.constant dense<[1, 255]> : tensor<2xui8>
  %0 = fusion.constant dense<[1, 255]> : tensor<2xui8>
  // CHECK: fusion.constant dense<-0.000000e+00> : tensor<f32>
  %1 = fusion.constant dense<-0.0> : tensor<f32>
  return %0, %1 : tensor<2xui8>, tensor<f32>
}

// CHECK-LABEL: func.func @broadcast(
// CHECK-SAME:    %[[X:.*]]: tensor<8x1xf32>, %[[N:.*]]: index
func.func @broadcast(%x: tensor<8x1xf32>, %n: index) -> tensor<?x8x5xf32> {
  // CHECK: fusion.broadcast %[[X]] dims = [1, 2] sizes(%[[N]]) : tensor<8x1xf32> to tensor<?x8x5xf32>
  %0 = fusion.broadcast %x dims = [1, 2] sizes(%n) : tensor<8x1xf32> to tensor<?x8x5xf32>
  return %0 : tensor<?x8x5xf32>
}

// CHECK-LABEL: func.func @broadcast_scalar(
func.func @broadcast_scalar(%x: tensor<f32>) -> tensor<0x5xf32> {
  // CHECK: fusion.broadcast %{{.*}} dims = [] : tensor<f32> to tensor<0x5xf32>
  %0 = fusion.broadcast %x dims = [] : tensor<f32> to tensor<0x5xf32>
  return %0 : tensor<0x5xf32>
}

// CHECK-LABEL: func.func @transpose(
func.func @transpose(%x: tensor<4x?x2xi1>) -> tensor<2x4x?xi1> {
  // CHECK: fusion.transpose %{{.*}} perm = [2, 0, 1] : tensor<4x?x2xi1> to tensor<2x4x?xi1>
  %0 = fusion.transpose %x perm = [2, 0, 1] : tensor<4x?x2xi1> to tensor<2x4x?xi1>
  return %0 : tensor<2x4x?xi1>
}

// CHECK-LABEL: func.func @reshape(
func.func @reshape(%x: tensor<?x12xf32>, %n: index, %m: index) -> tensor<?x?x3xf32> {
  // CHECK: fusion.reshape %{{.*}} sizes(%{{.*}}, %{{.*}}) : tensor<?x12xf32> to tensor<?x?x3xf32>
  %0 = fusion.reshape %x sizes(%n, %m) : tensor<?x12xf32> to tensor<?x?x3xf32>
  return %0 : tensor<?x?x3xf32>
}
