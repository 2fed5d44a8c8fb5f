// Attention of few rows that stays in kernels apart, each with its reason.
//
// RUN: fusion-opt %s -fusion-graph-to-linalg=target=sm_90a -fusion-linalg-to-groups=target=sm_90a -split-input-file | FileCheck %s
// RUN: fusion-opt %s -fusion-graph-to-linalg=target=sm_90a -fusion-linalg-to-groups=target=sm_90a -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics=only-expected -o /dev/null

// Floats, which tensor cores multiply otherwise.
// CHECK-LABEL: func.func @long_floats(
// CHECK-COUNT-2: = fusion.group
func.func @long_floats(%q: tensor<4x2x64xf32>, %k: tensor<4x16384x64xf32>, %v: tensor<4x16384x64xf32>) -> tensor<4x2x64xf32> {
  // expected-remark @below {{Reason="with few rows a block walks over all columns: estimated slower so}}
  %s = fusion.matmul %q, %k {transpose_b} : tensor<4x2x64xf32>, tensor<4x16384x64xf32> -> tensor<4x2x16384xf32>
  %p = fusion.softmax %s dim = 2 : tensor<4x2x16384xf32>
  %o = fusion.matmul %p, %v : tensor<4x2x16384xf32>, tensor<4x16384x64xf32> -> tensor<4x2x64xf32>
  return %o : tensor<4x2x64xf32>
}

// -----

// A mask between the contractions, and a batch of heads.
// CHECK-LABEL: func.func @long_masked(
// CHECK-COUNT-2: = fusion.group
func.func @long_masked(%q: tensor<1x4x3x128xbf16>, %k: tensor<1x4x8192x128xbf16>, %v: tensor<1x4x8192x128xbf16>, %m: tensor<1x1x3x8192xbf16>) -> tensor<1x4x3x128xbf16> {
  // expected-remark @below {{Reason="with few rows a block walks over all columns: estimated slower so}}
  %s = fusion.matmul %q, %k {transpose_b} : tensor<1x4x3x128xbf16>, tensor<1x4x8192x128xbf16> -> tensor<1x4x3x8192xbf16>
  %b = fusion.broadcast %m dims = [0, 1, 2, 3] : tensor<1x1x3x8192xbf16> to tensor<1x4x3x8192xbf16>
  %a = fusion.add %s, %b : tensor<1x4x3x8192xbf16>
  %p = fusion.softmax %a dim = 3 : tensor<1x4x3x8192xbf16>
  %o = fusion.matmul %p, %v : tensor<1x4x3x8192xbf16>, tensor<1x4x8192x128xbf16> -> tensor<1x4x3x128xbf16>
  return %o : tensor<1x4x3x128xbf16>
}

// -----

// A single row, however short: no tile of rows.
// CHECK-LABEL: func.func @one_row(
// CHECK-COUNT-2: = fusion.group
func.func @one_row(%q: tensor<12x1x128xf16>, %k: tensor<12x64x128xf16>, %v: tensor<12x64x128xf16>) -> tensor<12x1x128xf16> {
  // expected-remark @below {{Reason="a kernel of both multiplies tiles of rows, and there is just one"}}
  %s = fusion.matmul %q, %k {transpose_b} : tensor<12x1x128xf16>, tensor<12x64x128xf16> -> tensor<12x1x64xf16>
  %p = fusion.softmax %s dim = 2 : tensor<12x1x64xf16>
  %o = fusion.matmul %p, %v : tensor<12x1x64xf16>, tensor<12x64x128xf16> -> tensor<12x1x128xf16>
  return %o : tensor<12x1x128xf16>
}

// -----

// Few rows over few columns, but a person's word.
// CHECK-LABEL: func.func @asked(
// CHECK-COUNT-2: = fusion.group
func.func @asked(%q: tensor<12x8x128xf16>, %k: tensor<12x64x128xf16>, %v: tensor<12x64x128xf16>) -> tensor<12x8x128xf16> {
  // expected-remark @below {{Reason="an op is marked with fusion.no_fuse"}}
  %s = fusion.matmul %q, %k {transpose_b, fusion.no_fuse} : tensor<12x8x128xf16>, tensor<12x64x128xf16> -> tensor<12x8x64xf16>
  %p = fusion.softmax %s dim = 2 : tensor<12x8x64xf16>
  %o = fusion.matmul %p, %v : tensor<12x8x64xf16>, tensor<12x64x128xf16> -> tensor<12x8x128xf16>
  return %o : tensor<12x8x128xf16>
}

// -----

// The weights are a result of the function: they are written whole.
// CHECK-LABEL: func.func @needed(
// CHECK-COUNT-2: = fusion.group
func.func @needed(%q: tensor<12x8x128xf16>, %k: tensor<12x64x128xf16>, %v: tensor<12x64x128xf16>) -> (tensor<12x8x128xf16>, tensor<12x8x64xf16>) {
  %s = fusion.matmul %q, %k {transpose_b} : tensor<12x8x128xf16>, tensor<12x64x128xf16> -> tensor<12x8x64xf16>
  %p = fusion.softmax %s dim = 2 : tensor<12x8x64xf16>
  // expected-remark @below {{Reason="a contraction's operand would be the result of another contraction: a reduction reads what lies between the contractions"}}
  %o = fusion.matmul %p, %v : tensor<12x8x64xf16>, tensor<12x64x128xf16> -> tensor<12x8x128xf16>
  return %o, %p : tensor<12x8x128xf16>, tensor<12x8x64xf16>
}

// -----

// Many keys for few rows of few heads: kernels apart spread the keys over the device.
// CHECK-LABEL: func.func @long(
// CHECK-COUNT-2: = fusion.group
func.func @long(%q: tensor<8x4x128xf16>, %k: tensor<8x8192x128xf16>, %v: tensor<8x8192x128xf16>) -> tensor<8x4x128xf16> {
  // expected-remark @below {{Reason="with few rows a block walks over all columns: estimated slower so}}
  %s = fusion.matmul %q, %k {transpose_b} : tensor<8x4x128xf16>, tensor<8x8192x128xf16> -> tensor<8x4x8192xf16>
  %p = fusion.softmax %s dim = 2 : tensor<8x4x8192xf16>
  %o = fusion.matmul %p, %v : tensor<8x4x8192xf16>, tensor<8x8192x128xf16> -> tensor<8x4x128xf16>
  return %o : tensor<8x4x128xf16>
}
