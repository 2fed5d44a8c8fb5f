// What attentions read whose heads share keys, and is computed once, and written.
//
// RUN: fusion-opt %s -fusion-graph-to-linalg=target=sm_90a -fusion-linalg-to-groups=target=sm_90a -split-input-file | FileCheck %s

// The mask is a result too.
// CHECK-LABEL: func.func @result(
// CHECK-SAME:      {consumer = "elementwise", producer = "elementwise", reason = "a kernel of two contractions, one after the other, reads from memory what it takes"}
// CHECK-COUNT-3: = fusion.group
// CHECK-NOT:     = fusion.group
func.func @result(%q: tensor<1x4x40x32xf16>, %m: tensor<40x40xf16>, %k0: tensor<1x2x40x32xf16>, %v0: tensor<1x2x40x32xf16>, %k1: tensor<1x2x40x32xf16>, %v1: tensor<1x2x40x32xf16>) -> (tensor<1x4x40x32xf16>, tensor<1x4x40x40xf16>) {
  %b = fusion.broadcast %m dims = [2, 3] : tensor<40x40xf16> to tensor<1x4x40x40xf16>
  %ka0 = fusion.reshape %k0 : tensor<1x2x40x32xf16> to tensor<1x2x1x40x32xf16>
  %kb0 = fusion.broadcast %ka0 dims = [0, 1, 2, 3, 4] : tensor<1x2x1x40x32xf16> to tensor<1x2x2x40x32xf16>
  %kc0 = fusion.reshape %kb0 : tensor<1x2x2x40x32xf16> to tensor<1x4x40x32xf16>
  %va0 = fusion.reshape %v0 : tensor<1x2x40x32xf16> to tensor<1x2x1x40x32xf16>
  %vb0 = fusion.broadcast %va0 dims = [0, 1, 2, 3, 4] : tensor<1x2x1x40x32xf16> to tensor<1x2x2x40x32xf16>
  %vc0 = fusion.reshape %vb0 : tensor<1x2x2x40x32xf16> to tensor<1x4x40x32xf16>
  %s0 = fusion.matmul %q, %kc0 {transpose_b} : tensor<1x4x40x32xf16>, tensor<1x4x40x32xf16> -> tensor<1x4x40x40xf16>
  %t0 = fusion.add %s0, %b : tensor<1x4x40x40xf16>
  %p0 = fusion.softmax %t0 dim = 3 : tensor<1x4x40x40xf16>
  %y0 = fusion.matmul %p0, %vc0 : tensor<1x4x40x40xf16>, tensor<1x4x40x32xf16> -> tensor<1x4x40x32xf16>
  %ka1 = fusion.reshape %k1 : tensor<1x2x40x32xf16> to tensor<1x2x1x40x32xf16>
  %kb1 = fusion.broadcast %ka1 dims = [0, 1, 2, 3, 4] : tensor<1x2x1x40x32xf16> to tensor<1x2x2x40x32xf16>
  %kc1 = fusion.reshape %kb1 : tensor<1x2x2x40x32xf16> to tensor<1x4x40x32xf16>
  %va1 = fusion.reshape %v1 : tensor<1x2x40x32xf16> to tensor<1x2x1x40x32xf16>
  %vb1 = fusion.broadcast %va1 dims = [0, 1, 2, 3, 4] : tensor<1x2x1x40x32xf16> to tensor<1x2x2x40x32xf16>
  %vc1 = fusion.reshape %vb1 : tensor<1x2x2x40x32xf16> to tensor<1x4x40x32xf16>
  %s1 = fusion.matmul %y0, %kc1 {transpose_b} : tensor<1x4x40x32xf16>, tensor<1x4x40x32xf16> -> tensor<1x4x40x40xf16>
  %t1 = fusion.add %s1, %b : tensor<1x4x40x40xf16>
  %p1 = fusion.softmax %t1 dim = 3 : tensor<1x4x40x40xf16>
  %y1 = fusion.matmul %p1, %vc1 : tensor<1x4x40x40xf16>, tensor<1x4x40x32xf16> -> tensor<1x4x40x32xf16>
  return %y1, %b : tensor<1x4x40x32xf16>, tensor<1x4x40x40xf16>
}

// -----

// A person wants the mask in a kernel of its own.
// CHECK-LABEL: func.func @asked(
// CHECK-SAME:      {consumer = "elementwise", producer = "elementwise", reason = "a kernel of two contractions, one after the other, reads from memory what it takes"}
// CHECK-COUNT-3: = fusion.group
// CHECK-NOT:     = fusion.group
func.func @asked(%q: tensor<1x4x40x32xf16>, %m: tensor<40x40xf16>, %k0: tensor<1x2x40x32xf16>, %v0: tensor<1x2x40x32xf16>, %k1: tensor<1x2x40x32xf16>, %v1: tensor<1x2x40x32xf16>) -> tensor<1x4x40x32xf16> {
  %b = fusion.broadcast %m dims = [2, 3] {fusion.no_fuse} : tensor<40x40xf16> to tensor<1x4x40x40xf16>
  %ka0 = fusion.reshape %k0 : tensor<1x2x40x32xf16> to tensor<1x2x1x40x32xf16>
  %kb0 = fusion.broadcast %ka0 dims = [0, 1, 2, 3, 4] : tensor<1x2x1x40x32xf16> to tensor<1x2x2x40x32xf16>
  %kc0 = fusion.reshape %kb0 : tensor<1x2x2x40x32xf16> to tensor<1x4x40x32xf16>
  %va0 = fusion.reshape %v0 : tensor<1x2x40x32xf16> to tensor<1x2x1x40x32xf16>
  %vb0 = fusion.broadcast %va0 dims = [0, 1, 2, 3, 4] : tensor<1x2x1x40x32xf16> to tensor<1x2x2x40x32xf16>
  %vc0 = fusion.reshape %vb0 : tensor<1x2x2x40x32xf16> to tensor<1x4x40x32xf16>
  %s0 = fusion.matmul %q, %kc0 {transpose_b} : tensor<1x4x40x32xf16>, tensor<1x4x40x32xf16> -> tensor<1x4x40x40xf16>
  %t0 = fusion.add %s0, %b : tensor<1x4x40x40xf16>
  %p0 = fusion.softmax %t0 dim = 3 : tensor<1x4x40x40xf16>
  %y0 = fusion.matmul %p0, %vc0 : tensor<1x4x40x40xf16>, tensor<1x4x40x32xf16> -> tensor<1x4x40x32xf16>
  %ka1 = fusion.reshape %k1 : tensor<1x2x40x32xf16> to tensor<1x2x1x40x32xf16>
  %kb1 = fusion.broadcast %ka1 dims = [0, 1, 2, 3, 4] : tensor<1x2x1x40x32xf16> to tensor<1x2x2x40x32xf16>
  %kc1 = fusion.reshape %kb1 : tensor<1x2x2x40x32xf16> to tensor<1x4x40x32xf16>
  %va1 = fusion.reshape %v1 : tensor<1x2x40x32xf16> to tensor<1x2x1x40x32xf16>
  %vb1 = fusion.broadcast %va1 dims = [0, 1, 2, 3, 4] : tensor<1x2x1x40x32xf16> to tensor<1x2x2x40x32xf16>
  %vc1 = fusion.reshape %vb1 : tensor<1x2x2x40x32xf16> to tensor<1x4x40x32xf16>
  %s1 = fusion.matmul %y0, %kc1 {transpose_b} : tensor<1x4x40x32xf16>, tensor<1x4x40x32xf16> -> tensor<1x4x40x40xf16>
  %t1 = fusion.add %s1, %b : tensor<1x4x40x40xf16>
  %p1 = fusion.softmax %t1 dim = 3 : tensor<1x4x40x40xf16>
  %y1 = fusion.matmul %p1, %vc1 : tensor<1x4x40x40xf16>, tensor<1x4x40x32xf16> -> tensor<1x4x40x32xf16>
  return %y1 : tensor<1x4x40x32xf16>
}

// -----

// The kernel of a product ends with what makes the bias.
// CHECK-LABEL: func.func @product(
// CHECK-SAME:      {consumer = "elementwise", producer = "elementwise", reason = "a contraction's operand would be the result of another contraction"}
// CHECK-COUNT-3: = fusion.group
// CHECK-NOT:     = fusion.group
func.func @product(%q: tensor<1x4x40x32xf16>, %m: tensor<1x4x40x16xf16>, %n: tensor<1x4x40x16xf16>, %k0: tensor<1x2x40x32xf16>, %v0: tensor<1x2x40x32xf16>, %k1: tensor<1x2x40x32xf16>, %v1: tensor<1x2x40x32xf16>) -> tensor<1x4x40x32xf16> {
  %a = fusion.matmul %m, %n {transpose_b} : tensor<1x4x40x16xf16>, tensor<1x4x40x16xf16> -> tensor<1x4x40x40xf16>
  %b = fusion.neg %a : tensor<1x4x40x40xf16>
  %ka0 = fusion.reshape %k0 : tensor<1x2x40x32xf16> to tensor<1x2x1x40x32xf16>
  %kb0 = fusion.broadcast %ka0 dims = [0, 1, 2, 3, 4] : tensor<1x2x1x40x32xf16> to tensor<1x2x2x40x32xf16>
  %kc0 = fusion.reshape %kb0 : tensor<1x2x2x40x32xf16> to tensor<1x4x40x32xf16>
  %va0 = fusion.reshape %v0 : tensor<1x2x40x32xf16> to tensor<1x2x1x40x32xf16>
  %vb0 = fusion.broadcast %va0 dims = [0, 1, 2, 3, 4] : tensor<1x2x1x40x32xf16> to tensor<1x2x2x40x32xf16>
  %vc0 = fusion.reshape %vb0 : tensor<1x2x2x40x32xf16> to tensor<1x4x40x32xf16>
  %s0 = fusion.matmul %q, %kc0 {transpose_b} : tensor<1x4x40x32xf16>, tensor<1x4x40x32xf16> -> tensor<1x4x40x40xf16>
  %t0 = fusion.add %s0, %b : tensor<1x4x40x40xf16>
  %p0 = fusion.softmax %t0 dim = 3 : tensor<1x4x40x40xf16>
  %y0 = fusion.matmul %p0, %vc0 : tensor<1x4x40x40xf16>, tensor<1x4x40x32xf16> -> tensor<1x4x40x32xf16>
  %ka1 = fusion.reshape %k1 : tensor<1x2x40x32xf16> to tensor<1x2x1x40x32xf16>
  %kb1 = fusion.broadcast %ka1 dims = [0, 1, 2, 3, 4] : tensor<1x2x1x40x32xf16> to tensor<1x2x2x40x32xf16>
  %kc1 = fusion.reshape %kb1 : tensor<1x2x2x40x32xf16> to tensor<1x4x40x32xf16>
  %va1 = fusion.reshape %v1 : tensor<1x2x40x32xf16> to tensor<1x2x1x40x32xf16>
  %vb1 = fusion.broadcast %va1 dims = [0, 1, 2, 3, 4] : tensor<1x2x1x40x32xf16> to tensor<1x2x2x40x32xf16>
  %vc1 = fusion.reshape %vb1 : tensor<1x2x2x40x32xf16> to tensor<1x4x40x32xf16>
  %s1 = fusion.matmul %y0, %kc1 {transpose_b} : tensor<1x4x40x32xf16>, tensor<1x4x40x32xf16> -> tensor<1x4x40x40xf16>
  %t1 = fusion.add %s1, %b : tensor<1x4x40x40xf16>
  %p1 = fusion.softmax %t1 dim = 3 : tensor<1x4x40x40xf16>
  %y1 = fusion.matmul %p1, %vc1 : tensor<1x4x40x40xf16>, tensor<1x4x40x32xf16> -> tensor<1x4x40x32xf16>
  return %y1 : tensor<1x4x40x32xf16>
}
