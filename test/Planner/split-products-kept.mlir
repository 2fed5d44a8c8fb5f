// Products that keep the shape they have, with the reasons.

// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-split-products))' -split-input-file | FileCheck %s
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-split-products))' -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics -o /dev/null

// Windows are no products.
// CHECK-LABEL: func.func @windows(
// CHECK:         linalg.pooling_nchw_max
// CHECK:         tensor.expand_shape
func.func @windows(%x: tensor<2x6x8x8xf32>, %d: tensor<2x6x6x6xf32>, %t: tensor<2x2x3x6x6xf32>) -> tensor<2x2x3x6x6xf32> {
  %k = tensor.empty() : tensor<3x3xf32>
  %0 = linalg.pooling_nchw_max ins(%x, %k : tensor<2x6x8x8xf32>, tensor<3x3xf32>) outs(%d : tensor<2x6x6x6xf32>) -> tensor<2x6x6x6xf32>
  // expected-remark @below {{Reason="only products run on the shape of what reads them"}}
  %1 = tensor.expand_shape %0 [[0], [1, 2], [3], [4]] output_shape [2, 3, 2, 6, 6] : tensor<2x6x6x6xf32> into tensor<2x3x2x6x6xf32>
  %2 = linalg.transpose ins(%1 : tensor<2x3x2x6x6xf32>) outs(%t : tensor<2x2x3x6x6xf32>) permutation = [0, 2, 1, 3, 4]
  return %2 : tensor<2x2x3x6x6xf32>
}

// -----

// What is added to the product in both orders would be cut along its rows, and
// along its columns.
// CHECK-LABEL: func.func @both_orders(
// CHECK:         linalg.matmul
// CHECK:         tensor.expand_shape
func.func @both_orders(%x: tensor<15x31xf32>, %w: tensor<31x15xf32>, %y: tensor<15x15xf32>, %d: tensor<15x15xf32>, %t: tensor<3x15x5xf32>) -> tensor<3x15x5xf32> {
  %e = tensor.empty() : tensor<15x15xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<15x31xf32>, tensor<31x15xf32>) outs(%d : tensor<15x15xf32>) -> tensor<15x15xf32>
  %y0 = linalg.exp ins(%y : tensor<15x15xf32>) outs(%e : tensor<15x15xf32>) -> tensor<15x15xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%0, %y0, %y0 : tensor<15x15xf32>, tensor<15x15xf32>, tensor<15x15xf32>) outs(%e : tensor<15x15xf32>) {
  ^bb0(%p: f32, %a: f32, %b: f32, %r: f32):
    %s = arith.addf %a, %b : f32
    %q = arith.mulf %p, %s : f32
    linalg.yield %q : f32
  } -> tensor<15x15xf32>
  // expected-remark @below {{Reason="the loops of an operation around the product would be cut in different ways"}}
  %2 = tensor.expand_shape %1 [[0], [1, 2]] output_shape [15, 3, 5] : tensor<15x15xf32> into tensor<15x3x5xf32>
  %3 = linalg.transpose ins(%2 : tensor<15x3x5xf32>) outs(%t : tensor<3x15x5xf32>) permutation = [1, 0, 2]
  return %3 : tensor<3x15x5xf32>
}

// -----

// What follows the product has a second result.
// CHECK-LABEL: func.func @two_results(
// CHECK:         linalg.matmul
// CHECK:         tensor.expand_shape
func.func @two_results(%x: tensor<14x31xf32>, %w: tensor<31x15xf32>, %d: tensor<14x15xf32>, %t: tensor<3x14x5xf32>) -> (tensor<3x14x5xf32>, tensor<14x15xf32>) {
  %e = tensor.empty() : tensor<14x15xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<14x31xf32>, tensor<31x15xf32>) outs(%d : tensor<14x15xf32>) -> tensor<14x15xf32>
  %1:2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%0 : tensor<14x15xf32>) outs(%e, %e : tensor<14x15xf32>, tensor<14x15xf32>) {
  ^bb0(%a: f32, %r: f32, %q: f32):
    %s = math.sin %a : f32
    %c = math.cos %a : f32
    linalg.yield %s, %c : f32, f32
  } -> (tensor<14x15xf32>, tensor<14x15xf32>)
  // expected-remark @below {{Reason="an operation around the product has several results"}}
  %2 = tensor.expand_shape %1#0 [[0], [1, 2]] output_shape [14, 3, 5] : tensor<14x15xf32> into tensor<14x3x5xf32>
  %3 = linalg.transpose ins(%2 : tensor<14x3x5xf32>) outs(%t : tensor<3x14x5xf32>) permutation = [1, 0, 2]
  return %3, %1#1 : tensor<3x14x5xf32>, tensor<14x15xf32>
}

// -----

// The product has another reader, which wants it as it is.
// CHECK-LABEL: func.func @returned(
// CHECK:         linalg.matmul
// CHECK:         tensor.expand_shape
func.func @returned(%x: tensor<14x31xf32>, %w: tensor<31x15xf32>, %d: tensor<14x15xf32>, %t: tensor<3x14x5xf32>) -> (tensor<3x14x5xf32>, tensor<14x15xf32>) {
  %e = tensor.empty() : tensor<14x15xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<14x31xf32>, tensor<31x15xf32>) outs(%d : tensor<14x15xf32>) -> tensor<14x15xf32>
  %1 = linalg.exp ins(%0 : tensor<14x15xf32>) outs(%e : tensor<14x15xf32>) -> tensor<14x15xf32>
  %2 = tensor.expand_shape %1 [[0], [1, 2]] output_shape [14, 3, 5] : tensor<14x15xf32> into tensor<14x3x5xf32>
  %3 = linalg.transpose ins(%2 : tensor<14x3x5xf32>) outs(%t : tensor<3x14x5xf32>) permutation = [1, 0, 2]
  return %3, %0 : tensor<3x14x5xf32>, tensor<14x15xf32>
}

// -----

// No product: the reshape is none of this pass's.
// CHECK-LABEL: func.func @no_product(
// CHECK:         linalg.exp
// CHECK:         tensor.expand_shape
func.func @no_product(%x: tensor<14x15xf32>, %t: tensor<3x14x5xf32>) -> tensor<3x14x5xf32> {
  %e = tensor.empty() : tensor<14x15xf32>
  %1 = linalg.exp ins(%x : tensor<14x15xf32>) outs(%e : tensor<14x15xf32>) -> tensor<14x15xf32>
  %2 = tensor.expand_shape %1 [[0], [1, 2]] output_shape [14, 3, 5] : tensor<14x15xf32> into tensor<14x3x5xf32>
  %3 = linalg.transpose ins(%2 : tensor<14x3x5xf32>) outs(%t : tensor<3x14x5xf32>) permutation = [1, 0, 2]
  return %3 : tensor<3x14x5xf32>
}

// -----

// The heads are stored as they lie: nothing to gain.
// CHECK-LABEL: func.func @same_order(
// CHECK:         linalg.matmul
// CHECK:         tensor.expand_shape %{{.*}} into tensor<14x3x5xf32>
func.func @same_order(%x: tensor<14x31xf32>, %w: tensor<31x15xf32>, %d: tensor<14x15xf32>, %t: tensor<14x3x5xf32>) -> tensor<14x3x5xf32> {
  %0 = linalg.matmul ins(%x, %w : tensor<14x31xf32>, tensor<31x15xf32>) outs(%d : tensor<14x15xf32>) -> tensor<14x15xf32>
  %1 = tensor.expand_shape %0 [[0], [1, 2]] output_shape [14, 3, 5] : tensor<14x15xf32> into tensor<14x3x5xf32>
  %2 = linalg.exp ins(%1 : tensor<14x3x5xf32>) outs(%t : tensor<14x3x5xf32>) -> tensor<14x3x5xf32>
  return %2 : tensor<14x3x5xf32>
}

// -----

// The heads are a result as well, in their own order.
// CHECK-LABEL: func.func @result(
// CHECK:         linalg.matmul
// CHECK:         tensor.expand_shape %{{.*}} into tensor<14x3x5xf32>
func.func @result(%x: tensor<14x31xf32>, %w: tensor<31x15xf32>, %d: tensor<14x15xf32>, %t: tensor<3x14x5xf32>) -> (tensor<3x14x5xf32>, tensor<14x3x5xf32>) {
  %0 = linalg.matmul ins(%x, %w : tensor<14x31xf32>, tensor<31x15xf32>) outs(%d : tensor<14x15xf32>) -> tensor<14x15xf32>
  // expected-remark @below {{Reason="what the reshape makes is read as it is, not only by elementwise operations and reductions"}}
  %1 = tensor.expand_shape %0 [[0], [1, 2]] output_shape [14, 3, 5] : tensor<14x15xf32> into tensor<14x3x5xf32>
  %2 = linalg.transpose ins(%1 : tensor<14x3x5xf32>) outs(%t : tensor<3x14x5xf32>) permutation = [1, 0, 2]
  return %2, %1 : tensor<3x14x5xf32>, tensor<14x3x5xf32>
}

// -----

// What else reads the product wants it as it is.
// CHECK-LABEL: func.func @two_readers(
// CHECK:         linalg.matmul
// CHECK:         tensor.expand_shape %{{.*}} into tensor<14x3x5xf32>
func.func @two_readers(%x: tensor<14x31xf32>, %w: tensor<31x15xf32>, %d: tensor<14x15xf32>, %t: tensor<3x14x5xf32>) -> (tensor<3x14x5xf32>, tensor<14x15xf32>) {
  %0 = linalg.matmul ins(%x, %w : tensor<14x31xf32>, tensor<31x15xf32>) outs(%d : tensor<14x15xf32>) -> tensor<14x15xf32>
  // expected-remark @below {{Reason="something else reads the product on the shape that it has"}}
  %1 = tensor.expand_shape %0 [[0], [1, 2]] output_shape [14, 3, 5] : tensor<14x15xf32> into tensor<14x3x5xf32>
  %2 = linalg.transpose ins(%1 : tensor<14x3x5xf32>) outs(%t : tensor<3x14x5xf32>) permutation = [1, 0, 2]
  %3 = linalg.exp ins(%0 : tensor<14x15xf32>) outs(%d : tensor<14x15xf32>) -> tensor<14x15xf32>
  return %2, %3 : tensor<3x14x5xf32>, tensor<14x15xf32>
}

// -----

// A function that is called gets the heads in memory.
// CHECK-LABEL: func.func @called(
// CHECK:         linalg.matmul
// CHECK:         tensor.expand_shape %{{.*}} into tensor<14x3x5xf16>
func.func private @other(tensor<14x3x5xf16>)
func.func @called(%x: tensor<14x31xf16>, %w: tensor<31x15xf16>, %d: tensor<14x15xf16>, %t: tensor<3x14x5xf16>) -> tensor<3x14x5xf16> {
  %0 = linalg.matmul ins(%x, %w : tensor<14x31xf16>, tensor<31x15xf16>) outs(%d : tensor<14x15xf16>) -> tensor<14x15xf16>
  // expected-remark @below {{Reason="what the reshape makes is read as it is, not only by elementwise operations and reductions"}}
  %1 = tensor.expand_shape %0 [[0], [1, 2]] output_shape [14, 3, 5] : tensor<14x15xf16> into tensor<14x3x5xf16>
  func.call @other(%1) : (tensor<14x3x5xf16>) -> ()
  %2 = linalg.transpose ins(%1 : tensor<14x3x5xf16>) outs(%t : tensor<3x14x5xf16>) permutation = [1, 0, 2]
  return %2 : tensor<3x14x5xf16>
}

// -----

// What follows the product is marked.
// CHECK-LABEL: func.func @marked_end(
// CHECK:         linalg.matmul
// CHECK:         tensor.expand_shape %{{.*}} into tensor<14x3x5xf32>
func.func @marked_end(%x: tensor<14x31xf16>, %w: tensor<31x15xf16>, %d: tensor<14x15xf32>, %t: tensor<3x14x5xf32>) -> tensor<3x14x5xf32> {
  %e = tensor.empty() : tensor<14x15xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<14x31xf16>, tensor<31x15xf16>) outs(%d : tensor<14x15xf32>) -> tensor<14x15xf32>
  %1 = linalg.exp {fusion.no_fuse} ins(%0 : tensor<14x15xf32>) outs(%e : tensor<14x15xf32>) -> tensor<14x15xf32>
  // expected-remark @below {{Reason="the op is marked with fusion.no_fuse"}}
  %2 = tensor.expand_shape %1 [[0], [1, 2]] output_shape [14, 3, 5] : tensor<14x15xf32> into tensor<14x3x5xf32>
  %3 = linalg.transpose ins(%2 : tensor<14x3x5xf32>) outs(%t : tensor<3x14x5xf32>) permutation = [1, 0, 2]
  return %3 : tensor<3x14x5xf32>
}

// -----

// The rows of one matrix times its rows: only those of one side would be cut.
// CHECK-LABEL: func.func @gram(
// CHECK:         linalg.generic {{.*}} ins(%[[V:.*]], %[[V]] : tensor<15x31xf32>, tensor<15x31xf32>)
// CHECK:         tensor.expand_shape %{{.*}} into tensor<15x3x5xf32>
func.func @gram(%x: tensor<15x31xf32>, %d: tensor<15x15xf32>, %t: tensor<3x15x5xf32>) -> tensor<3x15x5xf32> {
  %e = tensor.empty() : tensor<15x31xf32>
  %v = linalg.exp ins(%x : tensor<15x31xf32>) outs(%e : tensor<15x31xf32>) -> tensor<15x31xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%v, %v : tensor<15x31xf32>, tensor<15x31xf32>) outs(%d : tensor<15x15xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<15x15xf32>
  // expected-remark @below {{Reason="the loops of an operation around the product would be cut in different ways"}}
  %2 = tensor.expand_shape %0 [[0], [1, 2]] output_shape [15, 3, 5] : tensor<15x15xf32> into tensor<15x3x5xf32>
  %3 = linalg.transpose ins(%2 : tensor<15x3x5xf32>) outs(%t : tensor<3x15x5xf32>) permutation = [1, 0, 2]
  return %3 : tensor<3x15x5xf32>
}

// -----

// The diagonal of a product, repeated along rows, is not its end.
// CHECK-LABEL: func.func @diagonal(
// CHECK:         linalg.matmul
// CHECK:         tensor.expand_shape %{{.*}} into tensor<3x5x15xf32>
func.func @diagonal(%x: tensor<15x31xf32>, %w: tensor<31x15xf32>, %d: tensor<15x15xf32>, %t: tensor<5x3x15xf32>) -> tensor<5x3x15xf32> {
  %e = tensor.empty() : tensor<15x15xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<15x31xf32>, tensor<31x15xf32>) outs(%d : tensor<15x15xf32>) -> tensor<15x15xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%0 : tensor<15x15xf32>) outs(%e : tensor<15x15xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = math.exp %a : f32
    linalg.yield %s : f32
  } -> tensor<15x15xf32>
  %2 = tensor.expand_shape %1 [[0, 1], [2]] output_shape [3, 5, 15] : tensor<15x15xf32> into tensor<3x5x15xf32>
  %3 = linalg.transpose ins(%2 : tensor<3x5x15xf32>) outs(%t : tensor<5x3x15xf32>) permutation = [1, 0, 2]
  return %3 : tensor<5x3x15xf32>
}
// -----

// Stores would divide by a size that is known only at run time.
// CHECK-LABEL: func.func @unknown(
// CHECK:         linalg.matmul
// CHECK-NEXT:    tensor.expand_shape
func.func @unknown(%x: tensor<?x31xf32>, %w: tensor<31x15xf32>, %d: tensor<?x15xf32>, %o: tensor<?x2x15xf32>, %n: index) -> tensor<?x2x15xf32> {
  %0 = linalg.matmul ins(%x, %w : tensor<?x31xf32>, tensor<31x15xf32>) outs(%d : tensor<?x15xf32>) -> tensor<?x15xf32>
  // expected-remark @below {{Reason="a product's tiles split their places by sizes that are known only at run time"}}
  %1 = tensor.expand_shape %0 [[0, 1], [2]] output_shape [2, %n, 15] : tensor<?x15xf32> into tensor<2x?x15xf32>
  %2 = linalg.transpose ins(%1 : tensor<2x?x15xf32>) outs(%o : tensor<?x2x15xf32>) permutation = [1, 0, 2]
  return %2 : tensor<?x2x15xf32>
}

// -----

// Places are part of the sums.
// CHECK-LABEL: func.func @places(
// CHECK:         tensor.expand_shape
#image = affine_map<(f, p, c, w) -> (c, p + w)>
#filters = affine_map<(f, p, c, w) -> (f, c, w)>
#result = affine_map<(f, p, c, w) -> (f, p)>
func.func @places(%x: tensor<4x8xf32>, %w: tensor<6x4x3xf32>, %d: tensor<6x6xf32>, %o: tensor<3x6x2xf32>) -> tensor<3x6x2xf32> {
  %0 = linalg.generic {indexing_maps = [#image, #filters, #result], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : tensor<4x8xf32>, tensor<6x4x3xf32>) outs(%d : tensor<6x6xf32>) {
  ^bb0(%a: f32, %b: f32, %r: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %r, %m : f32
    linalg.yield %s : f32
  } -> tensor<6x6xf32>
  // expected-remark @below {{Reason="a loop of the product, or of an operation around it, is part of a sum of loops"}}
  %1 = tensor.expand_shape %0 [[0], [1, 2]] output_shape [6, 3, 2] : tensor<6x6xf32> into tensor<6x3x2xf32>
  %2 = linalg.transpose ins(%1 : tensor<6x3x2xf32>) outs(%o : tensor<3x6x2xf32>) permutation = [1, 0, 2]
  return %2 : tensor<3x6x2xf32>
}

// -----

// A further contraction reads it as it is.
// CHECK-LABEL: func.func @attention(
// CHECK:         linalg.matmul
// CHECK-NEXT:    tensor.expand_shape
func.func @attention(%x: tensor<14x31xf32>, %w: tensor<31x15xf32>, %d: tensor<14x15xf32>, %t: tensor<3x14x5xf32>, %k: tensor<14x5x9xf32>, %o: tensor<14x3x9xf32>) -> (tensor<14x3x9xf32>, tensor<3x14x5xf32>) {
  %0 = linalg.matmul ins(%x, %w : tensor<14x31xf32>, tensor<31x15xf32>) outs(%d : tensor<14x15xf32>) -> tensor<14x15xf32>
  // expected-remark @below {{Reason="what the reshape makes is read as it is, not only by elementwise operations and reductions"}}
  %1 = tensor.expand_shape %0 [[0], [1, 2]] output_shape [14, 3, 5] : tensor<14x15xf32> into tensor<14x3x5xf32>
  %2 = linalg.transpose ins(%1 : tensor<14x3x5xf32>) outs(%t : tensor<3x14x5xf32>) permutation = [1, 0, 2]
  %3 = linalg.batch_matmul ins(%1, %k : tensor<14x3x5xf32>, tensor<14x5x9xf32>) outs(%o : tensor<14x3x9xf32>) -> tensor<14x3x9xf32>
  return %3, %2 : tensor<14x3x9xf32>, tensor<3x14x5xf32>
}

// -----

// The product is marked: it keeps its shape.
// CHECK-LABEL: func.func @kept(
// CHECK:         linalg.matmul
func.func @kept(%x: tensor<14x31xf32>, %w: tensor<31x15xf32>, %d: tensor<14x15xf32>, %t: tensor<3x14x5xf32>) -> tensor<3x14x5xf32> {
  %0 = linalg.matmul {fusion.no_fuse} ins(%x, %w : tensor<14x31xf32>, tensor<31x15xf32>) outs(%d : tensor<14x15xf32>) -> tensor<14x15xf32>
  // expected-remark @below {{Reason="the op is marked with fusion.no_fuse"}}
  %1 = tensor.expand_shape %0 [[0], [1, 2]] output_shape [14, 3, 5] : tensor<14x15xf32> into tensor<14x3x5xf32>
  %2 = linalg.transpose ins(%1 : tensor<14x3x5xf32>) outs(%t : tensor<3x14x5xf32>) permutation = [1, 0, 2]
  return %2 : tensor<3x14x5xf32>
}

// -----

// Sums of whole rows, and of heads as long as no tile is wide, stay.
// CHECK-LABEL: func.func @long_heads(
// CHECK:         linalg.matmul
// CHECK-COUNT-2: tensor.expand_shape
func.func @long_heads(%x: tensor<14x31xf32>, %w: tensor<31x900xf32>, %d: tensor<14x900xf32>, %v: tensor<31x15xf32>, %e: tensor<14x15xf32>, %r: tensor<14x3xf32>, %t: tensor<14xf32>) -> (tensor<14x3xf32>, tensor<14xf32>) {
  %0 = linalg.matmul ins(%x, %w : tensor<14x31xf32>, tensor<31x900xf32>) outs(%d : tensor<14x900xf32>) -> tensor<14x900xf32>
  %1 = tensor.expand_shape %0 [[0], [1, 2]] output_shape [14, 3, 300] : tensor<14x900xf32> into tensor<14x3x300xf32>
  %2 = linalg.reduce { arith.addf } ins(%1 : tensor<14x3x300xf32>) outs(%r : tensor<14x3xf32>) dimensions = [2]
  %3 = linalg.matmul ins(%x, %v : tensor<14x31xf32>, tensor<31x15xf32>) outs(%e : tensor<14x15xf32>) -> tensor<14x15xf32>
  %4 = tensor.expand_shape %3 [[0], [1, 2]] output_shape [14, 3, 5] : tensor<14x15xf32> into tensor<14x3x5xf32>
  %5 = linalg.reduce { arith.addf } ins(%4 : tensor<14x3x5xf32>) outs(%t : tensor<14xf32>) dimensions = [1, 2]
  return %2, %5 : tensor<14x3xf32>, tensor<14xf32>
}
