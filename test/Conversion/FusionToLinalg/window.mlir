// RUN: fusion-opt %s -split-input-file -fusion-to-linalg -canonicalize | FileCheck %s

// A padded copy, then a contraction over channels and window, in f32.
// CHECK-DAG:   #[[$IN:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d3, d2 * 2 + d4 * 3)>
// CHECK-DAG:   #[[$WEIGHTS:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d1, d3, d4)>
// CHECK-DAG:   #[[$OUT:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2)>
// CHECK-LABEL: func.func @conv(
// CHECK-SAME:    %[[X:.*]]: tensor<1x3x9xf16>, %[[W:.*]]: tensor<4x3x2xf16>
// CHECK:         %[[PADDED:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<1x3x12xf16>)
// CHECK:           scf.if
// CHECK:             tensor.extract %[[X]]
// CHECK:         %[[SUM:.*]] = linalg.generic {indexing_maps = [#[[$IN]], #[[$WEIGHTS]], #[[$OUT]]], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%[[PADDED]], %[[W]] : {{.*}}) outs(%{{.*}} : tensor<1x4x5xf32>)
// CHECK:         linalg.generic {{.*}} ins(%[[SUM]]
// CHECK:           arith.truncf %{{.*}} {fusion.rounding}
func.func @conv(%x: tensor<1x3x9xf16>, %w: tensor<4x3x2xf16>) -> tensor<1x4x5xf16> {
  %0 = fusion.conv %x, %w strides = [2] dilations = [3] low = [1] high = [2] groups = 1
       : tensor<1x3x9xf16>, tensor<4x3x2xf16> -> tensor<1x4x5xf16>
  return %0 : tensor<1x4x5xf16>
}

// -----

// A window of one element needs no loop: an ordinary contraction.
// CHECK-DAG:   #[[$IN:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d4, d2, d3)>
// CHECK-DAG:   #[[$WEIGHTS:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d1, d4, 0, 0)>
// CHECK-LABEL: func.func @pointwise(
// CHECK-SAME:    %[[X:.*]]: tensor<1x3x8x8xf32>, %[[W:.*]]: tensor<4x3x1x1xf32>
// CHECK:         linalg.generic {indexing_maps = [#[[$IN]], #[[$WEIGHTS]], #{{.*}}], {{.*}} ins(%[[X]], %[[W]]
func.func @pointwise(%x: tensor<1x3x8x8xf32>, %w: tensor<4x3x1x1xf32>) -> tensor<1x4x8x8xf32> {
  %0 = fusion.conv %x, %w strides = [1, 1] dilations = [1, 1] low = [0, 0] high = [0, 0] groups = 1
       : tensor<1x3x8x8xf32>, tensor<4x3x1x1xf32> -> tensor<1x4x8x8xf32>
  return %0 : tensor<1x4x8x8xf32>
}

// -----

// Channels and filters are split by group; the group is a loop of all three.
// CHECK-LABEL: func.func @groups(
// CHECK-SAME:    %[[X:.*]]: tensor<1x4x8xf32>, %[[W:.*]]: tensor<6x2x3xf32>
// CHECK-DAG:     %[[XG:.*]] = tensor.expand_shape %[[X]] {{\[\[}}0], [1, 2], [3]] output_shape [1, 2, 2, 8]
// CHECK-DAG:     %[[WG:.*]] = tensor.expand_shape %[[W]] {{\[\[}}0, 1], [2], [3]] output_shape [2, 3, 2, 3]
// CHECK:         %[[Y:.*]] = linalg.generic {{.*}} ins(%[[XG]], %[[WG]] : {{.*}}) outs(%{{.*}} : tensor<1x2x3x6xf32>)
// CHECK:         tensor.collapse_shape %[[Y]] {{\[\[}}0], [1, 2], [3]] : tensor<1x2x3x6xf32> into tensor<1x6x6xf32>
func.func @groups(%x: tensor<1x4x8xf32>, %w: tensor<6x2x3xf32>) -> tensor<1x6x6xf32> {
  %0 = fusion.conv %x, %w strides = [1] dilations = [1] low = [0] high = [0] groups = 2
       : tensor<1x4x8xf32>, tensor<6x2x3xf32> -> tensor<1x6x6xf32>
  return %0 : tensor<1x6x6xf32>
}

// -----

// What is padded is the neutral element.
// CHECK-LABEL: func.func @pool(
// CHECK:         %[[LEAST:.*]] = arith.constant -128 : i8
// CHECK:         %[[PADDED:.*]] = linalg.generic
// CHECK:           scf.yield %[[LEAST]]
// CHECK:         %[[WINDOW:.*]] = tensor.empty() : tensor<3xi8>
// CHECK:         %[[INIT:.*]] = linalg.fill ins(%[[LEAST]] : i8)
// CHECK:         linalg.generic {{.*}} ins(%[[PADDED]], %[[WINDOW]] : {{.*}}) outs(%[[INIT]]
// CHECK:           arith.maxsi
func.func @pool(%x: tensor<1x2x8xi8>) -> tensor<1x2x4xi8> {
  %0 = fusion.pool max, %x window = [3] strides = [2] dilations = [1] low = [1] high = [0]
       : tensor<1x2x8xi8> to tensor<1x2x4xi8>
  return %0 : tensor<1x2x4xi8>
}
