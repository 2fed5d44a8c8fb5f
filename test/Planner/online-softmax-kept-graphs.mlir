// Graphs in which a softmax between two contractions is not quite that of attention:
// the contractions stay apart, and the remark says what is in the way.

// RUN: fusion-opt %s -fusion-graph-to-linalg=target=sm_90a -fusion-linalg-to-groups=target=sm_90a -split-input-file | FileCheck %s
// RUN: fusion-opt %s -fusion-graph-to-linalg=target=sm_90a -fusion-linalg-to-groups=target=sm_90a -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics=only-expected -o /dev/null

// The logarithm of a softmax is no exponential.
// CHECK-LABEL: func.func @logarithm(
// CHECK-COUNT-2: = fusion.group
func.func @logarithm(%q: tensor<70x32xf16>, %k: tensor<90x32xf16>, %v: tensor<90x32xf16>) -> tensor<70x32xf16> {
  // expected-remark @below {{Reason="the weights are not made from the exponentials"}}
  %s = fusion.matmul %q, %k {transpose_b} : tensor<70x32xf16>, tensor<90x32xf16> -> tensor<70x90xf16>
  %w = fusion.log_softmax %s dim = 1 : tensor<70x90xf16>
  %o = fusion.matmul %w, %v : tensor<70x90xf16>, tensor<90x32xf16> -> tensor<70x32xf16>
  return %o : tensor<70x32xf16>
}

// -----

// A weight of one more for each key: a sum is no multiple of an exponential.
// CHECK-LABEL: func.func @added(
// CHECK-COUNT-2: = fusion.group
func.func @added(%q: tensor<70x32xf16>, %k: tensor<90x32xf16>, %v: tensor<90x32xf16>, %b: tensor<90xf16>) -> tensor<70x32xf16> {
  // expected-remark @below {{Reason="the weights are not exponentials times functions of rows"}}
  %s = fusion.matmul %q, %k {transpose_b} : tensor<70x32xf16>, tensor<90x32xf16> -> tensor<70x90xf16>
  %p = fusion.softmax %s dim = 1 : tensor<70x90xf16>
  %bb = fusion.broadcast %b dims = [1] : tensor<90xf16> to tensor<70x90xf16>
  %w = fusion.add %p, %bb : tensor<70x90xf16>
  %o = fusion.matmul %w, %v : tensor<70x90xf16>, tensor<90x32xf16> -> tensor<70x32xf16>
  return %o : tensor<70x32xf16>
}

// -----

// A factor for each key: it belongs to the values, but is not written so.
// CHECK-LABEL: func.func @factor_of_keys(
// CHECK-COUNT-2: = fusion.group
func.func @factor_of_keys(%q: tensor<70x32xf16>, %k: tensor<90x32xf16>, %v: tensor<90x32xf16>, %b: tensor<90xf16>) -> tensor<70x32xf16> {
  // expected-remark @below {{Reason="the weights are not exponentials times functions of rows"}}
  %s = fusion.matmul %q, %k {transpose_b} : tensor<70x32xf16>, tensor<90x32xf16> -> tensor<70x90xf16>
  %p = fusion.softmax %s dim = 1 : tensor<70x90xf16>
  %bb = fusion.broadcast %b dims = [1] : tensor<90xf16> to tensor<70x90xf16>
  %w = fusion.mul %p, %bb : tensor<70x90xf16>
  %o = fusion.matmul %w, %v : tensor<70x90xf16>, tensor<90x32xf16> -> tensor<70x32xf16>
  return %o : tensor<70x32xf16>
}

// -----

// The weights are in the denominator.
// CHECK-LABEL: func.func @inverse(
// CHECK-COUNT-2: = fusion.group
func.func @inverse(%q: tensor<70x32xf16>, %k: tensor<90x32xf16>, %v: tensor<90x32xf16>) -> tensor<70x32xf16> {
  // expected-remark @below {{Reason="the weights are not exponentials times functions of rows"}}
  %s = fusion.matmul %q, %k {transpose_b} : tensor<70x32xf16>, tensor<90x32xf16> -> tensor<70x90xf16>
  %p = fusion.softmax %s dim = 1 : tensor<70x90xf16>
  %w = fusion.reciprocal %p : tensor<70x90xf16>
  %o = fusion.matmul %w, %v : tensor<70x90xf16>, tensor<90x32xf16> -> tensor<70x32xf16>
  return %o : tensor<70x32xf16>
}

// -----

// Two steps from the exponentials, joined: each weight times another function of it.
// CHECK-LABEL: func.func @joined(
// CHECK-COUNT-2: = fusion.group
func.func @joined(%q: tensor<70x32xf16>, %k: tensor<90x32xf16>, %v: tensor<90x32xf16>) -> tensor<70x32xf16> {
  // expected-remark @below {{Reason="the weights are not exponentials times functions of rows"}}
  %s = fusion.matmul %q, %k {transpose_b} : tensor<70x32xf16>, tensor<90x32xf16> -> tensor<70x90xf16>
  %p = fusion.softmax %s dim = 1 : tensor<70x90xf16>
  %e = fusion.sigmoid %p : tensor<70x90xf16>
  %w = fusion.mul %p, %e : tensor<70x90xf16>
  %o = fusion.matmul %w, %v : tensor<70x90xf16>, tensor<90x32xf16> -> tensor<70x32xf16>
  return %o : tensor<70x32xf16>
}

// -----

// Doubles.
// CHECK-LABEL: func.func @doubles(
// CHECK-COUNT-2: = fusion.group
func.func @doubles(%q: tensor<70x32xf64>, %k: tensor<90x32xf64>, %v: tensor<90x32xf64>) -> tensor<70x32xf64> {
  // expected-remark @below {{Reason="the softmax is not computed in f32"}}
  %s = fusion.matmul %q, %k {transpose_b} : tensor<70x32xf64>, tensor<90x32xf64> -> tensor<70x90xf64>
  %p = fusion.softmax %s dim = 1 : tensor<70x90xf64>
  %o = fusion.matmul %p, %v : tensor<70x90xf64>, tensor<90x32xf64> -> tensor<70x32xf64>
  return %o : tensor<70x32xf64>
}

// -----

// Scores of halves, values in f32: no unit multiplies both.
// CHECK-LABEL: func.func @single_values(
// CHECK-COUNT-2: = fusion.group
func.func @single_values(%q: tensor<70x32xf16>, %k: tensor<90x32xf16>, %v: tensor<90x32xf32>) -> tensor<70x32xf32> {
  // expected-remark @below {{Reason="the contractions are not of one type of floats, with sums in f32"}}
  %s = fusion.matmul %q, %k {transpose_b} : tensor<70x32xf16>, tensor<90x32xf16> -> tensor<70x90xf32>
  %p = fusion.softmax %s dim = 1 : tensor<70x90xf32>
  %o = fusion.matmul %p, %v : tensor<70x90xf32>, tensor<90x32xf32> -> tensor<70x32xf32>
  return %o : tensor<70x32xf32>
}

// -----

// Scores of integers.
// CHECK-LABEL: func.func @integer_scores(
// CHECK-COUNT-2: = fusion.group
func.func @integer_scores(%q: tensor<70x32xi32>, %k: tensor<90x32xi32>, %v: tensor<90x32xf32>) -> tensor<70x32xf32> {
  // expected-remark @below {{Reason="the contractions are not of one type of floats, with sums in f32"}}
  %s = fusion.matmul %q, %k {transpose_b} : tensor<70x32xi32>, tensor<90x32xi32> -> tensor<70x90xi32>
  %f = fusion.cast %s : tensor<70x90xi32> to tensor<70x90xf32>
  %p = fusion.softmax %f dim = 1 : tensor<70x90xf32>
  %o = fusion.matmul %p, %v : tensor<70x90xf32>, tensor<90x32xf32> -> tensor<70x32xf32>
  return %o : tensor<70x32xf32>
}

// -----

// How wide the queries are shows at run time only.
// CHECK-LABEL: func.func @dynamic_queries(
// CHECK-COUNT-2: = fusion.group
func.func @dynamic_queries(%q: tensor<70x?xf16>, %k: tensor<90x?xf16>, %v: tensor<90x32xf16>) -> tensor<70x32xf16> {
  // expected-remark @below {{Reason="the widths of its operands are not known"}}
  %s = fusion.matmul %q, %k {transpose_b} : tensor<70x?xf16>, tensor<90x?xf16> -> tensor<70x90xf16>
  %p = fusion.softmax %s dim = 1 : tensor<70x90xf16>
  %o = fusion.matmul %p, %v : tensor<70x90xf16>, tensor<90x32xf16> -> tensor<70x32xf16>
  return %o : tensor<70x32xf16>
}

// -----

// Queries so wide that no block holds a tile of them.
// CHECK-LABEL: func.func @wide_queries(
// CHECK-COUNT-2: = fusion.group
func.func @wide_queries(%q: tensor<70x4096xf16>, %k: tensor<90x4096xf16>, %v: tensor<90x32xf16>) -> tensor<70x32xf16> {
  // expected-remark-re @below {{Reason="{{[0-9]+}} bytes of shared memory are more than {{[0-9]+}}"}}
  %s = fusion.matmul %q, %k {transpose_b} : tensor<70x4096xf16>, tensor<90x4096xf16> -> tensor<70x90xf16>
  %p = fusion.softmax %s dim = 1 : tensor<70x90xf16>
  %o = fusion.matmul %p, %v : tensor<70x90xf16>, tensor<90x32xf16> -> tensor<70x32xf16>
  return %o : tensor<70x32xf16>
}

// -----

// One value for each key: the second product has no width.
// CHECK-LABEL: func.func @one_value(
// CHECK-COUNT-2: = fusion.group
func.func @one_value(%q: tensor<70x32xf16>, %k: tensor<90x32xf16>, %v: tensor<90x1xf16>) -> tensor<70x1xf16> {
  // expected-remark @below {{Reason="there is not one dim each of columns and of both operands' widths"}}
  %s = fusion.matmul %q, %k {transpose_b} : tensor<70x32xf16>, tensor<90x32xf16> -> tensor<70x90xf16>
  %p = fusion.softmax %s dim = 1 : tensor<70x90xf16>
  %o = fusion.matmul %p, %v : tensor<70x90xf16>, tensor<90x1xf16> -> tensor<70x1xf16>
  return %o : tensor<70x1xf16>
}

// -----

// One number for each query and key: the scores are no sums.
// CHECK-LABEL: func.func @one_number(
// CHECK-COUNT-2: = fusion.group
func.func @one_number(%q: tensor<70x1xf16>, %k: tensor<90x1xf16>, %v: tensor<90x32xf16>) -> tensor<70x32xf16> {
  // expected-remark @below {{Reason="there is not one dim each of columns and of both operands' widths"}}
  %s = fusion.matmul %q, %k {transpose_b} : tensor<70x1xf16>, tensor<90x1xf16> -> tensor<70x90xf16>
  %p = fusion.softmax %s dim = 1 : tensor<70x90xf16>
  %o = fusion.matmul %p, %v : tensor<70x90xf16>, tensor<90x32xf16> -> tensor<70x32xf16>
  return %o : tensor<70x32xf16>
}

// -----

// One key: its weight is one.
// CHECK-LABEL: func.func @one_key(
// CHECK-COUNT-2: = fusion.group
func.func @one_key(%q: tensor<70x32xf16>, %k: tensor<1x32xf16>, %v: tensor<1x32xf16>) -> tensor<70x32xf16> {
  // expected-remark @below {{Reason="there is not one dim each of columns and of both operands' widths"}}
  %s = fusion.matmul %q, %k {transpose_b} : tensor<70x32xf16>, tensor<1x32xf16> -> tensor<70x1xf16>
  %p = fusion.softmax %s dim = 1 : tensor<70x1xf16>
  %o = fusion.matmul %p, %v : tensor<70x1xf16>, tensor<1x32xf16> -> tensor<70x32xf16>
  return %o : tensor<70x32xf16>
}

// -----

// The scale comes after the maximum is subtracted.
// CHECK-LABEL: func.func @scaled_later(
// CHECK-COUNT-2: = fusion.group
func.func @scaled_later(%q: tensor<70x32xf32>, %k: tensor<90x32xf32>, %v: tensor<90x32xf32>) -> tensor<70x32xf32> {
  // expected-remark @below {{Reason="no row's maximum is subtracted before the exponential"}}
  %s = fusion.matmul %q, %k {transpose_b} : tensor<70x32xf32>, tensor<90x32xf32> -> tensor<70x90xf32>
  %m = fusion.reduce max, %s dims = [1] : tensor<70x90xf32> to tensor<70xf32>
  %mb = fusion.broadcast %m dims = [0] : tensor<70xf32> to tensor<70x90xf32>
  %d = fusion.sub %s, %mb : tensor<70x90xf32>
  %c = fusion.constant dense<0.125> : tensor<70x90xf32>
  %f = fusion.mul %d, %c : tensor<70x90xf32>
  %e = fusion.exp %f : tensor<70x90xf32>
  %l = fusion.reduce sum, %e dims = [1] : tensor<70x90xf32> to tensor<70xf32>
  %lb = fusion.broadcast %l dims = [0] : tensor<70xf32> to tensor<70x90xf32>
  %p = fusion.div %e, %lb : tensor<70x90xf32>
  %o = fusion.matmul %p, %v : tensor<70x90xf32>, tensor<90x32xf32> -> tensor<70x32xf32>
  return %o : tensor<70x32xf32>
}

// -----

// A thousand times the maximum is subtracted: while the maximum is still small the
// exponentials are infinite, and they are finite at the end.
// CHECK-LABEL: func.func @steep(
// CHECK-COUNT-2: = fusion.group
func.func @steep(%q: tensor<70x32xf32>, %k: tensor<90x32xf32>, %v: tensor<90x32xf32>) -> tensor<70x32xf32> {
  // expected-remark @below {{Reason="what is subtracted may grow faster than the maximum, or shrink"}}
  %s = fusion.matmul %q, %k {transpose_b} : tensor<70x32xf32>, tensor<90x32xf32> -> tensor<70x90xf32>
  %m = fusion.reduce max, %s dims = [1] : tensor<70x90xf32> to tensor<70xf32>
  %c = fusion.constant dense<1000.0> : tensor<70xf32>
  %r = fusion.mul %m, %c : tensor<70xf32>
  %rb = fusion.broadcast %r dims = [0] : tensor<70xf32> to tensor<70x90xf32>
  %d = fusion.sub %s, %rb : tensor<70x90xf32>
  %e = fusion.exp %d : tensor<70x90xf32>
  %l = fusion.reduce sum, %e dims = [1] : tensor<70x90xf32> to tensor<70xf32>
  %lb = fusion.broadcast %l dims = [0] : tensor<70xf32> to tensor<70x90xf32>
  %p = fusion.div %e, %lb : tensor<70x90xf32>
  %o = fusion.matmul %p, %v : tensor<70x90xf32>, tensor<90x32xf32> -> tensor<70x32xf32>
  return %o : tensor<70x32xf32>
}

// -----

// Zero is subtracted where the maximum is small: what was added up until then would be
// scaled up.
// CHECK-LABEL: func.func @falls(
// CHECK-COUNT-2: = fusion.group
func.func @falls(%q: tensor<70x32xf32>, %k: tensor<90x32xf32>, %v: tensor<90x32xf32>) -> tensor<70x32xf32> {
  // expected-remark @below {{Reason="what is subtracted may grow faster than the maximum, or shrink"}}
  %s = fusion.matmul %q, %k {transpose_b} : tensor<70x32xf32>, tensor<90x32xf32> -> tensor<70x90xf32>
  %m = fusion.reduce max, %s dims = [1] : tensor<70x90xf32> to tensor<70xf32>
  %c = fusion.constant dense<-1000.0> : tensor<70xf32>
  %z = fusion.constant dense<0.0> : tensor<70xf32>
  %small = fusion.compare le, %m, %c : tensor<70xf32>
  %r = fusion.select %small, %z, %m : tensor<70xf32>
  %rb = fusion.broadcast %r dims = [0] : tensor<70xf32> to tensor<70x90xf32>
  %d = fusion.sub %s, %rb : tensor<70x90xf32>
  %e = fusion.exp %d : tensor<70x90xf32>
  %l = fusion.reduce sum, %e dims = [1] : tensor<70x90xf32> to tensor<70xf32>
  %lb = fusion.broadcast %l dims = [0] : tensor<70xf32> to tensor<70x90xf32>
  %p = fusion.div %e, %lb : tensor<70x90xf32>
  %o = fusion.matmul %p, %v : tensor<70x90xf32>, tensor<90x32xf32> -> tensor<70x32xf32>
  return %o : tensor<70x32xf32>
}
