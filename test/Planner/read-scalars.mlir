// Elementwise ops read a scalar that was broadcast as the one element that it is. The
// pass is a part of that which forms groups.
//
// RUN: fusion-opt %s -fusion-form-groups=target=sm_90a -split-input-file | FileCheck %s
// RUN: fusion-opt %s '-fusion-form-groups=target=sm_90a fuse=all,-vertical' -split-input-file | FileCheck %s --check-prefix=OFF

// A tensor of rank 0, along both dims.
#id = affine_map<(i, j) -> (i, j)>

// CHECK-DAG:   #[[$ID:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG:   #[[$NONE:.*]] = affine_map<(d0, d1) -> ()>
// CHECK-LABEL: func.func @scalar(
// CHECK-NOT:     linalg.broadcast
// CHECK:         linalg.generic {indexing_maps = [#[[$ID]], #[[$NONE]], #[[$ID]]], {{.*}} ins(%{{.*}}, %{{.*}} : tensor<4x8xf32>, tensor<f32>)
// OFF-LABEL:   func.func @scalar(
// OFF:           linalg.broadcast
// OFF:           linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<4x8xf32>, tensor<4x8xf32>)
func.func @scalar(%x: tensor<4x8xf32>, %s: tensor<f32>, %e: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %b = linalg.broadcast ins(%s : tensor<f32>) outs(%e : tensor<4x8xf32>) dimensions = [0, 1]
  %y = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %b : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%p: f32, %q: f32, %d: f32):
    %1 = arith.mulf %p, %q : f32
    linalg.yield %1 : f32
  } -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

// One element of rank 1, moved twice, to open sizes, and read transposed.
#id = affine_map<(i, j) -> (i, j)>
#t = affine_map<(i, j) -> (j, i)>

// CHECK-DAG:   #[[$ID:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG:   #[[$ZERO:.*]] = affine_map<(d0, d1) -> (0)>
// CHECK-LABEL: func.func @chain(
// CHECK-NOT:     linalg.broadcast
// CHECK:         linalg.generic {indexing_maps = [#[[$ID]], #[[$ZERO]], #[[$ID]]], {{.*}} ins(%{{.*}}, %{{.*}} : tensor<?x8xf16>, tensor<1xf16>)
// CHECK-NOT:     linalg.generic
func.func @chain(%x: tensor<?x8xf16>, %s: tensor<1xf16>, %d0: tensor<1x8xf16>, %n: index) -> tensor<?x8xf16> {
  %e = tensor.empty(%n) : tensor<?x8xf16>
  %t = tensor.empty(%n) : tensor<8x?xf16>
  %b = linalg.broadcast ins(%s : tensor<1xf16>) outs(%d0 : tensor<1x8xf16>) dimensions = [1]
  %g = linalg.generic {indexing_maps = [affine_map<(i, j) -> (0, i)>, #id], iterator_types = ["parallel", "parallel"]}
      ins(%b : tensor<1x8xf16>) outs(%t : tensor<8x?xf16>) {
  ^bb0(%p: f16, %d: f16):
    linalg.yield %p : f16
  } -> tensor<8x?xf16>
  %y = linalg.generic {indexing_maps = [#id, #t, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %g : tensor<?x8xf16>, tensor<8x?xf16>) outs(%e : tensor<?x8xf16>) {
  ^bb0(%p: f16, %q: f16, %d: f16):
    %1 = arith.addf %p, %q : f16
    linalg.yield %1 : f16
  } -> tensor<?x8xf16>
  return %y : tensor<?x8xf16>
}

// -----

// What a scalar without an order of dims scales may be transposed: a product reads it
// where it lies.
#id = affine_map<(i, j) -> (i, j)>

// CHECK-LABEL: func.func @scaled_product(
// CHECK-SAME:      %[[X:[a-z0-9]*]]: tensor<4x16xf32>, %[[W:[a-z0-9]*]]: tensor<8x16xf32>
// CHECK-NOT:     linalg.transpose
// CHECK-NOT:     linalg.broadcast
// CHECK:         fusion.group {{.*}} ins(%[[W]],
// CHECK:         linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<8x16xf32>, tensor<f32>)
// CHECK:         linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]
func.func @scaled_product(%x: tensor<4x16xf32>, %w: tensor<8x16xf32>, %s: tensor<f32>, %o: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<16x8xf32>
  %b = linalg.broadcast ins(%s : tensor<f32>) outs(%e : tensor<16x8xf32>) dimensions = [0, 1]
  %t = linalg.transpose ins(%w : tensor<8x16xf32>) outs(%e : tensor<16x8xf32>) permutation = [1, 0]
  %y = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%t, %b : tensor<16x8xf32>, tensor<16x8xf32>) outs(%e : tensor<16x8xf32>) {
  ^bb0(%p: f32, %q: f32, %d: f32):
    %1 = arith.mulf %p, %q : f32
    linalg.yield %1 : f32
  } -> tensor<16x8xf32>
  %m = linalg.matmul ins(%x, %y : tensor<4x16xf32>, tensor<16x8xf32>) outs(%o : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %m : tensor<4x8xf32>
}
