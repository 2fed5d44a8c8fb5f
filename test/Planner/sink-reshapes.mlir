// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-sink-reshapes))' -split-input-file | FileCheck %s

#id = affine_map<(i, j, k) -> (i, j, k)>
#last = affine_map<(i, j, k) -> (k)>

// CHECK-LABEL: func.func @after_matmul(
// CHECK:         %[[MM:.*]] = linalg.matmul
// CHECK:         %[[R:.*]] = tensor.collapse_shape %arg3 {{\[\[}}0, 1], [2]]
// CHECK:         %[[Y:.*]] = linalg.generic {{.*}} ins(%[[MM]], %{{.*}}, %[[R]] : tensor<?x48xf32>, tensor<48xf32>, tensor<?x48xf32>)
// CHECK:         %[[E:.*]] = tensor.expand_shape %[[Y]]
// CHECK:         return %[[E]]
func.func @after_matmul(%a: tensor<?x32xf32>, %b: tensor<32x48xf32>, %bias: tensor<48xf32>, %residual: tensor<?x8x48xf32>,
                        %n: index, %m: index) -> tensor<?x8x48xf32> {
  %e = tensor.empty(%m) : tensor<?x48xf32>
  %f = tensor.empty(%n) : tensor<?x8x48xf32>
  %mm = linalg.matmul ins(%a, %b : tensor<?x32xf32>, tensor<32x48xf32>) outs(%e : tensor<?x48xf32>) -> tensor<?x48xf32>
  %r = tensor.expand_shape %mm [[0, 1], [2]] output_shape [%n, 8, 48] : tensor<?x48xf32> into tensor<?x8x48xf32>
  %y = linalg.generic {indexing_maps = [#id, #last, #id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%r, %bias, %residual : tensor<?x8x48xf32>, tensor<48xf32>, tensor<?x8x48xf32>) outs(%f : tensor<?x8x48xf32>) {
  ^bb0(%p: f32, %q: f32, %s: f32, %d: f32):
    %0 = arith.addf %p, %q : f32
    %1 = arith.addf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<?x8x48xf32>
  return %y : tensor<?x8x48xf32>
}

// -----

// A reduced dim that is kept with size one is a reshape, and gone where it is
// read again.
#id = affine_map<(i, j) -> (i, j)>
#kept = affine_map<(i, j) -> (i, 0)>

// CHECK-DAG:   #[[$ID:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG:   #[[$ROW:.*]] = affine_map<(d0, d1) -> (d0)>
// CHECK-LABEL: func.func @kept_dim(
// CHECK:         %[[F:.*]] = linalg.fill {{.*}} -> tensor<64xf32>
// CHECK:         %[[S:.*]] = linalg.generic {indexing_maps = [#[[$ID]], #[[$ROW]]], iterator_types = ["parallel", "reduction"]} {{.*}} outs(%[[F]] : tensor<64xf32>)
// CHECK-NOT:     _shape
// CHECK:         linalg.generic {indexing_maps = [#[[$ID]], #[[$ROW]], #[[$ID]]], {{.*}} ins(%{{.*}}, %[[S]] : tensor<64x256xf32>, tensor<64xf32>)
func.func @kept_dim(%x: tensor<64x256xf32>) -> tensor<64x256xf32> {
  %zero = arith.constant 0.0 : f32
  %rows = tensor.empty() : tensor<64x1xf32>
  %full = tensor.empty() : tensor<64x256xf32>
  %init = linalg.fill ins(%zero : f32) outs(%rows : tensor<64x1xf32>) -> tensor<64x1xf32>
  %sum = linalg.generic {indexing_maps = [#id, #kept], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<64x256xf32>) outs(%init : tensor<64x1xf32>) {
  ^bb0(%p: f32, %acc: f32):
    %0 = arith.addf %acc, %p : f32
    linalg.yield %0 : f32
  } -> tensor<64x1xf32>
  %y = linalg.generic {indexing_maps = [#id, #kept, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum : tensor<64x256xf32>, tensor<64x1xf32>) outs(%full : tensor<64x256xf32>) {
  ^bb0(%p: f32, %q: f32, %d: f32):
    %0 = arith.divf %p, %q : f32
    linalg.yield %0 : f32
  } -> tensor<64x256xf32>
  return %y : tensor<64x256xf32>
}

// -----

// A bias along a collapsed dim: what makes the tensor runs on the expanded shape.
#id = affine_map<(i, j, k) -> (i, j, k)>
#middle = affine_map<(i, j, k) -> (j)>

// CHECK-LABEL: func.func @before_elementwise(
// CHECK-SAME:      %[[X:[a-z0-9]*]]: tensor<16x48xf32>
// CHECK:         %[[E:.*]] = tensor.expand_shape %[[X]]
// CHECK:         linalg.generic {{.*}} ins(%[[E]] : tensor<2x8x48xf32>)
// CHECK:         linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<2x8x48xf32>, tensor<8xf32>)
func.func @before_elementwise(%x: tensor<16x48xf32>, %bias: tensor<8xf32>) -> tensor<2x8x48xf32> {
  %e = tensor.empty() : tensor<16x48xf32>
  %f = tensor.empty() : tensor<2x8x48xf32>
  %0 = linalg.exp ins(%x : tensor<16x48xf32>) outs(%e : tensor<16x48xf32>) -> tensor<16x48xf32>
  %r = tensor.expand_shape %0 [[0, 1], [2]] output_shape [2, 8, 48] : tensor<16x48xf32> into tensor<2x8x48xf32>
  %y = linalg.generic {indexing_maps = [#id, #middle, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%r, %bias : tensor<2x8x48xf32>, tensor<8xf32>) outs(%f : tensor<2x8x48xf32>) {
  ^bb0(%p: f32, %q: f32, %d: f32):
    %1 = arith.addf %p, %q : f32
    linalg.yield %1 : f32
  } -> tensor<2x8x48xf32>
  return %y : tensor<2x8x48xf32>
}

// -----

// What follows places that filters make, put side by side, runs on the parts: the
// product's kernel stores them in place.
// CHECK-LABEL: func.func @after_places(
// CHECK:         %[[T:.*]] = linalg.transpose
// CHECK:         %[[R:.*]] = linalg.generic {{.*}} ins(%[[T]] : tensor<3x4x2xf32>)
// CHECK:         tensor.collapse_shape %[[R]] {{\[\[}}0], [1, 2]] : tensor<3x4x2xf32> into tensor<3x8xf32>
#id = affine_map<(i, j) -> (i, j)>
func.func @after_places(%f: tensor<6x5xf32>, %x: tensor<5x4xf32>, %d: tensor<6x4xf32>, %t: tensor<3x4x2xf32>, %o: tensor<3x8xf32>) -> tensor<3x8xf32> {
  %0 = linalg.matmul ins(%f, %x : tensor<6x5xf32>, tensor<5x4xf32>) outs(%d : tensor<6x4xf32>) -> tensor<6x4xf32>
  %1 = tensor.expand_shape %0 [[0, 1], [2]] output_shape [3, 2, 4] : tensor<6x4xf32> into tensor<3x2x4xf32>
  %2 = linalg.transpose ins(%1 : tensor<3x2x4xf32>) outs(%t : tensor<3x4x2xf32>) permutation = [0, 2, 1]
  %3 = tensor.collapse_shape %2 [[0], [1, 2]] : tensor<3x4x2xf32> into tensor<3x8xf32>
  %4 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%3 : tensor<3x8xf32>) outs(%o : tensor<3x8xf32>) {
  ^bb0(%a: f32, %r: f32):
    %e = math.tanh %a : f32
    linalg.yield %e : f32
  } -> tensor<3x8xf32>
  return %4 : tensor<3x8xf32>
}

// -----

// What is added to a column that a product makes has one dim less, and so has what
// follows: all run on the product's dims, whichever operand that is.
// CHECK-LABEL: func.func @beside_a_column(
// CHECK:         %[[MM:.*]] = linalg.matmul
// CHECK:         %[[N:.*]] = linalg.generic {{.*}} ins(%[[MM]] : tensor<16x1xf32>)
// CHECK:         %[[S:.*]] = linalg.generic {{.*}} ins(%{{.*}}, %[[N]] : tensor<16x1xf32>, tensor<16x1xf32>)
// CHECK:         %[[Y:.*]] = linalg.generic {{.*}} ins(%[[S]] : tensor<16x1xf32>)
// CHECK:         return %[[Y]]
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
func.func @beside_a_column(%x: tensor<16x32xf32>, %w: tensor<32x1xf32>, %d: tensor<16x1xf32>, %e: tensor<16xf32>) -> tensor<16x1xf32> {
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<16x32xf32>) outs(%e : tensor<16xf32>) {
  ^bb0(%p: f32, %acc: f32):
    %0 = arith.addf %acc, %p : f32
    linalg.yield %0 : f32
  } -> tensor<16xf32>
  %column = tensor.expand_shape %sum [[0, 1]] output_shape [16, 1] : tensor<16xf32> into tensor<16x1xf32>
  %mm = linalg.matmul ins(%x, %w : tensor<16x32xf32>, tensor<32x1xf32>) outs(%d : tensor<16x1xf32>) -> tensor<16x1xf32>
  %i = tensor.empty() : tensor<16x1xf32>
  %n = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%mm : tensor<16x1xf32>) outs(%i : tensor<16x1xf32>) {
  ^bb0(%p: f32, %o: f32):
    %0 = arith.negf %p : f32
    linalg.yield %0 : f32
  } -> tensor<16x1xf32>
  %s = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%column, %n : tensor<16x1xf32>, tensor<16x1xf32>) outs(%i : tensor<16x1xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %0 = arith.addf %p, %q : f32
    linalg.yield %0 : f32
  } -> tensor<16x1xf32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<16x1xf32>) outs(%i : tensor<16x1xf32>) {
  ^bb0(%p: f32, %o: f32):
    %0 = math.exp %p : f32
    linalg.yield %0 : f32
  } -> tensor<16x1xf32>
  return %y : tensor<16x1xf32>
}

// -----

// What a product reads runs on the rows of the product: its kernel can hold both.
#id = affine_map<(i, j, k) -> (i, j, k)>

// CHECK-LABEL: func.func @before_a_product(
// CHECK:         %[[X:.*]] = tensor.collapse_shape %arg0 {{\[\[}}0, 1], [2]] : tensor<?x8x16xf32> into tensor<?x16xf32>
// CHECK:         %[[E:.*]] = linalg.generic {{.*}} ins(%[[X]] : tensor<?x16xf32>)
// CHECK:         linalg.matmul ins(%[[E]], %{{.*}} : tensor<?x16xf32>, tensor<16x4xf32>)
func.func @before_a_product(%x: tensor<?x8x16xf32>, %w: tensor<16x4xf32>, %d: tensor<?x8x16xf32>, %e: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : tensor<?x8x16xf32>) outs(%d : tensor<?x8x16xf32>) {
  ^bb0(%p: f32, %o: f32):
    %1 = math.exp %p : f32
    linalg.yield %1 : f32
  } -> tensor<?x8x16xf32>
  %c = tensor.collapse_shape %0 [[0, 1], [2]] : tensor<?x8x16xf32> into tensor<?x16xf32>
  %y = linalg.matmul ins(%c, %w : tensor<?x16xf32>, tensor<16x4xf32>) outs(%e : tensor<?x4xf32>) -> tensor<?x4xf32>
  return %y : tensor<?x4xf32>
}

// -----

// The rows of a norm are those of the product behind it; what else reads the norm
// follows. One of the dims is of size one, as in decoding.
#id = affine_map<(i, j, k) -> (i, j, k)>
#rows = affine_map<(i, j, k) -> (i, j)>

// CHECK-LABEL: func.func @norm_before_a_product(
// CHECK:         %[[S:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]} ins(%{{.*}} : tensor<2x16xf32>)
// CHECK:         %[[N:.*]] = linalg.generic {{.*}} ins(%{{.*}}, %[[S]] : tensor<2x16xf32>, tensor<2xf32>)
// CHECK:         linalg.matmul ins(%[[N]], %{{.*}} : tensor<2x16xf32>, tensor<16x4xf32>)
// CHECK:         %[[T:.*]] = linalg.generic {{.*}} ins(%[[N]] : tensor<2x16xf32>)
// CHECK:         tensor.expand_shape %[[T]]
func.func @norm_before_a_product(%x: tensor<2x1x16xf32>, %w: tensor<16x4xf32>, %s: tensor<2x1xf32>, %d: tensor<2x1x16xf32>, %e: tensor<2x4xf32>)
    -> (tensor<2x4xf32>, tensor<2x1x16xf32>) {
  %sum = linalg.generic {indexing_maps = [#id, #rows], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x : tensor<2x1x16xf32>) outs(%s : tensor<2x1xf32>) {
  ^bb0(%p: f32, %acc: f32):
    %0 = arith.addf %acc, %p : f32
    linalg.yield %0 : f32
  } -> tensor<2x1xf32>
  %n = linalg.generic {indexing_maps = [#id, #rows, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %sum : tensor<2x1x16xf32>, tensor<2x1xf32>) outs(%d : tensor<2x1x16xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %0 = arith.divf %p, %q : f32
    linalg.yield %0 : f32
  } -> tensor<2x1x16xf32>
  %c = tensor.collapse_shape %n [[0, 1], [2]] : tensor<2x1x16xf32> into tensor<2x16xf32>
  %y = linalg.matmul ins(%c, %w : tensor<2x16xf32>, tensor<16x4xf32>) outs(%e : tensor<2x4xf32>) -> tensor<2x4xf32>
  %t = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%n : tensor<2x1x16xf32>) outs(%d : tensor<2x1x16xf32>) {
  ^bb0(%p: f32, %o: f32):
    %0 = arith.negf %p : f32
    linalg.yield %0 : f32
  } -> tensor<2x1x16xf32>
  return %y, %t : tensor<2x4xf32>, tensor<2x1x16xf32>
}
