// Products that stay whole although parts are cut out of them, each with its
// reason.

// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-slice-products))' -split-input-file | FileCheck %s
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-slice-products))' -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics -o /dev/null

// Columns 2 and 3 are in both parts.
// CHECK-LABEL: func.func @overlap(
// CHECK-COUNT-1: linalg.matmul
// CHECK-NOT:     linalg.matmul
#id = affine_map<(i, j) -> (i, j)>
func.func @overlap(%x: tensor<5x8xf32>, %w: tensor<8x6xf32>) -> (tensor<5x4xf32>, tensor<5x4xf32>) {
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x6xf32>
  %h = tensor.empty() : tensor<5x4xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %p = linalg.matmul ins(%x, %w : tensor<5x8xf32>, tensor<8x6xf32>) outs(%z : tensor<5x6xf32>) -> tensor<5x6xf32>
  // expected-remark @below {{Reason="parts that overlap would be computed more than once"}}
  %0 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%h : tensor<5x4xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %t = tensor.extract %p[%i, %j] : tensor<5x6xf32>
    linalg.yield %t : f32
  } -> tensor<5x4xf32>
  %1 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%h : tensor<5x4xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = arith.addi %j, %c2 : index
    %t = tensor.extract %p[%i, %k] : tensor<5x6xf32>
    linalg.yield %t : f32
  } -> tensor<5x4xf32>
  return %0, %1 : tensor<5x4xf32>, tensor<5x4xf32>
}

// -----

// Another product reads its half where it lies.
// CHECK-LABEL: func.func @read_in_place(
// CHECK-COUNT-2: linalg.matmul
// CHECK-NOT:     linalg.matmul
#id = affine_map<(i, j) -> (i, j)>
func.func @read_in_place(%x: tensor<5x8xf32>, %w: tensor<8x6xf32>, %v: tensor<3x7xf32>, %q: tensor<5x7xf32>) -> (tensor<5x3xf32>, tensor<5x7xf32>) {
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x6xf32>
  %h = tensor.empty() : tensor<5x3xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %p = linalg.matmul ins(%x, %w : tensor<5x8xf32>, tensor<8x6xf32>) outs(%z : tensor<5x6xf32>) -> tensor<5x6xf32>
  // expected-remark @below {{Reason="another contraction reads a part of the product where it lies"}}
  %0 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%h : tensor<5x3xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %t = tensor.extract %p[%i, %j] : tensor<5x6xf32>
    linalg.yield %t : f32
  } -> tensor<5x3xf32>
  %1 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%h : tensor<5x3xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = arith.addi %j, %c3 : index
    %t = tensor.extract %p[%i, %k] : tensor<5x6xf32>
    linalg.yield %t : f32
  } -> tensor<5x3xf32>
  %2 = linalg.matmul ins(%1, %v : tensor<5x3xf32>, tensor<3x7xf32>) outs(%q : tensor<5x7xf32>) -> tensor<5x7xf32>
  return %0, %2 : tensor<5x3xf32>, tensor<5x7xf32>
}

// -----

// The last places of a convolution begin inside of its image.
// CHECK-LABEL: func.func @last_places(
// CHECK:         linalg.generic {{.*}} outs(%{{.*}} : tensor<6x6xf32>)
// CHECK:           arith.mulf
func.func @last_places(%x: tensor<4x8xf32>, %f: tensor<6x4x3xf32>) -> tensor<6x5xf32> {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<6x6xf32>
  %h = tensor.empty() : tensor<6x5xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<6x6xf32>) -> tensor<6x6xf32>
  %p = linalg.generic {indexing_maps = [affine_map<(f, p, c, w) -> (c, p + w)>, affine_map<(f, p, c, w) -> (f, c, w)>, affine_map<(f, p, c, w) -> (f, p)>],
                       iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %f : tensor<4x8xf32>, tensor<6x4x3xf32>) outs(%z : tensor<6x6xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<6x6xf32>
  // expected-remark @below {{Reason="the part of the places of a convolution does not begin with the first"}}
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%h : tensor<6x5xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = arith.addi %j, %c1 : index
    %t = tensor.extract %p[%i, %k] : tensor<6x6xf32>
    linalg.yield %t : f32
  } -> tensor<6x5xf32>
  return %0 : tensor<6x5xf32>
}

// -----

// The part would take every second column of each row; and something else reads
// the whole product, which says nothing: no part is all that is read.
// CHECK-LABEL: func.func @joined(
// CHECK:         linalg.matmul {{.*}} outs(%{{.*}} : tensor<5x6xf32>)
func.func @joined(%x: tensor<5x8xf32>, %w: tensor<8x6xf32>) -> tensor<5x3xf32> {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x6xf32>
  %h = tensor.empty() : tensor<5x3xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %p = linalg.matmul ins(%x, %w : tensor<5x8xf32>, tensor<8x6xf32>) outs(%z : tensor<5x6xf32>) -> tensor<5x6xf32>
  %y = tensor.expand_shape %p [[0], [1, 2]] output_shape [5, 3, 2] : tensor<5x6xf32> into tensor<5x3x2xf32>
  // expected-remark @below {{Reason="a reshape behind the product joins what is cut with other dims"}}
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%h : tensor<5x3xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %t = tensor.extract %y[%i, %j, %c1] : tensor<5x3x2xf32>
    linalg.yield %t : f32
  } -> tensor<5x3xf32>
  return %0 : tensor<5x3xf32>
}

// -----

// Rows of an operand whose columns are known at run time would be copied.
// CHECK-LABEL: func.func @unknown(
// CHECK:         linalg.matmul {{.*}} outs(%{{.*}} : tensor<5x6xf32>)
func.func @unknown(%x: tensor<5x?xf32>, %w: tensor<?x6xf32>) -> tensor<2x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x6xf32>
  %h = tensor.empty() : tensor<2x6xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %p = linalg.matmul ins(%x, %w : tensor<5x?xf32>, tensor<?x6xf32>) outs(%z : tensor<5x6xf32>) -> tensor<5x6xf32>
  // expected-remark @below {{Reason="an operand of which some sizes are known only at run time would be copied in part"}}
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%h : tensor<2x6xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %t = tensor.extract %p[%i, %j] : tensor<5x6xf32>
    linalg.yield %t : f32
  } -> tensor<2x6xf32>
  return %0 : tensor<2x6xf32>
}
