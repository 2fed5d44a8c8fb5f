// What a product makes is reduced in its kernel where a tile has all of it.

// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-adopt-linalg,fusion-form-groups{target=sm_90a}))' -split-input-file | FileCheck %s
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-adopt-linalg,fusion-form-groups{target=sm_80}))' -split-input-file | FileCheck %s
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-adopt-linalg,fusion-form-groups{target=sm_90a}))' -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics -o /dev/null

// The sums of rows of ten columns; the product itself is never in memory.
// CHECK-LABEL: func.func @row_sums(
// CHECK:         fusion.group "matmul+reduce" kinds ["vertical"]
// CHECK-SAME:      outs(%{{.*}} : tensor<640xf32>)
// CHECK-NOT:     fusion.group
func.func @row_sums(%x: tensor<640x64xf16>, %w: tensor<64x10xf16>, %d: tensor<640x10xf32>, %r: tensor<640xf32>) -> tensor<640xf32> {
  %0 = linalg.matmul ins(%x, %w : tensor<640x64xf16>, tensor<64x10xf16>) outs(%d : tensor<640x10xf32>) -> tensor<640x10xf32>
  // expected-remark @below {{Remark="fused with matmul"}}
  %1 = linalg.reduce { arith.addf } ins(%0 : tensor<640x10xf32>) outs(%r : tensor<640xf32>) dimensions = [1]
  return %1 : tensor<640xf32>
}

// -----

// The maximum of each row, the difference to it, and its sum: the row's values and
// the product leave the kernel both.
// CHECK-LABEL: func.func @two_levels(
// CHECK:         fusion.group "matmul+reduce+elementwise" kinds ["vertical"]
// CHECK-SAME:      outs(%{{.*}}, %{{.*}} : tensor<?x64xf32>, tensor<?xf32>)
// CHECK-NOT:     fusion.group
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
func.func @two_levels(%x: tensor<?x64xf16>, %w: tensor<64x64xf16>, %d: tensor<?x64xf32>, %r: tensor<?xf32>) -> (tensor<?x64xf32>, tensor<?xf32>) {
  %0 = linalg.matmul ins(%x, %w : tensor<?x64xf16>, tensor<64x64xf16>) outs(%d : tensor<?x64xf32>) -> tensor<?x64xf32>
  // expected-remark @below {{Remark="fused with matmul"}}
  %1 = linalg.reduce { arith.maximumf } ins(%0 : tensor<?x64xf32>) outs(%r : tensor<?xf32>) dimensions = [1]
  // expected-remark @below {{Remark="fused with matmul"}}
  // expected-remark @below {{Remark="fused with reduce"}}
  %2 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%0, %1 : tensor<?x64xf32>, tensor<?xf32>) outs(%d : tensor<?x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %4 = arith.subf %a, %b : f32
    linalg.yield %4 : f32
  } -> tensor<?x64xf32>
  // expected-remark @below {{Remark="fused with elementwise"}}
  %3 = linalg.reduce { arith.addf } ins(%2 : tensor<?x64xf32>) outs(%r : tensor<?xf32>) dimensions = [1]
  return %2, %3 : tensor<?x64xf32>, tensor<?xf32>
}

// -----

// Columns: of few rows a tile has all.
// CHECK-LABEL: func.func @column_sums(
// CHECK:         fusion.group "matmul+reduce" kinds ["vertical"]
// CHECK-NOT:     fusion.group
func.func @column_sums(%x: tensor<32x64xf32>, %w: tensor<64x1000xf32>, %d: tensor<32x1000xf32>, %r: tensor<1000xf32>) -> tensor<1000xf32> {
  %0 = linalg.matmul ins(%x, %w : tensor<32x64xf32>, tensor<64x1000xf32>) outs(%d : tensor<32x1000xf32>) -> tensor<32x1000xf32>
  // expected-remark @below {{Remark="fused with matmul"}}
  %1 = linalg.reduce { arith.addf } ins(%0 : tensor<32x1000xf32>) outs(%r : tensor<1000xf32>) dimensions = [0]
  return %1 : tensor<1000xf32>
}

// -----

// Each product of a batch has its tiles.
// CHECK-LABEL: func.func @batch(
// CHECK:         fusion.group "batch_matmul+reduce" kinds ["vertical"]
// CHECK-NOT:     fusion.group
func.func @batch(%x: tensor<?x33x64xf16>, %w: tensor<?x64x50xf16>, %d: tensor<?x33x50xf32>, %r: tensor<?x33xf32>) -> tensor<?x33xf32> {
  %0 = linalg.batch_matmul ins(%x, %w : tensor<?x33x64xf16>, tensor<?x64x50xf16>) outs(%d : tensor<?x33x50xf32>) -> tensor<?x33x50xf32>
  // expected-remark @below {{Remark="fused with batch_matmul"}}
  %1 = linalg.reduce { arith.maximumf } ins(%0 : tensor<?x33x50xf32>) outs(%r : tensor<?x33xf32>) dimensions = [2]
  return %1 : tensor<?x33xf32>
}

// -----

// Heads of 64 columns, each with a sum of its own: the heads are as a batch.
// CHECK-LABEL: func.func @heads(
// CHECK:         fusion.group "contraction+reduce" kinds ["vertical"]
// CHECK-NOT:     fusion.group
func.func @heads(%x: tensor<?x96xf16>, %w: tensor<96x8x64xf16>, %d: tensor<?x8x64xf32>, %r: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(m, h, n, k) -> (m, k)>, affine_map<(m, h, n, k) -> (k, h, n)>, affine_map<(m, h, n, k) -> (m, h, n)>],
                       iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<?x96xf16>, tensor<96x8x64xf16>) outs(%d : tensor<?x8x64xf32>) {
  ^bb0(%a: f16, %b: f16, %o: f32):
    %2 = arith.extf %a : f16 to f32
    %3 = arith.extf %b : f16 to f32
    %4 = arith.mulf %2, %3 : f32
    %5 = arith.addf %o, %4 : f32
    linalg.yield %5 : f32
  } -> tensor<?x8x64xf32>
  // expected-remark @below {{Remark="fused with contraction"}}
  %1 = linalg.reduce { arith.addf } ins(%0 : tensor<?x8x64xf32>) outs(%r : tensor<?x8xf32>) dimensions = [2]
  return %1 : tensor<?x8xf32>
}
