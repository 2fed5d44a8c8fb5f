// Reductions of what a product makes that stay apart, each with its reason.

// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-adopt-linalg,fusion-form-groups{target=sm_90a}))' -split-input-file | FileCheck %s
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-adopt-linalg,fusion-form-groups{target=sm_90a}))' -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics -o /dev/null
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-adopt-linalg,fusion-form-groups{target=cpu}))' -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=CPU

// CPU-NOT: [Passed] FormGroups{{.*}}fused with
// CPU:     Reason="a contraction's tiles do not hold the whole rows of a reduction"
// CPU-NOT: [Passed] FormGroups{{.*}}fused with

// Rows longer than any tile.
// CHECK-LABEL: func.func @long_rows(
// CHECK-COUNT-2: fusion.group
func.func @long_rows(%x: tensor<640x64xf16>, %w: tensor<64x1000xf16>, %d: tensor<640x1000xf32>, %r: tensor<640xf32>) -> tensor<640xf32> {
  %0 = linalg.matmul ins(%x, %w : tensor<640x64xf16>, tensor<64x1000xf16>) outs(%d : tensor<640x1000xf32>) -> tensor<640x1000xf32>
  // expected-remark @below {{Reason="a contraction's tiles do not hold the whole rows of a reduction: 1000 elements are reduced, of which a tile has}}
  %1 = linalg.reduce { arith.addf } ins(%0 : tensor<640x1000xf32>) outs(%r : tensor<640xf32>) dimensions = [1]
  return %1 : tensor<640xf32>
}

// -----

// CHECK-LABEL: func.func @long_columns(
// CHECK-COUNT-2: fusion.group
func.func @long_columns(%x: tensor<640x64xf16>, %w: tensor<64x16xf16>, %d: tensor<640x16xf32>, %r: tensor<16xf32>) -> tensor<16xf32> {
  %0 = linalg.matmul ins(%x, %w : tensor<640x64xf16>, tensor<64x16xf16>) outs(%d : tensor<640x16xf32>) -> tensor<640x16xf32>
  // expected-remark @below {{Reason="a contraction's tiles do not hold the whole rows of a reduction: 640 elements are reduced, of which a tile has}}
  %1 = linalg.reduce { arith.addf } ins(%0 : tensor<640x16xf32>) outs(%r : tensor<16xf32>) dimensions = [0]
  return %1 : tensor<16xf32>
}

// -----

// CHECK-LABEL: func.func @unknown_length(
// CHECK-COUNT-2: fusion.group
func.func @unknown_length(%x: tensor<64x64xf16>, %w: tensor<64x?xf16>, %d: tensor<64x?xf32>, %r: tensor<64xf32>) -> tensor<64xf32> {
  %0 = linalg.matmul ins(%x, %w : tensor<64x64xf16>, tensor<64x?xf16>) outs(%d : tensor<64x?xf32>) -> tensor<64x?xf32>
  // expected-remark @below {{Reason="a contraction's tiles do not hold the whole rows of a reduction: what is reduced has a length that is not known"}}
  %1 = linalg.reduce { arith.addf } ins(%0 : tensor<64x?xf32>) outs(%r : tensor<64xf32>) dimensions = [1]
  return %1 : tensor<64xf32>
}

// -----

// A tile has the rows and the columns of one of both reductions.
// CHECK-LABEL: func.func @rows_and_columns(
// CHECK-COUNT-2: fusion.group
func.func @rows_and_columns(%x: tensor<32x64xf16>, %w: tensor<64x16xf16>, %d: tensor<32x16xf32>, %r: tensor<32xf32>, %c: tensor<16xf32>) -> (tensor<32xf32>, tensor<16xf32>) {
  %0 = linalg.matmul ins(%x, %w : tensor<32x64xf16>, tensor<64x16xf16>) outs(%d : tensor<32x16xf32>) -> tensor<32x16xf32>
  // expected-remark @below {{Remark="fused with matmul"}}
  %1 = linalg.reduce { arith.addf } ins(%0 : tensor<32x16xf32>) outs(%r : tensor<32xf32>) dimensions = [1]
  // expected-remark @below {{Reason="the reductions run over different dims"}}
  %2 = linalg.reduce { arith.addf } ins(%0 : tensor<32x16xf32>) outs(%c : tensor<16xf32>) dimensions = [0]
  return %1, %2 : tensor<32xf32>, tensor<16xf32>
}

// -----

// All of a product: no dim is left that tiles lie along.
// CHECK-LABEL: func.func @everything(
// CHECK-COUNT-2: fusion.group
func.func @everything(%x: tensor<32x64xf16>, %w: tensor<64x16xf16>, %d: tensor<32x16xf32>, %r: tensor<f32>) -> tensor<f32> {
  %0 = linalg.matmul ins(%x, %w : tensor<32x64xf16>, tensor<64x16xf16>) outs(%d : tensor<32x16xf32>) -> tensor<32x16xf32>
  // expected-remark @below {{Reason="a contraction's tiles do not hold the whole rows of a reduction: it is over dims that are not those of one operand"}}
  %1 = linalg.reduce { arith.addf } ins(%0 : tensor<32x16xf32>) outs(%r : tensor<f32>) dimensions = [0, 1]
  return %1 : tensor<f32>
}

// -----

// Products of a batch lie in tiles of their own.
// CHECK-LABEL: func.func @over_the_batch(
// CHECK-COUNT-2: fusion.group
func.func @over_the_batch(%x: tensor<6x33x64xf16>, %w: tensor<6x64x50xf16>, %d: tensor<6x33x50xf32>, %r: tensor<33x50xf32>) -> tensor<33x50xf32> {
  %0 = linalg.batch_matmul ins(%x, %w : tensor<6x33x64xf16>, tensor<6x64x50xf16>) outs(%d : tensor<6x33x50xf32>) -> tensor<6x33x50xf32>
  // expected-remark @below {{Reason="a contraction's tiles do not hold the whole rows of a reduction: it is over dims that are not those of one operand"}}
  %1 = linalg.reduce { arith.addf } ins(%0 : tensor<6x33x50xf32>) outs(%r : tensor<33x50xf32>) dimensions = [0]
  return %1 : tensor<33x50xf32>
}

// -----

// The first and the last of three dims of rows: no tile has them without the second.
// CHECK-LABEL: func.func @dims_apart(
// CHECK-COUNT-2: fusion.group
func.func @dims_apart(%x: tensor<2x3x4x96xf16>, %w: tensor<96x64xf16>, %d: tensor<2x3x4x64xf32>, %r: tensor<3x64xf32>) -> tensor<3x64xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(a, b, c, n, k) -> (a, b, c, k)>, affine_map<(a, b, c, n, k) -> (k, n)>, affine_map<(a, b, c, n, k) -> (a, b, c, n)>],
                       iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<2x3x4x96xf16>, tensor<96x64xf16>) outs(%d : tensor<2x3x4x64xf32>) {
  ^bb0(%a: f16, %b: f16, %o: f32):
    %2 = arith.extf %a : f16 to f32
    %3 = arith.extf %b : f16 to f32
    %4 = arith.mulf %2, %3 : f32
    %5 = arith.addf %o, %4 : f32
    linalg.yield %5 : f32
  } -> tensor<2x3x4x64xf32>
  // expected-remark @below {{Reason="a contraction's tiles do not hold the whole rows of a reduction: it is over dims that do not follow each other in the contraction's result"}}
  %1 = linalg.reduce { arith.addf } ins(%0 : tensor<2x3x4x64xf32>) outs(%r : tensor<3x64xf32>) dimensions = [0, 2]
  return %1 : tensor<3x64xf32>
}

// -----

// CHECK-LABEL: func.func @one_row(
// CHECK-COUNT-2: fusion.group
func.func @one_row(%x: tensor<1x64xf16>, %w: tensor<64x16xf16>, %d: tensor<1x16xf32>, %r: tensor<1xf32>) -> tensor<1xf32> {
  %0 = linalg.matmul ins(%x, %w : tensor<1x64xf16>, tensor<64x16xf16>) outs(%d : tensor<1x16xf32>) -> tensor<1x16xf32>
  // expected-remark @below {{Reason="a contraction's tiles do not hold the whole rows of a reduction: a matrix times a vector has no tiles"}}
  %1 = linalg.reduce { arith.addf } ins(%0 : tensor<1x16xf32>) outs(%r : tensor<1xf32>) dimensions = [1]
  return %1 : tensor<1xf32>
}

// -----

// CHECK-LABEL: func.func @doubles(
// CHECK-COUNT-2: fusion.group
func.func @doubles(%x: tensor<64x64xf64>, %w: tensor<64x16xf64>, %d: tensor<64x16xf64>, %r: tensor<64xf64>) -> tensor<64xf64> {
  %0 = linalg.matmul ins(%x, %w : tensor<64x64xf64>, tensor<64x16xf64>) outs(%d : tensor<64x16xf64>) -> tensor<64x16xf64>
  // expected-remark @below {{Reason="a contraction's tiles do not hold the whole rows of a reduction: only products of f16, bf16 or f32 have tiles"}}
  %1 = linalg.reduce { arith.addf } ins(%0 : tensor<64x16xf64>) outs(%r : tensor<64xf64>) dimensions = [1]
  return %1 : tensor<64xf64>
}

// -----

// Windows of a pooling are no products.
// CHECK-LABEL: func.func @pooled(
// CHECK-COUNT-2: fusion.group
func.func @pooled(%x: tensor<2x8x8x16xf32>, %k: tensor<2x2xf32>, %d: tensor<2x7x7x16xf32>, %r: tensor<2x16xf32>) -> tensor<2x16xf32> {
  %0 = linalg.pooling_nhwc_max ins(%x, %k : tensor<2x8x8x16xf32>, tensor<2x2xf32>) outs(%d : tensor<2x7x7x16xf32>) -> tensor<2x7x7x16xf32>
  // expected-remark @below {{Reason="a contraction's tiles do not hold the whole rows of a reduction: they are of windows, not of products"}}
  %1 = linalg.reduce { arith.addf } ins(%0 : tensor<2x7x7x16xf32>) outs(%r : tensor<2x16xf32>) dimensions = [1, 2]
  return %1 : tensor<2x16xf32>
}

// -----

// CHECK-LABEL: func.func @marked(
// CHECK-COUNT-2: fusion.group
func.func @marked(%x: tensor<64x64xf16>, %w: tensor<64x16xf16>, %d: tensor<64x16xf32>, %r: tensor<64xf32>) -> tensor<64xf32> {
  %0 = linalg.matmul ins(%x, %w : tensor<64x64xf16>, tensor<64x16xf16>) outs(%d : tensor<64x16xf32>) -> tensor<64x16xf32>
  // expected-remark @below {{Reason="the consumer is marked with fusion.no_fuse"}}
  %1 = linalg.reduce { arith.addf } ins(%0 : tensor<64x16xf32>) outs(%r : tensor<64xf32>) dimensions = [1] {fusion.no_fuse}
  return %1 : tensor<64xf32>
}

// -----

// The tiles that a person wants are too narrow.
// CHECK-LABEL: func.func @pinned(
// CHECK-COUNT-2: fusion.group
func.func @pinned(%x: tensor<640x64xf16>, %w: tensor<64x128xf16>, %d: tensor<640x128xf32>, %r: tensor<640xf32>) -> tensor<640xf32> {
  %0 = linalg.matmul {fusion.schedule = {kind = "wgmma", bm = 64, bn = 64, bk = 64, stages = 4, warps = 4}}
       ins(%x, %w : tensor<640x64xf16>, tensor<64x128xf16>) outs(%d : tensor<640x128xf32>) -> tensor<640x128xf32>
  // expected-remark @below {{Reason="a contraction's tiles do not hold the whole rows of a reduction: 128 elements are reduced, of which a tile has 64"}}
  %1 = linalg.reduce { arith.addf } ins(%0 : tensor<640x128xf32>) outs(%r : tensor<640xf32>) dimensions = [1]
  return %1 : tensor<640xf32>
}

// -----

// Few rows, long sums: tiles of all columns leave most of the device idle.
// CHECK-LABEL: func.func @does_not_pay(
// CHECK-COUNT-2: fusion.group
func.func @does_not_pay(%x: tensor<64x16384xf16>, %w: tensor<16384x256xf16>, %d: tensor<64x256xf32>, %r: tensor<64xf32>) -> tensor<64xf32> {
  %0 = linalg.matmul ins(%x, %w : tensor<64x16384xf16>, tensor<16384x256xf16>) outs(%d : tensor<64x256xf32>) -> tensor<64x256xf32>
  // expected-remark @below {{Reason="estimated slower fused}}
  %1 = linalg.reduce { arith.addf } ins(%0 : tensor<64x256xf32>) outs(%r : tensor<64xf32>) dimensions = [1]
  return %1 : tensor<64xf32>
}

// -----

// Halves of rows: a reduction in parts.
// CHECK-LABEL: func.func @in_parts(
// CHECK-COUNT-2: fusion.group
func.func @in_parts(%x: tensor<64x64xf16>, %w: tensor<64x16xf16>, %d: tensor<64x16xf32>, %r: tensor<2x64xf32>) -> tensor<2x64xf32> {
  %0 = linalg.matmul ins(%x, %w : tensor<64x64xf16>, tensor<64x16xf16>) outs(%d : tensor<64x16xf32>) -> tensor<64x16xf32>
  // expected-remark @below {{AdoptLinalg}}
  // expected-remark @below {{Reason="a contraction's tiles do not hold the whole rows of a reduction: it is in parts"}}
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j floordiv 8, i)>], iterator_types = ["parallel", "reduction"]}
      ins(%0 : tensor<64x16xf32>) outs(%r : tensor<2x64xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %b, %a : f32
    linalg.yield %s : f32
  } -> tensor<2x64xf32>
  return %1 : tensor<2x64xf32>
}

// -----

// Each step takes something from the one before: no neutral value.
// CHECK-LABEL: func.func @difference(
// CHECK-COUNT-2: fusion.group
func.func @difference(%x: tensor<64x64xf16>, %w: tensor<64x16xf16>, %d: tensor<64x16xf32>, %r: tensor<64xf32>) -> tensor<64xf32> {
  %0 = linalg.matmul ins(%x, %w : tensor<64x64xf16>, tensor<64x16xf16>) outs(%d : tensor<64x16xf32>) -> tensor<64x16xf32>
  // expected-remark @below {{Reason="a contraction's tiles do not hold the whole rows of a reduction: it goes from element to element"}}
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%0 : tensor<64x16xf32>) outs(%r : tensor<64xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.subf %b, %a : f32
    linalg.yield %s : f32
  } -> tensor<64xf32>
  return %1 : tensor<64xf32>
}

// -----

// Each step multiplies the one before and adds to it.
// CHECK-LABEL: func.func @polynomial(
// CHECK-COUNT-2: fusion.group
func.func @polynomial(%x: tensor<64x64xf16>, %w: tensor<64x16xf16>, %d: tensor<64x16xf32>, %r: tensor<64xf32>) -> tensor<64xf32> {
  %c = arith.constant 0.5 : f32
  %0 = linalg.matmul ins(%x, %w : tensor<64x64xf16>, tensor<64x16xf16>) outs(%d : tensor<64x16xf32>) -> tensor<64x16xf32>
  // expected-remark @below {{Reason="the consumer is grouped alone: its body has no single combiner"}}
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%0 : tensor<64x16xf32>) outs(%r : tensor<64xf32>) {
  ^bb0(%a: f32, %b: f32):
    %p = arith.mulf %b, %c : f32
    %s = arith.addf %p, %a : f32
    linalg.yield %s : f32
  } -> tensor<64xf32>
  return %1 : tensor<64xf32>
}

// -----

// The place of the largest element comes with it: two results.
// CHECK-LABEL: func.func @largest_place(
// CHECK-COUNT-2: fusion.group
func.func @largest_place(%x: tensor<64x64xf16>, %w: tensor<64x16xf16>, %d: tensor<64x16xf32>, %r: tensor<64xf32>, %n: tensor<64xi32>) -> tensor<64xi32> {
  %0 = linalg.matmul ins(%x, %w : tensor<64x64xf16>, tensor<64x16xf16>) outs(%d : tensor<64x16xf32>) -> tensor<64x16xf32>
  // expected-remark @below {{Reason="the consumer is grouped alone: it reduces to several results"}}
  %1:2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%0 : tensor<64x16xf32>) outs(%r, %n : tensor<64xf32>, tensor<64xi32>) {
  ^bb0(%a: f32, %b: f32, %i: i32):
    %k = linalg.index 1 : index
    %at = arith.index_cast %k : index to i32
    %more = arith.cmpf ogt, %a, %b : f32
    %s = arith.select %more, %a, %b : f32
    %t = arith.select %more, %at, %i : i32
    linalg.yield %s, %t : f32, i32
  } -> (tensor<64xf32>, tensor<64xi32>)
  return %1#1 : tensor<64xi32>
}

// -----

// Products of integers have no tiles.
// CHECK-LABEL: func.func @integers(
// CHECK-COUNT-2: fusion.group
func.func @integers(%x: tensor<64x64xi8>, %w: tensor<64x16xi8>, %d: tensor<64x16xi32>, %r: tensor<64xi32>) -> tensor<64xi32> {
  %0 = linalg.matmul ins(%x, %w : tensor<64x64xi8>, tensor<64x16xi8>) outs(%d : tensor<64x16xi32>) -> tensor<64x16xi32>
  // expected-remark @below {{Reason="a contraction's tiles do not hold the whole rows of a reduction: only products of f16, bf16 or f32 have tiles"}}
  %1 = linalg.reduce { arith.addi } ins(%0 : tensor<64x16xi32>) outs(%r : tensor<64xi32>) dimensions = [1]
  return %1 : tensor<64xi32>
}
