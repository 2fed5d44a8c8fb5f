// Ops of other compilers between two contractions that do not quite what attention
// does, in their loops or in their bodies: the contractions stay apart.

// RUN: fusion-opt %s -fusion-graph-to-linalg=target=sm_90a -fusion-linalg-to-groups=target=sm_90a -split-input-file | FileCheck %s
// RUN: fusion-opt %s -fusion-graph-to-linalg=target=sm_90a -fusion-linalg-to-groups=target=sm_90a -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics=only-expected -o /dev/null

// A factor of the scores is computed inside of the product: a tile is multiplied as it
// lies in memory.
// CHECK-LABEL: func.func @magnitudes(
// CHECK-COUNT-2: = fusion.group
// CHECK:         return
func.func @magnitudes(%q: tensor<70x32xf32>, %k: tensor<90x32xf32>, %v: tensor<90x32xf32>, %s0: tensor<70x90xf32>) -> tensor<70x32xf32> {
  // expected-remark @below {{Reason="a contraction computes more than products and their sum"}}
  %s = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<70x32xf32>, tensor<90x32xf32>) outs(%s0 : tensor<70x90xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %0 = math.absf %x : f32
    %1 = arith.mulf %0, %y : f32
    %2 = arith.addf %sum, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<70x90xf32>
  %p = fusion.softmax %s dim = 1 : tensor<70x90xf32>
  %o = fusion.matmul %p, %v : tensor<70x90xf32>, tensor<90x32xf32> -> tensor<70x32xf32>
  return %o : tensor<70x32xf32>
}

// -----

// The second product takes roots of the weights.
// CHECK-LABEL: func.func @roots(
// CHECK-COUNT-2: = fusion.group
// CHECK:         return
func.func @roots(%q: tensor<70x32xf32>, %k: tensor<90x32xf32>, %v: tensor<90x32xf32>, %o0: tensor<70x32xf32>) -> tensor<70x32xf32> {
  // expected-remark @below {{Reason="a contraction computes more than products and their sum"}}
  %s = fusion.matmul %q, %k {transpose_b} : tensor<70x32xf32>, tensor<90x32xf32> -> tensor<70x90xf32>
  %p = fusion.softmax %s dim = 1 : tensor<70x90xf32>
  %o = linalg.generic {indexing_maps = [affine_map<(i, d, j) -> (i, j)>, affine_map<(i, d, j) -> (j, d)>, affine_map<(i, d, j) -> (i, d)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%p, %v : tensor<70x90xf32>, tensor<90x32xf32>) outs(%o0 : tensor<70x32xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %0 = math.sqrt %x : f32
    %1 = arith.mulf %0, %y : f32
    %2 = arith.addf %sum, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<70x32xf32>
  return %o : tensor<70x32xf32>
}

// -----

// Exponentials, and in the same op what becomes the weights: another function.
// CHECK-LABEL: func.func @second_result(
// CHECK-COUNT-2: = fusion.group
// CHECK:         return
func.func @second_result(%q: tensor<70x32xf32>, %k: tensor<90x32xf32>, %v: tensor<90x32xf32>) -> tensor<70x32xf32> {
  // expected-remark @below {{Reason="the exponential's op computes more"}}
  %s = fusion.matmul %q, %k {transpose_b} : tensor<70x32xf32>, tensor<90x32xf32> -> tensor<70x90xf32>
  %m = fusion.reduce max, %s dims = [1] : tensor<70x90xf32> to tensor<70xf32>
  %e0 = tensor.empty() : tensor<70x90xf32>
  %e:2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
                         iterator_types = ["parallel", "parallel"]}
      ins(%s, %m : tensor<70x90xf32>, tensor<70xf32>) outs(%e0, %e0 : tensor<70x90xf32>, tensor<70x90xf32>) {
  ^bb0(%x: f32, %r: f32, %o0: f32, %o1: f32):
    %0 = arith.subf %x, %r : f32
    %1 = math.exp %0 : f32
    %2 = arith.mulf %1, %x : f32
    linalg.yield %1, %2 : f32, f32
  } -> (tensor<70x90xf32>, tensor<70x90xf32>)
  %l = fusion.reduce sum, %e#0 dims = [1] : tensor<70x90xf32> to tensor<70xf32>
  %lb = fusion.broadcast %l dims = [0] : tensor<70xf32> to tensor<70x90xf32>
  %p = fusion.div %e#1, %lb : tensor<70x90xf32>
  %o = fusion.matmul %p, %v : tensor<70x90xf32>, tensor<90x32xf32> -> tensor<70x32xf32>
  return %o : tensor<70x32xf32>
}

// -----

// The softmax runs over what both factors of the scores have: heads, not keys.
// CHECK-LABEL: func.func @heads(
// CHECK-COUNT-2: = fusion.group
// CHECK:         return
func.func @heads(%q: tensor<70x8x32xf32>, %k: tensor<8x32xf32>, %v: tensor<8x16xf32>, %s0: tensor<70x8xf32>) -> tensor<70x16xf32> {
  // expected-remark @below {{Reason="the columns are not those of one operand of the scores"}}
  %s = linalg.generic {indexing_maps = [affine_map<(i, h, k) -> (i, h, k)>, affine_map<(i, h, k) -> (h, k)>, affine_map<(i, h, k) -> (i, h)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<70x8x32xf32>, tensor<8x32xf32>) outs(%s0 : tensor<70x8xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %sum, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<70x8xf32>
  %p = fusion.softmax %s dim = 1 : tensor<70x8xf32>
  %o = fusion.matmul %p, %v : tensor<70x8xf32>, tensor<8x16xf32> -> tensor<70x16xf32>
  return %o : tensor<70x16xf32>
}

// -----

// Scores of windows of a signal: a kernel of both reads rows of its operands.
// CHECK-LABEL: func.func @windows(
// CHECK-COUNT-2: = fusion.group
// CHECK:         return
func.func @windows(%x: tensor<98xf32>, %f: tensor<70x9xf32>, %v: tensor<90x16xf32>, %s0: tensor<70x90xf32>) -> tensor<70x16xf32> {
  // expected-remark @below {{Reason="an operand of a contraction is read at computed positions"}}
  %s = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j + k)>, affine_map<(i, j, k) -> (i, j)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%f, %x : tensor<70x9xf32>, tensor<98xf32>) outs(%s0 : tensor<70x90xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %sum, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<70x90xf32>
  %p = fusion.softmax %s dim = 1 : tensor<70x90xf32>
  %o = fusion.matmul %p, %v : tensor<70x90xf32>, tensor<90x16xf32> -> tensor<70x16xf32>
  return %o : tensor<70x16xf32>
}

// -----

// The scores sum over a dim that the keys have not: no matrices are multiplied.
// CHECK-LABEL: func.func @summed_queries(
// CHECK-COUNT-2: = fusion.group
// CHECK:         return
func.func @summed_queries(%q: tensor<70x32xf32>, %k: tensor<90xf32>, %v: tensor<90x16xf32>, %s0: tensor<70x90xf32>) -> tensor<70x16xf32> {
  // expected-remark @below {{Reason="there is not one dim each of columns and of both operands' widths"}}
  %s = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j)>, affine_map<(i, j, k) -> (i, j)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<70x32xf32>, tensor<90xf32>) outs(%s0 : tensor<70x90xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %sum, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<70x90xf32>
  %p = fusion.softmax %s dim = 1 : tensor<70x90xf32>
  %o = fusion.matmul %p, %v : tensor<70x90xf32>, tensor<90x16xf32> -> tensor<70x16xf32>
  return %o : tensor<70x16xf32>
}

// -----

// The one row's scores make the values, too.
// CHECK-LABEL: func.func @own_values(
// CHECK-COUNT-2: = fusion.group
// CHECK:         return
func.func @own_values(%q: tensor<1x32xf32>, %k: tensor<90x32xf32>, %w: tensor<90x16xf32>) -> tensor<1x16xf32> {
  // expected-remark @below {{Reason="both operands of the second contraction depend on the first"}}
  %s = fusion.matmul %q, %k {transpose_b} : tensor<1x32xf32>, tensor<90x32xf32> -> tensor<1x90xf32>
  %p = fusion.softmax %s dim = 1 : tensor<1x90xf32>
  %v0 = tensor.empty() : tensor<90x16xf32>
  %v = linalg.generic {indexing_maps = [affine_map<(j, d) -> (0, j)>, affine_map<(j, d) -> (j, d)>, affine_map<(j, d) -> (j, d)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%s, %w : tensor<1x90xf32>, tensor<90x16xf32>) outs(%v0 : tensor<90x16xf32>) {
  ^bb0(%x: f32, %y: f32, %r: f32):
    %0 = arith.mulf %x, %y : f32
    linalg.yield %0 : f32
  } -> tensor<90x16xf32>
  %o = fusion.matmul %p, %v : tensor<1x90xf32>, tensor<90x16xf32> -> tensor<1x16xf32>
  return %o : tensor<1x16xf32>
}

// -----

// The maximum runs along the keys, the sum along the rows.
// CHECK-LABEL: func.func @sum_of_rows(
// CHECK-COUNT-2: = fusion.group
// CHECK:         return
func.func @sum_of_rows(%q: tensor<70x32xf32>, %k: tensor<90x32xf32>, %v: tensor<90x32xf32>) -> tensor<70x32xf32> {
  // expected-remark @below {{Reason="the reductions and the contraction run over different dims"}}
  %s = fusion.matmul %q, %k {transpose_b} : tensor<70x32xf32>, tensor<90x32xf32> -> tensor<70x90xf32>
  %m = fusion.reduce max, %s dims = [1] : tensor<70x90xf32> to tensor<70xf32>
  %mb = fusion.broadcast %m dims = [0] : tensor<70xf32> to tensor<70x90xf32>
  %d = fusion.sub %s, %mb : tensor<70x90xf32>
  %e = fusion.exp %d : tensor<70x90xf32>
  %l = fusion.reduce sum, %e dims = [0] : tensor<70x90xf32> to tensor<90xf32>
  %lb = fusion.broadcast %l dims = [1] : tensor<90xf32> to tensor<70x90xf32>
  %p = fusion.div %e, %lb : tensor<70x90xf32>
  %o = fusion.matmul %p, %v : tensor<70x90xf32>, tensor<90x32xf32> -> tensor<70x32xf32>
  return %o : tensor<70x32xf32>
}

// -----

// The exponentials, not divided, weigh; the sum is a result of its own.
// CHECK-LABEL: func.func @sum_returned(
// CHECK-COUNT-2: = fusion.group
// CHECK:         return
func.func @sum_returned(%q: tensor<70x32xf32>, %k: tensor<90x32xf32>, %v: tensor<90x32xf32>) -> (tensor<70x32xf32>, tensor<70xf32>) {
  // expected-remark @below {{Reason="what lies between the contractions is needed elsewhere"}}
  %s = fusion.matmul %q, %k {transpose_b} : tensor<70x32xf32>, tensor<90x32xf32> -> tensor<70x90xf32>
  %m = fusion.reduce max, %s dims = [1] : tensor<70x90xf32> to tensor<70xf32>
  %mb = fusion.broadcast %m dims = [0] : tensor<70xf32> to tensor<70x90xf32>
  %d = fusion.sub %s, %mb : tensor<70x90xf32>
  %e = fusion.exp %d : tensor<70x90xf32>
  %l = fusion.reduce sum, %e dims = [1] : tensor<70x90xf32> to tensor<70xf32>
  %o = fusion.matmul %e, %v : tensor<70x90xf32>, tensor<90x32xf32> -> tensor<70x32xf32>
  return %o, %l : tensor<70x32xf32>, tensor<70xf32>
}

// -----

// Weights chosen by a comparison of scores: another function of each element.
// CHECK-LABEL: func.func @chosen(
// CHECK-COUNT-2: = fusion.group
// CHECK:         return
func.func @chosen(%q: tensor<70x32xf32>, %k: tensor<90x32xf32>, %v: tensor<90x32xf32>) -> tensor<70x32xf32> {
  // expected-remark @below {{Reason="the weights are not exponentials times functions of rows"}}
  %s = fusion.matmul %q, %k {transpose_b} : tensor<70x32xf32>, tensor<90x32xf32> -> tensor<70x90xf32>
  %p = fusion.softmax %s dim = 1 : tensor<70x90xf32>
  %z = fusion.constant dense<0.0> : tensor<70x90xf32>
  %c = fusion.compare gt, %s, %z : tensor<70x90xf32>
  %w = fusion.select %c, %p, %s : tensor<70x90xf32>
  %o = fusion.matmul %w, %v : tensor<70x90xf32>, tensor<90x32xf32> -> tensor<70x32xf32>
  return %o : tensor<70x32xf32>
}
