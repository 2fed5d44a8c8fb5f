// Weights of attention may be zero in place of NaN: what softmax makes is NaN in whole
// rows.
//
// RUN: fusion-opt %s -fusion-graph-to-linalg=target=sm_90a -fusion-linalg-to-groups=target=sm_90a -split-input-file | FileCheck %s
// RUN: fusion-opt %s -fusion-graph-to-linalg=target=sm_90a -fusion-linalg-to-groups=target=sm_90a -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics=only-expected -o /dev/null

// CHECK-LABEL: func.func @zero(
// CHECK-COUNT-1: = fusion.group
// CHECK-NOT:     = fusion.group
func.func @zero(%q: tensor<70x32xf16>, %k: tensor<90x32xf16>, %v: tensor<90x32xf16>) -> tensor<70x32xf16> {
  // expected-remark @below {{Remark="one kernel with its softmax and}}
  %s = fusion.matmul %q, %k {transpose_b} : tensor<70x32xf16>, tensor<90x32xf16> -> tensor<70x90xf16>
  %p = fusion.softmax %s dim = 1 : tensor<70x90xf16>
  %n = fusion.compare ne, %p, %p : tensor<70x90xf16>
  %z = fusion.constant dense<0.0> : tensor<70x90xf16>
  %w = fusion.select %n, %z, %p : tensor<70x90xf16>
  %o = fusion.matmul %w, %v : tensor<70x90xf16>, tensor<90x32xf16> -> tensor<70x32xf16>
  return %o : tensor<70x32xf16>
}

// -----

// Asked the other way around: equal to itself, so a number.
// CHECK-LABEL: func.func @number(
// CHECK-COUNT-1: = fusion.group
// CHECK-NOT:     = fusion.group
func.func @number(%q: tensor<70x32xf16>, %k: tensor<90x32xf16>, %v: tensor<90x32xf16>) -> tensor<70x32xf16> {
  // expected-remark @below {{Remark="one kernel with its softmax and}}
  %s = fusion.matmul %q, %k {transpose_b} : tensor<70x32xf16>, tensor<90x32xf16> -> tensor<70x90xf16>
  %p = fusion.softmax %s dim = 1 : tensor<70x90xf16>
  %n = fusion.compare eq, %p, %p : tensor<70x90xf16>
  %z = fusion.constant dense<0.0> : tensor<70x90xf16>
  %w = fusion.select %n, %p, %z : tensor<70x90xf16>
  %o = fusion.matmul %w, %v : tensor<70x90xf16>, tensor<90x32xf16> -> tensor<70x32xf16>
  return %o : tensor<70x32xf16>
}
