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

// -----

// Sums and sums of squares in one loop: two results.
// CHECK-LABEL: func.func @two_sums(
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT:     linalg.generic
func.func @two_sums(%x: tensor<4194304xf32>, %d: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %0:2 = linalg.generic {indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> ()>, affine_map<(k) -> ()>], iterator_types = ["reduction"]}
      ins(%x : tensor<4194304xf32>) outs(%d, %d : tensor<f32>, tensor<f32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %s = arith.addf %b, %a : f32
    %q = arith.mulf %a, %a : f32
    %t = arith.addf %c, %q : f32
    linalg.yield %s, %t : f32, f32
  } -> (tensor<f32>, tensor<f32>)
  return %0#0, %0#1 : tensor<f32>, tensor<f32>
}

// -----

// Parts have no parts.
// CHECK-LABEL: func.func @in_parts(
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT:     linalg.generic
func.func @in_parts(%x: tensor<4194304xf32>, %d: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> (k floordiv 1048576)>], iterator_types = ["reduction"]}
      ins(%x : tensor<4194304xf32>) outs(%d : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %b, %a : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Rows times a vector are a product: those have other parts.
// CHECK-LABEL: func.func @matvec(
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT:     linalg.generic
func.func @matvec(%x: tensor<2x4194304xf32>, %y: tensor<4194304xf32>, %d: tensor<2xf32>) -> tensor<2xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(n, k) -> (n, k)>, affine_map<(n, k) -> (k)>, affine_map<(n, k) -> (n)>], iterator_types = ["parallel", "reduction"]}
      ins(%x, %y : tensor<2x4194304xf32>, tensor<4194304xf32>) outs(%d : tensor<2xf32>) {
  ^bb0(%a: f32, %c: f32, %b: f32):
    %m = arith.mulf %a, %c : f32
    %s = arith.addf %b, %m : f32
    linalg.yield %s : f32
  } -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// The elements are read again after the sum: a second launch does not save enough.
// CHECK-LABEL: func.func @needed_again(
// CHECK-COUNT-2: linalg.generic
// CHECK-NOT:     linalg.generic
#k = affine_map<(k) -> (k)>
#one = affine_map<(k) -> ()>
func.func @needed_again(%x: tensor<98304xf32>, %d: tensor<f32>, %e: tensor<98304xf32>) -> tensor<98304xf32> {
  %0 = linalg.generic {indexing_maps = [#k, #one], iterator_types = ["reduction"]}
      ins(%x : tensor<98304xf32>) outs(%d : tensor<f32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %b, %a : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  %1 = linalg.generic {indexing_maps = [#k, #one, #k], iterator_types = ["parallel"]}
      ins(%x, %0 : tensor<98304xf32>, tensor<f32>) outs(%e : tensor<98304xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.divf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<98304xf32>
  return %1 : tensor<98304xf32>
}
