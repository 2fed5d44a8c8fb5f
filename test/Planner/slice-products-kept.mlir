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

// The part would take every second column of each row.
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

// -----

// Nine products of one column each.
// CHECK-LABEL: func.func @many_parts(
// CHECK-COUNT-1: linalg.matmul
// CHECK-NOT:     linalg.matmul
#id = affine_map<(i, j) -> (i, j)>
func.func @many_parts(%x: tensor<5x8xf32>, %w: tensor<8x9xf32>) -> (tensor<5x1xf32>, tensor<5x1xf32>, tensor<5x1xf32>, tensor<5x1xf32>, tensor<5x1xf32>, tensor<5x1xf32>, tensor<5x1xf32>, tensor<5x1xf32>, tensor<5x1xf32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x9xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<5x9xf32>) -> tensor<5x9xf32>
  %p = linalg.matmul ins(%x, %w : tensor<5x8xf32>, tensor<8x9xf32>) outs(%z : tensor<5x9xf32>) -> tensor<5x9xf32>
  %h = tensor.empty() : tensor<5x1xf32>
  // expected-remark @below {{Reason="more than 8 parts are cut out of the product"}}
  %0 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%h : tensor<5x1xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %t = tensor.extract %p[%i, %j] : tensor<5x9xf32>
    linalg.yield %t : f32
  } -> tensor<5x1xf32>
  %1 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%h : tensor<5x1xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = arith.addi %j, %c1 : index
    %t = tensor.extract %p[%i, %k] : tensor<5x9xf32>
    linalg.yield %t : f32
  } -> tensor<5x1xf32>
  %2 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%h : tensor<5x1xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = arith.addi %j, %c2 : index
    %t = tensor.extract %p[%i, %k] : tensor<5x9xf32>
    linalg.yield %t : f32
  } -> tensor<5x1xf32>
  %3 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%h : tensor<5x1xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = arith.addi %j, %c3 : index
    %t = tensor.extract %p[%i, %k] : tensor<5x9xf32>
    linalg.yield %t : f32
  } -> tensor<5x1xf32>
  %4 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%h : tensor<5x1xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = arith.addi %j, %c4 : index
    %t = tensor.extract %p[%i, %k] : tensor<5x9xf32>
    linalg.yield %t : f32
  } -> tensor<5x1xf32>
  %5 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%h : tensor<5x1xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = arith.addi %j, %c5 : index
    %t = tensor.extract %p[%i, %k] : tensor<5x9xf32>
    linalg.yield %t : f32
  } -> tensor<5x1xf32>
  %6 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%h : tensor<5x1xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = arith.addi %j, %c6 : index
    %t = tensor.extract %p[%i, %k] : tensor<5x9xf32>
    linalg.yield %t : f32
  } -> tensor<5x1xf32>
  %7 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%h : tensor<5x1xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = arith.addi %j, %c7 : index
    %t = tensor.extract %p[%i, %k] : tensor<5x9xf32>
    linalg.yield %t : f32
  } -> tensor<5x1xf32>
  %8 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%h : tensor<5x1xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = arith.addi %j, %c8 : index
    %t = tensor.extract %p[%i, %k] : tensor<5x9xf32>
    linalg.yield %t : f32
  } -> tensor<5x1xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8 : tensor<5x1xf32>, tensor<5x1xf32>, tensor<5x1xf32>, tensor<5x1xf32>, tensor<5x1xf32>, tensor<5x1xf32>, tensor<5x1xf32>, tensor<5x1xf32>, tensor<5x1xf32>
}

// -----

// A second product has a value for each row, which both parts would need.
// CHECK-LABEL: func.func @all_of_one(
// CHECK:         linalg.matmul
// CHECK-NOT:     linalg.matmul
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
func.func @all_of_one(%x: tensor<5x8xf32>, %w: tensor<8x6xf32>, %v: tensor<8xf32>) -> (tensor<5x3xf32>, tensor<5x3xf32>) {
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x6xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %p = linalg.matmul ins(%x, %w : tensor<5x8xf32>, tensor<8x6xf32>) outs(%z : tensor<5x6xf32>) -> tensor<5x6xf32>
  %r = tensor.empty() : tensor<5xf32>
  %y = linalg.fill ins(%zero : f32) outs(%r : tensor<5xf32>) -> tensor<5xf32>
  %q = linalg.matvec ins(%x, %v : tensor<5x8xf32>, tensor<8xf32>) outs(%y : tensor<5xf32>) -> tensor<5xf32>
  %s = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p, %q : tensor<5x6xf32>, tensor<5xf32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %1 = arith.addf %a, %b : f32
    linalg.yield %1 : f32
  } -> tensor<5x6xf32>
  %h = tensor.empty() : tensor<5x3xf32>
  // expected-remark @below {{Reason="a part needs all of a product"}}
  %0 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%h : tensor<5x3xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %t = tensor.extract %s[%i, %j] : tensor<5x6xf32>
    linalg.yield %t : f32
  } -> tensor<5x3xf32>
  %1 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%h : tensor<5x3xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = arith.addi %j, %c3 : index
    %t = tensor.extract %s[%i, %k] : tensor<5x6xf32>
    linalg.yield %t : f32
  } -> tensor<5x3xf32>
  return %0, %1 : tensor<5x3xf32>, tensor<5x3xf32>
}

// -----

// A part of a matrix plus its transpose takes columns of it, and rows.
// CHECK-LABEL: func.func @both_orders(
// CHECK-COUNT-1: linalg.matmul
// CHECK-NOT:     linalg.matmul
#id = affine_map<(i, j) -> (i, j)>
#turned = affine_map<(i, j) -> (j, i)>
func.func @both_orders(%x: tensor<6x8xf32>, %w: tensor<8x6xf32>) -> (tensor<6x3xf32>, tensor<6x3xf32>) {
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<6x6xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<6x6xf32>) -> tensor<6x6xf32>
  %p = linalg.matmul ins(%x, %w : tensor<6x8xf32>, tensor<8x6xf32>) outs(%z : tensor<6x6xf32>) -> tensor<6x6xf32>
  %s = linalg.generic {indexing_maps = [#id, #turned, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p, %p : tensor<6x6xf32>, tensor<6x6xf32>) outs(%e : tensor<6x6xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %1 = arith.addf %a, %b : f32
    linalg.yield %1 : f32
  } -> tensor<6x6xf32>
  %h = tensor.empty() : tensor<6x3xf32>
  // expected-remark @below {{Reason="a tensor behind the product is read at several places"}}
  %0 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%h : tensor<6x3xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %t = tensor.extract %s[%i, %j] : tensor<6x6xf32>
    linalg.yield %t : f32
  } -> tensor<6x3xf32>
  %1 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%h : tensor<6x3xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = arith.addi %j, %c3 : index
    %t = tensor.extract %s[%i, %k] : tensor<6x6xf32>
    linalg.yield %t : f32
  } -> tensor<6x3xf32>
  return %0, %1 : tensor<6x3xf32>, tensor<6x3xf32>
}

// -----

// Heads of values: the softmax before them would be computed for each.
// CHECK-LABEL: func.func @weighs(
// CHECK:         linalg.matmul {{.*}} outs(%{{.*}} : tensor<5x6xf32>)
// CHECK-NOT:     linalg.matmul
// CHECK-COUNT-2: tensor.extract
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
func.func @weighs(%y: tensor<5x8xf32>, %w: tensor<8x6xf32>, %r: tensor<5xf32>) -> (tensor<5x3xf32>, tensor<5x3xf32>) {
  %c3 = arith.constant 3 : index
  %u = tensor.empty() : tensor<5x8xf32>
  %h = tensor.empty() : tensor<5x3xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x6xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %b = linalg.exp ins(%y : tensor<5x8xf32>) outs(%u : tensor<5x8xf32>) -> tensor<5x8xf32>
  %n = linalg.reduce { arith.addf } ins(%b : tensor<5x8xf32>) outs(%r : tensor<5xf32>) dimensions = [1]
  %x = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%b, %n : tensor<5x8xf32>, tensor<5xf32>) outs(%u : tensor<5x8xf32>) {
  ^bb0(%a: f32, %s: f32, %o: f32):
    %q = arith.divf %a, %s : f32
    linalg.yield %q : f32
  } -> tensor<5x8xf32>
  %p = linalg.matmul ins(%x, %w : tensor<5x8xf32>, tensor<8x6xf32>) outs(%z : tensor<5x6xf32>) -> tensor<5x6xf32>
  // expected-remark @below {{Reason="the softmax that the product weighs would be computed for each part"}}
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%h : tensor<5x3xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %t = tensor.extract %p[%i, %j] : tensor<5x6xf32>
    linalg.yield %t : f32
  } -> tensor<5x3xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%h : tensor<5x3xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = arith.addi %j, %c3 : index
    %t = tensor.extract %p[%i, %k] : tensor<5x6xf32>
    linalg.yield %t : f32
  } -> tensor<5x3xf32>
  return %0, %1 : tensor<5x3xf32>, tensor<5x3xf32>
}
