// A contraction of what follows from another one that stays in a kernel of its own:
// its loops or its types are not those of such a kernel, no block holds what lies
// between, or the estimate says that it does not pay.

// RUN: fusion-opt %s -fusion-graph-to-linalg=target=sm_90a -fusion-linalg-to-groups=target=sm_90a -split-input-file | FileCheck %s
// RUN: fusion-opt %s -fusion-graph-to-linalg=target=sm_90a -fusion-linalg-to-groups=target=sm_90a -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics=only-expected -o /dev/null
// RUN: fusion-opt %s -fusion-graph-to-linalg=target=sm_80 '-fusion-linalg-to-groups=target=sm_80 numerics=strict' -split-input-file | FileCheck %s

// The same by its estimates: two thirds of the time is no more than an error.
// CHECK-LABEL: func.func @close(
// CHECK-COUNT-2: = fusion.group
func.func @close(%x: tensor<8x64x96xf32>, %a: tensor<8x32x96xf32>, %r: tensor<8x64x32xf32>, %b: tensor<8x96x32xf32>) -> tensor<8x64x96xf32> {
  // expected-remark @below {{too close to tell for a chain}}
  %0 = fusion.matmul %x, %a {transpose_b} : tensor<8x64x96xf32>, tensor<8x32x96xf32> -> tensor<8x64x32xf32>
  %1 = fusion.add %0, %r : tensor<8x64x32xf32>
  %2 = fusion.matmul %1, %b {transpose_b} : tensor<8x64x32xf32>, tensor<8x96x32xf32> -> tensor<8x64x96xf32>
  return %2 : tensor<8x64x96xf32>
}

// -----

// A wide middle, and operands that a block just holds: each of the many blocks of
// columns would make the middle anew.
// CHECK-LABEL: func.func @wide(
// CHECK-COUNT-2: = fusion.group
func.func @wide(%x: tensor<512x768xf16>, %a: tensor<768x3072xf16>, %b: tensor<3072x768xf16>) -> tensor<512x768xf16> {
  // expected-remark @below {{Reason="estimated slower fused}}
  %0 = fusion.matmul %x, %a : tensor<512x768xf16>, tensor<768x3072xf16> -> tensor<512x3072xf16>
  // expected-remark @below {{Reason="a contraction's operand would be the result of another contraction: estimated slower fused}}
  %1 = fusion.matmul %0, %b : tensor<512x3072xf16>, tensor<3072x768xf16> -> tensor<512x768xf16>
  return %1 : tensor<512x768xf16>
}

// -----

// Wider still: no block holds either.
// CHECK-LABEL: func.func @too_wide(
// CHECK-COUNT-2: = fusion.group
func.func @too_wide(%x: tensor<512x8192xf16>, %a: tensor<8192x3072xf16>, %b: tensor<3072x8192xf16>) -> tensor<512x8192xf16> {
  // expected-remark-re @below {{Reason="a block cannot hold what lies between the contractions: {{[0-9]+}} registers of a thread for tiles spill"}}
  %0 = fusion.matmul %x, %a : tensor<512x8192xf16>, tensor<8192x3072xf16> -> tensor<512x3072xf16>
  // expected-remark @below {{Reason="a contraction's operand would be the result of another contraction: a block cannot hold}}
  %1 = fusion.matmul %0, %b : tensor<512x3072xf16>, tensor<3072x8192xf16> -> tensor<512x8192xf16>
  return %1 : tensor<512x8192xf16>
}

// -----

// How wide the middle is shows at run time only, and so do the columns.
// CHECK-LABEL: func.func @dynamic_middle(
// CHECK-COUNT-2: = fusion.group
func.func @dynamic_middle(%x: tensor<512x768xf16>, %a: tensor<768x?xf16>, %b: tensor<?x?xf16>) -> tensor<512x?xf16> {
  // expected-remark @below {{Reason="a block cannot hold what lies between the contractions: the width of what lies between the contractions is not known"}}
  %0 = fusion.matmul %x, %a : tensor<512x768xf16>, tensor<768x?xf16> -> tensor<512x?xf16>
  %1 = fusion.matmul %0, %b : tensor<512x?xf16>, tensor<?x?xf16> -> tensor<512x?xf16>
  return %1 : tensor<512x?xf16>
}

// -----

// It would be legal, but slow: in scalar code small tiles read too much again.
// CHECK-LABEL: func.func @slower(
// CHECK-COUNT-2: = fusion.group
func.func @slower(%x: tensor<4096x4096xf32>, %a: tensor<4096x128xf32>, %b: tensor<128x4096xf32>) -> tensor<4096x4096xf32> {
  // expected-remark @below {{Reason="estimated slower fused}}
  %0 = fusion.matmul %x, %a : tensor<4096x4096xf32>, tensor<4096x128xf32> -> tensor<4096x128xf32>
  %1 = fusion.matmul %0, %b : tensor<4096x128xf32>, tensor<128x4096xf32> -> tensor<4096x4096xf32>
  return %1 : tensor<4096x4096xf32>
}

// -----

// The middle is read the other way round: what was summed over are rows now.
// CHECK-LABEL: func.func @sums_rows(
// CHECK-COUNT-2: = fusion.group
func.func @sums_rows(%x: tensor<64x64xf16>, %a: tensor<64x1xf16>, %b: tensor<64x32xf16>) -> tensor<1x32xf16> {
  // expected-remark @below {{Reason="the two contractions share no rows"}}
  %0 = fusion.matmul %x, %a : tensor<64x64xf16>, tensor<64x1xf16> -> tensor<64x1xf16>
  %1 = fusion.matmul %0, %b {transpose_a} : tensor<64x1xf16>, tensor<64x32xf16> -> tensor<1x32xf16>
  return %1 : tensor<1x32xf16>
}

// -----

// Halves first, singles then: no unit multiplies both.
// CHECK-LABEL: func.func @mixed(
// CHECK-COUNT-2: = fusion.group
func.func @mixed(%x: tensor<64x64xf16>, %a: tensor<64x16xf16>, %b: tensor<16x64xf32>) -> tensor<64x64xf32> {
  // expected-remark @below {{Reason="the contractions are not of one type of floats, with sums in f32"}}
  %0 = fusion.matmul %x, %a : tensor<64x64xf16>, tensor<64x16xf16> -> tensor<64x16xf16>
  %1 = fusion.cast %0 : tensor<64x16xf16> to tensor<64x16xf32>
  %2 = fusion.matmul %1, %b : tensor<64x16xf32>, tensor<16x64xf32> -> tensor<64x64xf32>
  return %2 : tensor<64x64xf32>
}

// -----

// Integers.
// CHECK-LABEL: func.func @integers(
// CHECK-COUNT-2: = fusion.group
func.func @integers(%x: tensor<64x64xi32>, %a: tensor<64x16xi32>, %b: tensor<16x64xi32>) -> tensor<64x64xi32> {
  // expected-remark @below {{Reason="the contractions are not of one type of floats, with sums in f32"}}
  %0 = fusion.matmul %x, %a : tensor<64x64xi32>, tensor<64x16xi32> -> tensor<64x16xi32>
  %1 = fusion.matmul %0, %b : tensor<64x16xi32>, tensor<16x64xi32> -> tensor<64x64xi32>
  return %1 : tensor<64x64xi32>
}

// -----

// A convolution reads windows of the middle, which blocks of rows do not have.
// CHECK-LABEL: func.func @windows_of_middle(
// CHECK-COUNT-2: = fusion.group
func.func @windows_of_middle(%x: tensor<1x64x14x14xf16>, %f: tensor<16x64x1x1xf16>, %g: tensor<64x16x3x3xf16>) -> tensor<1x64x12x12xf16> {
  // expected-remark @below {{Reason="a value between the contractions is read at computed positions"}}
  %0 = fusion.conv %x, %f strides = [1, 1] dilations = [1, 1] low = [0, 0] high = [0, 0] groups = 1 : tensor<1x64x14x14xf16>, tensor<16x64x1x1xf16> -> tensor<1x16x14x14xf16>
  %1 = fusion.conv %0, %g strides = [1, 1] dilations = [1, 1] low = [0, 0] high = [0, 0] groups = 1 : tensor<1x16x14x14xf16>, tensor<64x16x3x3xf16> -> tensor<1x64x12x12xf16>
  return %1 : tensor<1x64x12x12xf16>
}

// -----

// A product of windows: the kernel reads rows of its operands.
// CHECK-LABEL: func.func @product_of_windows(
// CHECK-COUNT-2: = fusion.group
func.func @product_of_windows(%x: tensor<1x64x14x14xf16>, %f: tensor<16x64x3x3xf16>, %g: tensor<64x16x1x1xf16>) -> tensor<1x64x12x12xf16> {
  // expected-remark @below {{Reason="an operand of a contraction is read at computed positions"}}
  %0 = fusion.conv %x, %f strides = [1, 1] dilations = [1, 1] low = [0, 0] high = [0, 0] groups = 1 : tensor<1x64x14x14xf16>, tensor<16x64x3x3xf16> -> tensor<1x16x12x12xf16>
  %1 = fusion.conv %0, %g strides = [1, 1] dilations = [1, 1] low = [0, 0] high = [0, 0] groups = 1 : tensor<1x16x12x12xf16>, tensor<64x16x1x1xf16> -> tensor<1x64x12x12xf16>
  return %1 : tensor<1x64x12x12xf16>
}

// -----

// The second sums over heads and their widths: two dims.
// CHECK-LABEL: func.func @merged_heads(
// CHECK-COUNT-2: = fusion.group
func.func @merged_heads(%x: tensor<4x64x64xf16>, %a: tensor<4x64x16xf16>, %b: tensor<64x64xf16>) -> tensor<64x64xf16> {
  // expected-remark @below {{Reason="each contraction wants one dim to sum over, the second one of one operand of the first"}}
  %0 = fusion.matmul %x, %a : tensor<4x64x64xf16>, tensor<4x64x16xf16> -> tensor<4x64x16xf16>
  %1 = fusion.transpose %0 perm = [1, 0, 2] : tensor<4x64x16xf16> to tensor<64x4x16xf16>
  %2 = fusion.reshape %1 : tensor<64x4x16xf16> to tensor<64x64xf16>
  %3 = fusion.matmul %2, %b : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
  return %3 : tensor<64x64xf16>
}

// -----

// The middle has one column: the second sums nothing up.
// CHECK-LABEL: func.func @one_column(
// CHECK-COUNT-2: = fusion.group
func.func @one_column(%x: tensor<64x64xf16>, %a: tensor<64x1xf16>, %b: tensor<1x32xf16>) -> tensor<64x32xf16> {
  // expected-remark @below {{Reason="each contraction wants one dim to sum over, the second one of one operand of the first"}}
  %0 = fusion.matmul %x, %a : tensor<64x64xf16>, tensor<64x1xf16> -> tensor<64x1xf16>
  %1 = fusion.matmul %0, %b : tensor<64x1xf16>, tensor<1x32xf16> -> tensor<64x32xf16>
  return %1 : tensor<64x32xf16>
}

// -----

// The first sums nothing up.
// CHECK-LABEL: func.func @outer_product(
// CHECK-COUNT-2: = fusion.group
func.func @outer_product(%x: tensor<64x1xf16>, %a: tensor<1x32xf16>, %b: tensor<32x48xf16>) -> tensor<64x48xf16> {
  // expected-remark @below {{Reason="each contraction wants one dim to sum over, the second one of one operand of the first"}}
  %0 = fusion.matmul %x, %a : tensor<64x1xf16>, tensor<1x32xf16> -> tensor<64x32xf16>
  %1 = fusion.matmul %0, %b : tensor<64x32xf16>, tensor<32x48xf16> -> tensor<64x48xf16>
  return %1 : tensor<64x48xf16>
}

// -----

// The second has one column only: it has none for tiles to lie along.
// CHECK-LABEL: func.func @no_columns(
// CHECK-COUNT-2: = fusion.group
func.func @no_columns(%x: tensor<64x64xf16>, %a: tensor<64x32xf16>, %b: tensor<32x1xf16>) -> tensor<64x1xf16> {
  // expected-remark @below {{Reason="the second contraction has no columns"}}
  %0 = fusion.matmul %x, %a : tensor<64x64xf16>, tensor<64x32xf16> -> tensor<64x32xf16>
  %1 = fusion.matmul %0, %b : tensor<64x32xf16>, tensor<32x1xf16> -> tensor<64x1xf16>
  return %1 : tensor<64x1xf16>
}

// -----

// One row.
// CHECK-LABEL: func.func @one_row(
// CHECK-COUNT-2: = fusion.group
func.func @one_row(%x: tensor<1x64xf16>, %a: tensor<64x32xf16>, %b: tensor<32x48xf16>) -> tensor<1x48xf16> {
  // expected-remark @below {{Reason="the two contractions share no rows"}}
  %0 = fusion.matmul %x, %a : tensor<1x64xf16>, tensor<64x32xf16> -> tensor<1x32xf16>
  %1 = fusion.matmul %0, %b : tensor<1x32xf16>, tensor<32x48xf16> -> tensor<1x48xf16>
  return %1 : tensor<1x48xf16>
}

// -----

// No rows at all.
// CHECK-LABEL: func.func @nothing(
// CHECK-COUNT-2: = fusion.group
func.func @nothing(%x: tensor<0x64xf16>, %a: tensor<64x32xf16>, %b: tensor<32x48xf16>) -> tensor<0x48xf16> {
  // expected-remark @below {{Reason="the contractions multiply nothing"}}
  %0 = fusion.matmul %x, %a : tensor<0x64xf16>, tensor<64x32xf16> -> tensor<0x32xf16>
  %1 = fusion.matmul %0, %b : tensor<0x32xf16>, tensor<32x48xf16> -> tensor<0x48xf16>
  return %1 : tensor<0x48xf16>
}

// -----

// Doubles: there is no kernel of two contractions for them.
// CHECK-LABEL: func.func @doubles(
// CHECK-COUNT-2: = fusion.group
func.func @doubles(%x: tensor<64x64xf64>, %a: tensor<64x16xf64>, %b: tensor<16x64xf64>) -> tensor<64x64xf64> {
  // expected-remark @below {{Reason="the contractions are not of one type of floats, with sums in f32"}}
  %0 = fusion.matmul %x, %a : tensor<64x64xf64>, tensor<64x16xf64> -> tensor<64x16xf64>
  %1 = fusion.matmul %0, %b : tensor<64x16xf64>, tensor<16x64xf64> -> tensor<64x64xf64>
  return %1 : tensor<64x64xf64>
}

// -----

// Both are halves, but of two kinds.
// CHECK-LABEL: func.func @other_halves(
// CHECK-COUNT-2: = fusion.group
func.func @other_halves(%x: tensor<64x64xf16>, %a: tensor<64x16xf16>, %b: tensor<16x64xbf16>) -> tensor<64x64xbf16> {
  // expected-remark @below {{Reason="the contractions are not of one type of floats, with sums in f32"}}
  %0 = fusion.matmul %x, %a : tensor<64x64xf16>, tensor<64x16xf16> -> tensor<64x16xf16>
  %1 = fusion.cast %0 : tensor<64x16xf16> to tensor<64x16xbf16>
  %2 = fusion.matmul %1, %b : tensor<64x16xbf16>, tensor<16x64xbf16> -> tensor<64x64xbf16>
  return %2 : tensor<64x64xbf16>
}

// -----

// A common name does not make a block hold more.
// CHECK-LABEL: func.func @forced_too_wide(
// CHECK-COUNT-2: = fusion.group
func.func @forced_too_wide(%x: tensor<512x8192xf16>, %a: tensor<8192x3072xf16>, %b: tensor<3072x8192xf16>) -> tensor<512x8192xf16> {
  // expected-remark @below {{Reason="a block cannot hold what lies between the contractions: }}
  %0 = fusion.matmul %x, %a {fusion.fuse_with = "chain"} : tensor<512x8192xf16>, tensor<8192x3072xf16> -> tensor<512x3072xf16>
  // expected-remark @below {{Reason="a contraction's operand would be the result of another contraction: a block cannot hold}}
  %1 = fusion.matmul %0, %b {fusion.fuse_with = "chain"} : tensor<512x3072xf16>, tensor<3072x8192xf16> -> tensor<512x8192xf16>
  return %1 : tensor<512x8192xf16>
}

// -----

// f32 operands are twice as wide: no block holds them where it holds halves.
// CHECK-LABEL: func.func @wide_singles(
// CHECK-COUNT-2: = fusion.group
func.func @wide_singles(%x: tensor<512x1024xf32>, %a: tensor<1024x1024xf32>, %b: tensor<1024x1024xf32>) -> tensor<512x1024xf32> {
  // expected-remark-re @below {{Reason="a block cannot hold what lies between the contractions: {{[0-9]+}} registers of a thread for tiles spill"}}
  %0 = fusion.matmul %x, %a : tensor<512x1024xf32>, tensor<1024x1024xf32> -> tensor<512x1024xf32>
  %1 = fusion.matmul %0, %b : tensor<512x1024xf32>, tensor<1024x1024xf32> -> tensor<512x1024xf32>
  return %1 : tensor<512x1024xf32>
}

// -----

// A factor is computed inside of the second product: tiles are multiplied as they lie
// in memory.
// CHECK-LABEL: func.func @magnitudes(
// CHECK-COUNT-2: = fusion.group
func.func @magnitudes(%x: tensor<64x64xf32>, %a: tensor<64x16xf32>, %b: tensor<16x48xf32>, %r: tensor<64x48xf32>) -> tensor<64x48xf32> {
  // expected-remark @below {{Reason="a contraction computes more than products and their sum"}}
  %0 = fusion.matmul %x, %a : tensor<64x64xf32>, tensor<64x16xf32> -> tensor<64x16xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%0, %b : tensor<64x16xf32>, tensor<16x48xf32>) outs(%r : tensor<64x48xf32>) {
  ^bb0(%p: f32, %q: f32, %sum: f32):
    %2 = math.absf %p : f32
    %3 = arith.mulf %2, %q : f32
    %4 = arith.addf %sum, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<64x48xf32>
  return %1 : tensor<64x48xf32>
}

// -----

// The second sums over a dim that both factors of the first have: each of its terms is
// another product.
// CHECK-LABEL: func.func @sum_of_batch(
// CHECK-COUNT-2: = fusion.group
func.func @sum_of_batch(%x: tensor<64x8x32xf32>, %a: tensor<8x32xf32>, %b: tensor<8x48xf32>, %r: tensor<64x8xf32>) -> tensor<64x48xf32> {
  // expected-remark @below {{Reason="each contraction wants one dim to sum over, the second one of one operand of the first"}}
  %0 = linalg.generic {indexing_maps = [affine_map<(i, h, k) -> (i, h, k)>, affine_map<(i, h, k) -> (h, k)>, affine_map<(i, h, k) -> (i, h)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %a : tensor<64x8x32xf32>, tensor<8x32xf32>) outs(%r : tensor<64x8xf32>) {
  ^bb0(%p: f32, %q: f32, %sum: f32):
    %2 = arith.mulf %p, %q : f32
    %3 = arith.addf %sum, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<64x8xf32>
  %1 = fusion.matmul %0, %b : tensor<64x8xf32>, tensor<8x48xf32> -> tensor<64x48xf32>
  return %1 : tensor<64x48xf32>
}
