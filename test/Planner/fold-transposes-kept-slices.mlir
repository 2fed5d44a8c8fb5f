// Slices that stay before the reshapes by which contractions read them in parts, each
// with its reason.

// RUN: fusion-opt %s -fusion-fold-transposes -split-input-file | FileCheck %s
// RUN: fusion-opt %s -fusion-fold-transposes -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics -o /dev/null

// The tensor ends within a head: 90 columns are no heads of 16.
// CHECK-LABEL: func.func @ends_within(
// CHECK-SAME:      %[[X:.*]]: tensor<8x90xf32>
// CHECK:         %[[P:.*]] = linalg.generic
// CHECK:           tensor.extract %[[X]]
// CHECK:         tensor.expand_shape %[[P]] {{\[\[}}0], [1, 2]] output_shape [8, 2, 16]
func.func @ends_within(%x: tensor<8x90xf32>, %q: tensor<2x8x16xf32>, %d: tensor<2x8x8xf32>) -> tensor<2x8x8xf32> {
  %e = tensor.empty() : tensor<8x32xf32>
  // expected-remark @below {{Reason="the slice does not begin and end between the parts that a reshape makes of a dim"}}
  %part = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<8x32xf32>) {
  ^bb0(%z: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %c = arith.constant 32 : index
    %p = arith.addi %j, %c : index
    %v = tensor.extract %x[%i, %p] : tensor<8x90xf32>
    linalg.yield %v : f32
  } -> tensor<8x32xf32>
  %heads = tensor.expand_shape %part [[0], [1, 2]] output_shape [8, 2, 16] : tensor<8x32xf32> into tensor<8x2x16xf32>
  %f = tensor.empty() : tensor<2x16x8xf32>
  %t = linalg.transpose ins(%heads : tensor<8x2x16xf32>) outs(%f : tensor<2x16x8xf32>) permutation = [1, 2, 0]
  // expected-remark @below {{Remark="reads what transpose moves where it lies"}}
  %0 = linalg.batch_matmul ins(%q, %t : tensor<2x8x16xf32>, tensor<2x16x8xf32>) outs(%d : tensor<2x8x8xf32>) -> tensor<2x8x8xf32>
  return %0 : tensor<2x8x8xf32>
}

// -----

// A contraction reads the reshaped slice itself, which begins within a row of blocks.
// CHECK-LABEL: func.func @begins_within(
// CHECK-SAME:      %[[X:.*]]: tensor<4x24xf16>
// CHECK:         %[[P:.*]] = linalg.generic
// CHECK:           tensor.extract %[[X]]
// CHECK:         %[[B:.*]] = tensor.expand_shape %[[P]]
// CHECK:         linalg.batch_matmul ins(%[[B]]
func.func @begins_within(%x: tensor<4x24xf16>, %w: tensor<4x4x5xf16>, %d: tensor<4x3x5xf16>) -> tensor<4x3x5xf16> {
  %e = tensor.empty() : tensor<4x12xf16>
  // expected-remark @below {{Reason="the slice does not begin and end between the parts that a reshape makes of a dim"}}
  %part = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<4x12xf16>) {
  ^bb0(%z: f16):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %c = arith.constant 2 : index
    %p = arith.addi %j, %c : index
    %v = tensor.extract %x[%i, %p] : tensor<4x24xf16>
    linalg.yield %v : f16
  } -> tensor<4x12xf16>
  %b = tensor.expand_shape %part [[0], [1, 2]] output_shape [4, 3, 4] : tensor<4x12xf16> into tensor<4x3x4xf16>
  %0 = linalg.batch_matmul ins(%b, %w : tensor<4x3x4xf16>, tensor<4x4x5xf16>) outs(%d : tensor<4x3x5xf16>) -> tensor<4x3x5xf16>
  return %0 : tensor<4x3x5xf16>
}

// -----

// Parts of no columns at all: nothing tells where they begin.
// CHECK-LABEL: func.func @empty_parts(
// CHECK:         linalg.generic
// CHECK:         tensor.expand_shape
// CHECK:         linalg.batch_matmul
func.func @empty_parts(%x: tensor<2x8xf32>, %w: tensor<2x0x5xf32>, %d: tensor<2x3x5xf32>) -> tensor<2x3x5xf32> {
  %e = tensor.empty() : tensor<2x0xf32>
  // expected-remark @below {{Reason="the slice does not begin and end between the parts that a reshape makes of a dim"}}
  %part = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<2x0xf32>) {
  ^bb0(%z: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %c = arith.constant 0 : index
    %p = arith.addi %j, %c : index
    %v = tensor.extract %x[%i, %p] : tensor<2x8xf32>
    linalg.yield %v : f32
  } -> tensor<2x0xf32>
  %b = tensor.expand_shape %part [[0], [1, 2]] output_shape [2, 3, 0] : tensor<2x0xf32> into tensor<2x3x0xf32>
  %0 = linalg.batch_matmul ins(%b, %w : tensor<2x3x0xf32>, tensor<2x0x5xf32>) outs(%d : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  return %0 : tensor<2x3x5xf32>
}

// -----

// A person keeps the slice apart, which would be another op behind the reshape.
// CHECK-LABEL: func.func @marked_slice(
// CHECK-SAME:      %[[X:.*]]: tensor<8x96xf32>
// CHECK:         %[[P:.*]] = linalg.generic {{.*}} attrs = {{.*}}fusion.no_fuse
// CHECK:           tensor.extract %[[X]]
// CHECK:         tensor.expand_shape %[[P]] {{\[\[}}0], [1, 2]] output_shape [8, 2, 16]
func.func @marked_slice(%x: tensor<8x96xf32>, %q: tensor<2x8x16xf32>, %d: tensor<2x8x8xf32>) -> tensor<2x8x8xf32> {
  %e = tensor.empty() : tensor<8x32xf32>
  // expected-remark @below {{Reason="the slice is marked with a directive, and stays as it is"}}
  %part = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<8x32xf32>) attrs = {fusion.no_fuse} {
  ^bb0(%z: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %c = arith.constant 32 : index
    %p = arith.addi %j, %c : index
    %v = tensor.extract %x[%i, %p] : tensor<8x96xf32>
    linalg.yield %v : f32
  } -> tensor<8x32xf32>
  %heads = tensor.expand_shape %part [[0], [1, 2]] output_shape [8, 2, 16] : tensor<8x32xf32> into tensor<8x2x16xf32>
  %f = tensor.empty() : tensor<2x16x8xf32>
  %t = linalg.transpose ins(%heads : tensor<8x2x16xf32>) outs(%f : tensor<2x16x8xf32>) permutation = [1, 2, 0]
  // expected-remark @below {{Remark="reads what transpose moves where it lies"}}
  %0 = linalg.batch_matmul ins(%q, %t : tensor<2x8x16xf32>, tensor<2x16x8xf32>) outs(%d : tensor<2x8x8xf32>) -> tensor<2x8x8xf32>
  return %0 : tensor<2x8x8xf32>
}

// -----

// The slice belongs to a set of ops: it stays the op that was named.
// CHECK-LABEL: func.func @slice_of_a_set(
// CHECK-SAME:      %[[X:.*]]: tensor<8x96xf32>
// CHECK:         %[[P:.*]] = linalg.generic {{.*}} attrs = {{.*}}fusion.fuse_with = "set"
// CHECK:           tensor.extract %[[X]]
// CHECK:         tensor.expand_shape %[[P]] {{\[\[}}0], [1, 2]] output_shape [8, 2, 16]
func.func @slice_of_a_set(%x: tensor<8x96xf32>, %q: tensor<2x8x16xf32>, %d: tensor<2x8x8xf32>) -> tensor<2x8x8xf32> {
  %e = tensor.empty() : tensor<8x32xf32>
  // expected-remark @below {{Reason="the slice is marked with a directive, and stays as it is"}}
  %part = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<8x32xf32>) attrs = {fusion.fuse_with = "set"} {
  ^bb0(%z: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %c = arith.constant 32 : index
    %p = arith.addi %j, %c : index
    %v = tensor.extract %x[%i, %p] : tensor<8x96xf32>
    linalg.yield %v : f32
  } -> tensor<8x32xf32>
  %heads = tensor.expand_shape %part [[0], [1, 2]] output_shape [8, 2, 16] : tensor<8x32xf32> into tensor<8x2x16xf32>
  %f = tensor.empty() : tensor<2x16x8xf32>
  %t = linalg.transpose ins(%heads : tensor<8x2x16xf32>) outs(%f : tensor<2x16x8xf32>) permutation = [1, 2, 0]
  // expected-remark @below {{Remark="reads what transpose moves where it lies"}}
  %0 = linalg.batch_matmul ins(%q, %t : tensor<2x8x16xf32>, tensor<2x16x8xf32>) outs(%d : tensor<2x8x8xf32>) -> tensor<2x8x8xf32>
  return %0 : tensor<2x8x8xf32>
}
