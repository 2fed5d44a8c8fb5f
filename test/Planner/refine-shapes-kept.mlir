// Reshapes whose two sides stay on their own shapes, each with its reason.

// RUN: fusion-opt %s -fusion-sink-reshapes -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics \
// RUN:   | FileCheck %s

// Nothing is made of the dims of both: 4x6 and 6x4.
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
// CHECK-LABEL: func.func @no_shape(
// CHECK:         tensor.expand_shape
// CHECK:         linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<6x4xf32>, tensor<6xf32>)
func.func @no_shape(%x: tensor<4x6xf32>, %r: tensor<4xf32>, %s: tensor<6xf32>, %e: tensor<4x6xf32>, %f: tensor<6x4xf32>) -> tensor<6x4xf32> {
  %0 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %r : tensor<4x6xf32>, tensor<4xf32>) outs(%e : tensor<4x6xf32>) {
  ^bb0(%a: f32, %b: f32, %d: f32):
    %1 = arith.addf %a, %b : f32
    linalg.yield %1 : f32
  } -> tensor<4x6xf32>
  %c = tensor.collapse_shape %0 [[0, 1]] : tensor<4x6xf32> into tensor<24xf32>
  // expected-remark @below {{Reason="no shape is made of the dims of both sides of a reshape"}}
  %t = tensor.expand_shape %c [[0, 1]] output_shape [6, 4] : tensor<24xf32> into tensor<6x4xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%t, %s : tensor<6x4xf32>, tensor<6xf32>) outs(%f : tensor<6x4xf32>) {
  ^bb0(%a: f32, %b: f32, %d: f32):
    %1 = arith.mulf %a, %b : f32
    linalg.yield %1 : f32
  } -> tensor<6x4xf32>
  return %y : tensor<6x4xf32>
}

// -----

// Two open sizes: whether they are the same ones is not known.
#id = affine_map<(i, j, k) -> (i, j, k)>
#first = affine_map<(i, j, k) -> (i, k)>
// CHECK-LABEL: func.func @two_open_sizes(
// CHECK:         tensor.expand_shape
func.func @two_open_sizes(%x: tensor<?x?x6xf32>, %r: tensor<?x6xf32>, %e: tensor<?x?x6xf32>, %s: tensor<?x4xf32>, %f: tensor<?x?x4xf32>, %n: index, %m: index) -> tensor<?x?x4xf32> {
  %0 = linalg.generic {indexing_maps = [#id, #first, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %r : tensor<?x?x6xf32>, tensor<?x6xf32>) outs(%e : tensor<?x?x6xf32>) {
  ^bb0(%a: f32, %b: f32, %d: f32):
    %1 = arith.addf %a, %b : f32
    linalg.yield %1 : f32
  } -> tensor<?x?x6xf32>
  %c = tensor.collapse_shape %0 [[0, 1, 2]] : tensor<?x?x6xf32> into tensor<?xf32>
  // expected-remark @below {{Reason="no shape is made of the dims of both sides of a reshape"}}
  %t = tensor.expand_shape %c [[0, 1, 2]] output_shape [%n, %m, 4] : tensor<?xf32> into tensor<?x?x4xf32>
  %y = linalg.generic {indexing_maps = [#id, #first, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%t, %s : tensor<?x?x4xf32>, tensor<?x4xf32>) outs(%f : tensor<?x?x4xf32>) {
  ^bb0(%a: f32, %b: f32, %d: f32):
    %1 = arith.mulf %a, %b : f32
    linalg.yield %1 : f32
  } -> tensor<?x?x4xf32>
  return %y : tensor<?x?x4xf32>
}

// -----

// Before the reshape stands the epilogue of a contraction: it stays with that.
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#col = affine_map<(i, j) -> (j)>
// CHECK-LABEL: func.func @epilogue(
// CHECK:         linalg.matmul
// CHECK-NEXT:    linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<4x6xf32>, tensor<6xf32>)
// CHECK:         tensor.expand_shape
func.func @epilogue(%x: tensor<4x8xf32>, %w: tensor<8x6xf32>, %r: tensor<6xf32>, %s: tensor<2xf32>, %e: tensor<4x6xf32>, %f: tensor<2x12xf32>) -> tensor<2x12xf32> {
  %m = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x6xf32>) outs(%e : tensor<4x6xf32>) -> tensor<4x6xf32>
  %0 = linalg.generic {indexing_maps = [#id, #col, #id], iterator_types = ["parallel", "parallel"]}
      ins(%m, %r : tensor<4x6xf32>, tensor<6xf32>) outs(%e : tensor<4x6xf32>) {
  ^bb0(%a: f32, %b: f32, %d: f32):
    %1 = arith.addf %a, %b : f32
    linalg.yield %1 : f32
  } -> tensor<4x6xf32>
  %c = tensor.collapse_shape %0 [[0, 1]] : tensor<4x6xf32> into tensor<24xf32>
  // expected-remark @below {{Reason="the loops of a contraction or of windows stay as they are"}}
  %t = tensor.expand_shape %c [[0, 1]] output_shape [2, 12] : tensor<24xf32> into tensor<2x12xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%t, %s : tensor<2x12xf32>, tensor<2xf32>) outs(%f : tensor<2x12xf32>) {
  ^bb0(%a: f32, %b: f32, %d: f32):
    %1 = arith.mulf %a, %b : f32
    linalg.yield %1 : f32
  } -> tensor<2x12xf32>
  return %y : tensor<2x12xf32>
}

// -----

// The reader's other side is a contraction's epilogue.
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
// CHECK-LABEL: func.func @residual(
// CHECK:         tensor.expand_shape
// CHECK:         linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<2x12xf32>, tensor<2x12xf32>)
func.func @residual(%x: tensor<4x6xf32>, %r: tensor<4xf32>, %p: tensor<2x8xf32>, %w: tensor<8x12xf32>, %e: tensor<4x6xf32>, %f: tensor<2x12xf32>) -> tensor<2x12xf32> {
  %0 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %r : tensor<4x6xf32>, tensor<4xf32>) outs(%e : tensor<4x6xf32>) {
  ^bb0(%a: f32, %b: f32, %d: f32):
    %1 = arith.addf %a, %b : f32
    linalg.yield %1 : f32
  } -> tensor<4x6xf32>
  %c = tensor.collapse_shape %0 [[0, 1]] : tensor<4x6xf32> into tensor<24xf32>
  // expected-remark @below {{Reason="the loops of a contraction or of windows stay as they are"}}
  %t = tensor.expand_shape %c [[0, 1]] output_shape [2, 12] : tensor<24xf32> into tensor<2x12xf32>
  %m = linalg.matmul ins(%p, %w : tensor<2x8xf32>, tensor<8x12xf32>) outs(%f : tensor<2x12xf32>) -> tensor<2x12xf32>
  %y = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%t, %m : tensor<2x12xf32>, tensor<2x12xf32>) outs(%f : tensor<2x12xf32>) {
  ^bb0(%a: f32, %b: f32, %d: f32):
    %1 = arith.addf %a, %b : f32
    linalg.yield %1 : f32
  } -> tensor<2x12xf32>
  return %y : tensor<2x12xf32>
}

// -----

// A transpose is read through, where it lies.
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#turned = affine_map<(i, j) -> (j, i)>
// CHECK-LABEL: func.func @turned(
// CHECK:         linalg.generic {{.*}} ins(%{{.*}} : tensor<6x4xf32>)
// CHECK:         tensor.expand_shape
func.func @turned(%x: tensor<6x4xf32>, %s: tensor<2xf32>, %e: tensor<4x6xf32>, %f: tensor<2x12xf32>) -> tensor<2x12xf32> {
  %0 = linalg.generic {indexing_maps = [#turned, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<6x4xf32>) outs(%e : tensor<4x6xf32>) {
  ^bb0(%a: f32, %d: f32):
    linalg.yield %a : f32
  } -> tensor<4x6xf32>
  %c = tensor.collapse_shape %0 [[0, 1]] : tensor<4x6xf32> into tensor<24xf32>
  // expected-remark @below {{Reason="what only moves a tensor is read through, where it lies"}}
  %t = tensor.expand_shape %c [[0, 1]] output_shape [2, 12] : tensor<24xf32> into tensor<2x12xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%t, %s : tensor<2x12xf32>, tensor<2xf32>) outs(%f : tensor<2x12xf32>) {
  ^bb0(%a: f32, %b: f32, %d: f32):
    %1 = arith.mulf %a, %b : f32
    linalg.yield %1 : f32
  } -> tensor<2x12xf32>
  return %y : tensor<2x12xf32>
}

// -----

// A diagonal is read: its loop cannot follow both dims.
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#one = affine_map<(i) -> (i)>
#diagonal = affine_map<(i) -> (i, i)>
// CHECK-LABEL: func.func @diagonal(
// CHECK:         tensor.expand_shape
func.func @diagonal(%x: tensor<2x8xf32>, %r: tensor<2xf32>, %e: tensor<2x8xf32>, %f: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %r : tensor<2x8xf32>, tensor<2xf32>) outs(%e : tensor<2x8xf32>) {
  ^bb0(%a: f32, %b: f32, %d: f32):
    %1 = arith.addf %a, %b : f32
    linalg.yield %1 : f32
  } -> tensor<2x8xf32>
  %c = tensor.collapse_shape %0 [[0, 1]] : tensor<2x8xf32> into tensor<16xf32>
  // expected-remark @below {{Reason="only elementwise ops and reductions run on another shape"}}
  %t = tensor.expand_shape %c [[0, 1]] output_shape [4, 4] : tensor<16xf32> into tensor<4x4xf32>
  %y = linalg.generic {indexing_maps = [#diagonal, #one], iterator_types = ["parallel"]}
      ins(%t : tensor<4x4xf32>) outs(%f : tensor<4xf32>) {
  ^bb0(%a: f32, %d: f32):
    %1 = math.exp %a : f32
    linalg.yield %1 : f32
  } -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// The reader adds a matrix and itself turned: both dims would be cut where one is, and
// what makes it cuts that one only.
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#turned = affine_map<(i, j) -> (j, i)>
// CHECK-LABEL: func.func @both_ways(
// CHECK:         linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<12x3xf32>, tensor<12xf32>)
// CHECK:         tensor.expand_shape
// CHECK:         linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<6x6xf32>, tensor<6x6xf32>)
func.func @both_ways(%x: tensor<12x3xf32>, %s: tensor<12xf32>, %e: tensor<12x3xf32>, %f: tensor<6x6xf32>) -> tensor<6x6xf32> {
  %0 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : tensor<12x3xf32>, tensor<12xf32>) outs(%e : tensor<12x3xf32>) {
  ^bb0(%a: f32, %b: f32, %d: f32):
    %1 = arith.addf %a, %b : f32
    linalg.yield %1 : f32
  } -> tensor<12x3xf32>
  %c = tensor.collapse_shape %0 [[0, 1]] : tensor<12x3xf32> into tensor<36xf32>
  // expected-remark @below {{Reason="the reshapes around an operation cut its dims in different ways"}}
  %t = tensor.expand_shape %c [[0, 1]] output_shape [6, 6] : tensor<36xf32> into tensor<6x6xf32>
  %y = linalg.generic {indexing_maps = [#id, #turned, #id], iterator_types = ["parallel", "parallel"]}
      ins(%t, %t : tensor<6x6xf32>, tensor<6x6xf32>) outs(%f : tensor<6x6xf32>) {
  ^bb0(%a: f32, %b: f32, %d: f32):
    %1 = arith.mulf %a, %b : f32
    linalg.yield %1 : f32
  } -> tensor<6x6xf32>
  return %y : tensor<6x6xf32>
}
