// Transposes before a contraction that stay where they are, each with its reason.

// RUN: fusion-opt %s -fusion-sink-transposes -split-input-file | FileCheck %s
// RUN: fusion-opt %s -fusion-sink-transposes -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics -o /dev/null

// The result is returned too.
// CHECK-LABEL: func.func @other_reader_of_the_result(
// CHECK:         linalg.transpose
// CHECK-NEXT:    %[[S:.*]] = linalg.exp
// CHECK:         linalg.matmul ins(%[[S]],
func.func @other_reader_of_the_result(%a: tensor<16x8xf32>, %b: tensor<16x4xf32>, %d: tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<8x16xf32>) {
  %e = tensor.empty() : tensor<8x16xf32>
  %t = linalg.transpose ins(%a : tensor<16x8xf32>) outs(%e : tensor<8x16xf32>) permutation = [1, 0]
  // expected-remark @below {{Reason="more than contractions read the result"}}
  %s = linalg.exp ins(%t : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  %0 = linalg.matmul ins(%s, %b : tensor<8x16xf32>, tensor<16x4xf32>) outs(%d : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %0, %s : tensor<8x4xf32>, tensor<8x16xf32>
}

// -----

// The transposed tensor is returned too.
// CHECK-LABEL: func.func @other_reader_of_the_transpose(
// CHECK:         linalg.transpose
// CHECK-NEXT:    linalg.exp
func.func @other_reader_of_the_transpose(%a: tensor<16x8xf32>, %b: tensor<16x4xf32>, %d: tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<8x16xf32>) {
  %e = tensor.empty() : tensor<8x16xf32>
  %t = linalg.transpose ins(%a : tensor<16x8xf32>) outs(%e : tensor<8x16xf32>) permutation = [1, 0]
  // expected-remark @below {{Reason="the transposed tensor has other readers"}}
  %s = linalg.exp ins(%t : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  %0 = linalg.matmul ins(%s, %b : tensor<8x16xf32>, tensor<16x4xf32>) outs(%d : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %0, %t : tensor<8x4xf32>, tensor<8x16xf32>
}

// -----

// A vector of each row, repeated along the batch: the op has more loops.
#id = affine_map<(b, i, j) -> (b, i, j)>
#repeated = affine_map<(b, i, j) -> (i, j)>

// CHECK-LABEL: func.func @repeated(
// CHECK:         linalg.transpose
// CHECK-NEXT:    linalg.generic
// CHECK:         linalg.batch_matmul
func.func @repeated(%a: tensor<16x8xf32>, %c: tensor<2x8x16xf32>, %b: tensor<2x16x4xf32>, %d: tensor<2x8x4xf32>) -> tensor<2x8x4xf32> {
  %e = tensor.empty() : tensor<8x16xf32>
  %f = tensor.empty() : tensor<2x8x16xf32>
  %t = linalg.transpose ins(%a : tensor<16x8xf32>) outs(%e : tensor<8x16xf32>) permutation = [1, 0]
  // expected-remark @below {{Reason="the op repeats the transposed tensor"}}
  %s = linalg.generic {indexing_maps = [#repeated, #id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%t, %c : tensor<8x16xf32>, tensor<2x8x16xf32>) outs(%f : tensor<2x8x16xf32>) {
  ^bb0(%p: f32, %q: f32, %r: f32):
    %0 = arith.addf %p, %q : f32
    linalg.yield %0 : f32
  } -> tensor<2x8x16xf32>
  %0 = linalg.batch_matmul ins(%s, %b : tensor<2x8x16xf32>, tensor<2x16x4xf32>) outs(%d : tensor<2x8x4xf32>) -> tensor<2x8x4xf32>
  return %0 : tensor<2x8x4xf32>
}

// -----

// A person keeps the two apart.
// CHECK-LABEL: func.func @marked(
// CHECK:         linalg.transpose
// CHECK-NEXT:    linalg.exp
func.func @marked(%a: tensor<16x8xf32>, %b: tensor<16x4xf32>, %d: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %e = tensor.empty() : tensor<8x16xf32>
  %t = linalg.transpose ins(%a : tensor<16x8xf32>) outs(%e : tensor<8x16xf32>) permutation = [1, 0]
  // expected-remark @below {{Reason="the op or the transpose is marked with fusion.no_fuse"}}
  %s = linalg.exp {fusion.no_fuse} ins(%t : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  %0 = linalg.matmul ins(%s, %b : tensor<8x16xf32>, tensor<16x4xf32>) outs(%d : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

// -----

// Another group is meant for it.
// CHECK-LABEL: func.func @grouped_by_hand(
// CHECK:         linalg.transpose
// CHECK-NEXT:    linalg.exp
func.func @grouped_by_hand(%a: tensor<16x8xf32>, %b: tensor<16x4xf32>, %d: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %e = tensor.empty() : tensor<8x16xf32>
  %t = linalg.transpose ins(%a : tensor<16x8xf32>) outs(%e : tensor<8x16xf32>) permutation = [1, 0]
  // expected-remark @below {{Reason="the op is marked with fusion.fuse_with"}}
  %s = linalg.exp {fusion.fuse_with = "g"} ins(%t : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  %0 = linalg.matmul ins(%s, %b : tensor<8x16xf32>, tensor<16x4xf32>) outs(%d : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

// -----

// What is added to a destination.
// CHECK-LABEL: func.func @sink_destination(
// CHECK:         linalg.transpose
// CHECK:         linalg.generic
// CHECK:         linalg.matmul
func.func @sink_destination(%x: tensor<64x32xf32>, %y: tensor<32x64xf32>, %w: tensor<64x64xf32>) -> tensor<32x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<32x64xf32>) -> tensor<32x64xf32>
  %t = linalg.transpose ins(%x : tensor<64x32xf32>) outs(%e : tensor<32x64xf32>) permutation = [1, 0]
  // expected-remark @below {{Reason="the op is not elementwise"}}
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%t : tensor<32x64xf32>) outs(%y : tensor<32x64xf32>) {
  ^bb0(%a: f32, %d: f32):
    %s = arith.addf %a, %d : f32
    linalg.yield %s : f32
  } -> tensor<32x64xf32>
  %1 = linalg.matmul ins(%0, %w : tensor<32x64xf32>, tensor<64x64xf32>) outs(%f : tensor<32x64xf32>) -> tensor<32x64xf32>
  return %1 : tensor<32x64xf32>
}
