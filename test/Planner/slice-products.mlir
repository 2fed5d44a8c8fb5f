// Products make the parts that are cut out of their results.

// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-slice-products))' -split-input-file | FileCheck %s
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-slice-products))' -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics -o /dev/null

// Two halves of columns, with a bias: constants are cut, arguments are read
// where the parts lie. The rows are known at run time.
// CHECK-LABEL: func.func @halves(
// CHECK-SAME:      %[[X:.*]]: tensor<?x8xf32>, %[[W:.*]]: tensor<8x6xf32>
// CHECK:         %[[W0:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<8x3xf32>)
// CHECK:           tensor.extract %[[W]]
// CHECK:         %[[P0:.*]] = linalg.matmul ins(%[[X]], %[[W0]] : tensor<?x8xf32>, tensor<8x3xf32>) outs(%{{.*}} : tensor<?x3xf32>)
// CHECK:         %[[B0:.*]] = arith.constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00]> : tensor<3xf32>
// CHECK:         %[[Y0:.*]] = linalg.generic {{.*}} ins(%[[P0]], %[[B0]] : tensor<?x3xf32>, tensor<3xf32>)
// CHECK:         %[[W1:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<8x3xf32>)
// CHECK:           %[[J:.*]] = arith.addi %{{.*}}, %c3{{.*}} : index
// CHECK:           tensor.extract %[[W]][%{{.*}}, %[[J]]]
// CHECK:         %[[P1:.*]] = linalg.matmul ins(%[[X]], %[[W1]] : tensor<?x8xf32>, tensor<8x3xf32>) outs(%{{.*}} : tensor<?x3xf32>)
// CHECK:         %[[B1:.*]] = arith.constant dense<[4.000000e+00, 5.000000e+00, 6.000000e+00]> : tensor<3xf32>
// CHECK:         %[[Y1:.*]] = linalg.generic {{.*}} ins(%[[P1]], %[[B1]] : tensor<?x3xf32>, tensor<3xf32>)
// CHECK:         return %[[Y0]], %[[Y1]]
#id = affine_map<(i, j) -> (i, j)>
#columns = affine_map<(i, j) -> (j)>
func.func @halves(%x: tensor<?x8xf32>, %w: tensor<8x6xf32>) -> (tensor<?x3xf32>, tensor<?x3xf32>) {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f32
  %b = arith.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]> : tensor<6xf32>
  %m = tensor.dim %x, %c0 : tensor<?x8xf32>
  %e = tensor.empty(%m) : tensor<?x6xf32>
  %h = tensor.empty(%m) : tensor<?x3xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<?x6xf32>) -> tensor<?x6xf32>
  %p = linalg.matmul ins(%x, %w : tensor<?x8xf32>, tensor<8x6xf32>) outs(%z : tensor<?x6xf32>) -> tensor<?x6xf32>
  %y = linalg.generic {indexing_maps = [#id, #columns, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p, %b : tensor<?x6xf32>, tensor<6xf32>) outs(%e : tensor<?x6xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %s = arith.addf %a, %c : f32
    linalg.yield %s : f32
  } -> tensor<?x6xf32>
  // expected-remark @below {{Remark="parts cut out of a product are made by products: 2"}}
  %0 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%h : tensor<?x3xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %t = tensor.extract %y[%i, %j] : tensor<?x6xf32>
    linalg.yield %t : f32
  } -> tensor<?x3xf32>
  %1 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%h : tensor<?x3xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = arith.addi %j, %c3 : index
    %t = tensor.extract %y[%i, %k] : tensor<?x6xf32>
    linalg.yield %t : f32
  } -> tensor<?x3xf32>
  return %0, %1 : tensor<?x3xf32>, tensor<?x3xf32>
}

// -----

// One row that a reshape has as a matrix: the rest is not made.
// CHECK-LABEL: func.func @last_row(
// CHECK-SAME:      %[[X:.*]]: tensor<5x8xf32>
// CHECK:         %[[X0:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<1x8xf32>)
// CHECK:           tensor.extract %[[X]]
// CHECK:         %[[P:.*]] = linalg.matmul ins(%[[X0]], %{{.*}} : tensor<1x8xf32>, tensor<8x6xf32>)
// CHECK:         %[[E:.*]] = tensor.expand_shape %[[P]] {{\[\[}}0, 1], [2]] output_shape [1, 1, 6]
// CHECK:         %[[R:.*]] = tensor.collapse_shape %[[E]] {{.*}} into tensor<1x6xf32>
// CHECK:         return %[[R]]
func.func @last_row(%x: tensor<5x8xf32>, %w: tensor<8x6xf32>) -> tensor<1x6xf32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x6xf32>
  %h = tensor.empty() : tensor<1x6xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %p = linalg.matmul ins(%x, %w : tensor<5x8xf32>, tensor<8x6xf32>) outs(%z : tensor<5x6xf32>) -> tensor<5x6xf32>
  %y = tensor.expand_shape %p [[0, 1], [2]] output_shape [1, 5, 6] : tensor<5x6xf32> into tensor<1x5x6xf32>
  // expected-remark @below {{Remark="parts cut out of a product are made by products: 1"}}
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%h : tensor<1x6xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %t = tensor.extract %y[%i, %c4, %j] : tensor<1x5x6xf32>
    linalg.yield %t : f32
  } -> tensor<1x6xf32>
  return %0 : tensor<1x6xf32>
}

// -----

// The first places of a convolution: its image is read as before.
// CHECK-LABEL: func.func @first_places(
// CHECK:         linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<4x8xf32>, tensor<6x4x3xf32>) outs(%{{.*}} : tensor<6x5xf32>)
// CHECK-NOT:     tensor.extract
func.func @first_places(%x: tensor<4x8xf32>, %f: tensor<6x4x3xf32>) -> tensor<6x5xf32> {
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
  // expected-remark @below {{Remark="parts cut out of a product are made by products: 1"}}
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%h : tensor<6x5xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %t = tensor.extract %p[%i, %j] : tensor<6x6xf32>
    linalg.yield %t : f32
  } -> tensor<6x5xf32>
  return %0 : tensor<6x5xf32>
}

// -----

// What asks for the size of the whole does not read it.
// CHECK-LABEL: func.func @sized(
// CHECK-SAME:      %[[X:.*]]: tensor<?x8xf32>
// CHECK:         linalg.matmul ins(%[[X]], %{{.*}}) outs(%{{.*}} : tensor<?x3xf32>)
// CHECK-NOT:     {{linalg.matmul|tensor<[?]x6xf32>}}
func.func @sized(%x: tensor<?x8xf32>, %w: tensor<8x6xf32>) -> (tensor<?x3xf32>, index) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %x, %c0 : tensor<?x8xf32>
  %e = tensor.empty(%m) : tensor<?x6xf32>
  %h = tensor.empty(%m) : tensor<?x3xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<?x6xf32>) -> tensor<?x6xf32>
  %p = linalg.matmul ins(%x, %w : tensor<?x8xf32>, tensor<8x6xf32>) outs(%z : tensor<?x6xf32>) -> tensor<?x6xf32>
  // expected-remark @below {{Remark="parts cut out of a product are made by products: 1"}}
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%h : tensor<?x3xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %t = tensor.extract %p[%i, %j] : tensor<?x6xf32>
    linalg.yield %t : f32
  } -> tensor<?x3xf32>
  %s = tensor.dim %p, %c0 : tensor<?x6xf32>
  return %0, %s : tensor<?x3xf32>, index
}
