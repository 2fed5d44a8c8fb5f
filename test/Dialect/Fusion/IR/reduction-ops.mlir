// RUN: fusion-opt %s | FileCheck %s
// RUN: fusion-opt %s -mlir-print-op-generic | fusion-opt | FileCheck %s

// CHECK-LABEL: func.func @matmul(
func.func @matmul(%a: tensor<?x1536xf16>, %b: tensor<8960x1536xf16>,
                  %c: tensor<2x?x3x4xi8>, %d: tensor<?x5x3x6xi8>) -> tensor<2x5x4x6xi32> {
  // CHECK: fusion.matmul %{{.*}}, %{{.*}} {transpose_b} : tensor<?x1536xf16>, tensor<8960x1536xf16> -> tensor<?x8960xf16>
  %0 = fusion.matmul %a, %b {transpose_b} : tensor<?x1536xf16>, tensor<8960x1536xf16> -> tensor<?x8960xf16>
  // CHECK: fusion.matmul %{{.*}}, %{{.*}} {transpose_b} : tensor<?x1536xf16>, tensor<8960x1536xf16> -> tensor<?x8960xf32>
  %1 = fusion.matmul %a, %b {transpose_b} : tensor<?x1536xf16>, tensor<8960x1536xf16> -> tensor<?x8960xf32>
  // Batch dims of which each operand knows one.
  // CHECK: fusion.matmul %{{.*}}, %{{.*}} {transpose_a} : tensor<2x?x3x4xi8>, tensor<?x5x3x6xi8> -> tensor<2x5x4x6xi32>
  %2 = fusion.matmul %c, %d {transpose_a} : tensor<2x?x3x4xi8>, tensor<?x5x3x6xi8> -> tensor<2x5x4x6xi32>
  return %2 : tensor<2x5x4x6xi32>
}

// CHECK-LABEL: func.func @reduce(
func.func @reduce(%x: tensor<4x?x0xf32>, %b: tensor<2x2xi1>) -> tensor<?xf32> {
  // CHECK: fusion.reduce sum, %{{.*}} dims = [0, 2] : tensor<4x?x0xf32> to tensor<?xf32>
  %0 = fusion.reduce sum, %x dims = [0, 2] : tensor<4x?x0xf32> to tensor<?xf32>
  // CHECK: fusion.reduce mean, %{{.*}} dims = [] : tensor<4x?x0xf32> to tensor<4x?x0xf32>
  %1 = fusion.reduce mean, %x dims = [] : tensor<4x?x0xf32> to tensor<4x?x0xf32>
  // CHECK: fusion.reduce max
  %2 = fusion.reduce max, %b dims = [1] : tensor<2x2xi1> to tensor<2xi1>
  // CHECK: fusion.reduce min
  %3 = fusion.reduce min, %x dims = [1] : tensor<4x?x0xf32> to tensor<4x0xf32>
  // CHECK: fusion.reduce prod, %{{.*}} dims = [0, 1, 2] : tensor<4x?x0xf32> to tensor<f32>
  %4 = fusion.reduce prod, %x dims = [0, 1, 2] : tensor<4x?x0xf32> to tensor<f32>
  return %0 : tensor<?xf32>
}

// CHECK-LABEL: func.func @normalize(
func.func @normalize(%x: tensor<?x8xf16>, %s: tensor<8xf16>) -> tensor<?x8xf16> {
  // CHECK: fusion.softmax %{{.*}} dim = 0 : tensor<?x8xf16>
  %0 = fusion.softmax %x dim = 0 : tensor<?x8xf16>
  // CHECK: fusion.log_softmax %{{.*}} dim = 1 : tensor<?x8xf16>
  %1 = fusion.log_softmax %0 dim = 1 : tensor<?x8xf16>
  // CHECK: fusion.layer_norm %{{.*}} axis = 0 eps = 9.99999974E-6 : tensor<?x8xf16>
  %2 = fusion.layer_norm %1 axis = 0 eps = 1.0e-05 : tensor<?x8xf16>
  // CHECK: fusion.layer_norm %{{.*}} bias(%{{.*}} : tensor<8xf16>) axis = 1 eps = 9.99999974E-6 : tensor<?x8xf16>
  %3 = fusion.layer_norm %2 bias(%s : tensor<8xf16>) axis = 1 eps = 1.0e-05 : tensor<?x8xf16>
  // CHECK: fusion.layer_norm %{{.*}} scale(%{{.*}} : tensor<8xf16>) bias(%{{.*}} : tensor<8xf16>) axis = 1 eps = 9.99999974E-6 : tensor<?x8xf16>
  %4 = fusion.layer_norm %3 scale(%s : tensor<8xf16>) bias(%s : tensor<8xf16>) axis = 1 eps = 1.0e-05 : tensor<?x8xf16>
  // CHECK: fusion.rms_norm %{{.*}} scale(%{{.*}} : tensor<8xf16>) axis = 1 eps = 9.99999997E-7 : tensor<?x8xf16>
  %5 = fusion.rms_norm %4 scale(%s : tensor<8xf16>) axis = 1 eps = 1.0e-06 : tensor<?x8xf16>
  // CHECK: fusion.rms_norm %{{.*}} axis = 1 eps = 0.000000e+00 : tensor<?x8xf16>
  %6 = fusion.rms_norm %5 axis = 1 eps = 0.0 : tensor<?x8xf16>
  return %6 : tensor<?x8xf16>
}
