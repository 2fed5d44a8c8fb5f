// Reductions that are one step: nobody thinks of two.

// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-split-reductions))' -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics | FileCheck %s

// Nobody knows how many rows there are: with many the device is busy.
// CHECK-LABEL: func.func @open_rows(
// CHECK-NOT:     floordiv
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT:     linalg.generic
func.func @open_rows(%x: tensor<?x4194304xf32>, %d: tensor<?xf32>) -> tensor<?xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(n, k) -> (n, k)>, affine_map<(n, k) -> (n)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<?x4194304xf32>) outs(%d : tensor<?xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %b, %a : f32
    linalg.yield %s : f32
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// Nor how long they are.
// CHECK-LABEL: func.func @open_length(
// CHECK-NOT:     floordiv
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT:     linalg.generic
func.func @open_length(%x: tensor<4x?xf32>, %d: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(n, k) -> (n, k)>, affine_map<(n, k) -> (n)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x?xf32>) outs(%d : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %b, %a : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Sums of nothing.
// CHECK-LABEL: func.func @nothing(
// CHECK-NOT:     floordiv
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT:     linalg.generic
func.func @nothing(%x: tensor<4x0xf32>, %d: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(n, k) -> (n, k)>, affine_map<(n, k) -> (n)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x0xf32>) outs(%d : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %b, %a : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// A row of one tile has no parts.
// CHECK-LABEL: func.func @one_tile(
// CHECK-NOT:     floordiv
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT:     linalg.generic
func.func @one_tile(%x: tensor<4x1024xf32>, %d: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(n, k) -> (n, k)>, affine_map<(n, k) -> (n)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x1024xf32>) outs(%d : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %b, %a : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Windows overlap: their loops are short, however many there are.
// CHECK-LABEL: func.func @windows(
// CHECK-NOT:     floordiv
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT:     linalg.generic
func.func @windows(%x: tensor<1048578xf32>, %w: tensor<3xf32>, %d: tensor<1048576xf32>) -> tensor<1048576xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(n, k) -> (n + k)>, affine_map<(n, k) -> (k)>, affine_map<(n, k) -> (n)>], iterator_types = ["parallel", "reduction"]}
      ins(%x, %w : tensor<1048578xf32>, tensor<3xf32>) outs(%d : tensor<1048576xf32>) {
  ^bb0(%a: f32, %u: f32, %b: f32):
    %s = arith.addf %b, %a : f32
    linalg.yield %s : f32
  } -> tensor<1048576xf32>
  return %0 : tensor<1048576xf32>
}
