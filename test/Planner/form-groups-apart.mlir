// More pairs that no kernel holds together, each with its reason.

// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-adopt-linalg,fusion-form-groups))' -split-input-file | FileCheck %s
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-adopt-linalg,fusion-form-groups))' -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics -o /dev/null

// A sum along columns needs rows that another kernel makes along rows.
// CHECK-LABEL: func.func @rows_then_columns(
// CHECK:         fusion.group "exp+reduce" kinds ["vertical"]
// CHECK:         fusion.group "reduce" kinds []
// CHECK-NOT:     fusion.group
func.func @rows_then_columns(%x: tensor<64x96xf32>, %d: tensor<64xf32>, %f: tensor<96xf32>) -> (tensor<64xf32>, tensor<96xf32>) {
  %e = tensor.empty() : tensor<64x96xf32>
  %0 = linalg.exp ins(%x : tensor<64x96xf32>) outs(%e : tensor<64x96xf32>) -> tensor<64x96xf32>
  // expected-remark @below {{Remark="fused with exp"}}
  %1 = linalg.reduce { arith.addf } ins(%0 : tensor<64x96xf32>) outs(%d : tensor<64xf32>) dimensions = [1]
  // expected-remark @below {{Reason="the reductions run over different dims"}}
  %2 = linalg.reduce { arith.addf } ins(%0 : tensor<64x96xf32>) outs(%f : tensor<96xf32>) dimensions = [0]
  return %1, %2 : tensor<64xf32>, tensor<96xf32>
}

// -----

// The value is where a product begins to add, rounding each sum to 8 bits: added
// behind it, it would be rounded at other places. (Sums of halves accumulate in f32.)
// CHECK-LABEL: func.func @initial_value_of_a_product(
// CHECK:         fusion.group "exp" kinds []
// CHECK:         fusion.group "matmul" kinds []
// CHECK-NOT:     fusion.group
func.func @initial_value_of_a_product(%x: tensor<16x16xf8E4M3FN>, %w: tensor<16x16xf8E4M3FN>) -> tensor<16x16xf8E4M3FN> {
  %e = tensor.empty() : tensor<16x16xf8E4M3FN>
  %0 = linalg.exp ins(%x : tensor<16x16xf8E4M3FN>) outs(%e : tensor<16x16xf8E4M3FN>) -> tensor<16x16xf8E4M3FN>
  // expected-remark @below {{its sum would be rounded before these are added"}}
  // expected-remark @below {{Reason="only operands of one type, f16, bf16 or f32, are computed inside of a contraction"}}
  %1 = linalg.matmul ins(%x, %w : tensor<16x16xf8E4M3FN>, tensor<16x16xf8E4M3FN>) outs(%0 : tensor<16x16xf8E4M3FN>) -> tensor<16x16xf8E4M3FN>
  return %1 : tensor<16x16xf8E4M3FN>
}

// -----

// Rows summed after a product.
// CHECK-LABEL: func.func @sums_of_a_product(
// CHECK:         fusion.group "matmul" kinds []
// CHECK:         fusion.group "reduce" kinds []
// CHECK-NOT:     fusion.group
func.func @sums_of_a_product(%x: tensor<64x16xf32>, %w: tensor<16x2048xf32>, %d: tensor<64x2048xf32>, %r: tensor<64xf32>) -> tensor<64xf32> {
  %0 = linalg.matmul ins(%x, %w : tensor<64x16xf32>, tensor<16x2048xf32>) outs(%d : tensor<64x2048xf32>) -> tensor<64x2048xf32>
  // expected-remark @below {{Reason="a contraction's tiles do not hold the whole rows of a reduction: 2048 elements are reduced, of which a tile has}}
  %1 = linalg.reduce { arith.maximumf } ins(%0 : tensor<64x2048xf32>) outs(%r : tensor<64xf32>) dimensions = [1]
  return %1 : tensor<64xf32>
}

// -----

// A person keeps the sum apart.
// CHECK-LABEL: func.func @marked_reduction(
// CHECK:         fusion.group "exp" kinds []
// CHECK:         fusion.group "reduce" kinds []
// CHECK-NOT:     fusion.group
func.func @marked_reduction(%x: tensor<64x96xf32>, %d: tensor<64xf32>) -> tensor<64xf32> {
  %e = tensor.empty() : tensor<64x96xf32>
  %0 = linalg.exp ins(%x : tensor<64x96xf32>) outs(%e : tensor<64x96xf32>) -> tensor<64x96xf32>
  // expected-remark @below {{Reason="the consumer is marked with fusion.no_fuse"}}
  %1 = linalg.reduce { arith.addf } ins(%0 : tensor<64x96xf32>) outs(%d : tensor<64xf32>) dimensions = [1] {fusion.no_fuse}
  return %1 : tensor<64xf32>
}

// -----

// A person keeps what follows a product apart.
// CHECK-LABEL: func.func @marked_epilogue(
// CHECK:         fusion.group "matmul" kinds []
// CHECK:         fusion.group "exp" kinds []
// CHECK-NOT:     fusion.group
func.func @marked_epilogue(%x: tensor<16x16xf32>, %w: tensor<16x16xf32>, %d: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %e = tensor.empty() : tensor<16x16xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<16x16xf32>, tensor<16x16xf32>) outs(%d : tensor<16x16xf32>) -> tensor<16x16xf32>
  // expected-remark @below {{Reason="the consumer is marked with fusion.no_fuse"}}
  %1 = linalg.exp {fusion.no_fuse} ins(%0 : tensor<16x16xf32>) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  return %1 : tensor<16x16xf32>
}

// -----

// Pooling of an exponential: windows overlap.
// CHECK-LABEL: func.func @overlapping_windows(
// CHECK:         fusion.group "exp" kinds []
// CHECK:         fusion.group "pooling_nchw_max" kinds []
// CHECK-NOT:     fusion.group
func.func @overlapping_windows(%x: tensor<1x4x18x18xf32>, %w: tensor<3x3xf32>, %d: tensor<1x4x16x16xf32>) -> tensor<1x4x16x16xf32> {
  %e = tensor.empty() : tensor<1x4x18x18xf32>
  %0 = linalg.exp ins(%x : tensor<1x4x18x18xf32>) outs(%e : tensor<1x4x18x18xf32>) -> tensor<1x4x18x18xf32>
  // expected-remark @below {{Reason="windows of the producer's result are read from memory"}}
  %1 = linalg.pooling_nchw_max ins(%0, %w : tensor<1x4x18x18xf32>, tensor<3x3xf32>) outs(%d : tensor<1x4x16x16xf32>) -> tensor<1x4x16x16xf32>
  return %1 : tensor<1x4x16x16xf32>
}

// -----

// A convolution of a convolution.
// CHECK-LABEL: func.func @convolution_of_a_convolution(
// CHECK:         fusion.group "conv_2d_nhwc_hwcf" kinds []
// CHECK:         fusion.group "conv_2d_nhwc_hwcf" kinds []
// CHECK-NOT:     fusion.group
func.func @convolution_of_a_convolution(%x: tensor<1x10x10x4xf32>, %w: tensor<3x3x4x4xf32>, %d: tensor<1x8x8x4xf32>, %f: tensor<1x6x6x4xf32>) -> tensor<1x6x6x4xf32> {
  // expected-remark @below {{Reason="a value between the contractions is read at computed positions"}}
  %0 = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x10x10x4xf32>, tensor<3x3x4x4xf32>) outs(%d : tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32>
  // expected-remark @below {{Reason="a contraction's operand would be the result of another contraction: a value between the contractions is read at computed positions"}}
  %1 = linalg.conv_2d_nhwc_hwcf ins(%0, %w : tensor<1x8x8x4xf32>, tensor<3x3x4x4xf32>) outs(%f : tensor<1x6x6x4xf32>) -> tensor<1x6x6x4xf32>
  return %1 : tensor<1x6x6x4xf32>
}

// -----

// A reduction of a reduction's result along the dim that is left.
// CHECK-LABEL: func.func @sum_of_sums(
// CHECK:         fusion.group "reduce" kinds []
// CHECK:         fusion.group "reduce" kinds []
// CHECK-NOT:     fusion.group
func.func @sum_of_sums(%x: tensor<64x96xf32>, %d: tensor<64xf32>, %f: tensor<f32>) -> tensor<f32> {
  %1 = linalg.reduce { arith.mulf } ins(%x : tensor<64x96xf32>) outs(%d : tensor<64xf32>) dimensions = [1]
  // expected-remark @below {{Reason="the reductions run over different dims"}}
  %2 = linalg.reduce { arith.addf } ins(%1 : tensor<64xf32>) outs(%f : tensor<f32>) dimensions = [0]
  return %2 : tensor<f32>
}

// -----

// Positions that are data.
// CHECK-LABEL: func.func @gathered_sums(
// CHECK:         fusion.group "reduce" kinds []
// CHECK:         fusion.group "elementwise" kinds []
// CHECK-NOT:     fusion.group
func.func @gathered_sums(%x: tensor<64x96xf32>, %i: tensor<8xindex>, %d: tensor<64xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %1 = linalg.reduce { arith.addf } ins(%x : tensor<64x96xf32>) outs(%d : tensor<64xf32>) dimensions = [1]
  // expected-remark @+2 {{Reason="what makes the tensor is not elementwise"}}
  // expected-remark @below {{Reason="the value is not read as a tensor operand"}}
  %2 = linalg.generic {indexing_maps = [affine_map<(a) -> (a)>, affine_map<(a) -> (a)>], iterator_types = ["parallel"]}
      ins(%i : tensor<8xindex>) outs(%e : tensor<8xf32>) {
  ^bb0(%p: index, %q: f32):
    %v = tensor.extract %1[%p] : tensor<64xf32>
    linalg.yield %v : f32
  } -> tensor<8xf32>
  return %2 : tensor<8xf32>
}

// -----

// Backwards along the innermost dim.
// CHECK-LABEL: func.func @reversed(
// CHECK:         fusion.group "exp" kinds []
// CHECK:         fusion.group "other" kinds []
// CHECK-NOT:     fusion.group
func.func @reversed(%x: tensor<64x96xf32>) -> tensor<64x96xf32> {
  %e = tensor.empty() : tensor<64x96xf32>
  %0 = linalg.exp ins(%x : tensor<64x96xf32>) outs(%e : tensor<64x96xf32>) -> tensor<64x96xf32>
  // expected-remark @below {{Reason="the consumer is grouped alone: an operand is read at computed positions"}}
  %1 = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, 95 - b)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]}
      ins(%0 : tensor<64x96xf32>) outs(%e : tensor<64x96xf32>) {
  ^bb0(%p: f32, %r: f32):
    linalg.yield %p : f32
  } -> tensor<64x96xf32>
  return %1 : tensor<64x96xf32>
}

// -----

// A square read at its diagonal.
// CHECK-LABEL: func.func @diagonal(
// CHECK:         fusion.group "exp" kinds []
// CHECK:         fusion.group "other" kinds []
// CHECK-NOT:     fusion.group
func.func @diagonal(%x: tensor<64x64xf32>) -> tensor<64xf32> {
  %e = tensor.empty() : tensor<64x64xf32>
  %f = tensor.empty() : tensor<64xf32>
  %0 = linalg.exp ins(%x : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  // expected-remark @below {{Reason="the consumer is grouped alone: an operand is read at computed positions"}}
  %1 = linalg.generic {indexing_maps = [affine_map<(a) -> (a, a)>, affine_map<(a) -> (a)>], iterator_types = ["parallel"]}
      ins(%0 : tensor<64x64xf32>) outs(%f : tensor<64xf32>) {
  ^bb0(%p: f32, %r: f32):
    linalg.yield %p : f32
  } -> tensor<64xf32>
  return %1 : tensor<64xf32>
}

// -----

// Products that share a tensor, but not at the same place.
// CHECK-LABEL: func.func @other_positions(
// CHECK:         fusion.group "matmul" kinds []
// CHECK:         fusion.group "matmul+add" kinds ["vertical"]
// CHECK-NOT:     fusion.group
func.func @other_positions(%x: tensor<16x16xf32>, %w: tensor<16x16xf32>, %v: tensor<16x16xf32>, %d: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %e = tensor.empty() : tensor<16x16xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<16x16xf32>, tensor<16x16xf32>) outs(%d : tensor<16x16xf32>) -> tensor<16x16xf32>
  %1 = linalg.matmul ins(%v, %x : tensor<16x16xf32>, tensor<16x16xf32>) outs(%d : tensor<16x16xf32>) -> tensor<16x16xf32>
  // expected-remark @+2 {{Remark="fused with matmul"}}
  // expected-remark @below {{Reason="the contractions of the two kernels, matmul and matmul, share no operand"}}
  %2 = linalg.add ins(%0, %1 : tensor<16x16xf32>, tensor<16x16xf32>) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  return %2 : tensor<16x16xf32>
}

// -----

// Products of other types.
// CHECK-LABEL: func.func @other_types(
// CHECK:         fusion.group "matmul" kinds []
// CHECK:         fusion.group "matmul+add" kinds ["vertical"]
// CHECK-NOT:     fusion.group
func.func @other_types(%x: tensor<16x16xf16>, %w: tensor<16x16xf16>, %v: tensor<16x16xf32>, %y: tensor<16x16xf32>, %d: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %e = tensor.empty() : tensor<16x16xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<16x16xf16>, tensor<16x16xf16>) outs(%d : tensor<16x16xf32>) -> tensor<16x16xf32>
  %1 = linalg.matmul ins(%y, %v : tensor<16x16xf32>, tensor<16x16xf32>) outs(%d : tensor<16x16xf32>) -> tensor<16x16xf32>
  // expected-remark @+2 {{Remark="fused with matmul"}}
  // expected-remark @below {{Reason="the contractions of the two kernels, matmul and matmul, differ in shape, types or layout"}}
  %2 = linalg.add ins(%0, %1 : tensor<16x16xf32>, tensor<16x16xf32>) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  return %2 : tensor<16x16xf32>
}

// -----

// Sums of rows, added to each row of another tensor that is wider.
// CHECK-LABEL: func.func @sums_repeated_over_rows(
// CHECK:         fusion.group "reduce" kinds []
// CHECK:         fusion.group "elementwise" kinds []
// CHECK-NOT:     fusion.group
func.func @sums_repeated_over_rows(%x: tensor<64x96xf32>, %y: tensor<8x64xf32>, %d: tensor<64xf32>) -> tensor<8x64xf32> {
  %e = tensor.empty() : tensor<8x64xf32>
  %1 = linalg.reduce { arith.addf } ins(%x : tensor<64x96xf32>) outs(%d : tensor<64xf32>) dimensions = [1]
  // expected-remark @below {{Reason="each of the two loops over dims that the other does not have"}}
  %2 = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (b)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]}
      ins(%y, %1 : tensor<8x64xf32>, tensor<64xf32>) outs(%e : tensor<8x64xf32>) {
  ^bb0(%p: f32, %q: f32, %r: f32):
    %v = arith.subf %p, %q : f32
    linalg.yield %v : f32
  } -> tensor<8x64xf32>
  return %2 : tensor<8x64xf32>
}

// -----

// A product of one column, repeated by what follows it.
// CHECK-LABEL: func.func @repeated_product(
// CHECK:         fusion.group "matmul" kinds []
// CHECK:         fusion.group "elementwise" kinds []
// CHECK-NOT:     fusion.group
func.func @repeated_product(%x: tensor<4x8xf32>, %w: tensor<8x1xf32>, %y: tensor<4x8xf32>, %d: tensor<4x1xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x1xf32>) outs(%d : tensor<4x1xf32>) -> tensor<4x1xf32>
  // expected-remark @below {{Reason="the consumer repeats the result of a contraction"}}
  %1 = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, 0)>, affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]}
      ins(%0, %y : tensor<4x1xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%p: f32, %q: f32, %r: f32):
    %v = arith.addf %p, %q : f32
    linalg.yield %v : f32
  } -> tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}

// -----

// Sums of rows, and of planes of the same rows.
// CHECK-LABEL: func.func @rows_and_planes(
// CHECK:         fusion.group "exp+reduce" kinds ["vertical"]
// CHECK:         fusion.group "reduce" kinds []
// CHECK-NOT:     fusion.group
func.func @rows_and_planes(%x: tensor<4x8x16xf32>, %d: tensor<4x8xf32>, %f: tensor<4xf32>) -> (tensor<4x8xf32>, tensor<4xf32>) {
  %e = tensor.empty() : tensor<4x8x16xf32>
  %0 = linalg.exp ins(%x : tensor<4x8x16xf32>) outs(%e : tensor<4x8x16xf32>) -> tensor<4x8x16xf32>
  // expected-remark @below {{Remark="fused with exp"}}
  %1 = linalg.reduce { arith.addf } ins(%0 : tensor<4x8x16xf32>) outs(%d : tensor<4x8xf32>) dimensions = [2]
  // expected-remark @below {{Reason="the reductions run over different dims"}}
  %2 = linalg.reduce { arith.maximumf } ins(%0 : tensor<4x8x16xf32>) outs(%f : tensor<4xf32>) dimensions = [1, 2]
  return %1, %2 : tensor<4x8xf32>, tensor<4xf32>
}

// -----

// Windows after windows.
// CHECK-LABEL: func.func @pooled_twice(
// CHECK:         fusion.group "pooling_nchw_max" kinds []
// CHECK:         fusion.group "pooling_nchw_max" kinds []
// CHECK-NOT:     fusion.group
func.func @pooled_twice(%x: tensor<1x4x18x18xf32>, %w: tensor<2x2xf32>, %d: tensor<1x4x17x17xf32>, %f: tensor<1x4x16x16xf32>) -> tensor<1x4x16x16xf32> {
  %0 = linalg.pooling_nchw_max ins(%x, %w : tensor<1x4x18x18xf32>, tensor<2x2xf32>) outs(%d : tensor<1x4x17x17xf32>) -> tensor<1x4x17x17xf32>
  // expected-remark @below {{Reason="windows of the producer's result are read from memory"}}
  %1 = linalg.pooling_nchw_max ins(%0, %w : tensor<1x4x17x17xf32>, tensor<2x2xf32>) outs(%f : tensor<1x4x16x16xf32>) -> tensor<1x4x16x16xf32>
  return %1 : tensor<1x4x16x16xf32>
}

// -----

// An op of another dialect stands between.
func.func private @other(tensor<64xf32>) -> tensor<64xf32>
// CHECK-LABEL: func.func @opaque(
// CHECK:         fusion.group "exp" kinds []
// CHECK:         fusion.group "add" kinds []
// CHECK-NOT:     fusion.group
func.func @opaque(%x: tensor<64xf32>) -> tensor<64xf32> {
  %e = tensor.empty() : tensor<64xf32>
  %0 = linalg.exp ins(%x : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %1 = func.call @other(%0) : (tensor<64xf32>) -> tensor<64xf32>
  // expected-remark @below {{Reason="an operation between the two needs the one and feeds the other"}}
  %2 = linalg.add ins(%0, %1 : tensor<64xf32>, tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  return %2 : tensor<64xf32>
}

// -----

// A person keeps what a sum reads apart.
// CHECK-LABEL: func.func @marked_producer_of_rows(
// CHECK:         fusion.group "exp" kinds []
// CHECK:         fusion.group "reduce" kinds []
// CHECK-NOT:     fusion.group
func.func @marked_producer_of_rows(%x: tensor<64x96xf32>, %d: tensor<64xf32>) -> tensor<64xf32> {
  %e = tensor.empty() : tensor<64x96xf32>
  %0 = linalg.exp {fusion.no_fuse} ins(%x : tensor<64x96xf32>) outs(%e : tensor<64x96xf32>) -> tensor<64x96xf32>
  // expected-remark @below {{Reason="the producer is marked with fusion.no_fuse"}}
  %1 = linalg.reduce { arith.maximumf } ins(%0 : tensor<64x96xf32>) outs(%d : tensor<64xf32>) dimensions = [1]
  return %1 : tensor<64xf32>
}

// -----

// Halves of what a product makes, in another order of its columns.
// CHECK-LABEL: func.func @rotated_columns(
// CHECK:         fusion.group "matmul" kinds []
// CHECK:         fusion.group "elementwise" kinds []
// CHECK-NOT:     fusion.group
func.func @rotated_columns(%x: tensor<32x16xf32>, %w: tensor<16x48xf32>, %d: tensor<32x48xf32>) -> tensor<32x48xf32> {
  %e = tensor.empty() : tensor<32x48xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<32x16xf32>, tensor<16x48xf32>) outs(%d : tensor<32x48xf32>) -> tensor<32x48xf32>
  // expected-remark @+2 {{Reason="what makes the tensor is not elementwise"}}
  // expected-remark @below {{Reason="the value is not read as a tensor operand"}}
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<32x48xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %c24 = arith.constant 24 : index
    %c48 = arith.constant 48 : index
    %k = arith.addi %j, %c24 : index
    %l = arith.remui %k, %c48 : index
    %v = tensor.extract %0[%i, %l] : tensor<32x48xf32>
    linalg.yield %v : f32
  } -> tensor<32x48xf32>
  return %1 : tensor<32x48xf32>
}

// -----

// Where the search for a maximum begins is what another op makes.
// CHECK-LABEL: func.func @initial_value_of_maxima(
// CHECK:         fusion.group "exp" kinds []
// CHECK:         fusion.group "reduce" kinds []
// CHECK-NOT:     fusion.group
func.func @initial_value_of_maxima(%x: tensor<64x96xf32>, %y: tensor<64xf32>) -> tensor<64xf32> {
  %e = tensor.empty() : tensor<64xf32>
  %0 = linalg.exp ins(%y : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  // expected-remark @below {{Reason="it begins with computed values, and does not only add to them"}}
  // expected-remark @below {{Reason="the value is the initial value of an accumulator"}}
  %1 = linalg.reduce { arith.maximumf } ins(%x : tensor<64x96xf32>) outs(%0 : tensor<64xf32>) dimensions = [1]
  return %1 : tensor<64xf32>
}

// -----

// A scan reads what it has written itself.
// CHECK-LABEL: func.func @running_sums(
// CHECK:         fusion.group "exp" kinds []
// CHECK:         fusion.group "other" kinds []
// CHECK-NOT:     fusion.group
func.func @running_sums(%x: tensor<8x16xf32>, %d: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %e = tensor.empty() : tensor<8x16xf32>
  %0 = linalg.exp ins(%x : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  // expected-remark @below {{Reason="the consumer is grouped alone: no operand is indexed by all loops"}}
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%0 : tensor<8x16xf32>) outs(%d : tensor<8x16xf32>) {
  ^bb0(%p: f32, %o: f32):
    %j = linalg.index 1 : index
    %k = linalg.index 2 : index
    %c = arith.cmpi ule, %k, %j : index
    %zero = arith.constant 0.0 : f32
    %v = arith.select %c, %p, %zero : f32
    %s = arith.addf %o, %v : f32
    linalg.yield %s : f32
  } -> tensor<8x16xf32>
  %2 = linalg.transpose ins(%1 : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) permutation = [0, 1]
  return %2 : tensor<8x16xf32>
}

// -----

// A sum of columns, of what a sum of rows is subtracted from.
// CHECK-LABEL: func.func @both_ways(
// CHECK:         fusion.group "reduce+broadcast+sub" kinds ["vertical"]
// CHECK:         fusion.group "reduce" kinds []
// CHECK-NOT:     fusion.group
func.func @both_ways(%x: tensor<64x96xf32>, %d: tensor<64xf32>, %f: tensor<96xf32>) -> tensor<96xf32> {
  %e = tensor.empty() : tensor<64x96xf32>
  %0 = linalg.reduce { arith.addf } ins(%x : tensor<64x96xf32>) outs(%d : tensor<64xf32>) dimensions = [1]
  // expected-remark @below {{Remark="fused with reduce"}}
  %w = linalg.broadcast ins(%0 : tensor<64xf32>) outs(%e : tensor<64x96xf32>) dimensions = [1]
  // expected-remark @below {{Remark="fused with broadcast"}}
  %s = linalg.sub ins(%x, %w : tensor<64x96xf32>, tensor<64x96xf32>) outs(%e : tensor<64x96xf32>) -> tensor<64x96xf32>
  // expected-remark @below {{Reason="the reductions run over different dims"}}
  %1 = linalg.reduce { arith.addf } ins(%s : tensor<64x96xf32>) outs(%f : tensor<96xf32>) dimensions = [0]
  return %1 : tensor<96xf32>
}
