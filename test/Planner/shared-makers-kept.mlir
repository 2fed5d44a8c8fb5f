// What attentions and other kernels read and is computed once, and written.
//
// RUN: fusion-opt %s -fusion-graph-to-linalg=target=sm_90a -fusion-linalg-to-groups=target=sm_90a -split-input-file | FileCheck %s
// RUN: fusion-opt %s -fusion-graph-to-linalg=target=sm_90a -fusion-linalg-to-groups=target=sm_90a -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics=only-expected -o /dev/null

// A sum that is a result too: each reader would read two tensors for it.
// CHECK-LABEL: func.func @summed(
// CHECK-COUNT-3: = fusion.group
// CHECK-NOT:     = fusion.group
func.func @summed(%q: tensor<2x70x32xf16>, %m: tensor<2x70x90xf16>, %n: tensor<2x70x90xf16>, %k0: tensor<2x90x32xf16>, %v0: tensor<2x90x32xf16>, %k1: tensor<2x90x32xf16>, %v1: tensor<2x90x32xf16>) -> (tensor<2x70x32xf16>, tensor<2x70x90xf16>) {
  %b = fusion.add %m, %n : tensor<2x70x90xf16>
  %s0 = fusion.matmul %q, %k0 {transpose_b} : tensor<2x70x32xf16>, tensor<2x90x32xf16> -> tensor<2x70x90xf16>
  // expected-remark @below {{Producer=elementwise, Reason="the operand is needed outside of the group too: it is computed once, and written; to compute it again is estimated at}}
  %t0 = fusion.add %s0, %b : tensor<2x70x90xf16>
  %p0 = fusion.softmax %t0 dim = 2 : tensor<2x70x90xf16>
  %y0 = fusion.matmul %p0, %v0 : tensor<2x70x90xf16>, tensor<2x90x32xf16> -> tensor<2x70x32xf16>
  %s1 = fusion.matmul %y0, %k1 {transpose_b} : tensor<2x70x32xf16>, tensor<2x90x32xf16> -> tensor<2x70x90xf16>
  // expected-remark @below {{Producer=elementwise, Reason="the operand is needed outside of the group too: it is computed once, and written; to compute it again is estimated at}}
  %t1 = fusion.add %s1, %b : tensor<2x70x90xf16>
  %p1 = fusion.softmax %t1 dim = 2 : tensor<2x70x90xf16>
  %y1 = fusion.matmul %p1, %v1 : tensor<2x70x90xf16>, tensor<2x90x32xf16> -> tensor<2x70x32xf16>
  return %y1, %b : tensor<2x70x32xf16>, tensor<2x70x90xf16>
}

// -----

// As large as what it is made of, and written anyway.
// CHECK-LABEL: func.func @same_size(
// CHECK-COUNT-3: = fusion.group
// CHECK-NOT:     = fusion.group
func.func @same_size(%q: tensor<2x70x32xf16>, %m: tensor<2x70x90xf16>, %k0: tensor<2x90x32xf16>, %v0: tensor<2x90x32xf16>, %k1: tensor<2x90x32xf16>, %v1: tensor<2x90x32xf16>) -> (tensor<2x70x32xf16>, tensor<2x70x90xf16>) {
  %b = fusion.neg %m : tensor<2x70x90xf16>
  %s0 = fusion.matmul %q, %k0 {transpose_b} : tensor<2x70x32xf16>, tensor<2x90x32xf16> -> tensor<2x70x90xf16>
  // expected-remark @below {{Producer=elementwise, Reason="the operand is needed outside of the group too: it is computed once, and written; to compute it again is estimated at}}
  %t0 = fusion.add %s0, %b : tensor<2x70x90xf16>
  %p0 = fusion.softmax %t0 dim = 2 : tensor<2x70x90xf16>
  %y0 = fusion.matmul %p0, %v0 : tensor<2x70x90xf16>, tensor<2x90x32xf16> -> tensor<2x70x32xf16>
  %s1 = fusion.matmul %y0, %k1 {transpose_b} : tensor<2x70x32xf16>, tensor<2x90x32xf16> -> tensor<2x70x90xf16>
  // expected-remark @below {{Producer=elementwise, Reason="the operand is needed outside of the group too: it is computed once, and written; to compute it again is estimated at}}
  %t1 = fusion.add %s1, %b : tensor<2x70x90xf16>
  %p1 = fusion.softmax %t1 dim = 2 : tensor<2x70x90xf16>
  %y1 = fusion.matmul %p1, %v1 : tensor<2x70x90xf16>, tensor<2x90x32xf16> -> tensor<2x70x32xf16>
  return %y1, %b : tensor<2x70x32xf16>, tensor<2x70x90xf16>
}

// -----

// Sines of sines, once for each attention.
// CHECK-LABEL: func.func @dear(
// CHECK-COUNT-3: = fusion.group
// CHECK-NOT:     = fusion.group
func.func @dear(%q: tensor<2x2048x64xf16>, %m: tensor<2x2048x2048xf16>, %k0: tensor<2x2048x64xf16>, %v0: tensor<2x2048x64xf16>, %k1: tensor<2x2048x64xf16>, %v1: tensor<2x2048x64xf16>) -> tensor<2x2048x64xf16> {
  %d1 = fusion.sin %m : tensor<2x2048x2048xf16>
  %d2 = fusion.tanh %d1 : tensor<2x2048x2048xf16>
  %d3 = fusion.sin %d2 : tensor<2x2048x2048xf16>
  %d4 = fusion.tanh %d3 : tensor<2x2048x2048xf16>
  %d5 = fusion.sin %d4 : tensor<2x2048x2048xf16>
  %d6 = fusion.tanh %d5 : tensor<2x2048x2048xf16>
  %d7 = fusion.sin %d6 : tensor<2x2048x2048xf16>
  %d8 = fusion.tanh %d7 : tensor<2x2048x2048xf16>
  %d9 = fusion.sin %d8 : tensor<2x2048x2048xf16>
  %d10 = fusion.tanh %d9 : tensor<2x2048x2048xf16>
  %d11 = fusion.sin %d10 : tensor<2x2048x2048xf16>
  %b = fusion.tanh %d11 : tensor<2x2048x2048xf16>
  %s0 = fusion.matmul %q, %k0 {transpose_b} : tensor<2x2048x64xf16>, tensor<2x2048x64xf16> -> tensor<2x2048x2048xf16>
  // expected-remark @below {{Producer=elementwise, Reason="the operand is needed outside of the group too: it is computed once, and written; to compute it again is estimated at}}
  %t0 = fusion.add %s0, %b : tensor<2x2048x2048xf16>
  %p0 = fusion.softmax %t0 dim = 2 : tensor<2x2048x2048xf16>
  %y0 = fusion.matmul %p0, %v0 : tensor<2x2048x2048xf16>, tensor<2x2048x64xf16> -> tensor<2x2048x64xf16>
  %s1 = fusion.matmul %y0, %k1 {transpose_b} : tensor<2x2048x64xf16>, tensor<2x2048x64xf16> -> tensor<2x2048x2048xf16>
  // expected-remark @below {{Producer=elementwise, Reason="the operand is needed outside of the group too: it is computed once, and written; to compute it again is estimated at}}
  %t1 = fusion.add %s1, %b : tensor<2x2048x2048xf16>
  %p1 = fusion.softmax %t1 dim = 2 : tensor<2x2048x2048xf16>
  %y1 = fusion.matmul %p1, %v1 : tensor<2x2048x2048xf16>, tensor<2x2048x64xf16> -> tensor<2x2048x64xf16>
  return %y1 : tensor<2x2048x64xf16>
}

// -----

// A person wants the mask in a kernel of its own.
// CHECK-LABEL: func.func @asked(
// CHECK-COUNT-3: = fusion.group
// CHECK-NOT:     = fusion.group
func.func @asked(%q: tensor<2x70x32xf16>, %m: tensor<70x90xf16>, %k0: tensor<2x90x32xf16>, %v0: tensor<2x90x32xf16>, %k1: tensor<2x90x32xf16>, %v1: tensor<2x90x32xf16>) -> tensor<2x70x32xf16> {
  %b = fusion.broadcast %m dims = [1, 2] {fusion.no_fuse} : tensor<70x90xf16> to tensor<2x70x90xf16>
  %s0 = fusion.matmul %q, %k0 {transpose_b} : tensor<2x70x32xf16>, tensor<2x90x32xf16> -> tensor<2x70x90xf16>
  // expected-remark @below {{Producer=elementwise, Reason="the producer is marked with fusion.no_fuse"}}
  %t0 = fusion.add %s0, %b : tensor<2x70x90xf16>
  %p0 = fusion.softmax %t0 dim = 2 : tensor<2x70x90xf16>
  %y0 = fusion.matmul %p0, %v0 : tensor<2x70x90xf16>, tensor<2x90x32xf16> -> tensor<2x70x32xf16>
  %s1 = fusion.matmul %y0, %k1 {transpose_b} : tensor<2x70x32xf16>, tensor<2x90x32xf16> -> tensor<2x70x90xf16>
  // expected-remark @below {{Producer=elementwise, Reason="the producer is marked with fusion.no_fuse"}}
  %t1 = fusion.add %s1, %b : tensor<2x70x90xf16>
  %p1 = fusion.softmax %t1 dim = 2 : tensor<2x70x90xf16>
  %y1 = fusion.matmul %p1, %v1 : tensor<2x70x90xf16>, tensor<2x90x32xf16> -> tensor<2x70x32xf16>
  return %y1 : tensor<2x70x32xf16>
}

// -----

// A person chose the schedule of what makes the mask.
// CHECK-LABEL: func.func @pinned(
// CHECK-COUNT-3: = fusion.group
// CHECK-NOT:     = fusion.group
func.func @pinned(%q: tensor<2x70x32xf16>, %m: tensor<70x90xf16>, %k0: tensor<2x90x32xf16>, %v0: tensor<2x90x32xf16>, %k1: tensor<2x90x32xf16>, %v1: tensor<2x90x32xf16>) -> tensor<2x70x32xf16> {
  %b = fusion.broadcast %m dims = [1, 2] {fusion.schedule = {kind = "elementwise", rows = 8 : i64, columns = 64 : i64, warps = 4 : i64}} : tensor<70x90xf16> to tensor<2x70x90xf16>
  %s0 = fusion.matmul %q, %k0 {transpose_b} : tensor<2x70x32xf16>, tensor<2x90x32xf16> -> tensor<2x70x90xf16>
  // expected-remark @below {{Producer=elementwise, Reason="the operand is needed outside of the group too: it is computed once, and written"}}
  %t0 = fusion.add %s0, %b : tensor<2x70x90xf16>
  %p0 = fusion.softmax %t0 dim = 2 : tensor<2x70x90xf16>
  %y0 = fusion.matmul %p0, %v0 : tensor<2x70x90xf16>, tensor<2x90x32xf16> -> tensor<2x70x32xf16>
  %s1 = fusion.matmul %y0, %k1 {transpose_b} : tensor<2x70x32xf16>, tensor<2x90x32xf16> -> tensor<2x70x90xf16>
  // expected-remark @below {{Producer=elementwise, Reason="the operand is needed outside of the group too: it is computed once, and written"}}
  %t1 = fusion.add %s1, %b : tensor<2x70x90xf16>
  %p1 = fusion.softmax %t1 dim = 2 : tensor<2x70x90xf16>
  %y1 = fusion.matmul %p1, %v1 : tensor<2x70x90xf16>, tensor<2x90x32xf16> -> tensor<2x70x32xf16>
  return %y1 : tensor<2x70x32xf16>
}

// -----

// The mask is to be fused with something else.
// CHECK-LABEL: func.func @with_other(
// CHECK-COUNT-3: = fusion.group
// CHECK-NOT:     = fusion.group
func.func @with_other(%q: tensor<2x70x32xf16>, %m: tensor<70x90xf16>, %k0: tensor<2x90x32xf16>, %v0: tensor<2x90x32xf16>, %k1: tensor<2x90x32xf16>, %v1: tensor<2x90x32xf16>) -> tensor<2x70x32xf16> {
  %b = fusion.broadcast %m dims = [1, 2] {fusion.fuse_with = "other"} : tensor<70x90xf16> to tensor<2x70x90xf16>
  %s0 = fusion.matmul %q, %k0 {transpose_b} : tensor<2x70x32xf16>, tensor<2x90x32xf16> -> tensor<2x70x90xf16>
  // expected-remark @below {{Producer=elementwise, Reason="the operand is needed outside of the group too: it is computed once, and written"}}
  %t0 = fusion.add %s0, %b : tensor<2x70x90xf16>
  %p0 = fusion.softmax %t0 dim = 2 : tensor<2x70x90xf16>
  %y0 = fusion.matmul %p0, %v0 : tensor<2x70x90xf16>, tensor<2x90x32xf16> -> tensor<2x70x32xf16>
  %s1 = fusion.matmul %y0, %k1 {transpose_b} : tensor<2x70x32xf16>, tensor<2x90x32xf16> -> tensor<2x70x90xf16>
  // expected-remark @below {{Producer=elementwise, Reason="the operand is needed outside of the group too: it is computed once, and written"}}
  %t1 = fusion.add %s1, %b : tensor<2x70x90xf16>
  %p1 = fusion.softmax %t1 dim = 2 : tensor<2x70x90xf16>
  %y1 = fusion.matmul %p1, %v1 : tensor<2x70x90xf16>, tensor<2x90x32xf16> -> tensor<2x70x32xf16>
  return %y1 : tensor<2x70x32xf16>
}

// -----

// A maximum makes the mask: a reduction.
// CHECK-LABEL: func.func @largest(
// CHECK-COUNT-3: = fusion.group
// CHECK-NOT:     = fusion.group
func.func @largest(%q: tensor<2x70x32xf16>, %m: tensor<2x70x90x4xf16>, %k0: tensor<2x90x32xf16>, %v0: tensor<2x90x32xf16>, %k1: tensor<2x90x32xf16>, %v1: tensor<2x90x32xf16>) -> tensor<2x70x32xf16> {
  %b = fusion.reduce max, %m dims = [3] : tensor<2x70x90x4xf16> to tensor<2x70x90xf16>
  %s0 = fusion.matmul %q, %k0 {transpose_b} : tensor<2x70x32xf16>, tensor<2x90x32xf16> -> tensor<2x70x90xf16>
  // expected-remark @below {{Producer=reduction, Reason="a kernel of two contractions, one after the other, reads from memory what it takes}}
  %t0 = fusion.add %s0, %b : tensor<2x70x90xf16>
  %p0 = fusion.softmax %t0 dim = 2 : tensor<2x70x90xf16>
  %y0 = fusion.matmul %p0, %v0 : tensor<2x70x90xf16>, tensor<2x90x32xf16> -> tensor<2x70x32xf16>
  %s1 = fusion.matmul %y0, %k1 {transpose_b} : tensor<2x70x32xf16>, tensor<2x90x32xf16> -> tensor<2x70x90xf16>
  // expected-remark @below {{Producer=reduction, Reason="a kernel of two contractions, one after the other, reads from memory what it takes}}
  %t1 = fusion.add %s1, %b : tensor<2x70x90xf16>
  %p1 = fusion.softmax %t1 dim = 2 : tensor<2x70x90xf16>
  %y1 = fusion.matmul %p1, %v1 : tensor<2x70x90xf16>, tensor<2x90x32xf16> -> tensor<2x70x32xf16>
  return %y1 : tensor<2x70x32xf16>
}

// -----

// A product makes the bias, whose kernel ends with it.
// CHECK-LABEL: func.func @product(
// CHECK-COUNT-3: = fusion.group
// CHECK-NOT:     = fusion.group
func.func @product(%q: tensor<2x70x32xf16>, %m: tensor<2x70x16xf16>, %n: tensor<2x90x16xf16>, %k0: tensor<2x90x32xf16>, %v0: tensor<2x90x32xf16>, %k1: tensor<2x90x32xf16>, %v1: tensor<2x90x32xf16>) -> tensor<2x70x32xf16> {
  %a = fusion.matmul %m, %n {transpose_b} : tensor<2x70x16xf16>, tensor<2x90x16xf16> -> tensor<2x70x90xf16>
  %b = fusion.neg %a : tensor<2x70x90xf16>
  %s0 = fusion.matmul %q, %k0 {transpose_b} : tensor<2x70x32xf16>, tensor<2x90x32xf16> -> tensor<2x70x90xf16>
  // expected-remark @below {{Producer=elementwise, Reason="a contraction's operand would be the result of another contraction}}
  %t0 = fusion.add %s0, %b : tensor<2x70x90xf16>
  %p0 = fusion.softmax %t0 dim = 2 : tensor<2x70x90xf16>
  %y0 = fusion.matmul %p0, %v0 : tensor<2x70x90xf16>, tensor<2x90x32xf16> -> tensor<2x70x32xf16>
  %s1 = fusion.matmul %y0, %k1 {transpose_b} : tensor<2x70x32xf16>, tensor<2x90x32xf16> -> tensor<2x70x90xf16>
  // expected-remark @below {{Producer=elementwise, Reason="a contraction's operand would be the result of another contraction}}
  %t1 = fusion.add %s1, %b : tensor<2x70x90xf16>
  %p1 = fusion.softmax %t1 dim = 2 : tensor<2x70x90xf16>
  %y1 = fusion.matmul %p1, %v1 : tensor<2x70x90xf16>, tensor<2x90x32xf16> -> tensor<2x70x32xf16>
  return %y1 : tensor<2x70x32xf16>
}

// -----

// A bias by buckets of distances is fetched from a table.
// CHECK-LABEL: func.func @looked_up(
// CHECK-COUNT-3: = fusion.group
// CHECK-NOT:     = fusion.group
func.func @looked_up(%q: tensor<2x70x32xf16>, %w: tensor<16xf16>, %x: tensor<2x70x90xi32>, %k0: tensor<2x90x32xf16>, %v0: tensor<2x90x32xf16>, %k1: tensor<2x90x32xf16>, %v1: tensor<2x90x32xf16>) -> tensor<2x70x32xf16> {
  %b = fusion.gather %w, %x dim = 0 : tensor<16xf16>, tensor<2x70x90xi32> -> tensor<2x70x90xf16>
  %s0 = fusion.matmul %q, %k0 {transpose_b} : tensor<2x70x32xf16>, tensor<2x90x32xf16> -> tensor<2x70x90xf16>
  // expected-remark @below {{Producer=elementwise, Reason="the operand is needed outside of the group too: it is computed once, and written; it fetches from computed positions}}
  %t0 = fusion.add %s0, %b : tensor<2x70x90xf16>
  %p0 = fusion.softmax %t0 dim = 2 : tensor<2x70x90xf16>
  %y0 = fusion.matmul %p0, %v0 : tensor<2x70x90xf16>, tensor<2x90x32xf16> -> tensor<2x70x32xf16>
  %s1 = fusion.matmul %y0, %k1 {transpose_b} : tensor<2x70x32xf16>, tensor<2x90x32xf16> -> tensor<2x70x90xf16>
  // expected-remark @below {{Producer=elementwise, Reason="the operand is needed outside of the group too: it is computed once, and written; it fetches from computed positions}}
  %t1 = fusion.add %s1, %b : tensor<2x70x90xf16>
  %p1 = fusion.softmax %t1 dim = 2 : tensor<2x70x90xf16>
  %y1 = fusion.matmul %p1, %v1 : tensor<2x70x90xf16>, tensor<2x90x32xf16> -> tensor<2x70x32xf16>
  return %y1 : tensor<2x70x32xf16>
}

// -----

// Factors of the keys that are a result, too.
// CHECK-LABEL: func.func @factors_leave(
// CHECK-COUNT-3: = fusion.group
// CHECK-NOT:     = fusion.group
func.func @factors_leave(%q: tensor<2x70x32xf16>, %c: tensor<2x90x32xf16>, %k0: tensor<2x90x32xf16>, %v0: tensor<2x90x32xf16>, %k1: tensor<2x90x32xf16>, %v1: tensor<2x90x32xf16>) -> (tensor<2x70x32xf16>, tensor<2x90x32xf16>) {
  %t = fusion.exp %c : tensor<2x90x32xf16>
  // expected-remark @below {{Producer=elementwise, Reason="the operand is needed outside of the group too: it is computed once, and written; to compute it again is estimated at}}
  %l0 = fusion.mul %k0, %t : tensor<2x90x32xf16>
  // expected-remark @below {{Producer=elementwise, Reason="the operand is needed outside of the group too: it is computed once, and written; to compute it again is estimated at}}
  %l1 = fusion.mul %k1, %t : tensor<2x90x32xf16>
  %s0 = fusion.matmul %q, %l0 {transpose_b} : tensor<2x70x32xf16>, tensor<2x90x32xf16> -> tensor<2x70x90xf16>
  %p0 = fusion.softmax %s0 dim = 2 : tensor<2x70x90xf16>
  %y0 = fusion.matmul %p0, %v0 : tensor<2x70x90xf16>, tensor<2x90x32xf16> -> tensor<2x70x32xf16>
  %s1 = fusion.matmul %y0, %l1 {transpose_b} : tensor<2x70x32xf16>, tensor<2x90x32xf16> -> tensor<2x70x90xf16>
  %p1 = fusion.softmax %s1 dim = 2 : tensor<2x70x90xf16>
  %y1 = fusion.matmul %p1, %v1 : tensor<2x70x90xf16>, tensor<2x90x32xf16> -> tensor<2x70x32xf16>
  return %y1, %t : tensor<2x70x32xf16>, tensor<2x90x32xf16>
}
