// A product runs on the shape in which its result is stored in another order.

// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-split-products))' -split-input-file | FileCheck %s
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-split-products))' -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics -o /dev/null

// Heads of a batch known at run time: the bias, and what makes an operand, too.
// CHECK-LABEL: func.func @heads(
// CHECK-SAME:      %[[X:.*]]: tensor<?x31xf32>, %[[W:.*]]: tensor<31x15xf32>, %[[B:.*]]: tensor<15xf32>,
// CHECK:         %[[X0:.*]] = tensor.expand_shape %[[X]] {{\[\[}}0, 1], [2]] output_shape [%{{.*}}, 7, 31]
// CHECK:         %[[E:.*]] = linalg.generic {{.*}} ins(%[[X0]] : tensor<?x7x31xf32>)
// CHECK:         %[[W0:.*]] = tensor.expand_shape %[[W]] {{\[\[}}0], [1, 2]] output_shape [31, 3, 5]
// CHECK:         %[[Y:.*]] = linalg.generic {{.*}}"parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%[[E]], %[[W0]] : {{.*}}) outs(%{{.*}} : tensor<?x7x3x5xf32>)
// CHECK:         %[[B0:.*]] = tensor.expand_shape %[[B]] {{\[\[}}0, 1]] output_shape [3, 5]
// CHECK:         %[[A:.*]] = linalg.generic {{.*}} ins(%[[Y]], %[[B0]] : tensor<?x7x3x5xf32>, tensor<3x5xf32>)
// CHECK:         linalg.transpose ins(%[[A]] : tensor<?x7x3x5xf32>)
#id = affine_map<(m, k) -> (m, k)>
#columns = affine_map<(m, n) -> (n)>
func.func @heads(%x: tensor<?x31xf32>, %w: tensor<31x15xf32>, %b: tensor<15xf32>, %d: tensor<?x15xf32>, %o: tensor<?x3x7x5xf32>, %m: index, %n: index) -> tensor<?x3x7x5xf32> {
  %t = tensor.empty(%m) : tensor<?x31xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<?x31xf32>) outs(%t : tensor<?x31xf32>) {
  ^bb0(%a: f32, %r: f32):
    %e = math.exp %a : f32
    linalg.yield %e : f32
  } -> tensor<?x31xf32>
  %1 = linalg.matmul ins(%0, %w : tensor<?x31xf32>, tensor<31x15xf32>) outs(%d : tensor<?x15xf32>) -> tensor<?x15xf32>
  %u = tensor.empty(%m) : tensor<?x15xf32>
  %2 = linalg.generic {indexing_maps = [#id, #columns, #id], iterator_types = ["parallel", "parallel"]}
      ins(%1, %b : tensor<?x15xf32>, tensor<15xf32>) outs(%u : tensor<?x15xf32>) {
  ^bb0(%a: f32, %c: f32, %r: f32):
    %s = arith.addf %a, %c : f32
    linalg.yield %s : f32
  } -> tensor<?x15xf32>
  // expected-remark @below {{Remark="a product runs on the shape of what reads it"}}
  %3 = tensor.expand_shape %2 [[0, 1], [2, 3]] output_shape [%n, 7, 3, 5] : tensor<?x15xf32> into tensor<?x7x3x5xf32>
  %4 = linalg.transpose ins(%3 : tensor<?x7x3x5xf32>) outs(%o : tensor<?x3x7x5xf32>) permutation = [0, 2, 1, 3]
  return %4 : tensor<?x3x7x5xf32>
}

// -----

// Filters of a convolution are cut, its image is read as before.
// CHECK-LABEL: func.func @windows(
// CHECK:         linalg.generic {indexing_maps = [#[[IMAGE:.*]], #[[FILTERS:.*]], #{{.*}}], {{.*}} ins(%{{.*}}, %{{.*}} : tensor<4x8xf32>, tensor<3x2x4x3xf32>) outs(%{{.*}} : tensor<3x2x6xf32>)
#image = affine_map<(f, p, c, w) -> (c, p + w)>
#filters = affine_map<(f, p, c, w) -> (f, c, w)>
#result = affine_map<(f, p, c, w) -> (f, p)>
func.func @windows(%x: tensor<4x8xf32>, %w: tensor<6x4x3xf32>, %d: tensor<6x6xf32>, %o: tensor<2x3x6xf32>) -> tensor<2x3x6xf32> {
  %0 = linalg.generic {indexing_maps = [#image, #filters, #result], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : tensor<4x8xf32>, tensor<6x4x3xf32>) outs(%d : tensor<6x6xf32>) {
  ^bb0(%a: f32, %b: f32, %r: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %r, %m : f32
    linalg.yield %s : f32
  } -> tensor<6x6xf32>
  // expected-remark @below {{Remark="a product runs on the shape of what reads it"}}
  %1 = tensor.expand_shape %0 [[0, 1], [2]] output_shape [3, 2, 6] : tensor<6x6xf32> into tensor<3x2x6xf32>
  %2 = linalg.transpose ins(%1 : tensor<3x2x6xf32>) outs(%o : tensor<2x3x6xf32>) permutation = [1, 0, 2]
  return %2 : tensor<2x3x6xf32>
}

// -----

// Each head has a sum of its own: the product's tiles have to be heads. What asks for
// the size of the whole keeps nothing.
// CHECK-LABEL: func.func @sums_of_heads(
// CHECK-SAME:      %[[X:.*]]: tensor<?x31xf32>
// CHECK:         %[[W:.*]] = tensor.expand_shape %{{.*}} : tensor<31x15xf32> into tensor<31x3x5xf32>
// CHECK:         linalg.generic {{.*}} ins(%[[X]], %[[W]] : tensor<?x31xf32>, tensor<31x3x5xf32>)
// CHECK-NOT:     tensor.dim {{.*}} tensor<?x3x5xf32>
// CHECK:         linalg.reduce
func.func @sums_of_heads(%x: tensor<?x31xf32>, %w: tensor<31x15xf32>, %d: tensor<?x15xf32>, %m: index) -> tensor<?x3xf32> {
  %0 = linalg.matmul ins(%x, %w : tensor<?x31xf32>, tensor<31x15xf32>) outs(%d : tensor<?x15xf32>) -> tensor<?x15xf32>
  // expected-remark @below {{Remark="a product runs on the shape of what reads it"}}
  %1 = tensor.expand_shape %0 [[0], [1, 2]] output_shape [%m, 3, 5] : tensor<?x15xf32> into tensor<?x3x5xf32>
  %c0 = arith.constant 0 : index
  %s = tensor.dim %1, %c0 : tensor<?x3x5xf32>
  %r = tensor.empty(%s) : tensor<?x3xf32>
  %2 = linalg.reduce { arith.maximumf } ins(%1 : tensor<?x3x5xf32>) outs(%r : tensor<?x3xf32>) dimensions = [2]
  return %2 : tensor<?x3xf32>
}
