// RUN: fusion-opt %s -fusion-to-linalg | FileCheck %s

// CHECK-DAG: #[[$MK:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-DAG: #[[$KN:.*]] = affine_map<(d0, d1, d2) -> (d2, d1)>
// CHECK-DAG: #[[$NK:.*]] = affine_map<(d0, d1, d2) -> (d1, d2)>
// CHECK-DAG: #[[$MN:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-DAG: #[[$BKM:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d3, d1)>
// CHECK-DAG: #[[$BKN:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>
// CHECK-DAG: #[[$BMN:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>

// CHECK-LABEL: func.func @f32(
// CHECK-SAME:    %[[A:.*]]: tensor<4x8xf32>, %[[B:.*]]: tensor<8x5xf32>
func.func @f32(%a: tensor<4x8xf32>, %b: tensor<8x5xf32>) -> tensor<4x5xf32> {
  // CHECK: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
  // CHECK: %[[D:.*]] = tensor.empty() : tensor<4x5xf32>
  // CHECK: %[[I:.*]] = linalg.fill ins(%[[ZERO]] : f32) outs(%[[D]] : tensor<4x5xf32>)
  // CHECK: %[[R:.*]] = linalg.generic {indexing_maps = [#[[$MK]], #[[$KN]], #[[$MN]]], iterator_types = ["parallel", "parallel", "reduction"]} ins(%[[A]], %[[B]] : tensor<4x8xf32>, tensor<8x5xf32>) outs(%[[I]] : tensor<4x5xf32>) {
  // CHECK-NEXT: ^bb0(%[[X:.*]]: f32, %[[Y:.*]]: f32, %[[ACC:.*]]: f32):
  // CHECK-NEXT:   %[[P:.*]] = arith.mulf %[[X]], %[[Y]]
  // CHECK-NEXT:   %[[S:.*]] = arith.addf %[[ACC]], %[[P]]
  // CHECK-NEXT:   linalg.yield %[[S]]
  // CHECK: return %[[R]]
  %0 = fusion.matmul %a, %b : tensor<4x8xf32>, tensor<8x5xf32> -> tensor<4x5xf32>
  return %0 : tensor<4x5xf32>
}

// f16 accumulates in f32; an operation that only rounds follows. The transposed
// operand is read in place.
// CHECK-LABEL: func.func @f16(
// CHECK-SAME:    %[[A:.*]]: tensor<?x8xf16>, %[[B:.*]]: tensor<?x8xf16>
func.func @f16(%a: tensor<?x8xf16>, %b: tensor<?x8xf16>) -> tensor<?x?xf16> {
  // CHECK-DAG: %[[M:.*]] = tensor.dim %[[A]], %c0
  // CHECK-DAG: %[[N:.*]] = tensor.dim %[[B]], %c0
  // CHECK: tensor.empty(%[[M]], %[[N]]) : tensor<?x?xf32>
  // CHECK: %[[C:.*]] = linalg.generic {indexing_maps = [#[[$MK]], #[[$NK]], #[[$MN]]]{{.*}} ins(%[[A]], %[[B]] : tensor<?x8xf16>, tensor<?x8xf16>) outs(%{{.*}} : tensor<?x?xf32>) {
  // CHECK:   arith.extf
  // CHECK:   arith.extf
  // CHECK:   arith.mulf %{{.*}} : f32
  // CHECK:   arith.addf %{{.*}} : f32
  // CHECK: linalg.generic {{.*}} ins(%[[C]] : tensor<?x?xf32>) outs(%{{.*}} : tensor<?x?xf16>) {
  // CHECK-NEXT: ^bb0
  // CHECK-NEXT:   arith.truncf %{{.*}} {fusion.rounding} : f32 to f16
  // CHECK-NEXT:   linalg.yield
  %0 = fusion.matmul %a, %b {transpose_b} : tensor<?x8xf16>, tensor<?x8xf16> -> tensor<?x?xf16>
  return %0 : tensor<?x?xf16>
}

// CHECK-LABEL: func.func @f16_to_f32(
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT:     linalg.generic
func.func @f16_to_f32(%a: tensor<4x8xf16>, %b: tensor<8x5xf16>) -> tensor<4x5xf32> {
  %0 = fusion.matmul %a, %b : tensor<4x8xf16>, tensor<8x5xf16> -> tensor<4x5xf32>
  return %0 : tensor<4x5xf32>
}

// CHECK-LABEL: func.func @unsigned_batch(
func.func @unsigned_batch(%a: tensor<2x8x4xui8>, %b: tensor<2x8x5xui8>) -> tensor<2x4x5xui32> {
  // CHECK: linalg.generic {indexing_maps = [#[[$BKM]], #[[$BKN]], #[[$BMN]]], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
  // CHECK-COUNT-2: arith.extui %{{.*}} : i8 to i32
  // CHECK: arith.muli %{{.*}} : i32
  // CHECK: arith.addi %{{.*}} : i32
  %0 = fusion.matmul %a, %b {transpose_a} : tensor<2x8x4xui8>, tensor<2x8x5xui8> -> tensor<2x4x5xui32>
  return %0 : tensor<2x4x5xui32>
}
