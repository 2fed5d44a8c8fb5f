// A reshape only renames: a collapse and an expand that meet in the finest
// common shape.
// RUN: fusion-opt %s -fusion-to-linalg -split-input-file | FileCheck %s

// CHECK-LABEL: func.func @collapse(
func.func @collapse(%x: tensor<?x?x1536xf16>, %n: index) -> tensor<?x1536xf16> {
  // CHECK-NEXT: tensor.collapse_shape %{{.*}} {{\[}}[0, 1], [2]] : tensor<?x?x1536xf16> into tensor<?x1536xf16>
  // CHECK-NEXT: return
  %0 = fusion.reshape %x sizes(%n) : tensor<?x?x1536xf16> to tensor<?x1536xf16>
  return %0 : tensor<?x1536xf16>
}

// CHECK-LABEL: func.func @expand(
// CHECK-SAME:    %[[X:.*]]: tensor<?x1536xf16>, %[[N:.*]]: index, %[[M:.*]]: index
func.func @expand(%x: tensor<?x1536xf16>, %n: index, %m: index) -> tensor<?x?x12x128xf16> {
  // CHECK-NEXT: tensor.expand_shape %[[X]] {{\[}}[0, 1], [2, 3]] output_shape [%[[N]], %[[M]], 12, 128] : tensor<?x1536xf16> into tensor<?x?x12x128xf16>
  // CHECK-NEXT: return
  %0 = fusion.reshape %x sizes(%n, %m) : tensor<?x1536xf16> to tensor<?x?x12x128xf16>
  return %0 : tensor<?x?x12x128xf16>
}

// A size that is one of the input's matches it.
// CHECK-LABEL: func.func @heads(
func.func @heads(%x: tensor<?x?x1536xf16>) -> tensor<?x?x12x128xf16> {
  // CHECK: tensor.expand_shape %{{.*}} {{\[}}[0], [1], [2, 3]] output_shape
  // CHECK-NOT: collapse_shape
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?x?x1536xf16>
  %m = tensor.dim %x, %c1 : tensor<?x?x1536xf16>
  %0 = fusion.reshape %x sizes(%n, %m) : tensor<?x?x1536xf16> to tensor<?x?x12x128xf16>
  return %0 : tensor<?x?x12x128xf16>
}

// Other sizes may trade factors.
// CHECK-LABEL: func.func @unknown(
func.func @unknown(%x: tensor<?x?x8xf16>, %n: index, %m: index) -> tensor<?x?x8xf16> {
  // CHECK-NEXT: %[[C:.*]] = tensor.collapse_shape %{{.*}} {{\[}}[0, 1], [2]] : tensor<?x?x8xf16> into tensor<?x8xf16>
  // CHECK-NEXT: tensor.expand_shape %[[C]] {{\[}}[0, 1], [2]] output_shape
  %0 = fusion.reshape %x sizes(%n, %m) : tensor<?x?x8xf16> to tensor<?x?x8xf16>
  return %0 : tensor<?x?x8xf16>
}

// CHECK-LABEL: func.func @factors(
func.func @factors(%x: tensor<5x6x4x7xi8>) -> tensor<5x8x3x7xi8> {
  // CHECK-NEXT: %[[C:.*]] = tensor.collapse_shape %{{.*}} {{\[}}[0], [1, 2], [3]] : tensor<5x6x4x7xi8> into tensor<5x24x7xi8>
  // CHECK-NEXT: tensor.expand_shape %[[C]] {{\[}}[0], [1, 2], [3]] output_shape [5, 8, 3, 7]
  %0 = fusion.reshape %x : tensor<5x6x4x7xi8> to tensor<5x8x3x7xi8>
  return %0 : tensor<5x8x3x7xi8>
}

// Unit dims, in front, in the middle, at the end.
// CHECK-LABEL: func.func @units(
func.func @units(%x: tensor<4x5xf32>) -> tensor<1x4x1x5x1xf32> {
  // CHECK-NEXT: tensor.expand_shape %{{.*}} {{\[}}[0, 1, 2], [3, 4]] output_shape [1, 4, 1, 5, 1]
  %0 = fusion.reshape %x : tensor<4x5xf32> to tensor<1x4x1x5x1xf32>
  return %0 : tensor<1x4x1x5x1xf32>
}

// CHECK-LABEL: func.func @rank_0(
func.func @rank_0(%x: tensor<f32>) -> tensor<f32> {
  // CHECK-NEXT: tensor.expand_shape %{{.*}} [] output_shape [1, 1] : tensor<f32> into tensor<1x1xf32>
  %0 = fusion.reshape %x : tensor<f32> to tensor<1x1xf32>
  %1 = fusion.neg %0 : tensor<1x1xf32>
  // CHECK: tensor.collapse_shape %{{.*}} [] : tensor<1x1xf32> into tensor<f32>
  %2 = fusion.reshape %1 : tensor<1x1xf32> to tensor<f32>
  return %2 : tensor<f32>
}

// CHECK-LABEL: func.func @empty(
func.func @empty(%x: tensor<0x3xf32>) -> tensor<5x0xf32> {
  // CHECK-NEXT: %[[E:.*]] = tensor.empty() : tensor<5x0xf32>
  // CHECK-NEXT: return %[[E]]
  %0 = fusion.reshape %x : tensor<0x3xf32> to tensor<5x0xf32>
  return %0 : tensor<5x0xf32>
}

// What only one side knows.
// CHECK-LABEL: func.func @refine(
func.func @refine(%x: tensor<?x4xf32>) -> tensor<2x3x4xf32> {
  // CHECK-NEXT: %[[C:.*]] = tensor.cast %{{.*}} : tensor<?x4xf32> to tensor<6x4xf32>
  // CHECK-NEXT: tensor.expand_shape %[[C]] {{\[}}[0, 1], [2]] output_shape [2, 3, 4]
  %0 = fusion.reshape %x : tensor<?x4xf32> to tensor<2x3x4xf32>
  return %0 : tensor<2x3x4xf32>
}

// -----

// The reduced dim that a model keeps, and its broadcast, leave nothing: the
// sizes are followed to the same dims.
// CHECK-LABEL: func.func @keep_dims(
// CHECK-NOT:     tensor.collapse_shape
// CHECK-NOT:     tensor.expand_shape
// CHECK:         return
func.func @keep_dims(%x: tensor<?x?x8xf32>) -> tensor<?x?x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?x?x8xf32>
  %0 = fusion.exp %x : tensor<?x?x8xf32>
  %m = tensor.dim %0, %c1 : tensor<?x?x8xf32>
  %1 = fusion.reduce max, %0 dims = [2] : tensor<?x?x8xf32> to tensor<?x?xf32>
  %2 = fusion.reshape %1 sizes(%n, %m) : tensor<?x?xf32> to tensor<?x?x1xf32>
  %3 = fusion.broadcast %2 dims = [0, 1, 2] sizes(%n, %m) : tensor<?x?x1xf32> to tensor<?x?x8xf32>
  return %3 : tensor<?x?x8xf32>
}

// -----

// CHECK-LABEL: func.func @one_element(
func.func @one_element(%x: tensor<?x1xf32>, %n: index) -> (tensor<f32>, tensor<1x?xf32>) {
  // CHECK: %[[C:.*]] = tensor.cast %{{.*}} : tensor<?x1xf32> to tensor<1x1xf32>
  // CHECK: tensor.collapse_shape %[[C]] [] : tensor<1x1xf32> into tensor<f32>
  %0 = fusion.reshape %x : tensor<?x1xf32> to tensor<f32>
  // CHECK: %[[E:.*]] = tensor.expand_shape %{{.*}} [] output_shape [1, 1] : tensor<f32> into tensor<1x1xf32>
  // CHECK: tensor.cast %[[E]] : tensor<1x1xf32> to tensor<1x?xf32>
  %1 = fusion.neg %0 : tensor<f32>
  %2 = fusion.reshape %1 sizes(%n) : tensor<f32> to tensor<1x?xf32>
  return %0, %2 : tensor<f32>, tensor<1x?xf32>
}

// -----

// Sizes that a reshape was given are used again.
// CHECK-LABEL: func.func @sizes(
// CHECK-SAME:    %[[X:.*]]: tensor<?x8xf32>, %[[N:.*]]: index
func.func @sizes(%x: tensor<?x8xf32>, %n: index) -> tensor<?x2xf32> {
  // CHECK-NOT: tensor.dim
  // CHECK: tensor.empty(%[[N]]) : tensor<?x2xf32>
  %0 = fusion.reshape %x sizes(%n) : tensor<?x8xf32> to tensor<?x2x4xf32>
  %1 = fusion.reduce sum, %0 dims = [2] : tensor<?x2x4xf32> to tensor<?x2xf32>
  return %1 : tensor<?x2xf32>
}
