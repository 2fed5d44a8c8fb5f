// Reductions with few results are done in parts, on devices that run many blocks.

// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-split-reductions))' -split-input-file | FileCheck %s
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-split-reductions{target=cpu}))' -split-input-file | FileCheck %s --check-prefix=CPU
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-split-reductions))' -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics -o /dev/null

// CPU-NOT:     floordiv
// CPU-LABEL:   func.func @columns(
// CPU-COUNT-1: linalg.generic
// CPU-NOT:     linalg.generic
// CPU-LABEL:   func.func @product(
// CPU-COUNT-1: linalg.generic
// CPU-NOT:     {{linalg.generic|floordiv}}

// The rows are cut: 65537 in parts of whole tiles, the last one shorter.
// CHECK-DAG: #[[$X:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[$PARTS:.*]] = affine_map<(d0, d1) -> (d0 floordiv {{[0-9]+}}, d1)>
// CHECK-DAG: #[[$LAST:.*]] = affine_map<(d0, d1) -> (d1)>
// CHECK-LABEL: func.func @columns(
// CHECK:         %[[ZERO:.*]] = arith.constant 0.0
// CHECK:         %[[FILL:.*]] = linalg.fill ins(%[[ZERO]] : f32) outs(%{{.*}} : tensor<[[P:[0-9]+]]x64xf32>)
// CHECK:         %[[FIRST:.*]] = linalg.generic {indexing_maps = [#[[$X]], #[[$PARTS]]], iterator_types = ["reduction", "parallel"]}
// CHECK-SAME:      outs(%[[FILL]] : tensor<[[P]]x64xf32>)
// CHECK:         linalg.generic {indexing_maps = [#[[$X]], #[[$LAST]]], iterator_types = ["reduction", "parallel"]}
// CHECK-SAME:      ins(%[[FIRST]] : tensor<[[P]]x64xf32>) outs(%arg1 : tensor<64xf32>)
func.func @columns(%x: tensor<65537x64xf32>, %d: tensor<64xf32>) -> tensor<64xf32> {
  // expected-remark @below {{done in parts: fewer blocks than the device runs}}
  %0 = linalg.generic {indexing_maps = [affine_map<(k, n) -> (k, n)>, affine_map<(k, n) -> (n)>], iterator_types = ["reduction", "parallel"]}
      ins(%x : tensor<65537x64xf32>) outs(%d : tensor<64xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %b, %a : f32
    linalg.yield %s : f32
  } -> tensor<64xf32>
  return %0 : tensor<64xf32>
}

// -----

// A scalar: parts start from the combiner's neutral value, not from what the
// reduction starts from.
// CHECK-LABEL: func.func @product(
// CHECK:         arith.constant 1.0
// CHECK:         linalg.fill
// CHECK:         linalg.generic
// CHECK:         linalg.generic
// CHECK-SAME:      outs(%arg1 : tensor<f32>)
func.func @product(%x: tensor<4194304xf32>, %d: tensor<f32>) -> tensor<f32> {
  // expected-remark @below {{done in parts: fewer blocks than the device runs}}
  %0 = linalg.generic {indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> ()>], iterator_types = ["reduction"]}
      ins(%x : tensor<4194304xf32>) outs(%d : tensor<f32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.mulf %b, %a : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}
