// RUN: fusion-opt %s -fusion-to-linalg | FileCheck %s

// CHECK-DAG: #[[$IN:.*]] = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
// CHECK-DAG: #[[$OUT:.*]] = affine_map<(d0, d1, d2) -> (d1)>

// CHECK-LABEL: func.func @sum(
// CHECK-SAME:    %[[X:.*]]: tensor<4x?x8xf32>
func.func @sum(%x: tensor<4x?x8xf32>) -> tensor<?xf32> {
  // CHECK: %[[N:.*]] = tensor.dim %[[X]], %c1
  // CHECK: %[[D:.*]] = tensor.empty(%[[N]]) : tensor<?xf32>
  // CHECK: %[[I:.*]] = linalg.fill ins(%{{.*}} : f32) outs(%[[D]]
  // CHECK: %[[R:.*]] = linalg.generic {indexing_maps = [#[[$IN]], #[[$OUT]]], iterator_types = ["reduction", "parallel", "reduction"]} ins(%[[X]] : tensor<4x?x8xf32>) outs(%[[I]] : tensor<?xf32>) {
  // CHECK-NEXT: ^bb0(%[[E:.*]]: f32, %[[A:.*]]: f32):
  // CHECK-NEXT:   %[[S:.*]] = arith.addf %[[A]], %[[E]]
  // CHECK-NEXT:   linalg.yield %[[S]]
  // CHECK: return %[[R]]
  %0 = fusion.reduce sum, %x dims = [0, 2] : tensor<4x?x8xf32> to tensor<?xf32>
  return %0 : tensor<?xf32>
}

// CHECK-LABEL: func.func @half(
func.func @half(%x: tensor<8xf16>) -> tensor<f16> {
  // CHECK: %[[INF:.*]] = arith.constant 0xFF800000 : f32
  // CHECK: linalg.fill ins(%[[INF]] : f32) outs(%{{.*}} : tensor<f32>)
  // CHECK: arith.extf %{{.*}} : f16 to f32
  // CHECK: arith.maximumf %{{.*}} : f32
  // CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<f32>) outs(%{{.*}} : tensor<f16>)
  // CHECK: arith.truncf %{{.*}} {fusion.rounding} : f32 to f16
  %0 = fusion.reduce max, %x dims = [0] : tensor<8xf16> to tensor<f16>
  return %0 : tensor<f16>
}

// One operation finishes a mean: division and rounding.
// CHECK-LABEL: func.func @mean(
func.func @mean(%x: tensor<4x8xbf16>) -> tensor<4xbf16> {
  // CHECK: %[[COUNT:.*]] = arith.constant 8.000000e+00 : f32
  // CHECK: arith.addf
  // CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<4xbf16>)
  // CHECK:      %[[Q:.*]] = arith.divf %{{.*}}, %[[COUNT]] : f32
  // CHECK-NEXT: arith.truncf %[[Q]] {fusion.rounding} : f32 to bf16
  // CHECK-NOT: linalg.generic
  %0 = fusion.reduce mean, %x dims = [1] : tensor<4x8xbf16> to tensor<4xbf16>
  return %0 : tensor<4xbf16>
}

// CHECK-LABEL: func.func @mean_dynamic(
// CHECK-SAME:    %[[X:.*]]: tensor<4x?x?x3xf32>
func.func @mean_dynamic(%x: tensor<4x?x?x3xf32>) -> tensor<4xf32> {
  // CHECK-DAG: %[[N:.*]] = tensor.dim %[[X]], %c1
  // CHECK-DAG: %[[M:.*]] = tensor.dim %[[X]], %c2
  // CHECK: %[[NM:.*]] = arith.muli %[[N]], %[[M]] : index
  // CHECK: %[[ALL:.*]] = arith.muli %[[NM]], %c3 : index
  // CHECK: %[[I:.*]] = arith.index_cast %[[ALL]] : index to i64
  // CHECK: %[[COUNT:.*]] = arith.sitofp %[[I]] : i64 to f32
  // CHECK: arith.divf %{{.*}}, %[[COUNT]]
  %0 = fusion.reduce mean, %x dims = [1, 2, 3] : tensor<4x?x?x3xf32> to tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @ints(
func.func @ints(%x: tensor<4xi8>, %u: tensor<4xui8>, %b: tensor<4xi1>) -> (tensor<i8>, tensor<ui8>, tensor<i8>, tensor<i1>) {
  // CHECK-DAG: arith.constant 127 : i8
  // CHECK-DAG: arith.constant -1 : i8
  // CHECK-DAG: arith.constant 1 : i8
  // CHECK-DAG: arith.constant true
  // CHECK: arith.minsi
  %0 = fusion.reduce min, %x dims = [0] : tensor<4xi8> to tensor<i8>
  // CHECK: arith.minui
  %1 = fusion.reduce min, %u dims = [0] : tensor<4xui8> to tensor<ui8>
  // CHECK: arith.muli
  %2 = fusion.reduce prod, %x dims = [0] : tensor<4xi8> to tensor<i8>
  // CHECK: arith.minui %{{.*}} : i1
  %3 = fusion.reduce min, %b dims = [0] : tensor<4xi1> to tensor<i1>
  return %0, %1, %2, %3 : tensor<i8>, tensor<ui8>, tensor<i8>, tensor<i1>
}
