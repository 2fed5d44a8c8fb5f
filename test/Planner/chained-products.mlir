// Two contractions, the second of what follows from the first: one kernel where a
// block holds what lies between and the estimate says that it pays.

// RUN: fusion-opt %s -fusion-graph-to-linalg=target=sm_90a -fusion-linalg-to-groups=target=sm_90a -split-input-file | FileCheck %s
// RUN: fusion-opt %s -fusion-graph-to-linalg=target=sm_90a -fusion-linalg-to-groups=target=sm_90a -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics=only-expected -o /dev/null
// The middle is rounded to its type in any case: strict rounding changes nothing.
// RUN: fusion-opt %s -fusion-graph-to-linalg=target=sm_80 '-fusion-linalg-to-groups=target=sm_80 numerics=strict' -split-input-file | FileCheck %s

// A low-rank adapter with code between and after; rows known only at run time. What
// the user wants in one kernel need not pay; the estimates are told in any case.
// CHECK-LABEL: func.func @low_rank(
// CHECK-COUNT-1: = fusion.group
// CHECK-NOT:     = fusion.group
func.func @low_rank(%x: tensor<?x4096xf16>, %a: tensor<4096x16xf16>, %bias: tensor<16xf16>,
                    %b: tensor<16x4096xf16>, %res: tensor<?x4096xf16>) -> tensor<?x4096xf16> {
  %c0 = arith.constant 0 : index
  %m = tensor.dim %x, %c0 : tensor<?x4096xf16>
  // expected-remark-re @below {{Remark="one kernel with contraction: {{[0-9.]+}} us instead of {{[0-9.]+}}"}}
  %0 = fusion.matmul %x, %a {fusion.fuse_with = "chain"} : tensor<?x4096xf16>, tensor<4096x16xf16> -> tensor<?x16xf16>
  %1 = fusion.broadcast %bias dims = [1] sizes(%m) : tensor<16xf16> to tensor<?x16xf16>
  %2 = fusion.add %0, %1 : tensor<?x16xf16>
  %3 = fusion.gelu %2 : tensor<?x16xf16>
  %4 = fusion.matmul %3, %b {fusion.fuse_with = "chain"} : tensor<?x16xf16>, tensor<16x4096xf16> -> tensor<?x4096xf16>
  %5 = fusion.add %4, %res : tensor<?x4096xf16>
  return %5 : tensor<?x4096xf16>
}

// -----

// Attention without a softmax: the middle is long, the walk is along it.
// CHECK-LABEL: func.func @linear_attention(
// CHECK-COUNT-1: = fusion.group
// CHECK-NOT:     = fusion.group
func.func @linear_attention(%q: tensor<16x2048x64xbf16>, %k: tensor<16x2048x64xbf16>, %v: tensor<16x2048x64xbf16>) -> tensor<16x2048x64xbf16> {
  // expected-remark @below {{Remark="one kernel with}}
  %s = fusion.matmul %q, %k {transpose_b, fusion.fuse_with = "chain"} : tensor<16x2048x64xbf16>, tensor<16x2048x64xbf16> -> tensor<16x2048x2048xbf16>
  %i = fusion.iota dim = 1 : tensor<16x2048x2048xi32>
  %j = fusion.iota dim = 2 : tensor<16x2048x2048xi32>
  %causal = fusion.compare le, %j, %i : tensor<16x2048x2048xi32>
  %z = fusion.constant dense<0.0> : tensor<bf16>
  %zb = fusion.broadcast %z dims = [] : tensor<bf16> to tensor<16x2048x2048xbf16>
  %x = fusion.select %causal, %s, %zb : tensor<16x2048x2048xbf16>
  %o = fusion.matmul %x, %v {fusion.fuse_with = "chain"} : tensor<16x2048x2048xbf16>, tensor<16x2048x64xbf16> -> tensor<16x2048x64xbf16>
  return %o : tensor<16x2048x64xbf16>
}

// -----

// The result is a (b c): the middle is the other operand, c has few columns.
// CHECK-LABEL: func.func @right(
// CHECK-COUNT-1: = fusion.group
// CHECK-NOT:     = fusion.group
func.func @right(%a: tensor<128x512xf16>, %b: tensor<512x64xf16>, %c: tensor<64x16xf16>) -> tensor<128x16xf16> {
  // expected-remark @below {{Remark="one kernel with}}
  %0 = fusion.matmul %b, %c {fusion.fuse_with = "chain"} : tensor<512x64xf16>, tensor<64x16xf16> -> tensor<512x16xf16>
  %1 = fusion.relu %0 : tensor<512x16xf16>
  %2 = fusion.matmul %a, %1 {fusion.fuse_with = "chain"} : tensor<128x512xf16>, tensor<512x16xf16> -> tensor<128x16xf16>
  return %2 : tensor<128x16xf16>
}

// -----

// f32, operands transposed, a bottleneck with a residual of the middle's shape.
// CHECK-LABEL: func.func @bottleneck(
// CHECK-COUNT-1: = fusion.group
// CHECK-NOT:     = fusion.group
func.func @bottleneck(%x: tensor<8x64x96xf32>, %a: tensor<8x32x96xf32>, %r: tensor<8x64x32xf32>, %b: tensor<8x96x32xf32>) -> tensor<8x64x96xf32> {
  // expected-remark @below {{Remark="one kernel with}}
  %0 = fusion.matmul %x, %a {transpose_b, fusion.fuse_with = "chain"} : tensor<8x64x96xf32>, tensor<8x32x96xf32> -> tensor<8x64x32xf32>
  %1 = fusion.add %0, %r : tensor<8x64x32xf32>
  %2 = fusion.matmul %1, %b {transpose_b, fusion.fuse_with = "chain"} : tensor<8x64x32xf32>, tensor<8x96x32xf32> -> tensor<8x64x96xf32>
  return %2 : tensor<8x64x96xf32>
}

// -----

// Of three contractions in a row the first two.
// CHECK-LABEL: func.func @three(
// CHECK-COUNT-2: = fusion.group
// CHECK-NOT:     = fusion.group
func.func @three(%x: tensor<64x64xf16>, %a: tensor<64x32xf16>, %b: tensor<32x64xf16>, %c: tensor<64x32xf16>) -> tensor<64x32xf16> {
  // expected-remark @below {{Remark="one kernel with}}
  %0 = fusion.matmul %x, %a : tensor<64x64xf16>, tensor<64x32xf16> -> tensor<64x32xf16>
  // expected-remark @below {{Reason="one of the contractions is in a kernel with another"}}
  %1 = fusion.matmul %0, %b : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf16>
  %2 = fusion.matmul %1, %c : tensor<64x64xf16>, tensor<64x32xf16> -> tensor<64x32xf16>
  return %2 : tensor<64x32xf16>
}

// -----

// What meets in between is another product, of other operands: the kernel reads it.
// CHECK-LABEL: func.func @meets(
// CHECK-COUNT-2: = fusion.group
// CHECK-NOT:     = fusion.group
func.func @meets(%x: tensor<33x40xf16>, %a: tensor<40x24xf16>, %z: tensor<33x17xf16>, %u: tensor<17x24xf16>, %b: tensor<24x50xf16>) -> tensor<33x50xf16> {
  // expected-remark @below {{Remark="one kernel with}}
  %0 = fusion.matmul %x, %a : tensor<33x40xf16>, tensor<40x24xf16> -> tensor<33x24xf16>
  %1 = fusion.matmul %z, %u : tensor<33x17xf16>, tensor<17x24xf16> -> tensor<33x24xf16>
  %2 = fusion.sigmoid %1 : tensor<33x24xf16>
  %3 = fusion.mul %0, %2 : tensor<33x24xf16>
  %4 = fusion.matmul %3, %b : tensor<33x24xf16>, tensor<24x50xf16> -> tensor<33x50xf16>
  return %4 : tensor<33x50xf16>
}

// -----

// The columns are two dims, apart in memory: only a held middle serves them.
// CHECK-LABEL: func.func @columns(
// CHECK-COUNT-1: = fusion.group
// CHECK-NOT:     = fusion.group
func.func @columns(%x: tensor<33x40xf16>, %a: tensor<40x24xf16>, %b: tensor<3x24x20xf16>) -> tensor<3x33x20xf16> {
  // expected-remark @below {{Remark="one kernel with}}
  %0 = fusion.matmul %x, %a {fusion.fuse_with = "chain"} : tensor<33x40xf16>, tensor<40x24xf16> -> tensor<33x24xf16>
  %1 = fusion.broadcast %0 dims = [1, 2] : tensor<33x24xf16> to tensor<3x33x24xf16>
  %2 = fusion.matmul %1, %b {fusion.fuse_with = "chain"} : tensor<3x33x24xf16>, tensor<3x24x20xf16> -> tensor<3x33x20xf16>
  return %2 : tensor<3x33x20xf16>
}
