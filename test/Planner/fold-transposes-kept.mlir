// Moved operands of contractions that are not read through, each with its reason.

// RUN: fusion-opt %s -fusion-fold-transposes -split-input-file | FileCheck %s
// RUN: fusion-opt %s -fusion-fold-transposes -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics -o /dev/null

// The rows of the second operand run along the batch.
// CHECK-LABEL: func.func @across_the_second(
// CHECK:         %[[T:.*]] = linalg.transpose
// CHECK:         linalg.batch_matmul ins(%{{.*}}, %[[T]]
func.func @across_the_second(%a: tensor<4x8x16xf32>, %b: tensor<16x32x4xf32>, %d: tensor<4x8x32xf32>) -> tensor<4x8x32xf32> {
  %e = tensor.empty() : tensor<4x16x32xf32>
  %t = linalg.transpose ins(%b : tensor<16x32x4xf32>) outs(%e : tensor<4x16x32xf32>) permutation = [2, 0, 1]
  // expected-remark @below {{Reason="the contraction's tiles would read the tensor across its rows"}}
  %0 = linalg.batch_matmul ins(%a, %t : tensor<4x8x16xf32>, tensor<4x16x32xf32>) outs(%d : tensor<4x8x32xf32>) -> tensor<4x8x32xf32>
  return %0 : tensor<4x8x32xf32>
}

// -----

// Two transposes end across the rows.
// CHECK-LABEL: func.func @across_in_two_steps(
// CHECK:         linalg.transpose
// CHECK:         %[[T:.*]] = linalg.transpose
// CHECK:         linalg.batch_matmul ins(%[[T]]
func.func @across_in_two_steps(%a: tensor<8x16x4xf32>, %b: tensor<4x16x32xf32>, %d: tensor<4x8x32xf32>) -> tensor<4x8x32xf32> {
  %e = tensor.empty() : tensor<8x4x16xf32>
  %f = tensor.empty() : tensor<4x8x16xf32>
  %t = linalg.transpose ins(%a : tensor<8x16x4xf32>) outs(%e : tensor<8x4x16xf32>) permutation = [0, 2, 1]
  %u = linalg.transpose ins(%t : tensor<8x4x16xf32>) outs(%f : tensor<4x8x16xf32>) permutation = [1, 0, 2]
  // expected-remark @below {{Reason="the contraction's tiles would read the tensor across its rows"}}
  %0 = linalg.batch_matmul ins(%u, %b : tensor<4x8x16xf32>, tensor<4x16x32xf32>) outs(%d : tensor<4x8x32xf32>) -> tensor<4x8x32xf32>
  return %0 : tensor<4x8x32xf32>
}

// -----

// A matrix of each batch, repeated along its rows: its own rows run along the batch.
// CHECK-LABEL: func.func @across_a_broadcast(
// CHECK:         %[[T:.*]] = linalg.generic
// CHECK:         linalg.batch_matmul ins(%{{.*}}, %[[T]]
func.func @across_a_broadcast(%a: tensor<4x8x16xf32>, %b: tensor<16x4xf32>, %d: tensor<4x8x32xf32>) -> tensor<4x8x32xf32> {
  %e = tensor.empty() : tensor<4x16x32xf32>
  %t = linalg.generic {indexing_maps = [affine_map<(b, k, n) -> (k, b)>, affine_map<(b, k, n) -> (b, k, n)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%b : tensor<16x4xf32>) outs(%e : tensor<4x16x32xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  } -> tensor<4x16x32xf32>
  // expected-remark @below {{Reason="the consumer would be no contraction"}}
  %0 = linalg.batch_matmul ins(%a, %t : tensor<4x8x16xf32>, tensor<4x16x32xf32>) outs(%d : tensor<4x8x32xf32>) -> tensor<4x8x32xf32>
  return %0 : tensor<4x8x32xf32>
}

// -----

// A vector repeated along all columns: no columns are left.
// CHECK-LABEL: func.func @all_columns(
// CHECK:         linalg.broadcast
// CHECK:         linalg.matmul
func.func @all_columns(%a: tensor<8x16xf32>, %b: tensor<16xf32>, %d: tensor<8x32xf32>) -> tensor<8x32xf32> {
  %e = tensor.empty() : tensor<16x32xf32>
  %t = linalg.broadcast ins(%b : tensor<16xf32>) outs(%e : tensor<16x32xf32>) dimensions = [1]
  // expected-remark @below {{Reason="the consumer would be no contraction"}}
  %0 = linalg.matmul ins(%a, %t : tensor<8x16xf32>, tensor<16x32xf32>) outs(%d : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %0 : tensor<8x32xf32>
}

// -----

// Both operands repeat along what is summed: of neither it is a dim then.
// CHECK-LABEL: func.func @summed_repeats(
// CHECK-COUNT-2: linalg.broadcast
// CHECK:         linalg.matmul
func.func @summed_repeats(%a: tensor<8xf32>, %b: tensor<32xf32>, %d: tensor<8x32xf32>) -> tensor<8x32xf32> {
  %e = tensor.empty() : tensor<8x16xf32>
  %f = tensor.empty() : tensor<16x32xf32>
  %t = linalg.broadcast ins(%a : tensor<8xf32>) outs(%e : tensor<8x16xf32>) dimensions = [1]
  %u = linalg.broadcast ins(%b : tensor<32xf32>) outs(%f : tensor<16x32xf32>) dimensions = [0]
  // expected-remark @below {{Reason="the consumer would be no contraction"}}
  %0 = linalg.matmul ins(%t, %u : tensor<8x16xf32>, tensor<16x32xf32>) outs(%d : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %0 : tensor<8x32xf32>
}

// -----

// A person keeps the transpose apart.
// CHECK-LABEL: func.func @marked_transpose(
// CHECK:         %[[T:.*]] = linalg.transpose
// CHECK:         linalg.matmul ins(%[[T]]
func.func @marked_transpose(%a: tensor<16x8xf32>, %b: tensor<16x32xf32>, %d: tensor<8x32xf32>) -> tensor<8x32xf32> {
  %e = tensor.empty() : tensor<8x16xf32>
  %t = linalg.transpose ins(%a : tensor<16x8xf32>) outs(%e : tensor<8x16xf32>) permutation = [1, 0] {fusion.no_fuse}
  // expected-remark @below {{Reason="the producer is marked with fusion.no_fuse"}}
  %0 = linalg.matmul ins(%t, %b : tensor<8x16xf32>, tensor<16x32xf32>) outs(%d : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %0 : tensor<8x32xf32>
}

// -----

// A person keeps the broadcast apart.
// CHECK-LABEL: func.func @marked_broadcast(
// CHECK:         %[[T:.*]] = linalg.broadcast
// CHECK:         linalg.batch_matmul ins(%{{.*}}, %[[T]]
func.func @marked_broadcast(%a: tensor<4x8x16xf32>, %b: tensor<16x32xf32>, %d: tensor<4x8x32xf32>) -> tensor<4x8x32xf32> {
  %e = tensor.empty() : tensor<4x16x32xf32>
  %t = linalg.broadcast ins(%b : tensor<16x32xf32>) outs(%e : tensor<4x16x32xf32>) dimensions = [0] {fusion.no_fuse}
  // expected-remark @below {{Reason="the producer is marked with fusion.no_fuse"}}
  %0 = linalg.batch_matmul ins(%a, %t : tensor<4x8x16xf32>, tensor<4x16x32xf32>) outs(%d : tensor<4x8x32xf32>) -> tensor<4x8x32xf32>
  return %0 : tensor<4x8x32xf32>
}

// -----

// A person keeps the contraction apart.
// CHECK-LABEL: func.func @marked_contraction(
// CHECK:         %[[T:.*]] = linalg.transpose
// CHECK:         linalg.matmul {fusion.no_fuse} ins(%{{.*}}, %[[T]]
func.func @marked_contraction(%a: tensor<8x16xf32>, %b: tensor<32x16xf32>, %d: tensor<8x32xf32>) -> tensor<8x32xf32> {
  %e = tensor.empty() : tensor<16x32xf32>
  %t = linalg.transpose ins(%b : tensor<32x16xf32>) outs(%e : tensor<16x32xf32>) permutation = [1, 0]
  // expected-remark @below {{Reason="the consumer is marked with fusion.no_fuse"}}
  %0 = linalg.matmul {fusion.no_fuse} ins(%a, %t : tensor<8x16xf32>, tensor<16x32xf32>) outs(%d : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %0 : tensor<8x32xf32>
}

// -----

// Both operands lie matrix beside matrix, element by element.
// CHECK-LABEL: func.func @across_both(
// CHECK:         %[[T:.*]] = linalg.transpose
// CHECK:         %[[U:.*]] = linalg.transpose
// CHECK:         linalg.batch_matmul ins(%[[T]], %[[U]]
func.func @across_both(%a: tensor<8x16x2xf32>, %b: tensor<16x4x2xf32>, %d: tensor<2x8x4xf32>) -> tensor<2x8x4xf32> {
  %e = tensor.empty() : tensor<2x8x16xf32>
  %f = tensor.empty() : tensor<2x16x4xf32>
  %t = linalg.transpose ins(%a : tensor<8x16x2xf32>) outs(%e : tensor<2x8x16xf32>) permutation = [2, 0, 1]
  %u = linalg.transpose ins(%b : tensor<16x4x2xf32>) outs(%f : tensor<2x16x4xf32>) permutation = [2, 0, 1]
  // expected-remark @below {{Reason="the contraction's tiles would read the tensor across its rows"}}
  %0 = linalg.batch_matmul ins(%t, %u : tensor<2x8x16xf32>, tensor<2x16x4xf32>) outs(%d : tensor<2x8x4xf32>) -> tensor<2x8x4xf32>
  return %0 : tensor<2x8x4xf32>
}

// -----

// A person keeps the contraction apart from what repeats its operand.
// CHECK-LABEL: func.func @marked_reader_of_repeats(
// CHECK:         %[[T:.*]] = linalg.broadcast
// CHECK:         linalg.batch_matmul {fusion.no_fuse} ins(%{{.*}}, %[[T]]
func.func @marked_reader_of_repeats(%a: tensor<4x8x16xf32>, %b: tensor<16x4xf32>, %d: tensor<4x8x4xf32>) -> tensor<4x8x4xf32> {
  %e = tensor.empty() : tensor<4x16x4xf32>
  %t = linalg.broadcast ins(%b : tensor<16x4xf32>) outs(%e : tensor<4x16x4xf32>) dimensions = [0]
  // expected-remark @below {{Reason="the consumer is marked with fusion.no_fuse"}}
  %0 = linalg.batch_matmul {fusion.no_fuse} ins(%a, %t : tensor<4x8x16xf32>, tensor<4x16x4xf32>) outs(%d : tensor<4x8x4xf32>) -> tensor<4x8x4xf32>
  return %0 : tensor<4x8x4xf32>
}

// -----

// Sizes known only at run time change nothing: the rows run along the batch.
// CHECK-LABEL: func.func @across_dynamic(
// CHECK:         %[[T:.*]] = linalg.transpose
// CHECK:         linalg.batch_matmul ins(%[[T]]
func.func @across_dynamic(%a: tensor<?x16x?xf32>, %b: tensor<?x16x4xf32>, %d: tensor<?x?x4xf32>, %m: index, %n: index) -> tensor<?x?x4xf32> {
  %e = tensor.empty(%n, %m) : tensor<?x?x16xf32>
  %t = linalg.transpose ins(%a : tensor<?x16x?xf32>) outs(%e : tensor<?x?x16xf32>) permutation = [2, 0, 1]
  // expected-remark @below {{Reason="the contraction's tiles would read the tensor across its rows"}}
  %0 = linalg.batch_matmul ins(%t, %b : tensor<?x?x16xf32>, tensor<?x16x4xf32>) outs(%d : tensor<?x?x4xf32>) -> tensor<?x?x4xf32>
  return %0 : tensor<?x?x4xf32>
}

// -----

// Of two readers only one reads through: the transpose stays for the other.
// CHECK-LABEL: func.func @one_of_two(
// CHECK-SAME:    %[[A:.*]]: tensor<16x8xf32>
// CHECK:         %[[T:.*]] = linalg.transpose ins(%[[A]]
// CHECK:         linalg.generic {{.*}} ins(%[[A]], %{{.*}} : tensor<16x8xf32>, tensor<16x4xf32>)
// CHECK:         linalg.matmul {fusion.no_fuse} ins(%[[T]]
func.func @one_of_two(%a: tensor<16x8xf32>, %b: tensor<16x4xf32>, %d: tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>) {
  %e = tensor.empty() : tensor<8x16xf32>
  %t = linalg.transpose ins(%a : tensor<16x8xf32>) outs(%e : tensor<8x16xf32>) permutation = [1, 0]
  // expected-remark @below {{reads what transpose moves where it lies}}
  %0 = linalg.matmul ins(%t, %b : tensor<8x16xf32>, tensor<16x4xf32>) outs(%d : tensor<8x4xf32>) -> tensor<8x4xf32>
  // expected-remark @below {{Reason="the consumer is marked with fusion.no_fuse"}}
  %1 = linalg.matmul {fusion.no_fuse} ins(%t, %b : tensor<8x16xf32>, tensor<16x4xf32>) outs(%d : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %0, %1 : tensor<8x4xf32>, tensor<8x4xf32>
}

// -----

// Only the filter says how wide a window is.
// CHECK-LABEL: func.func @window_lost(
// CHECK:         linalg.broadcast
func.func @window_lost(%x: tensor<1x8x8x16xf32>, %w: tensor<2x16x16xf32>) -> tensor<1x7x7x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x7x7x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x7x7x16xf32>) -> tensor<1x7x7x16xf32>
  %k = tensor.empty() : tensor<2x2x16x16xf32>
  %0 = linalg.broadcast ins(%w : tensor<2x16x16xf32>) outs(%k : tensor<2x2x16x16xf32>) dimensions = [1]
  // expected-remark @below {{Reason="no operand would tell the size of a loop"}}
  %1 = linalg.conv_2d_nhwc_hwcf ins(%x, %0 : tensor<1x8x8x16xf32>, tensor<2x2x16x16xf32>) outs(%f : tensor<1x7x7x16xf32>) -> tensor<1x7x7x16xf32>
  return %1 : tensor<1x7x7x16xf32>
}
// -----

// Rows of memory that run along the batch: every element would be an access.

// CHECK-LABEL: func.func @across(
// CHECK:         linalg.transpose
// CHECK:         linalg.batch_matmul
func.func @across(%a: tensor<8x16x4xf32>, %b: tensor<4x16x32xf32>, %d: tensor<4x8x32xf32>) -> tensor<4x8x32xf32> {
  %e = tensor.empty() : tensor<4x8x16xf32>
  %t = linalg.transpose ins(%a : tensor<8x16x4xf32>) outs(%e : tensor<4x8x16xf32>) permutation = [2, 0, 1]
  // expected-remark @below {{Reason="the contraction's tiles would read the tensor across its rows"}}
  %0 = linalg.batch_matmul ins(%t, %b : tensor<4x8x16xf32>, tensor<4x16x32xf32>) outs(%d : tensor<4x8x32xf32>) -> tensor<4x8x32xf32>
  return %0 : tensor<4x8x32xf32>
}

// -----

// A factor repeated along all of its own rows: nothing is left of the contraction.

// CHECK-LABEL: func.func @all_rows(
// CHECK:         linalg.broadcast
// CHECK:         linalg.matmul
func.func @all_rows(%a: tensor<16xf32>, %b: tensor<16x32xf32>, %d: tensor<8x32xf32>) -> tensor<8x32xf32> {
  %e = tensor.empty() : tensor<8x16xf32>
  %t = linalg.broadcast ins(%a : tensor<16xf32>) outs(%e : tensor<8x16xf32>) dimensions = [0]
  // expected-remark @below {{Reason="the consumer would be no contraction"}}
  %0 = linalg.matmul ins(%t, %b : tensor<8x16xf32>, tensor<16x32xf32>) outs(%d : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %0 : tensor<8x32xf32>
}

// -----

// Marked ops: neither reads through, nor is read through.

// CHECK-LABEL: func.func @marked(
// CHECK-COUNT-2: linalg.transpose
// CHECK-COUNT-2: linalg.matmul
func.func @marked(%a: tensor<16x8xf32>, %b: tensor<16x32xf32>, %d: tensor<8x32xf32>) -> (tensor<8x32xf32>, tensor<8x32xf32>) {
  %e = tensor.empty() : tensor<8x16xf32>
  %t = linalg.transpose ins(%a : tensor<16x8xf32>) outs(%e : tensor<8x16xf32>) permutation = [1, 0]
  %u = linalg.transpose ins(%a : tensor<16x8xf32>) outs(%e : tensor<8x16xf32>) permutation = [1, 0] {fusion.no_fuse}
  // expected-remark @below {{Reason="the consumer is marked with fusion.no_fuse"}}
  %0 = linalg.matmul {fusion.no_fuse} ins(%t, %b : tensor<8x16xf32>, tensor<16x32xf32>) outs(%d : tensor<8x32xf32>) -> tensor<8x32xf32>
  // expected-remark @below {{Reason="the producer is marked with fusion.no_fuse"}}
  %1 = linalg.matmul ins(%u, %b : tensor<8x16xf32>, tensor<16x32xf32>) outs(%d : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %0, %1 : tensor<8x32xf32>, tensor<8x32xf32>
}

// -----

// Rows of memory are heads, one element of each beside the other: across in a product
// of five dims too.
// CHECK-LABEL: func.func @heads_innermost(
// CHECK:         %[[T:.*]] = linalg.transpose
// CHECK:         linalg.generic {{.*}} ins(%{{.*}}, %[[T]] : tensor<2x3x8x16xbf16>, tensor<2x3x16x8xbf16>)
func.func @heads_innermost(%q: tensor<2x3x8x16xbf16>, %k: tensor<2x16x8x3xbf16>, %d: tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32> {
  %e = tensor.empty() : tensor<2x3x16x8xbf16>
  %t = linalg.transpose ins(%k : tensor<2x16x8x3xbf16>) outs(%e : tensor<2x3x16x8xbf16>) permutation = [0, 3, 1, 2]
  // expected-remark @below {{Reason="the contraction's tiles would read the tensor across its rows"}}
  %0 = linalg.generic {indexing_maps = [affine_map<(b, h, m, n, k) -> (b, h, m, k)>, affine_map<(b, h, m, n, k) -> (b, h, k, n)>, affine_map<(b, h, m, n, k) -> (b, h, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %t : tensor<2x3x8x16xbf16>, tensor<2x3x16x8xbf16>) outs(%d : tensor<2x3x8x8xf32>) {
  ^bb0(%a: bf16, %b: bf16, %c: f32):
    %a32 = arith.extf %a : bf16 to f32
    %b32 = arith.extf %b : bf16 to f32
    %m = arith.mulf %a32, %b32 : f32
    %s = arith.addf %c, %m : f32
    linalg.yield %s : f32
  } -> tensor<2x3x8x8xf32>
  return %0 : tensor<2x3x8x8xf32>
}
