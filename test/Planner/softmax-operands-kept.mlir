// What makes operands of attention and stays out of its kernel.
//
// RUN: fusion-opt %s -fusion-graph-to-linalg=target=sm_90a -fusion-linalg-to-groups=target=sm_90a -split-input-file | FileCheck %s
// RUN: fusion-opt %s -fusion-graph-to-linalg=target=sm_90a -fusion-linalg-to-groups=target=sm_90a -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics=only-expected -o /dev/null

// Sums along the keys so far are no elementwise code.
// CHECK-LABEL: func.func @values_summed(
// CHECK-COUNT-2: = fusion.group
func.func @values_summed(%q: tensor<70x32xf16>, %k: tensor<90x32xf16>, %v: tensor<90x32xf16>) -> tensor<70x32xf16> {
  %v1 = fusion.cumsum %v dim = 0 : tensor<90x32xf16>
  %s = fusion.matmul %q, %k {transpose_b} : tensor<70x32xf16>, tensor<90x32xf16> -> tensor<70x90xf16>
  %p = fusion.softmax %s dim = 1 : tensor<70x90xf16>
  // expected-remark @below {{Reason="the producer is grouped alone: no operand is indexed by all loops}}
  %o = fusion.matmul %p, %v1 : tensor<70x90xf16>, tensor<90x32xf16> -> tensor<70x32xf16>
  return %o : tensor<70x32xf16>
}

// -----

// A person chose the schedule of what makes the keys.
// CHECK-LABEL: func.func @pinned(
// CHECK-COUNT-2: = fusion.group
func.func @pinned(%q: tensor<70x32xf16>, %k: tensor<90x32xf16>, %v: tensor<90x32xf16>) -> tensor<70x32xf16> {
  %k1 = fusion.exp %k {fusion.schedule = {kind = "elementwise", rows = 8 : i64, columns = 64 : i64, warps = 4 : i64}} : tensor<90x32xf16>
  // expected-remark @below {{Reason="a kernel of two contractions, one after the other, reads from memory what it takes}}
  %s = fusion.matmul %q, %k1 {transpose_b} : tensor<70x32xf16>, tensor<90x32xf16> -> tensor<70x90xf16>
  %p = fusion.softmax %s dim = 1 : tensor<70x90xf16>
  %o = fusion.matmul %p, %v : tensor<70x90xf16>, tensor<90x32xf16> -> tensor<70x32xf16>
  return %o : tensor<70x32xf16>
}

// -----

// What makes the rows is to be fused with something else.
// CHECK-LABEL: func.func @with(
// CHECK-COUNT-2: = fusion.group
func.func @with(%q: tensor<70x32xf16>, %k: tensor<90x32xf16>, %v: tensor<90x32xf16>) -> tensor<70x32xf16> {
  %q1 = fusion.neg %q {fusion.fuse_with = "other"} : tensor<70x32xf16>
  // expected-remark @below {{Reason="a kernel of two contractions, one after the other, reads from memory what it takes}}
  %s = fusion.matmul %q1, %k {transpose_b} : tensor<70x32xf16>, tensor<90x32xf16> -> tensor<70x90xf16>
  %p = fusion.softmax %s dim = 1 : tensor<70x90xf16>
  %o = fusion.matmul %p, %v : tensor<70x90xf16>, tensor<90x32xf16> -> tensor<70x32xf16>
  return %o : tensor<70x32xf16>
}

// -----

// Values that are a result, too: computed once, and written.
// CHECK-LABEL: func.func @values_needed(
// CHECK-COUNT-2: = fusion.group
func.func @values_needed(%q: tensor<70x32xf16>, %k: tensor<90x32xf16>, %v: tensor<90x32xf16>) -> (tensor<70x32xf16>, tensor<90x32xf16>) {
  %v1 = fusion.exp %v : tensor<90x32xf16>
  %s = fusion.matmul %q, %k {transpose_b} : tensor<70x32xf16>, tensor<90x32xf16> -> tensor<70x90xf16>
  %p = fusion.softmax %s dim = 1 : tensor<70x90xf16>
  // expected-remark @below {{Reason="the operand is needed outside of the group too: it is computed once, and written}}
  %o = fusion.matmul %p, %v1 : tensor<70x90xf16>, tensor<90x32xf16> -> tensor<70x32xf16>
  return %o, %v1 : tensor<70x32xf16>, tensor<90x32xf16>
}

// -----

// A softmax of the rows makes them: a reduction, which runs in a kernel of its own.
// CHECK-LABEL: func.func @rows_norm(
// CHECK-COUNT-2: = fusion.group
func.func @rows_norm(%q: tensor<70x32xf16>, %k: tensor<90x32xf16>, %v: tensor<90x32xf16>) -> tensor<70x32xf16> {
  %q1 = fusion.softmax %q dim = 1 : tensor<70x32xf16>
  // expected-remark @below {{Reason="a kernel of two contractions, one after the other, reads from memory what it takes}}
  %s = fusion.matmul %q1, %k {transpose_b} : tensor<70x32xf16>, tensor<90x32xf16> -> tensor<70x90xf16>
  %p = fusion.softmax %s dim = 1 : tensor<70x90xf16>
  %o = fusion.matmul %p, %v : tensor<70x90xf16>, tensor<90x32xf16> -> tensor<70x32xf16>
  return %o : tensor<70x32xf16>
}

// -----

// The keys are needed elsewhere: they are written anyway.
// CHECK-LABEL: func.func @needed(
// CHECK-COUNT-2: = fusion.group
func.func @needed(%q: tensor<70x32xf16>, %k: tensor<90x32xf16>, %v: tensor<90x32xf16>) -> (tensor<70x32xf16>, tensor<90x32xf16>) {
  %k1 = fusion.exp %k : tensor<90x32xf16>
  // expected-remark @below {{Producer=elementwise, Reason="the operand is needed outside of the group too: it is computed once, and written}}
  %s = fusion.matmul %q, %k1 {transpose_b} : tensor<70x32xf16>, tensor<90x32xf16> -> tensor<70x90xf16>
  %p = fusion.softmax %s dim = 1 : tensor<70x90xf16>
  %o = fusion.matmul %p, %v : tensor<70x90xf16>, tensor<90x32xf16> -> tensor<70x32xf16>
  return %o, %k1 : tensor<70x32xf16>, tensor<90x32xf16>
}

// -----

// Sines of keys, anew for each of very many tiles of rows, cost more than a launch.
// CHECK-LABEL: func.func @dear(
// CHECK-COUNT-2: = fusion.group
func.func @dear(%q: tensor<65536x64xf16>, %k: tensor<4096x64xf16>, %v: tensor<4096x64xf16>) -> tensor<65536x64xf16> {
  %k1 = fusion.sin %k : tensor<4096x64xf16>
  %k2 = fusion.tanh %k1 : tensor<4096x64xf16>
  // expected-remark @below {{Producer=elementwise, Reason="estimated slower fused}}
  %s = fusion.matmul %q, %k2 {transpose_b} : tensor<65536x64xf16>, tensor<4096x64xf16> -> tensor<65536x4096xf16>
  %p = fusion.softmax %s dim = 1 : tensor<65536x4096xf16>
  %o = fusion.matmul %p, %v : tensor<65536x4096xf16>, tensor<4096x64xf16> -> tensor<65536x64xf16>
  return %o : tensor<65536x64xf16>
}

// -----

// The user wants what makes the keys in a kernel of its own.
// CHECK-LABEL: func.func @asked(
// CHECK-COUNT-2: = fusion.group
func.func @asked(%q: tensor<70x32xf16>, %k: tensor<90x32xf16>, %v: tensor<90x32xf16>) -> tensor<70x32xf16> {
  %k1 = fusion.exp %k {fusion.no_fuse} : tensor<90x32xf16>
  // expected-remark @below {{Reason="the producer is marked with fusion.no_fuse"}}
  %s = fusion.matmul %q, %k1 {transpose_b} : tensor<70x32xf16>, tensor<90x32xf16> -> tensor<70x90xf16>
  %p = fusion.softmax %s dim = 1 : tensor<70x90xf16>
  %o = fusion.matmul %p, %v : tensor<70x90xf16>, tensor<90x32xf16> -> tensor<70x32xf16>
  return %o : tensor<70x32xf16>
}

// -----

// A maximum along the keys makes the queries' scale: a reduction.
// CHECK-LABEL: func.func @scaled_by_largest(
// CHECK-COUNT-2: = fusion.group
func.func @scaled_by_largest(%q: tensor<70x32xf16>, %k: tensor<90x32xf16>, %v: tensor<90x32xf16>) -> tensor<70x32xf16> {
  %m = fusion.reduce max, %q dims = [1] : tensor<70x32xf16> to tensor<70xf16>
  %mb = fusion.broadcast %m dims = [0] : tensor<70xf16> to tensor<70x32xf16>
  %q1 = fusion.div %q, %mb : tensor<70x32xf16>
  // expected-remark @below {{Reason="a kernel of two contractions, one after the other, reads from memory what it takes}}
  %s = fusion.matmul %q1, %k {transpose_b} : tensor<70x32xf16>, tensor<90x32xf16> -> tensor<70x90xf16>
  %p = fusion.softmax %s dim = 1 : tensor<70x90xf16>
  %o = fusion.matmul %p, %v : tensor<70x90xf16>, tensor<90x32xf16> -> tensor<70x32xf16>
  return %o : tensor<70x32xf16>
}
