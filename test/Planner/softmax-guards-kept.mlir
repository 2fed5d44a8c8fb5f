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

// -----

// One in place of NaN.
// CHECK-LABEL: func.func @one(
// CHECK-COUNT-2: = fusion.group
func.func @one(%q: tensor<70x32xf16>, %k: tensor<90x32xf16>, %v: tensor<90x32xf16>) -> tensor<70x32xf16> {
  // expected-remark @below {{Reason="the weights are not exponentials times functions of rows"}}
  %s = fusion.matmul %q, %k {transpose_b} : tensor<70x32xf16>, tensor<90x32xf16> -> tensor<70x90xf16>
  %p = fusion.softmax %s dim = 1 : tensor<70x90xf16>
  %n = fusion.compare ne, %p, %p : tensor<70x90xf16>
  %z = fusion.constant dense<1.0> : tensor<70x90xf16>
  %w = fusion.select %n, %z, %p : tensor<70x90xf16>
  %o = fusion.matmul %w, %v : tensor<70x90xf16>, tensor<90x32xf16> -> tensor<70x32xf16>
  return %o : tensor<70x32xf16>
}

// -----

// Which weights are large differs along a row.
// CHECK-LABEL: func.func @large(
// CHECK-COUNT-2: = fusion.group
func.func @large(%q: tensor<70x32xf16>, %k: tensor<90x32xf16>, %v: tensor<90x32xf16>) -> tensor<70x32xf16> {
  // expected-remark @below {{Reason="the weights are not exponentials times functions of rows"}}
  %s = fusion.matmul %q, %k {transpose_b} : tensor<70x32xf16>, tensor<90x32xf16> -> tensor<70x90xf16>
  %p = fusion.softmax %s dim = 1 : tensor<70x90xf16>
  %h = fusion.constant dense<0.5> : tensor<70x90xf16>
  %n = fusion.compare gt, %p, %h : tensor<70x90xf16>
  %z = fusion.constant dense<0.0> : tensor<70x90xf16>
  %w = fusion.select %n, %z, %p : tensor<70x90xf16>
  %o = fusion.matmul %w, %v : tensor<70x90xf16>, tensor<90x32xf16> -> tensor<70x32xf16>
  return %o : tensor<70x32xf16>
}

// -----

// A weight times 1e5 may be infinite, and that times zero is NaN in one column only.
// CHECK-LABEL: func.func @scaled(
// CHECK-COUNT-2: = fusion.group
func.func @scaled(%q: tensor<70x32xf16>, %k: tensor<90x32xf16>, %v: tensor<90x32xf16>, %f: tensor<70x1xf16>) -> tensor<70x32xf16> {
  // expected-remark @below {{Reason="the weights are not exponentials times functions of rows"}}
  %s = fusion.matmul %q, %k {transpose_b} : tensor<70x32xf16>, tensor<90x32xf16> -> tensor<70x90xf16>
  %p = fusion.softmax %s dim = 1 : tensor<70x90xf16>
  %fb = fusion.broadcast %f dims = [0, 1] : tensor<70x1xf16> to tensor<70x90xf16>
  %pf = fusion.mul %p, %fb : tensor<70x90xf16>
  %n = fusion.compare ne, %pf, %pf : tensor<70x90xf16>
  %z = fusion.constant dense<0.0> : tensor<70x90xf16>
  %w = fusion.select %n, %z, %pf : tensor<70x90xf16>
  %o = fusion.matmul %w, %v : tensor<70x90xf16>, tensor<90x32xf16> -> tensor<70x32xf16>
  return %o : tensor<70x32xf16>
}

// -----

// Zero in place of numbers.
// CHECK-LABEL: func.func @number_to_zero(
// CHECK-COUNT-2: = fusion.group
func.func @number_to_zero(%q: tensor<70x32xf16>, %k: tensor<90x32xf16>, %v: tensor<90x32xf16>) -> tensor<70x32xf16> {
  // expected-remark @below {{Reason="the weights are not exponentials times functions of rows"}}
  %s = fusion.matmul %q, %k {transpose_b} : tensor<70x32xf16>, tensor<90x32xf16> -> tensor<70x90xf16>
  %p = fusion.softmax %s dim = 1 : tensor<70x90xf16>
  %n = fusion.compare eq, %p, %p : tensor<70x90xf16>
  %z = fusion.constant dense<0.0> : tensor<70x90xf16>
  %w = fusion.select %n, %z, %p : tensor<70x90xf16>
  %o = fusion.matmul %w, %v : tensor<70x90xf16>, tensor<90x32xf16> -> tensor<70x32xf16>
  return %o : tensor<70x32xf16>
}

// -----

// Minus zero: what is added to it keeps another sign.
// CHECK-LABEL: func.func @minus_zero(
// CHECK-COUNT-2: = fusion.group
func.func @minus_zero(%q: tensor<70x32xf16>, %k: tensor<90x32xf16>, %v: tensor<90x32xf16>) -> tensor<70x32xf16> {
  // expected-remark @below {{Reason="the weights are not exponentials times functions of rows"}}
  %s = fusion.matmul %q, %k {transpose_b} : tensor<70x32xf16>, tensor<90x32xf16> -> tensor<70x90xf16>
  %p = fusion.softmax %s dim = 1 : tensor<70x90xf16>
  %z = fusion.constant dense<-0.0> : tensor<70x90xf16>
  %n = fusion.compare ne, %p, %p : tensor<70x90xf16>
  %w = fusion.select %n, %z, %p : tensor<70x90xf16>
  %o = fusion.matmul %w, %v : tensor<70x90xf16>, tensor<90x32xf16> -> tensor<70x32xf16>
  return %o : tensor<70x32xf16>
}

// -----

// The guard is of the weights before a factor, the choice behind it.
// CHECK-LABEL: func.func @factor_between(
// CHECK-COUNT-2: = fusion.group
func.func @factor_between(%q: tensor<70x32xf16>, %k: tensor<90x32xf16>, %v: tensor<90x32xf16>, %f: tensor<70x1xf16>) -> tensor<70x32xf16> {
  // expected-remark @below {{Reason="the weights are not exponentials times functions of rows"}}
  %s = fusion.matmul %q, %k {transpose_b} : tensor<70x32xf16>, tensor<90x32xf16> -> tensor<70x90xf16>
  %p = fusion.softmax %s dim = 1 : tensor<70x90xf16>
  %n = fusion.compare ne, %p, %p : tensor<70x90xf16>
  %fb = fusion.broadcast %f dims = [0, 1] : tensor<70x1xf16> to tensor<70x90xf16>
  %pf = fusion.mul %p, %fb : tensor<70x90xf16>
  %z = fusion.constant dense<0.0> : tensor<70x90xf16>
  %w = fusion.select %n, %z, %pf : tensor<70x90xf16>
  %o = fusion.matmul %w, %v : tensor<70x90xf16>, tensor<90x32xf16> -> tensor<70x32xf16>
  return %o : tensor<70x32xf16>
}

// -----

// Exponentials are asked before they are divided: where one is infinite the quotient is
// NaN, the exponential is not.
// CHECK-LABEL: func.func @before_division(
// CHECK-COUNT-2: = fusion.group
func.func @before_division(%q: tensor<70x32xf32>, %k: tensor<90x32xf32>, %v: tensor<90x32xf32>) -> tensor<70x32xf32> {
  // expected-remark @below {{Reason="the weights are not exponentials times functions of rows"}}
  %s = fusion.matmul %q, %k {transpose_b} : tensor<70x32xf32>, tensor<90x32xf32> -> tensor<70x90xf32>
  %m = fusion.reduce max, %s dims = [1] : tensor<70x90xf32> to tensor<70xf32>
  %mb = fusion.broadcast %m dims = [0] : tensor<70xf32> to tensor<70x90xf32>
  %d = fusion.sub %s, %mb : tensor<70x90xf32>
  %e = fusion.exp %d : tensor<70x90xf32>
  %l = fusion.reduce sum, %e dims = [1] : tensor<70x90xf32> to tensor<70xf32>
  %lb = fusion.broadcast %l dims = [0] : tensor<70xf32> to tensor<70x90xf32>
  %z = fusion.constant dense<0.0> : tensor<70x90xf32>
  %n = fusion.compare ne, %e, %e : tensor<70x90xf32>
  %g = fusion.select %n, %z, %e : tensor<70x90xf32>
  %p = fusion.div %g, %lb : tensor<70x90xf32>
  %o = fusion.matmul %p, %v : tensor<70x90xf32>, tensor<90x32xf32> -> tensor<70x32xf32>
  return %o : tensor<70x32xf32>
}

// -----

// The guard itself is a result.
// CHECK-LABEL: func.func @guard_needed(
// CHECK-COUNT-2: = fusion.group
func.func @guard_needed(%q: tensor<70x32xf16>, %k: tensor<90x32xf16>, %v: tensor<90x32xf16>) -> (tensor<70x32xf16>, tensor<70x90xi1>) {
  // expected-remark @below {{Reason="what lies between the contractions is needed elsewhere"}}
  %s = fusion.matmul %q, %k {transpose_b} : tensor<70x32xf16>, tensor<90x32xf16> -> tensor<70x90xf16>
  %p = fusion.softmax %s dim = 1 : tensor<70x90xf16>
  %z = fusion.constant dense<0.0> : tensor<70x90xf16>
  %n = fusion.compare ne, %p, %p : tensor<70x90xf16>
  %w = fusion.select %n, %z, %p : tensor<70x90xf16>
  %o = fusion.matmul %w, %v : tensor<70x90xf16>, tensor<90x32xf16> -> tensor<70x32xf16>
  return %o, %n : tensor<70x32xf16>, tensor<70x90xi1>
}
