// Where tiles do not have both orders, or no one position of a value, transposes
// stay apart, and the remark says why.

// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups{target=sm_90a}))' -split-input-file | FileCheck %s
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-form-groups{target=sm_90a}))' -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics -o /dev/null

// Windows are read along the rows of the result.
// CHECK-LABEL: func.func @windows(
// CHECK-COUNT-2: fusion.group "{{.*}}" kinds []
func.func @windows(%x: tensor<2x8x16x16xf32>) -> tensor<2x8x8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x8x8x8xf32>
  %w = tensor.empty() : tensor<2x2xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<2x8x8x8xf32>) -> tensor<2x8x8x8xf32>
  %0 = linalg.pooling_nchw_sum {strides = dense<2> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
      ins(%x, %w : tensor<2x8x16x16xf32>, tensor<2x2xf32>) outs(%i : tensor<2x8x8x8xf32>) -> tensor<2x8x8x8xf32>
  // expected-remark @below {{Reason="windows are read along the rows of the result: one of them is transposed"}}
  %1 = linalg.transpose ins(%0 : tensor<2x8x8x8xf32>) outs(%e : tensor<2x8x8x8xf32>) permutation = [0, 2, 3, 1]
  return %1 : tensor<2x8x8x8xf32>
}

// -----

// Both orders of one value: two positions of it for each element.
#id = affine_map<(i, j) -> (i, j)>
#t = affine_map<(i, j) -> (j, i)>
// CHECK-LABEL: func.func @both_orders(
// CHECK-COUNT-2: fusion.group "{{.*}}" kinds []
func.func @both_orders(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %e = tensor.empty() : tensor<64x64xf32>
  %0 = linalg.tanh ins(%x : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  // expected-remark @below {{Reason="the consumer reads the value at other positions than the producer writes it"}}
  %1 = linalg.generic {indexing_maps = [#id, #t, #id], iterator_types = ["parallel", "parallel"]}
      ins(%0, %0 : tensor<64x64xf32>, tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%p: f32, %q: f32, %d: f32):
    %2 = arith.addf %p, %q : f32
    linalg.yield %2 : f32
  } -> tensor<64x64xf32>
  return %1 : tensor<64x64xf32>
}

// -----

// A large array that lies along a third dim: a line of memory for each element
// costs more than a launch.
#x = affine_map<(i, j, k) -> (i, j, k)>
#y = affine_map<(i, j, k) -> (k, i, j)>
#z = affine_map<(i, j, k) -> (j, k, i)>
// CHECK-LABEL: func.func @three_orders(
// CHECK-COUNT-2: fusion.group "{{.*}}" kinds []
func.func @three_orders(%x: tensor<256x256x256xf32>, %y: tensor<256x256x256xf32>, %z: tensor<256x256x256xf32>) -> tensor<256x256x256xf32> {
  %e = tensor.empty() : tensor<256x256x256xf32>
  %0 = linalg.transpose ins(%z : tensor<256x256x256xf32>) outs(%e : tensor<256x256x256xf32>) permutation = [2, 0, 1]
  // expected-remark @below {{Reason="estimated slower fused}}
  %1 = linalg.generic {indexing_maps = [#x, #y, #x, #x], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %y, %0 : tensor<256x256x256xf32>, tensor<256x256x256xf32>, tensor<256x256x256xf32>) outs(%e : tensor<256x256x256xf32>) {
  ^bb0(%p: f32, %q: f32, %r: f32, %d: f32):
    %2 = arith.addf %p, %q : f32
    %3 = arith.mulf %2, %r : f32
    linalg.yield %3 : f32
  } -> tensor<256x256x256xf32>
  return %1 : tensor<256x256x256xf32>
}

// -----

// An operand of a product that is computed from what is read transposed.
// CHECK-LABEL: func.func @operand(
// CHECK-COUNT-2: fusion.group "{{.*}}" kinds
func.func @operand(%x: tensor<48x37xf32>, %b: tensor<37x48xf32>, %w: tensor<48x65xf32>, %d: tensor<37x65xf32>) -> tensor<37x65xf32> {
  %e = tensor.empty() : tensor<37x48xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x, %b : tensor<48x37xf32>, tensor<37x48xf32>) outs(%e : tensor<37x48xf32>) {
  ^bb0(%p: f32, %q: f32, %r: f32):
    %2 = arith.addf %p, %q : f32
    linalg.yield %2 : f32
  } -> tensor<37x48xf32>
  // expected-remark @below {{Reason="the operand is computed from a tensor that is read transposed"}}
  %1 = linalg.matmul ins(%0, %w : tensor<37x48xf32>, tensor<48x65xf32>) outs(%d : tensor<37x65xf32>) -> tensor<37x65xf32>
  return %1 : tensor<37x65xf32>
}

// -----

// The user says no.
// CHECK-LABEL: func.func @marked(
// CHECK-COUNT-2: fusion.group "{{.*}}" kinds []
func.func @marked(%x: tensor<8x4xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<8x4xf32>
  %t = tensor.empty() : tensor<4x8xf32>
  %0 = linalg.exp ins(%x : tensor<8x4xf32>) outs(%e : tensor<8x4xf32>) -> tensor<8x4xf32>
  // expected-remark @below {{Reason="the consumer is marked with fusion.no_fuse"}}
  %1 = linalg.transpose ins(%0 : tensor<8x4xf32>) outs(%t : tensor<4x8xf32>) permutation = [1, 0] {fusion.no_fuse}
  return %1 : tensor<4x8xf32>
}

// -----

// A reduction of what a product makes, turned.
// CHECK-LABEL: func.func @rows_of_a_product(
// CHECK-COUNT-2: fusion.group "{{.*}}" kinds
func.func @rows_of_a_product(%x: tensor<320x16xf32>, %w: tensor<16x48xf32>, %d: tensor<320x48xf32>, %f: tensor<48xf32>) -> tensor<48xf32> {
  %e = tensor.empty() : tensor<48x320xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<320x16xf32>, tensor<16x48xf32>) outs(%d : tensor<320x48xf32>) -> tensor<320x48xf32>
  // expected-remark @below {{fused with matmul}}
  %1 = linalg.transpose ins(%0 : tensor<320x48xf32>) outs(%e : tensor<48x320xf32>) permutation = [1, 0]
  // expected-remark @below {{Reason="a contraction's tiles do not hold the whole rows of a reduction: 320 elements are reduced, of which a tile has}}
  %2 = linalg.reduce { arith.addf } ins(%1 : tensor<48x320xf32>) outs(%f : tensor<48xf32>) dimensions = [1]
  return %2 : tensor<48xf32>
}

// -----

// The same value is a result in its own order, and then read in both.
// CHECK-LABEL: func.func @sum_of_both(
// CHECK-COUNT-2: fusion.group "{{.*}}" kinds
func.func @sum_of_both(%x: tensor<64x64xf32>, %d: tensor<64xf32>) -> (tensor<64xf32>, tensor<64x64xf32>) {
  %e = tensor.empty() : tensor<64x64xf32>
  %0 = linalg.exp ins(%x : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  // expected-remark @below {{Remark="fused with exp"}}
  %1 = linalg.reduce { arith.addf } ins(%0 : tensor<64x64xf32>) outs(%d : tensor<64xf32>) dimensions = [0]
  // expected-remark @below {{Reason="the consumer reads the value at other positions than the producer writes it"}}
  %2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%0, %1, %1 : tensor<64x64xf32>, tensor<64xf32>, tensor<64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%p: f32, %q: f32, %s: f32, %r: f32):
    %3 = arith.divf %p, %q : f32
    %4 = arith.mulf %3, %s : f32
    linalg.yield %4 : f32
  } -> tensor<64x64xf32>
  return %1, %2 : tensor<64xf32>, tensor<64x64xf32>
}

// -----

// Both orders of what a product makes: its tiles are one of them.
// CHECK-LABEL: func.func @product_and_turned(
// CHECK:         fusion.group "matmul" kinds []
// CHECK:         fusion.group "transpose+add" kinds ["vertical"]
// CHECK-NOT:     fusion.group
func.func @product_and_turned(%x: tensor<64x16xf32>, %w: tensor<16x64xf32>, %d: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %e = tensor.empty() : tensor<64x64xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<64x16xf32>, tensor<16x64xf32>) outs(%d : tensor<64x64xf32>) -> tensor<64x64xf32>
  // expected-remark @below {{Reason="the consumer reads the value at other positions than the producer writes it"}}
  %1 = linalg.transpose ins(%0 : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) permutation = [1, 0]
  // expected-remark @below {{Reason="the consumer reads the value at other positions than the producer writes it"}}
  // expected-remark @below {{Remark="fused with transpose"}}
  %2 = linalg.add ins(%0, %1 : tensor<64x64xf32>, tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %2 : tensor<64x64xf32>
}

// -----

// Sums of rows of an array, and of what is turned of it: other dims of one kernel.
// CHECK-LABEL: func.func @sums_of_both(
// CHECK:         fusion.group "exp+reduce+transpose" kinds ["vertical"]
// CHECK:         fusion.group "reduce" kinds []
// CHECK-NOT:     fusion.group
func.func @sums_of_both(%x: tensor<64x96xf32>, %d: tensor<64xf32>, %f: tensor<96xf32>) -> (tensor<64xf32>, tensor<96xf32>) {
  %e = tensor.empty() : tensor<64x96xf32>
  %t = tensor.empty() : tensor<96x64xf32>
  %0 = linalg.exp ins(%x : tensor<64x96xf32>) outs(%e : tensor<64x96xf32>) -> tensor<64x96xf32>
  // expected-remark @below {{Remark="fused with exp"}}
  %1 = linalg.reduce { arith.maximumf } ins(%0 : tensor<64x96xf32>) outs(%d : tensor<64xf32>) dimensions = [1]
  // expected-remark @below {{Remark="fused with exp"}}
  %2 = linalg.transpose ins(%0 : tensor<64x96xf32>) outs(%t : tensor<96x64xf32>) permutation = [1, 0]
  // expected-remark @below {{Reason="the reductions run over different dims"}}
  %3 = linalg.reduce { arith.maximumf } ins(%2 : tensor<96x64xf32>) outs(%f : tensor<96xf32>) dimensions = [1]
  return %1, %3 : tensor<64xf32>, tensor<96xf32>
}
