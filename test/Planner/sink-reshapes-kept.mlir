// Reshapes between two linalg ops that stay, each with its reason.

// RUN: fusion-opt %s -fusion-sink-reshapes -split-input-file | FileCheck %s
// RUN: fusion-opt %s -fusion-sink-reshapes -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics -o /dev/null

// A bias along a collapsed dim cannot be read in the collapsed shape.
#id = affine_map<(i, j, k) -> (i, j, k)>
#middle = affine_map<(i, j, k) -> (j)>

// CHECK-LABEL: func.func @not_together(
// CHECK:         linalg.matmul
// CHECK:         tensor.expand_shape
// CHECK:         linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<2x8x48xf32>, tensor<8xf32>)
func.func @not_together(%x: tensor<16x4xf32>, %w: tensor<4x48xf32>, %bias: tensor<8xf32>, %e: tensor<16x48xf32>) -> tensor<2x8x48xf32> {
  %f = tensor.empty() : tensor<2x8x48xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<16x4xf32>, tensor<4x48xf32>) outs(%e : tensor<16x48xf32>) -> tensor<16x48xf32>
  // expected-remark @below {{Reason="an index map does not keep the reshaped dims together"}}
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

// Nothing to win, and nothing considered: the expanded value is an argument.
#id = affine_map<(i, j) -> (i, j)>

// CHECK-LABEL: func.func @argument(
// CHECK:         tensor.expand_shape %{{.*}}
// CHECK-NEXT:    linalg.generic
func.func @argument(%x: tensor<16xf32>, %e: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %r = tensor.expand_shape %x [[0, 1]] output_shape [2, 8] : tensor<16xf32> into tensor<2x8xf32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%r : tensor<2x8xf32>) outs(%e : tensor<2x8xf32>) {
  ^bb0(%p: f32, %d: f32):
    %0 = arith.negf %p : f32
    linalg.yield %0 : f32
  } -> tensor<2x8xf32>
  return %y : tensor<2x8xf32>
}

// -----

// A contraction runs on the shape that it has.
// CHECK-LABEL: func.func @before_a_contraction(
// CHECK:         linalg.exp
// CHECK:         tensor.expand_shape
// CHECK:         linalg.batch_matmul
func.func @before_a_contraction(%x: tensor<16x8xf32>, %w: tensor<2x8x4xf32>, %d: tensor<2x8x4xf32>) -> tensor<2x8x4xf32> {
  %e = tensor.empty() : tensor<16x8xf32>
  %0 = linalg.exp ins(%x : tensor<16x8xf32>) outs(%e : tensor<16x8xf32>) -> tensor<16x8xf32>
  // expected-remark @below {{Reason="only elementwise ops and reductions run on another shape"}}
  %r = tensor.expand_shape %0 [[0, 1], [2]] output_shape [2, 8, 8] : tensor<16x8xf32> into tensor<2x8x8xf32>
  %y = linalg.batch_matmul ins(%r, %w : tensor<2x8x8xf32>, tensor<2x8x4xf32>) outs(%d : tensor<2x8x4xf32>) -> tensor<2x8x4xf32>
  return %y : tensor<2x8x4xf32>
}

// -----

// From contraction to contraction: neither has another shape.
// CHECK-LABEL: func.func @between_contractions(
// CHECK:         linalg.batch_matmul
// CHECK-NEXT:    tensor.collapse_shape
// CHECK-NEXT:    linalg.matmul
func.func @between_contractions(%x: tensor<2x8x8xf32>, %w: tensor<2x8x4xf32>, %v: tensor<4x4xf32>, %d: tensor<2x8x4xf32>, %e: tensor<16x4xf32>) -> tensor<16x4xf32> {
  %0 = linalg.batch_matmul ins(%x, %w : tensor<2x8x8xf32>, tensor<2x8x4xf32>) outs(%d : tensor<2x8x4xf32>) -> tensor<2x8x4xf32>
  // expected-remark @below {{Reason="the loops of a contraction or of windows stay as they are"}}
  %r = tensor.collapse_shape %0 [[0, 1], [2]] : tensor<2x8x4xf32> into tensor<16x4xf32>
  %y = linalg.matmul ins(%r, %v : tensor<16x4xf32>, tensor<4x4xf32>) outs(%e : tensor<16x4xf32>) -> tensor<16x4xf32>
  return %y : tensor<16x4xf32>
}

// -----

// A reduction over one of the parts cannot run on the whole, nor a product on the
// parts.
// CHECK-LABEL: func.func @reduced_part(
// CHECK:         linalg.matmul
// CHECK:         tensor.expand_shape
// CHECK:         linalg.reduce
func.func @reduced_part(%x: tensor<16x4xf32>, %w: tensor<4x4xf32>, %e: tensor<16x4xf32>, %d: tensor<2xf32>) -> tensor<2xf32> {
  %0 = linalg.matmul ins(%x, %w : tensor<16x4xf32>, tensor<4x4xf32>) outs(%e : tensor<16x4xf32>) -> tensor<16x4xf32>
  // expected-remark @below {{Reason="an index map does not keep the reshaped dims together"}}
  %r = tensor.expand_shape %0 [[0, 1], [2]] output_shape [2, 8, 4] : tensor<16x4xf32> into tensor<2x8x4xf32>
  %y = linalg.reduce { arith.addf } ins(%r : tensor<2x8x4xf32>) outs(%d : tensor<2xf32>) dimensions = [1, 2]
  return %y : tensor<2xf32>
}

// -----

// The parts are read in another order: they are one dim in none.
#id = affine_map<(i, j, k) -> (i, j, k)>
#turned = affine_map<(i, j, k) -> (j, i, k)>

// CHECK-LABEL: func.func @turned(
// CHECK:         linalg.matmul
// CHECK:         tensor.expand_shape
// CHECK:         linalg.generic
func.func @turned(%x: tensor<16x4xf32>, %w: tensor<4x8xf32>, %e: tensor<16x8xf32>, %f: tensor<8x2x8xf32>) -> tensor<8x2x8xf32> {
  %0 = linalg.matmul ins(%x, %w : tensor<16x4xf32>, tensor<4x8xf32>) outs(%e : tensor<16x8xf32>) -> tensor<16x8xf32>
  // expected-remark @below {{Reason="an index map does not keep the reshaped dims together"}}
  %r = tensor.expand_shape %0 [[0, 1], [2]] output_shape [2, 8, 8] : tensor<16x8xf32> into tensor<2x8x8xf32>
  %y = linalg.generic {indexing_maps = [#turned, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%r : tensor<2x8x8xf32>) outs(%f : tensor<8x2x8xf32>) {
  ^bb0(%p: f32, %d: f32):
    %1 = math.exp %p : f32
    linalg.yield %1 : f32
  } -> tensor<8x2x8xf32>
  return %y : tensor<8x2x8xf32>
}

// -----

// A pool reads windows of the shape that it has.
// CHECK-LABEL: func.func @before_windows(
// CHECK:         linalg.exp
// CHECK:         tensor.expand_shape
// CHECK:         linalg.pooling_nhwc_max
func.func @before_windows(%x: tensor<200x8xf32>, %w: tensor<3x3xf32>, %d: tensor<2x8x8x8xf32>) -> tensor<2x8x8x8xf32> {
  %e = tensor.empty() : tensor<200x8xf32>
  %0 = linalg.exp ins(%x : tensor<200x8xf32>) outs(%e : tensor<200x8xf32>) -> tensor<200x8xf32>
  // expected-remark @below {{Reason="only elementwise ops and reductions run on another shape"}}
  %r = tensor.expand_shape %0 [[0, 1, 2], [3]] output_shape [2, 10, 10, 8] : tensor<200x8xf32> into tensor<2x10x10x8xf32>
  %y = linalg.pooling_nhwc_max {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%r, %w : tensor<2x10x10x8xf32>, tensor<3x3xf32>) outs(%d : tensor<2x8x8x8xf32>) -> tensor<2x8x8x8xf32>
  return %y : tensor<2x8x8x8xf32>
}

// -----

// What only moves a tensor is read through, whatever the shapes beside it are.
// CHECK-LABEL: func.func @before_a_movement(
// CHECK:         linalg.exp ins(%{{.*}} : tensor<4x6xf16>)
// CHECK-NEXT:    tensor.collapse_shape
// CHECK-NEXT:    tensor.expand_shape
// CHECK-NEXT:    linalg.transpose ins(%{{.*}} : tensor<2x12xf16>)
func.func @before_a_movement(%x: tensor<4x6xf16>, %e: tensor<4x6xf16>, %f: tensor<12x2xf16>) -> tensor<12x2xf16> {
  %0 = linalg.exp ins(%x : tensor<4x6xf16>) outs(%e : tensor<4x6xf16>) -> tensor<4x6xf16>
  %c = tensor.collapse_shape %0 [[0, 1]] : tensor<4x6xf16> into tensor<24xf16>
  // expected-remark @below {{Reason="what only moves a tensor is read through, where it lies"}}
  %r = tensor.expand_shape %c [[0, 1]] output_shape [2, 12] : tensor<24xf16> into tensor<2x12xf16>
  %y = linalg.transpose ins(%r : tensor<2x12xf16>) outs(%f : tensor<12x2xf16>) permutation = [1, 0]
  return %y : tensor<12x2xf16>
}

// -----

// The reader, which can only run on the parts, is in a branch, and what it reads, which
// is a result as a whole too, is not.
#one = affine_map<(i) -> (i)>
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// CHECK-LABEL: func.func @into_a_branch(
// CHECK:         %[[Y:.*]] = linalg.generic {{.*}} ins(%{{.*}} : tensor<16xi32>)
// CHECK:         %[[R:.*]] = tensor.expand_shape %[[Y]]
// CHECK:         fusion.if
// CHECK:           linalg.generic {{.*}} ins(%[[R]], %{{.*}} : tensor<2x8xi32>, tensor<2xi32>)
// CHECK:         return %{{.*}}, %[[Y]]
func.func @into_a_branch(%c: tensor<i1>, %x: tensor<16xi32>, %s: tensor<2xi32>, %d: tensor<16xi32>, %e: tensor<2x8xi32>) -> (tensor<2x8xi32>, tensor<16xi32>) {
  %0 = linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]} ins(%x : tensor<16xi32>) outs(%d : tensor<16xi32>) {
  ^bb0(%p: i32, %q: i32):
    %1 = math.absi %p : i32
    linalg.yield %1 : i32
  } -> tensor<16xi32>
  // expected-remark @below {{Reason="it does not stand between two operations"}}
  %r = tensor.expand_shape %0 [[0, 1]] output_shape [2, 8] : tensor<16xi32> into tensor<2x8xi32>
  %b = fusion.if %c : tensor<i1> -> tensor<2x8xi32> {
    %y = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
        ins(%r, %s : tensor<2x8xi32>, tensor<2xi32>) outs(%e : tensor<2x8xi32>) {
    ^bb0(%p: i32, %f: i32, %q: i32):
      %1 = arith.muli %p, %f : i32
      linalg.yield %1 : i32
    } -> tensor<2x8xi32>
    fusion.yield %y : tensor<2x8xi32>
  } else {
    fusion.yield %r : tensor<2x8xi32>
  }
  return %b, %0 : tensor<2x8xi32>, tensor<16xi32>
}

// -----

// The result of the function is the reshaped value: nothing reads it.
// CHECK-LABEL: func.func @result(
// CHECK:         %[[Y:.*]] = linalg.exp
// CHECK-NEXT:    %[[R:.*]] = tensor.expand_shape %[[Y]]
// CHECK-NEXT:    return %[[R]]
func.func @result(%x: tensor<?xf64>, %e: tensor<?xf64>, %n: index) -> tensor<?x8xf64> {
  %0 = linalg.exp ins(%x : tensor<?xf64>) outs(%e : tensor<?xf64>) -> tensor<?xf64>
  %r = tensor.expand_shape %0 [[0, 1]] output_shape [%n, 8] : tensor<?xf64> into tensor<?x8xf64>
  return %r : tensor<?x8xf64>
}

// -----

// Of no elements: any shape would do, and none is made of the dims of both.
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// CHECK-LABEL: func.func @no_elements(
// CHECK:         linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<0x4xi32>, tensor<0xi32>)
// CHECK:         tensor.expand_shape
// CHECK:         linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<2x0xi32>, tensor<2xi32>)
func.func @no_elements(%x: tensor<0x4xi32>, %s: tensor<0xi32>, %t: tensor<2xi32>, %d: tensor<0x4xi32>, %e: tensor<2x0xi32>) -> tensor<2x0xi32> {
  %0 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : tensor<0x4xi32>, tensor<0xi32>) outs(%d : tensor<0x4xi32>) {
  ^bb0(%p: i32, %q: i32, %o: i32):
    %1 = arith.muli %p, %q : i32
    linalg.yield %1 : i32
  } -> tensor<0x4xi32>
  %c = tensor.collapse_shape %0 [[0, 1]] : tensor<0x4xi32> into tensor<0xi32>
  // expected-remark @below {{Reason="no shape is made of the dims of both sides of a reshape"}}
  %r = tensor.expand_shape %c [[0, 1]] output_shape [2, 0] : tensor<0xi32> into tensor<2x0xi32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%r, %t : tensor<2x0xi32>, tensor<2xi32>) outs(%e : tensor<2x0xi32>) {
  ^bb0(%p: i32, %q: i32, %o: i32):
    %1 = arith.addi %p, %q : i32
    linalg.yield %1 : i32
  } -> tensor<2x0xi32>
  return %y : tensor<2x0xi32>
}

// -----

// The reader reads the neighbour of each element, which may be in another part.
#id = affine_map<(i, j) -> (i, j)>
#next = affine_map<(i, j) -> (i, j + 1)>
#row = affine_map<(i, j) -> (i)>

// CHECK-LABEL: func.func @neighbours(
// CHECK:         linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<6x4xf16>, tensor<6xf16>)
// CHECK:         tensor.expand_shape
// CHECK:         linalg.generic {{.*}} ins(%{{.*}} : tensor<3x8xf16>) outs(%{{.*}} : tensor<3x7xf16>)
func.func @neighbours(%x: tensor<6x4xf16>, %s: tensor<6xf16>, %d: tensor<6x4xf16>, %e: tensor<3x7xf16>) -> tensor<3x7xf16> {
  %0 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : tensor<6x4xf16>, tensor<6xf16>) outs(%d : tensor<6x4xf16>) {
  ^bb0(%p: f16, %q: f16, %o: f16):
    %1 = arith.mulf %p, %q : f16
    linalg.yield %1 : f16
  } -> tensor<6x4xf16>
  %c = tensor.collapse_shape %0 [[0, 1]] : tensor<6x4xf16> into tensor<24xf16>
  // expected-remark @below {{Reason="only elementwise ops and reductions run on another shape"}}
  %r = tensor.expand_shape %c [[0, 1]] output_shape [3, 8] : tensor<24xf16> into tensor<3x8xf16>
  %y = linalg.generic {indexing_maps = [#next, #id], iterator_types = ["parallel", "parallel"]}
      ins(%r : tensor<3x8xf16>) outs(%e : tensor<3x7xf16>) {
  ^bb0(%p: f16, %o: f16):
    %1 = arith.negf %p : f16
    linalg.yield %1 : f16
  } -> tensor<3x7xf16>
  return %y : tensor<3x7xf16>
}

// -----

// A row of unknown length: how it is cut is not known either.
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// CHECK-LABEL: func.func @unknown_rows(
// CHECK:         linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<4x?xf32>, tensor<4xf32>)
// CHECK:         tensor.expand_shape
// CHECK:         linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<?x6xf32>, tensor<?xf32>)
func.func @unknown_rows(%x: tensor<4x?xf32>, %s: tensor<4xf32>, %t: tensor<?xf32>, %d: tensor<4x?xf32>, %e: tensor<?x6xf32>, %n: index) -> tensor<?x6xf32> {
  %0 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : tensor<4x?xf32>, tensor<4xf32>) outs(%d : tensor<4x?xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %1 = arith.mulf %p, %q : f32
    linalg.yield %1 : f32
  } -> tensor<4x?xf32>
  %c = tensor.collapse_shape %0 [[0, 1]] : tensor<4x?xf32> into tensor<?xf32>
  // expected-remark @below {{Reason="no shape is made of the dims of both sides of a reshape"}}
  %r = tensor.expand_shape %c [[0, 1]] output_shape [%n, 6] : tensor<?xf32> into tensor<?x6xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%r, %t : tensor<?x6xf32>, tensor<?xf32>) outs(%e : tensor<?x6xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %1 = arith.addf %p, %q : f32
    linalg.yield %1 : f32
  } -> tensor<?x6xf32>
  return %y : tensor<?x6xf32>
}

// -----

// Dims that the product sums over are put together: a norm over one of them has rows
// that are not the product's.
#id = affine_map<(i, j, k) -> (i, j, k)>
#rows = affine_map<(i, j, k) -> (i, j)>

// CHECK-LABEL: func.func @summed_dims(
// CHECK:         %[[N:.*]] = linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<6x4x8xf32>, tensor<6x4xf32>)
// CHECK:         %[[C:.*]] = tensor.collapse_shape %[[N]]
// CHECK-NEXT:    linalg.matmul ins(%[[C]]
func.func @summed_dims(%x: tensor<6x4x8xf32>, %s: tensor<6x4xf32>, %w: tensor<32x4xf32>, %d: tensor<6x4x8xf32>, %e: tensor<6x4xf32>) -> tensor<6x4xf32> {
  %n = linalg.generic {indexing_maps = [#id, #rows, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %s : tensor<6x4x8xf32>, tensor<6x4xf32>) outs(%d : tensor<6x4x8xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %0 = arith.divf %p, %q : f32
    linalg.yield %0 : f32
  } -> tensor<6x4x8xf32>
  // expected-remark @below {{Reason="only elementwise ops and reductions run on another shape"}}
  %c = tensor.collapse_shape %n [[0], [1, 2]] : tensor<6x4x8xf32> into tensor<6x32xf32>
  %y = linalg.matmul ins(%c, %w : tensor<6x32xf32>, tensor<32x4xf32>) outs(%e : tensor<6x4xf32>) -> tensor<6x4xf32>
  return %y : tensor<6x4xf32>
}

// -----

// The same of a product whose left side is transposed.
#id = affine_map<(i, j, k) -> (i, j, k)>

// CHECK-LABEL: func.func @summed_dims_transposed(
// CHECK:         %[[N:.*]] = linalg.generic {{.*}} ins(%{{.*}} : tensor<4x8x6xf32>)
// CHECK:         %[[C:.*]] = tensor.collapse_shape %[[N]]
// CHECK-NEXT:    linalg.matmul {{.*}}ins(%[[C]]
func.func @summed_dims_transposed(%x: tensor<4x8x6xf32>, %w: tensor<32x4xf32>, %d: tensor<4x8x6xf32>, %e: tensor<6x4xf32>) -> tensor<6x4xf32> {
  %n = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : tensor<4x8x6xf32>) outs(%d : tensor<4x8x6xf32>) {
  ^bb0(%p: f32, %o: f32):
    %1 = math.exp %p : f32
    linalg.yield %1 : f32
  } -> tensor<4x8x6xf32>
  // expected-remark @below {{Reason="only elementwise ops and reductions run on another shape"}}
  %c = tensor.collapse_shape %n [[0, 1], [2]] : tensor<4x8x6xf32> into tensor<32x6xf32>
  %y = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%c, %w : tensor<32x6xf32>, tensor<32x4xf32>) outs(%e : tensor<6x4xf32>) -> tensor<6x4xf32>
  return %y : tensor<6x4xf32>
}

// -----

// A bias per image: the rows of the images cannot be numbered through.
#id = affine_map<(i, j, k) -> (i, j, k)>
#image = affine_map<(i, j, k) -> (i)>

// CHECK-LABEL: func.func @bias_of_a_part(
// CHECK:         %[[N:.*]] = linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<2x8x16xf32>, tensor<2xf32>)
// CHECK:         %[[C:.*]] = tensor.collapse_shape %[[N]]
// CHECK-NEXT:    linalg.matmul ins(%[[C]]
func.func @bias_of_a_part(%x: tensor<2x8x16xf32>, %s: tensor<2xf32>, %w: tensor<16x4xf32>, %d: tensor<2x8x16xf32>, %e: tensor<16x4xf32>) -> tensor<16x4xf32> {
  %n = linalg.generic {indexing_maps = [#id, #image, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %s : tensor<2x8x16xf32>, tensor<2xf32>) outs(%d : tensor<2x8x16xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %0 = arith.addf %p, %q : f32
    linalg.yield %0 : f32
  } -> tensor<2x8x16xf32>
  // expected-remark @below {{Reason="only elementwise ops and reductions run on another shape"}}
  %c = tensor.collapse_shape %n [[0, 1], [2]] : tensor<2x8x16xf32> into tensor<16x16xf32>
  %y = linalg.matmul ins(%c, %w : tensor<16x16xf32>, tensor<16x4xf32>) outs(%e : tensor<16x4xf32>) -> tensor<16x4xf32>
  return %y : tensor<16x4xf32>
}

// -----

// A transpose before a product is read where it lies, as by the heads of attention.
// CHECK-LABEL: func.func @turned_before_a_product(
// CHECK:         %[[T:.*]] = linalg.transpose ins(%{{.*}} : tensor<2x16x8xf32>)
// CHECK-NEXT:    %[[C:.*]] = tensor.collapse_shape %[[T]]
// CHECK-NEXT:    linalg.matmul ins(%[[C]]
func.func @turned_before_a_product(%x: tensor<2x16x8xf32>, %w: tensor<16x4xf32>, %d: tensor<2x8x16xf32>, %e: tensor<16x4xf32>) -> tensor<16x4xf32> {
  %t = linalg.transpose ins(%x : tensor<2x16x8xf32>) outs(%d : tensor<2x8x16xf32>) permutation = [0, 2, 1]
  // expected-remark @below {{Reason="what only moves a tensor is read through, where it lies"}}
  %c = tensor.collapse_shape %t [[0, 1], [2]] : tensor<2x8x16xf32> into tensor<16x16xf32>
  %y = linalg.matmul ins(%c, %w : tensor<16x16xf32>, tensor<16x4xf32>) outs(%e : tensor<16x4xf32>) -> tensor<16x4xf32>
  return %y : tensor<16x4xf32>
}

// -----

// What follows a product runs on the loops of that product, not on those of the next.
#id = affine_map<(i, j, k) -> (i, j, k)>

// CHECK-LABEL: func.func @after_another_product(
// CHECK:         linalg.batch_matmul
// CHECK:         %[[N:.*]] = linalg.generic {{.*}} ins(%{{.*}} : tensor<2x8x4xf32>)
// CHECK:         %[[C:.*]] = tensor.collapse_shape %[[N]]
// CHECK:         linalg.matmul ins(%[[C]]
func.func @after_another_product(%x: tensor<2x8x8xf32>, %w: tensor<2x8x4xf32>, %v: tensor<4x4xf32>, %d: tensor<2x8x4xf32>, %e: tensor<16x4xf32>) -> tensor<16x4xf32> {
  %0 = linalg.batch_matmul ins(%x, %w : tensor<2x8x8xf32>, tensor<2x8x4xf32>) outs(%d : tensor<2x8x4xf32>) -> tensor<2x8x4xf32>
  %n = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%0 : tensor<2x8x4xf32>) outs(%d : tensor<2x8x4xf32>) {
  ^bb0(%p: f32, %o: f32):
    %1 = math.exp %p : f32
    linalg.yield %1 : f32
  } -> tensor<2x8x4xf32>
  // expected-remark @below {{Reason="the loops of a contraction or of windows stay as they are"}}
  %r = tensor.collapse_shape %n [[0, 1], [2]] : tensor<2x8x4xf32> into tensor<16x4xf32>
  %y = linalg.matmul ins(%r, %v : tensor<16x4xf32>, tensor<4x4xf32>) outs(%e : tensor<16x4xf32>) -> tensor<16x4xf32>
  return %y : tensor<16x4xf32>
}

// -----

// The op before the product could run on its rows, but not what makes that op's operand,
// of any number of images: the reshape would only move up between the two.
#id = affine_map<(i, j, k) -> (i, j, k)>
#place = affine_map<(i, j, k) -> (j, k)>

// CHECK-LABEL: func.func @added_places(
// CHECK:         %[[B:.*]] = linalg.generic {{.*}} ins(%{{.*}} : tensor<?x16xf32>) outs(%{{.*}} : tensor<?x?x16xf32>)
// CHECK:         %[[N:.*]] = linalg.generic {{.*}} ins(%{{.*}}, %[[B]] : tensor<?x?x16xf32>, tensor<?x?x16xf32>)
// CHECK:         %[[C:.*]] = tensor.collapse_shape %[[N]]
// CHECK-NEXT:    linalg.matmul ins(%[[C]]
func.func @added_places(%x: tensor<?x?x16xf32>, %s: tensor<?x16xf32>, %w: tensor<16x4xf32>, %d: tensor<?x?x16xf32>, %e: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %b = linalg.generic {indexing_maps = [#place, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s : tensor<?x16xf32>) outs(%d : tensor<?x?x16xf32>) {
  ^bb0(%p: f32, %o: f32):
    %0 = math.exp %p : f32
    linalg.yield %0 : f32
  } -> tensor<?x?x16xf32>
  %n = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %b : tensor<?x?x16xf32>, tensor<?x?x16xf32>) outs(%d : tensor<?x?x16xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %0 = arith.addf %p, %q : f32
    linalg.yield %0 : f32
  } -> tensor<?x?x16xf32>
  // expected-remark @below {{Reason="only elementwise ops and reductions run on another shape"}}
  %c = tensor.collapse_shape %n [[0, 1], [2]] : tensor<?x?x16xf32> into tensor<?x16xf32>
  %y = linalg.matmul ins(%c, %w : tensor<?x16xf32>, tensor<16x4xf32>) outs(%e : tensor<?x4xf32>) -> tensor<?x4xf32>
  return %y : tensor<?x4xf32>
}
