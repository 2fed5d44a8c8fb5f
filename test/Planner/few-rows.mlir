// Attention of few rows: a block walks over all keys, unless kernels apart, which
// spread the keys, are estimated to be faster.
//
// RUN: fusion-opt %s -fusion-graph-to-linalg=target=sm_90a -fusion-linalg-to-groups=target=sm_90a -split-input-file | FileCheck %s

// CHECK-LABEL: func.func @short(
// CHECK-COUNT-1: = fusion.group
// CHECK-NOT:     = fusion.group
func.func @short(%q: tensor<12x8x128xf16>, %k: tensor<12x64x128xf16>, %v: tensor<12x64x128xf16>) -> tensor<12x8x128xf16> {
  %s = fusion.matmul %q, %k {transpose_b} : tensor<12x8x128xf16>, tensor<12x64x128xf16> -> tensor<12x8x64xf16>
  %p = fusion.softmax %s dim = 2 : tensor<12x8x64xf16>
  %o = fusion.matmul %p, %v : tensor<12x8x64xf16>, tensor<12x64x128xf16> -> tensor<12x8x128xf16>
  return %o : tensor<12x8x128xf16>
}

// -----

// Many rows are never asked.
// CHECK-LABEL: func.func @many(
// CHECK-COUNT-1: = fusion.group
// CHECK-NOT:     = fusion.group
func.func @many(%q: tensor<8x64x128xf16>, %k: tensor<8x8192x128xf16>, %v: tensor<8x8192x128xf16>) -> tensor<8x64x128xf16> {
  %s = fusion.matmul %q, %k {transpose_b} : tensor<8x64x128xf16>, tensor<8x8192x128xf16> -> tensor<8x64x8192xf16>
  %p = fusion.softmax %s dim = 2 : tensor<8x64x8192xf16>
  %o = fusion.matmul %p, %v : tensor<8x64x8192xf16>, tensor<8x8192x128xf16> -> tensor<8x64x128xf16>
  return %o : tensor<8x64x128xf16>
}
