// What several attentions read is computed in the kernel of each, where that moves fewer
// bytes and is estimated to be no slower.
//
// RUN: fusion-opt %s -fusion-graph-to-linalg=target=sm_90a -fusion-linalg-to-groups=target=sm_90a -split-input-file | FileCheck %s

// A mask that is broadcast for two attentions: each reads what it is made of.
// CHECK-LABEL: func.func @mask(
// CHECK-COUNT-2: = fusion.group
// CHECK-NOT:     = fusion.group
func.func @mask(%q: tensor<2x70x32xf16>, %m: tensor<70x90xf16>, %k0: tensor<2x90x32xf16>, %v0: tensor<2x90x32xf16>, %k1: tensor<2x90x32xf16>, %v1: tensor<2x90x32xf16>) -> tensor<2x70x32xf16> {
  %b = fusion.broadcast %m dims = [1, 2] : tensor<70x90xf16> to tensor<2x70x90xf16>
  %s0 = fusion.matmul %q, %k0 {transpose_b} : tensor<2x70x32xf16>, tensor<2x90x32xf16> -> tensor<2x70x90xf16>
  %t0 = fusion.add %s0, %b : tensor<2x70x90xf16>
  %p0 = fusion.softmax %t0 dim = 2 : tensor<2x70x90xf16>
  %y0 = fusion.matmul %p0, %v0 : tensor<2x70x90xf16>, tensor<2x90x32xf16> -> tensor<2x70x32xf16>
  %s1 = fusion.matmul %y0, %k1 {transpose_b} : tensor<2x70x32xf16>, tensor<2x90x32xf16> -> tensor<2x70x90xf16>
  %t1 = fusion.add %s1, %b : tensor<2x70x90xf16>
  %p1 = fusion.softmax %t1 dim = 2 : tensor<2x70x90xf16>
  %y1 = fusion.matmul %p1, %v1 : tensor<2x70x90xf16>, tensor<2x90x32xf16> -> tensor<2x70x32xf16>
  return %y1 : tensor<2x70x32xf16>
}

// -----

// So are the few operations before it.
// CHECK-LABEL: func.func @chain(
// CHECK-COUNT-2: = fusion.group
// CHECK-NOT:     = fusion.group
func.func @chain(%q: tensor<2x70x32xf16>, %m: tensor<70x90xf16>, %c: tensor<f16>, %k0: tensor<2x90x32xf16>, %v0: tensor<2x90x32xf16>, %k1: tensor<2x90x32xf16>, %v1: tensor<2x90x32xf16>) -> tensor<2x70x32xf16> {
  %n = fusion.neg %m : tensor<70x90xf16>
  %cb = fusion.broadcast %c dims = [] : tensor<f16> to tensor<70x90xf16>
  %l = fusion.mul %n, %cb : tensor<70x90xf16>
  %b = fusion.broadcast %l dims = [1, 2] : tensor<70x90xf16> to tensor<2x70x90xf16>
  %s0 = fusion.matmul %q, %k0 {transpose_b} : tensor<2x70x32xf16>, tensor<2x90x32xf16> -> tensor<2x70x90xf16>
  %t0 = fusion.add %s0, %b : tensor<2x70x90xf16>
  %p0 = fusion.softmax %t0 dim = 2 : tensor<2x70x90xf16>
  %y0 = fusion.matmul %p0, %v0 : tensor<2x70x90xf16>, tensor<2x90x32xf16> -> tensor<2x70x32xf16>
  %s1 = fusion.matmul %y0, %k1 {transpose_b} : tensor<2x70x32xf16>, tensor<2x90x32xf16> -> tensor<2x70x90xf16>
  %t1 = fusion.add %s1, %b : tensor<2x70x90xf16>
  %p1 = fusion.softmax %t1 dim = 2 : tensor<2x70x90xf16>
  %y1 = fusion.matmul %p1, %v1 : tensor<2x70x90xf16>, tensor<2x90x32xf16> -> tensor<2x70x32xf16>
  return %y1 : tensor<2x70x32xf16>
}

// -----

// Zeros and others, by the places of rows and columns.
// CHECK-LABEL: func.func @causal(
// CHECK-COUNT-2: = fusion.group
// CHECK-NOT:     = fusion.group
func.func @causal(%q: tensor<2x70x32xf16>, %k0: tensor<2x90x32xf16>, %v0: tensor<2x90x32xf16>, %k1: tensor<2x90x32xf16>, %v1: tensor<2x90x32xf16>) -> tensor<2x70x32xf16> {
  %i = fusion.iota dim = 1 : tensor<2x70x90xi32>
  %j = fusion.iota dim = 2 : tensor<2x70x90xi32>
  %c = fusion.compare ge, %i, %j : tensor<2x70x90xi32>
  %z = fusion.constant dense<0.0> : tensor<2x70x90xf16>
  %f = fusion.constant dense<-1.0e+04> : tensor<2x70x90xf16>
  %b = fusion.select %c, %z, %f : tensor<2x70x90xf16>
  %s0 = fusion.matmul %q, %k0 {transpose_b} : tensor<2x70x32xf16>, tensor<2x90x32xf16> -> tensor<2x70x90xf16>
  %t0 = fusion.add %s0, %b : tensor<2x70x90xf16>
  %p0 = fusion.softmax %t0 dim = 2 : tensor<2x70x90xf16>
  %y0 = fusion.matmul %p0, %v0 : tensor<2x70x90xf16>, tensor<2x90x32xf16> -> tensor<2x70x32xf16>
  %s1 = fusion.matmul %y0, %k1 {transpose_b} : tensor<2x70x32xf16>, tensor<2x90x32xf16> -> tensor<2x70x90xf16>
  %t1 = fusion.add %s1, %b : tensor<2x70x90xf16>
  %p1 = fusion.softmax %t1 dim = 2 : tensor<2x70x90xf16>
  %y1 = fusion.matmul %p1, %v1 : tensor<2x70x90xf16>, tensor<2x90x32xf16> -> tensor<2x70x32xf16>
  return %y1 : tensor<2x70x32xf16>
}

// -----

// A mask that is a result too: it is written, but what it is made of is smaller.
// CHECK-LABEL: func.func @leaves(
// CHECK-COUNT-4: = fusion.group
// CHECK-NOT:     = fusion.group
func.func @leaves(%q: tensor<2x70x32xf16>, %m: tensor<70x90xf16>, %k0: tensor<2x90x32xf16>, %v0: tensor<2x90x32xf16>, %k1: tensor<2x90x32xf16>, %v1: tensor<2x90x32xf16>) -> (tensor<2x70x32xf16>, tensor<2x70x90xf16>) {
  %b = fusion.broadcast %m dims = [1, 2] : tensor<70x90xf16> to tensor<2x70x90xf16>
  %s0 = fusion.matmul %q, %k0 {transpose_b} : tensor<2x70x32xf16>, tensor<2x90x32xf16> -> tensor<2x70x90xf16>
  %t0 = fusion.add %s0, %b : tensor<2x70x90xf16>
  %p0 = fusion.softmax %t0 dim = 2 : tensor<2x70x90xf16>
  %y0 = fusion.matmul %p0, %v0 : tensor<2x70x90xf16>, tensor<2x90x32xf16> -> tensor<2x70x32xf16>
  %s1 = fusion.matmul %y0, %k1 {transpose_b} : tensor<2x70x32xf16>, tensor<2x90x32xf16> -> tensor<2x70x90xf16>
  %t1 = fusion.add %s1, %b : tensor<2x70x90xf16>
  %p1 = fusion.softmax %t1 dim = 2 : tensor<2x70x90xf16>
  %y1 = fusion.matmul %p1, %v1 : tensor<2x70x90xf16>, tensor<2x90x32xf16> -> tensor<2x70x32xf16>
  return %y1, %b : tensor<2x70x32xf16>, tensor<2x70x90xf16>
}

// -----

// Factors of the keys of both.
// CHECK-LABEL: func.func @tables(
// CHECK-COUNT-2: = fusion.group
// CHECK-NOT:     = fusion.group
func.func @tables(%q: tensor<2x70x32xf16>, %c: tensor<32xf16>, %k0: tensor<2x90x32xf16>, %v0: tensor<2x90x32xf16>, %k1: tensor<2x90x32xf16>, %v1: tensor<2x90x32xf16>) -> tensor<2x70x32xf16> {
  %t = fusion.broadcast %c dims = [2] : tensor<32xf16> to tensor<2x90x32xf16>
  %l0 = fusion.mul %k0, %t : tensor<2x90x32xf16>
  %l1 = fusion.mul %k1, %t : tensor<2x90x32xf16>
  %s0 = fusion.matmul %q, %l0 {transpose_b} : tensor<2x70x32xf16>, tensor<2x90x32xf16> -> tensor<2x70x90xf16>
  %p0 = fusion.softmax %s0 dim = 2 : tensor<2x70x90xf16>
  %y0 = fusion.matmul %p0, %v0 : tensor<2x70x90xf16>, tensor<2x90x32xf16> -> tensor<2x70x32xf16>
  %s1 = fusion.matmul %y0, %l1 {transpose_b} : tensor<2x70x32xf16>, tensor<2x90x32xf16> -> tensor<2x70x90xf16>
  %p1 = fusion.softmax %s1 dim = 2 : tensor<2x70x90xf16>
  %y1 = fusion.matmul %p1, %v1 : tensor<2x70x90xf16>, tensor<2x90x32xf16> -> tensor<2x70x32xf16>
  return %y1 : tensor<2x70x32xf16>
}
