// Two contractions, the second of what follows from the first: one kernel where a
// block holds what lies between and the estimate says that it pays; else a remark
// says why not.

// RUN: fusion-opt %s -fusion-graph-to-linalg=target=sm_90a -fusion-linalg-to-groups=target=sm_90a -split-input-file | FileCheck %s
// RUN: fusion-opt %s -fusion-graph-to-linalg=target=sm_90a -fusion-linalg-to-groups=target=sm_90a -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics=only-expected -o /dev/null
// The middle is rounded to its type in any case: strict rounding changes nothing.
// RUN: fusion-opt %s -fusion-graph-to-linalg=target=sm_80 '-fusion-linalg-to-groups=target=sm_80 numerics=strict' -split-input-file | FileCheck %s
// On a CPU they stay apart.
// RUN: fusion-opt %s -fusion-graph-to-linalg=target=cpu -fusion-linalg-to-groups=target=cpu -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=CPU
// CPU: [Missed] ChainedProducts {{.*}} Function=low_rank | Consumer={{.*}}, Reason="on a CPU the caches hold what lies between the contractions"

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

// Two contractions read the middle.
// CHECK-LABEL: func.func @two_readers(
// CHECK-COUNT-2: = fusion.group
func.func @two_readers(%x: tensor<64x64xf16>, %a: tensor<64x16xf16>, %b: tensor<16x64xf16>, %c: tensor<16x32xf16>) -> (tensor<64x64xf16>, tensor<64x32xf16>) {
  // expected-remark @below 2 {{Reason="several contractions read what follows from the first"}}
  %0 = fusion.matmul %x, %a : tensor<64x64xf16>, tensor<64x16xf16> -> tensor<64x16xf16>
  %1 = fusion.matmul %0, %b : tensor<64x16xf16>, tensor<16x64xf16> -> tensor<64x64xf16>
  %2 = fusion.matmul %0, %c : tensor<64x16xf16>, tensor<16x32xf16> -> tensor<64x32xf16>
  return %1, %2 : tensor<64x64xf16>, tensor<64x32xf16>
}

// -----

// The middle is a result too.
// CHECK-LABEL: func.func @leaves(
// CHECK-COUNT-2: = fusion.group
func.func @leaves(%x: tensor<64x64xf16>, %a: tensor<64x16xf16>, %b: tensor<16x64xf16>) -> (tensor<64x16xf16>, tensor<64x64xf16>) {
  // expected-remark @below {{Reason="what lies between the contractions is needed elsewhere"}}
  %0 = fusion.matmul %x, %a : tensor<64x64xf16>, tensor<64x16xf16> -> tensor<64x16xf16>
  %1 = fusion.relu %0 : tensor<64x16xf16>
  %2 = fusion.matmul %1, %b : tensor<64x16xf16>, tensor<16x64xf16> -> tensor<64x64xf16>
  return %1, %2 : tensor<64x16xf16>, tensor<64x64xf16>
}

// -----

// A norm between them.
// CHECK-LABEL: func.func @reduction(
// CHECK-COUNT-2: = fusion.group
func.func @reduction(%x: tensor<64x64xf16>, %a: tensor<64x16xf16>, %b: tensor<16x64xf16>) -> tensor<64x64xf16> {
  // expected-remark @below {{Reason="a reduction reads what lies between the contractions"}}
  %0 = fusion.matmul %x, %a : tensor<64x64xf16>, tensor<64x16xf16> -> tensor<64x16xf16>
  %1 = fusion.log_softmax %0 dim = 1 : tensor<64x16xf16>
  %2 = fusion.matmul %1, %b : tensor<64x16xf16>, tensor<16x64xf16> -> tensor<64x64xf16>
  return %2 : tensor<64x64xf16>
}

// -----

// Both operands follow from the first.
// CHECK-LABEL: func.func @both(
// CHECK-COUNT-2: = fusion.group
func.func @both(%x: tensor<32x64xf16>, %a: tensor<64x32xf16>) -> tensor<32x32xf16> {
  // expected-remark @below {{Reason="both operands of the second contraction depend on the first"}}
  %0 = fusion.matmul %x, %a : tensor<32x64xf16>, tensor<64x32xf16> -> tensor<32x32xf16>
  %1 = fusion.relu %0 : tensor<32x32xf16>
  %2 = fusion.matmul %0, %1 : tensor<32x32xf16>, tensor<32x32xf16> -> tensor<32x32xf16>
  return %2 : tensor<32x32xf16>
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

// The middle is read the other way round: what was summed over are rows now.
// CHECK-LABEL: func.func @sums_rows(
// CHECK-COUNT-2: = fusion.group
func.func @sums_rows(%x: tensor<64x64xf16>, %a: tensor<64x1xf16>, %b: tensor<64x32xf16>) -> tensor<1x32xf16> {
  // expected-remark @below {{Reason="the two contractions share no rows, or the second has no columns"}}
  %0 = fusion.matmul %x, %a : tensor<64x64xf16>, tensor<64x1xf16> -> tensor<64x1xf16>
  %1 = fusion.matmul %0, %b {transpose_a} : tensor<64x1xf16>, tensor<64x32xf16> -> tensor<1x32xf16>
  return %1 : tensor<1x32xf16>
}

// -----

// The two products of a gated layer share x: they are a kernel of their own.
// CHECK-LABEL: func.func @gated(
// CHECK-COUNT-2: = fusion.group
func.func @gated(%x: tensor<64x64xf16>, %g: tensor<64x32xf16>, %u: tensor<64x32xf16>, %d: tensor<32x64xf16>) -> tensor<64x64xf16> {
  // expected-remark @below {{Reason="a contraction that shares an operand with the first meets it in between"}}
  %0 = fusion.matmul %x, %g : tensor<64x64xf16>, tensor<64x32xf16> -> tensor<64x32xf16>
  // expected-remark @below {{Reason="a contraction that shares an operand with the first meets it in between"}}
  %1 = fusion.matmul %x, %u : tensor<64x64xf16>, tensor<64x32xf16> -> tensor<64x32xf16>
  %2 = fusion.silu %0 : tensor<64x32xf16>
  %3 = fusion.mul %2, %1 : tensor<64x32xf16>
  %4 = fusion.matmul %3, %d : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf16>
  return %4 : tensor<64x64xf16>
}

// -----

// The user forbids it, or wants a schedule for one of the two.
// CHECK-LABEL: func.func @no_fuse(
// CHECK-COUNT-2: = fusion.group
func.func @no_fuse(%x: tensor<64x64xf16>, %a: tensor<64x16xf16>, %b: tensor<16x64xf16>) -> tensor<64x64xf16> {
  // expected-remark @below {{Reason="an op is marked with fusion.no_fuse"}}
  %0 = fusion.matmul %x, %a {fusion.no_fuse} : tensor<64x64xf16>, tensor<64x16xf16> -> tensor<64x16xf16>
  %1 = fusion.matmul %0, %b : tensor<64x16xf16>, tensor<16x64xf16> -> tensor<64x64xf16>
  return %1 : tensor<64x64xf16>
}

// -----

// CHECK-LABEL: func.func @pinned(
// CHECK-COUNT-2: = fusion.group
func.func @pinned(%x: tensor<64x64xf16>, %a: tensor<64x64xf16>, %b: tensor<64x64xf16>) -> tensor<64x64xf16> {
  %0 = fusion.matmul %x, %a : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
  // expected-remark @-1 {{Reason="an op pins the schedule of its kernel"}}
  %1 = fusion.matmul %0, %b {fusion.schedule = {kind = "mma", bm = 64, bn = 64, bk = 32, stages = 2, warps = 4}}
      : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
  return %1 : tensor<64x64xf16>
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
