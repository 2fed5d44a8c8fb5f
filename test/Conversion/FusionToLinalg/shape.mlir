// RUN: fusion-opt %s -fusion-to-linalg -split-input-file | FileCheck %s

// CHECK: #[[$COLUMN:.*]] = affine_map<(d0, d1, d2) -> (d2)>
// CHECK-LABEL: func.func @broadcast(
// CHECK-SAME:    %[[X:.*]]: tensor<8xf16>, %[[N:.*]]: index
func.func @broadcast(%x: tensor<8xf16>, %n: index) -> tensor<?x4x8xf16> {
  // CHECK: %[[D:.*]] = tensor.empty(%[[N]]) : tensor<?x4x8xf16>
  // CHECK: linalg.generic {indexing_maps = [#[[$COLUMN]], #{{.*}}], iterator_types = ["parallel", "parallel", "parallel"]} ins(%[[X]] : tensor<8xf16>) outs(%[[D]] : tensor<?x4x8xf16>) {
  // CHECK-NEXT: ^bb0(%[[E:.*]]: f16, %{{.*}}: f16):
  // CHECK-NEXT:   linalg.yield %[[E]] : f16
  %0 = fusion.broadcast %x dims = [2] sizes(%n) : tensor<8xf16> to tensor<?x4x8xf16>
  return %0 : tensor<?x4x8xf16>
}

// -----

// Unit dims that repeat are dropped: maps stay projections. Those that do not
// repeat stay.
// CHECK: #[[$MAP:.*]] = affine_map<(d0, d1, d2, d3) -> (d1, d3)>
// CHECK-LABEL: func.func @broadcast_units(
func.func @broadcast_units(%x: tensor<1x8x1x1xf32>) -> tensor<4x8x5x1xf32> {
  // CHECK: %[[C:.*]] = tensor.collapse_shape %{{.*}} {{\[}}[0, 1, 2], [3]] : tensor<1x8x1x1xf32> into tensor<8x1xf32>
  // CHECK: linalg.generic {indexing_maps = [#[[$MAP]], #{{.*}}]{{.*}} ins(%[[C]] : tensor<8x1xf32>)
  %0 = fusion.broadcast %x dims = [0, 1, 2, 3] : tensor<1x8x1x1xf32> to tensor<4x8x5x1xf32>
  return %0 : tensor<4x8x5x1xf32>
}

// -----

// CHECK: #[[$SCALAR:.*]] = affine_map<(d0) -> ()>
// CHECK-LABEL: func.func @broadcast_scalar(
func.func @broadcast_scalar(%x: tensor<1xf32>) -> tensor<4xf32> {
  // CHECK: %[[C:.*]] = tensor.collapse_shape %{{.*}} [] : tensor<1xf32> into tensor<f32>
  // CHECK: linalg.generic {indexing_maps = [#[[$SCALAR]], #{{.*}}]{{.*}} ins(%[[C]] : tensor<f32>)
  %0 = fusion.broadcast %x dims = [0] : tensor<1xf32> to tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @broadcast_constant(
func.func @broadcast_constant(%n: index) -> tensor<?x2xui8> {
  // CHECK: %[[C:.*]] = arith.constant -1 : i8
  // CHECK: %[[R:.*]] = linalg.fill ins(%[[C]] : i8) outs(%{{.*}} : tensor<?x2xi8>)
  // CHECK: return %[[R]]
  %0 = fusion.constant dense<255> : tensor<2xui8>
  %1 = fusion.broadcast %0 dims = [1] sizes(%n) : tensor<2xui8> to tensor<?x2xui8>
  return %1 : tensor<?x2xui8>
}

// -----

// CHECK: #[[$PERM:.*]] = affine_map<(d0, d1, d2) -> (d1, d2, d0)>
// CHECK-LABEL: func.func @transpose(
// CHECK-SAME:    %[[X:.*]]: tensor<4x?x2xf32>
func.func @transpose(%x: tensor<4x?x2xf32>) -> tensor<2x4x?xf32> {
  // CHECK: %[[N:.*]] = tensor.dim %[[X]], %c1
  // CHECK: tensor.empty(%[[N]]) : tensor<2x4x?xf32>
  // CHECK: linalg.generic {indexing_maps = [#[[$PERM]], #{{.*}}]
  %0 = fusion.transpose %x perm = [2, 0, 1] : tensor<4x?x2xf32> to tensor<2x4x?xf32>
  return %0 : tensor<2x4x?xf32>
}

// -----

// CHECK-LABEL: func.func @constants(
func.func @constants() -> (tensor<2xui8>, tensor<2xi1>, tensor<2xui16>) {
  // CHECK-DAG: arith.constant dense<[1, -1]> : tensor<2xi8>
  // CHECK-DAG: arith.constant dense<[true, false]> : tensor<2xi1>
  // CHECK-DAG: arith.constant dense_resource<weights> : tensor<2xi16>
  %0 = fusion.constant dense<[1, 255]> : tensor<2xui8>
  %1 = fusion.constant dense<[true, false]> : tensor<2xi1>
  %2 = fusion.constant dense_resource<weights> : tensor<2xui16>
  return %0, %1, %2 : tensor<2xui8>, tensor<2xi1>, tensor<2xui16>
}

{-#
  dialect_resources: {
    builtin: {
      weights: "0x0400000001000200"
    }
  }
#-}
