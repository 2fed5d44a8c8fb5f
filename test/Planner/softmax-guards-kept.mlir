// Choices between weights and zero that are none of whole rows: the contractions stay
// apart.
//
// RUN: fusion-opt %s -fusion-graph-to-linalg=target=sm_90a -fusion-linalg-to-groups=target=sm_90a -split-input-file | FileCheck %s
// RUN: fusion-opt %s -fusion-graph-to-linalg=target=sm_90a -fusion-linalg-to-groups=target=sm_90a -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics=only-expected -o /dev/null

// NaN stays, and everything else is zero.
// CHECK-LABEL: func.func @swapped(
// CHECK-COUNT-2: = fusion.group
func.func @swapped(%q: tensor<70x32xf16>, %k: tensor<90x32xf16>, %v: tensor<90x32xf16>, %m: tensor<70x90xf16>) -> tensor<70x32xf16> {
  // expected-remark @below {{Reason="the weights are not exponentials times functions of rows"}}
  %s = fusion.matmul %q, %k {transpose_b} : tensor<70x32xf16>, tensor<90x32xf16> -> tensor<70x90xf16>
  %p = fusion.softmax %s dim = 1 : tensor<70x90xf16>
  %z = fusion.constant dense<0.0> : tensor<70x90xf16>
  %n = fusion.compare ne, %p, %p : tensor<70x90xf16>
  %w = fusion.select %n, %p, %z : tensor<70x90xf16>
  %o = fusion.matmul %w, %v : tensor<70x90xf16>, tensor<90x32xf16> -> tensor<70x32xf16>
  return %o : tensor<70x32xf16>
}

// -----

// Which scores are NaN differs along a row.
// CHECK-LABEL: func.func @scores(
// CHECK-COUNT-2: = fusion.group
func.func @scores(%q: tensor<70x32xf16>, %k: tensor<90x32xf16>, %v: tensor<90x32xf16>, %m: tensor<70x90xf16>) -> tensor<70x32xf16> {
  // expected-remark @below {{Reason="the weights are not exponentials times functions of rows"}}
  %s = fusion.matmul %q, %k {transpose_b} : tensor<70x32xf16>, tensor<90x32xf16> -> tensor<70x90xf16>
  %p = fusion.softmax %s dim = 1 : tensor<70x90xf16>
  %z = fusion.constant dense<0.0> : tensor<70x90xf16>
  %n = fusion.compare ne, %s, %s : tensor<70x90xf16>
  %w = fusion.select %n, %z, %p : tensor<70x90xf16>
  %o = fusion.matmul %w, %v : tensor<70x90xf16>, tensor<90x32xf16> -> tensor<70x32xf16>
  return %o : tensor<70x32xf16>
}

// -----

// What is not NaN elsewhere says nothing of the rows.
// CHECK-LABEL: func.func @mask(
// CHECK-COUNT-2: = fusion.group
func.func @mask(%q: tensor<70x32xf16>, %k: tensor<90x32xf16>, %v: tensor<90x32xf16>, %m: tensor<70x90xf16>) -> tensor<70x32xf16> {
  // expected-remark @below {{Reason="the weights are not exponentials times functions of rows"}}
  %s = fusion.matmul %q, %k {transpose_b} : tensor<70x32xf16>, tensor<90x32xf16> -> tensor<70x90xf16>
  %p = fusion.softmax %s dim = 1 : tensor<70x90xf16>
  %z = fusion.constant dense<0.0> : tensor<70x90xf16>
  %n = fusion.compare ne, %m, %m : tensor<70x90xf16>
  %w = fusion.select %n, %z, %p : tensor<70x90xf16>
  %o = fusion.matmul %w, %v : tensor<70x90xf16>, tensor<90x32xf16> -> tensor<70x32xf16>
  return %o : tensor<70x32xf16>
}

// -----

// Weights other than zero are zero, and those that are zero stay: a comparison with a
// number, not with themselves.
// CHECK-LABEL: func.func @zeros(
// CHECK-COUNT-2: = fusion.group
func.func @zeros(%q: tensor<70x32xf16>, %k: tensor<90x32xf16>, %v: tensor<90x32xf16>, %m: tensor<70x90xf16>) -> tensor<70x32xf16> {
  // expected-remark @below {{Reason="the weights are not exponentials times functions of rows"}}
  %s = fusion.matmul %q, %k {transpose_b} : tensor<70x32xf16>, tensor<90x32xf16> -> tensor<70x90xf16>
  %p = fusion.softmax %s dim = 1 : tensor<70x90xf16>
  %z = fusion.constant dense<0.0> : tensor<70x90xf16>
  %n = fusion.compare ne, %p, %z : tensor<70x90xf16>
  %w = fusion.select %n, %z, %p : tensor<70x90xf16>
  %o = fusion.matmul %w, %v : tensor<70x90xf16>, tensor<90x32xf16> -> tensor<70x32xf16>
  return %o : tensor<70x32xf16>
}

// -----

// Other weights in place of NaN, which differ along a row.
// CHECK-LABEL: func.func @tensor_instead(
// CHECK-COUNT-2: = fusion.group
func.func @tensor_instead(%q: tensor<70x32xf16>, %k: tensor<90x32xf16>, %v: tensor<90x32xf16>, %m: tensor<70x90xf16>) -> tensor<70x32xf16> {
  // expected-remark @below {{Reason="the weights are not exponentials times functions of rows"}}
  %s = fusion.matmul %q, %k {transpose_b} : tensor<70x32xf16>, tensor<90x32xf16> -> tensor<70x90xf16>
  %p = fusion.softmax %s dim = 1 : tensor<70x90xf16>
  %z = fusion.constant dense<0.0> : tensor<70x90xf16>
  %n = fusion.compare ne, %p, %p : tensor<70x90xf16>
  %w = fusion.select %n, %m, %p : tensor<70x90xf16>
  %o = fusion.matmul %w, %v : tensor<70x90xf16>, tensor<90x32xf16> -> tensor<70x32xf16>
  return %o : tensor<70x32xf16>
}
