// Products that keep the shape they have: of what surrounds them something would be
// cut otherwise, or is read as it lies.

// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-split-products))' -split-input-file | FileCheck %s
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-split-products))' -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics -o /dev/null

// One tensor is multiplied, and added to the product: it would be cut along its rows
// for the one, along rows and columns for the other.
// CHECK-LABEL: func.func @starts_from_operand(
// CHECK:         %[[Y:.*]] = linalg.exp
// CHECK:         linalg.matmul ins(%[[Y]], %{{.*}}) outs(%[[Y]] : tensor<15x15xf32>)
// CHECK:         tensor.expand_shape
func.func @starts_from_operand(%x: tensor<15x15xf32>, %w: tensor<15x15xf32>, %t: tensor<5x3x3x5xf32>) -> tensor<5x3x3x5xf32> {
  %e = tensor.empty() : tensor<15x15xf32>
  %y = linalg.exp ins(%x : tensor<15x15xf32>) outs(%e : tensor<15x15xf32>) -> tensor<15x15xf32>
  %0 = linalg.matmul ins(%y, %w : tensor<15x15xf32>, tensor<15x15xf32>) outs(%y : tensor<15x15xf32>) -> tensor<15x15xf32>
  // expected-remark @below {{Reason="the loops of an operation around the product would be cut in different ways"}}
  %1 = tensor.expand_shape %0 [[0, 1], [2, 3]] output_shape [3, 5, 3, 5] : tensor<15x15xf32> into tensor<3x5x3x5xf32>
  %2 = linalg.transpose ins(%1 : tensor<3x5x3x5xf32>) outs(%t : tensor<5x3x3x5xf32>) permutation = [1, 0, 2, 3]
  return %2 : tensor<5x3x3x5xf32>
}

// -----

// Sums of rows of heads, and the heads go to another product.
// CHECK-LABEL: func.func @sums_and_product(
// CHECK:         linalg.batch_matmul {{.*}} outs(%{{.*}} : tensor<2x14x15xf16>)
// CHECK:         tensor.expand_shape %{{.*}} into tensor<2x14x3x5xf16>
func.func @sums_and_product(%x: tensor<2x14x31xf16>, %w: tensor<2x31x15xf16>, %d: tensor<2x14x15xf16>, %r: tensor<2x14x3xf16>, %v: tensor<2x14x5x9xf16>, %o: tensor<2x14x3x9xf16>) -> (tensor<2x14x3xf16>, tensor<2x14x3x9xf16>) {
  %0 = linalg.batch_matmul ins(%x, %w : tensor<2x14x31xf16>, tensor<2x31x15xf16>) outs(%d : tensor<2x14x15xf16>) -> tensor<2x14x15xf16>
  // expected-remark @below {{Reason="what the reshape makes is read as it is, not only by elementwise operations and reductions"}}
  %1 = tensor.expand_shape %0 [[0], [1], [2, 3]] output_shape [2, 14, 3, 5] : tensor<2x14x15xf16> into tensor<2x14x3x5xf16>
  %2 = linalg.reduce { arith.addf } ins(%1 : tensor<2x14x3x5xf16>) outs(%r : tensor<2x14x3xf16>) dimensions = [3]
  %3 = linalg.generic {indexing_maps = [affine_map<(a, b, i, j, k) -> (a, b, i, k)>, affine_map<(a, b, i, j, k) -> (a, b, k, j)>, affine_map<(a, b, i, j, k) -> (a, b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%1, %v : tensor<2x14x3x5xf16>, tensor<2x14x5x9xf16>) outs(%o : tensor<2x14x3x9xf16>) {
  ^bb0(%a: f16, %b: f16, %c: f16):
    %m = arith.mulf %a, %b : f16
    %s = arith.addf %c, %m : f16
    linalg.yield %s : f16
  } -> tensor<2x14x3x9xf16>
  return %2, %3 : tensor<2x14x3xf16>, tensor<2x14x3x9xf16>
}

// -----

// One product, two reshapes: heads of the columns, and groups of the rows.
// CHECK-LABEL: func.func @two_reshapes(
// CHECK:         linalg.matmul {{.*}} outs(%{{.*}} : tensor<14x15xf32>)
// CHECK-COUNT-2: tensor.expand_shape
func.func @two_reshapes(%x: tensor<14x31xf32>, %w: tensor<31x15xf32>, %d: tensor<14x15xf32>, %t: tensor<3x14x5xf32>, %u: tensor<7x2x15xf32>) -> (tensor<3x14x5xf32>, tensor<7x2x15xf32>) {
  %0 = linalg.matmul ins(%x, %w : tensor<14x31xf32>, tensor<31x15xf32>) outs(%d : tensor<14x15xf32>) -> tensor<14x15xf32>
  // expected-remark @below {{Reason="something else reads the product on the shape that it has"}}
  %1 = tensor.expand_shape %0 [[0], [1, 2]] output_shape [14, 3, 5] : tensor<14x15xf32> into tensor<14x3x5xf32>
  %2 = linalg.transpose ins(%1 : tensor<14x3x5xf32>) outs(%t : tensor<3x14x5xf32>) permutation = [1, 0, 2]
  // expected-remark @below {{Reason="something else reads the product on the shape that it has"}}
  %3 = tensor.expand_shape %0 [[0, 1], [2]] output_shape [2, 7, 15] : tensor<14x15xf32> into tensor<2x7x15xf32>
  %4 = linalg.transpose ins(%3 : tensor<2x7x15xf32>) outs(%u : tensor<7x2x15xf32>) permutation = [1, 0, 2]
  return %2, %4 : tensor<3x14x5xf32>, tensor<7x2x15xf32>
}

// -----

// What is computed behind the product is a result too, as a matrix.
// CHECK-LABEL: func.func @epilogue_returned(
// CHECK:         linalg.matmul
// CHECK:         %[[E:.*]] = linalg.exp
// CHECK:         tensor.expand_shape %[[E]]
func.func @epilogue_returned(%x: tensor<14x31xf32>, %w: tensor<31x15xf32>, %d: tensor<14x15xf32>, %t: tensor<3x14x5xf32>) -> (tensor<3x14x5xf32>, tensor<14x15xf32>) {
  %e = tensor.empty() : tensor<14x15xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<14x31xf32>, tensor<31x15xf32>) outs(%d : tensor<14x15xf32>) -> tensor<14x15xf32>
  %1 = linalg.exp ins(%0 : tensor<14x15xf32>) outs(%e : tensor<14x15xf32>) -> tensor<14x15xf32>
  // expected-remark @below {{Reason="something else reads the product on the shape that it has"}}
  %2 = tensor.expand_shape %1 [[0], [1, 2]] output_shape [14, 3, 5] : tensor<14x15xf32> into tensor<14x3x5xf32>
  %3 = linalg.transpose ins(%2 : tensor<14x3x5xf32>) outs(%t : tensor<3x14x5xf32>) permutation = [1, 0, 2]
  return %3, %1 : tensor<3x14x5xf32>, tensor<14x15xf32>
}

// -----

// The columns are cut into heads, of which the first size is known: how many columns a
// head has is not.
// CHECK-LABEL: func.func @unknown_heads(
// CHECK:         linalg.matmul {{.*}} outs(%{{.*}} : tensor<14x?xf32>)
// CHECK:         tensor.expand_shape
func.func @unknown_heads(%x: tensor<14x31xf32>, %w: tensor<31x?xf32>, %d: tensor<14x?xf32>, %t: tensor<3x14x?xf32>, %n: index) -> tensor<3x14x?xf32> {
  %0 = linalg.matmul ins(%x, %w : tensor<14x31xf32>, tensor<31x?xf32>) outs(%d : tensor<14x?xf32>) -> tensor<14x?xf32>
  // expected-remark @below {{Reason="a product's tiles split their places by sizes that are known only at run time"}}
  %1 = tensor.expand_shape %0 [[0], [1, 2]] output_shape [14, 3, %n] : tensor<14x?xf32> into tensor<14x3x?xf32>
  %2 = linalg.transpose ins(%1 : tensor<14x3x?xf32>) outs(%t : tensor<3x14x?xf32>) permutation = [1, 0, 2]
  return %2 : tensor<3x14x?xf32>
}

// -----

// What makes an operand is marked: it would run on rows that are cut.
// CHECK-LABEL: func.func @marked_operand(
// CHECK:         %[[Y:.*]] = linalg.exp {fusion.no_fuse}
// CHECK:         linalg.matmul ins(%[[Y]]
// CHECK:         tensor.expand_shape
func.func @marked_operand(%x: tensor<14x31xf32>, %w: tensor<31x15xf32>, %d: tensor<14x15xf32>, %t: tensor<7x2x15xf32>) -> tensor<7x2x15xf32> {
  %e = tensor.empty() : tensor<14x31xf32>
  %y = linalg.exp {fusion.no_fuse} ins(%x : tensor<14x31xf32>) outs(%e : tensor<14x31xf32>) -> tensor<14x31xf32>
  %0 = linalg.matmul ins(%y, %w : tensor<14x31xf32>, tensor<31x15xf32>) outs(%d : tensor<14x15xf32>) -> tensor<14x15xf32>
  // expected-remark @below {{Reason="the op is marked with fusion.no_fuse"}}
  %1 = tensor.expand_shape %0 [[0, 1], [2]] output_shape [2, 7, 15] : tensor<14x15xf32> into tensor<2x7x15xf32>
  %2 = linalg.transpose ins(%1 : tensor<2x7x15xf32>) outs(%t : tensor<7x2x15xf32>) permutation = [1, 0, 2]
  return %2 : tensor<7x2x15xf32>
}

// -----

// The maximum of each window is no product, though the groups of channels behind it
// are reduced one by one.
// CHECK-LABEL: func.func @groups_of_windows(
// CHECK:         linalg.pooling_nhwc_max {{.*}} outs(%{{.*}} : tensor<1x6x6x6xf32>)
// CHECK:         tensor.expand_shape
func.func @groups_of_windows(%x: tensor<1x8x8x6xf32>, %d: tensor<1x6x6x6xf32>, %r: tensor<1x6x6x2xf32>) -> tensor<1x6x6x2xf32> {
  %k = tensor.empty() : tensor<3x3xf32>
  %0 = linalg.pooling_nhwc_max ins(%x, %k : tensor<1x8x8x6xf32>, tensor<3x3xf32>) outs(%d : tensor<1x6x6x6xf32>) -> tensor<1x6x6x6xf32>
  // expected-remark @below {{Reason="only products run on the shape of what reads them"}}
  %1 = tensor.expand_shape %0 [[0], [1], [2], [3, 4]] output_shape [1, 6, 6, 2, 3] : tensor<1x6x6x6xf32> into tensor<1x6x6x2x3xf32>
  %2 = linalg.reduce { arith.addf } ins(%1 : tensor<1x6x6x2x3xf32>) outs(%r : tensor<1x6x6x2xf32>) dimensions = [4]
  return %2 : tensor<1x6x6x2xf32>
}

// -----

// The rows of a convolution's places, strided: the loop over them is part of a sum.
// CHECK-LABEL: func.func @strided_places(
// CHECK:         linalg.conv_2d_nhwc_hwcf {{.*}} outs(%{{.*}} : tensor<1x4x4x5xf16>)
// CHECK:         tensor.expand_shape
func.func @strided_places(%x: tensor<1x9x9x3xf16>, %w: tensor<3x3x3x5xf16>, %d: tensor<1x4x4x5xf16>, %t: tensor<1x2x2x4x5xf16>) -> tensor<1x2x2x4x5xf16> {
  %0 = linalg.conv_2d_nhwc_hwcf {strides = dense<2> : tensor<2xi64>} ins(%x, %w : tensor<1x9x9x3xf16>, tensor<3x3x3x5xf16>) outs(%d : tensor<1x4x4x5xf16>) -> tensor<1x4x4x5xf16>
  // expected-remark @below {{Reason="a loop of the product, or of an operation around it, is part of a sum of loops"}}
  %1 = tensor.expand_shape %0 [[0], [1, 2], [3], [4]] output_shape [1, 2, 2, 4, 5] : tensor<1x4x4x5xf16> into tensor<1x2x2x4x5xf16>
  %2 = linalg.transpose ins(%1 : tensor<1x2x2x4x5xf16>) outs(%t : tensor<1x2x2x4x5xf16>) permutation = [0, 2, 1, 3, 4]
  return %2 : tensor<1x2x2x4x5xf16>
}

// -----

// The host reads one element of the heads, where they lie.
// CHECK-LABEL: func.func @one_element(
// CHECK:         linalg.matmul
// CHECK:         tensor.expand_shape
func.func @one_element(%x: tensor<14x31xf32>, %w: tensor<31x15xf32>, %d: tensor<14x15xf32>, %t: tensor<3x14x5xf32>, %at: index) -> (tensor<3x14x5xf32>, f32) {
  %0 = linalg.matmul ins(%x, %w : tensor<14x31xf32>, tensor<31x15xf32>) outs(%d : tensor<14x15xf32>) -> tensor<14x15xf32>
  // expected-remark @below {{Reason="what the reshape makes is read as it is, not only by elementwise operations and reductions"}}
  %1 = tensor.expand_shape %0 [[0], [1, 2]] output_shape [14, 3, 5] : tensor<14x15xf32> into tensor<14x3x5xf32>
  %2 = linalg.transpose ins(%1 : tensor<14x3x5xf32>) outs(%t : tensor<3x14x5xf32>) permutation = [1, 0, 2]
  %3 = tensor.extract %1[%at, %at, %at] : tensor<14x3x5xf32>
  return %2, %3 : tensor<3x14x5xf32>, f32
}
