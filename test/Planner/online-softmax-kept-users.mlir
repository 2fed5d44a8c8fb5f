// A softmax between two contractions, of which something else needs a part, or which
// goes another way than attention: the contractions stay apart.

// RUN: fusion-opt %s -fusion-graph-to-linalg=target=sm_90a -fusion-linalg-to-groups=target=sm_90a -split-input-file | FileCheck %s
// RUN: fusion-opt %s -fusion-graph-to-linalg=target=sm_90a -fusion-linalg-to-groups=target=sm_90a -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics=only-expected -o /dev/null

// Scores that are a sum of two products: one kernel has the second, which reads the
// other one.
// CHECK-LABEL: func.func @two_products(
// CHECK-COUNT-2: = fusion.group
func.func @two_products(%q: tensor<70x32xf16>, %k: tensor<90x32xf16>, %r: tensor<70x16xf16>, %p: tensor<90x16xf16>, %v: tensor<90x32xf16>) -> tensor<70x32xf16> {
  // expected-remark @below {{Remark="one kernel with its softmax and}}
  %s = fusion.matmul %q, %k {transpose_b} : tensor<70x32xf16>, tensor<90x32xf16> -> tensor<70x90xf16>
  // expected-remark @below {{Reason="some of what lies between the contractions is in the kernel of other contractions already"}}
  %t = fusion.matmul %r, %p {transpose_b} : tensor<70x16xf16>, tensor<90x16xf16> -> tensor<70x90xf16>
  %u = fusion.add %s, %t : tensor<70x90xf16>
  %w = fusion.softmax %u dim = 1 : tensor<70x90xf16>
  %o = fusion.matmul %w, %v : tensor<70x90xf16>, tensor<90x32xf16> -> tensor<70x32xf16>
  return %o : tensor<70x32xf16>
}

// -----

// The scores are needed elsewhere.
// CHECK-LABEL: func.func @scores_needed(
// CHECK-COUNT-2: = fusion.group
func.func @scores_needed(%q: tensor<70x32xf16>, %k: tensor<90x32xf16>, %v: tensor<90x32xf16>) -> (tensor<70x32xf16>, tensor<70x90xf16>) {
  // expected-remark @below {{Reason="what lies between the contractions is needed elsewhere"}}
  %s = fusion.matmul %q, %k {transpose_b} : tensor<70x32xf16>, tensor<90x32xf16> -> tensor<70x90xf16>
  %w = fusion.softmax %s dim = 1 : tensor<70x90xf16>
  %o = fusion.matmul %w, %v : tensor<70x90xf16>, tensor<90x32xf16> -> tensor<70x32xf16>
  return %o, %s : tensor<70x32xf16>, tensor<70x90xf16>
}

// -----

// The weights are a result too.
// CHECK-LABEL: func.func @weights_needed(
// CHECK-COUNT-2: = fusion.group
func.func @weights_needed(%q: tensor<70x32xf16>, %k: tensor<90x32xf16>, %v: tensor<90x32xf16>) -> (tensor<70x32xf16>, tensor<70x90xf16>) {
  // expected-remark @below {{Reason="what lies between the contractions is needed elsewhere"}}
  %s = fusion.matmul %q, %k {transpose_b} : tensor<70x32xf16>, tensor<90x32xf16> -> tensor<70x90xf16>
  %w = fusion.softmax %s dim = 1 : tensor<70x90xf16>
  %o = fusion.matmul %w, %v : tensor<70x90xf16>, tensor<90x32xf16> -> tensor<70x32xf16>
  return %o, %w : tensor<70x32xf16>, tensor<70x90xf16>
}

// -----

// Another product reads the weights too.
// CHECK-LABEL: func.func @two_values(
// CHECK-COUNT-3: = fusion.group
func.func @two_values(%q: tensor<70x32xf16>, %k: tensor<90x32xf16>, %v: tensor<90x32xf16>, %u: tensor<90x16xf16>) -> (tensor<70x32xf16>, tensor<70x16xf16>) {
  // expected-remark @below {{Reason="several contractions read what follows from the first"}}
  %s = fusion.matmul %q, %k {transpose_b} : tensor<70x32xf16>, tensor<90x32xf16> -> tensor<70x90xf16>
  %w = fusion.softmax %s dim = 1 : tensor<70x90xf16>
  %o = fusion.matmul %w, %v : tensor<70x90xf16>, tensor<90x32xf16> -> tensor<70x32xf16>
  %x = fusion.matmul %w, %u : tensor<70x90xf16>, tensor<90x16xf16> -> tensor<70x16xf16>
  return %o, %x : tensor<70x32xf16>, tensor<70x16xf16>
}

// -----

// The scores are the values, too: a block has those of its own rows only.
// CHECK-LABEL: func.func @both_operands(
// CHECK-COUNT-2: = fusion.group
func.func @both_operands(%q: tensor<64x32xf16>, %k: tensor<64x32xf16>) -> tensor<64x64xf16> {
  // expected-remark @below {{Reason="a value between the contractions is read transposed"}}
  %s = fusion.matmul %q, %k {transpose_b} : tensor<64x32xf16>, tensor<64x32xf16> -> tensor<64x64xf16>
  %w = fusion.softmax %s dim = 1 : tensor<64x64xf16>
  %o = fusion.matmul %w, %s : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
  return %o : tensor<64x64xf16>
}

// -----

// Scores and their transpose: each would need those of other rows.
// CHECK-LABEL: func.func @symmetric(
// CHECK-COUNT-2: = fusion.group
func.func @symmetric(%q: tensor<8x8x16xf16>, %k: tensor<8x32x16xf16>, %v: tensor<8x32x16xf16>) -> tensor<8x8x16xf16> {
  // expected-remark @below {{Reason="a value between the contractions is read transposed"}}
  %s = fusion.matmul %q, %k {transpose_b} : tensor<8x8x16xf16>, tensor<8x32x16xf16> -> tensor<8x8x32xf16>
  %t = fusion.transpose %s perm = [1, 0, 2] : tensor<8x8x32xf16> to tensor<8x8x32xf16>
  %u = fusion.add %s, %t : tensor<8x8x32xf16>
  %p = fusion.softmax %u dim = 2 : tensor<8x8x32xf16>
  %o = fusion.matmul %p, %v : tensor<8x8x32xf16>, tensor<8x32x16xf16> -> tensor<8x8x16xf16>
  return %o : tensor<8x8x16xf16>
}

// -----

// The softmax runs along the rows' numbers, the second product along the columns.
// CHECK-LABEL: func.func @other_dim(
// CHECK-COUNT-2: = fusion.group
func.func @other_dim(%q: tensor<70x32xf16>, %k: tensor<90x32xf16>, %v: tensor<90x32xf16>) -> tensor<70x32xf16> {
  // expected-remark @below {{Reason="the reductions and the contraction run over different dims"}}
  %s = fusion.matmul %q, %k {transpose_b} : tensor<70x32xf16>, tensor<90x32xf16> -> tensor<70x90xf16>
  %w = fusion.softmax %s dim = 0 : tensor<70x90xf16>
  %o = fusion.matmul %w, %v : tensor<70x90xf16>, tensor<90x32xf16> -> tensor<70x32xf16>
  return %o : tensor<70x32xf16>
}

// -----

// The user chose a schedule for the scores.
// CHECK-LABEL: func.func @pinned(
// CHECK-COUNT-2: = fusion.group
func.func @pinned(%q: tensor<64x64xf16>, %k: tensor<64x64xf16>, %v: tensor<64x64xf16>) -> tensor<64x64xf16> {
  // expected-remark @below {{Reason="an op pins the schedule of its kernel"}}
  %s = fusion.matmul %q, %k {transpose_b, fusion.schedule = {kind = "mma", bm = 64, bn = 64, bk = 32, stages = 2, warps = 4}} : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
  %p = fusion.softmax %s dim = 1 : tensor<64x64xf16>
  %o = fusion.matmul %p, %v : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
  return %o : tensor<64x64xf16>
}

// -----

// The softmax in between is to be a kernel of its own.
// CHECK-LABEL: func.func @softmax_alone(
// CHECK-COUNT-3: = fusion.group
func.func @softmax_alone(%q: tensor<70x32xf16>, %k: tensor<90x32xf16>, %v: tensor<90x32xf16>) -> tensor<70x32xf16> {
  // expected-remark @below {{Reason="an op is marked with fusion.no_fuse"}}
  %s = fusion.matmul %q, %k {transpose_b} : tensor<70x32xf16>, tensor<90x32xf16> -> tensor<70x90xf16>
  %p = fusion.softmax %s dim = 1 {fusion.no_fuse} : tensor<70x90xf16>
  %o = fusion.matmul %p, %v : tensor<70x90xf16>, tensor<90x32xf16> -> tensor<70x32xf16>
  return %o : tensor<70x32xf16>
}

// -----

// The smallest score is subtracted: exponentials would grow on the way.
// CHECK-LABEL: func.func @minimum(
// CHECK-COUNT-2: = fusion.group
func.func @minimum(%q: tensor<70x32xf32>, %k: tensor<90x32xf32>, %v: tensor<90x32xf32>) -> tensor<70x32xf32> {
  // expected-remark @below {{Reason="a reduction reads what lies between the contractions"}}
  %s = fusion.matmul %q, %k {transpose_b} : tensor<70x32xf32>, tensor<90x32xf32> -> tensor<70x90xf32>
  %m = fusion.reduce min, %s dims = [1] : tensor<70x90xf32> to tensor<70xf32>
  %mb = fusion.broadcast %m dims = [0] : tensor<70xf32> to tensor<70x90xf32>
  %d = fusion.sub %s, %mb : tensor<70x90xf32>
  %e = fusion.exp %d : tensor<70x90xf32>
  %l = fusion.reduce sum, %e dims = [1] : tensor<70x90xf32> to tensor<70xf32>
  %lb = fusion.broadcast %l dims = [0] : tensor<70xf32> to tensor<70x90xf32>
  %p = fusion.div %e, %lb : tensor<70x90xf32>
  %o = fusion.matmul %p, %v : tensor<70x90xf32>, tensor<90x32xf32> -> tensor<70x32xf32>
  return %o : tensor<70x32xf32>
}

// -----

// No sum: weights that are no shares of one.
// CHECK-LABEL: func.func @no_sum(
// CHECK-COUNT-2: = fusion.group
func.func @no_sum(%q: tensor<70x32xf32>, %k: tensor<90x32xf32>, %v: tensor<90x32xf32>) -> tensor<70x32xf32> {
  // expected-remark @below {{Reason="a reduction reads what lies between the contractions"}}
  %s = fusion.matmul %q, %k {transpose_b} : tensor<70x32xf32>, tensor<90x32xf32> -> tensor<70x90xf32>
  %m = fusion.reduce max, %s dims = [1] : tensor<70x90xf32> to tensor<70xf32>
  %mb = fusion.broadcast %m dims = [0] : tensor<70xf32> to tensor<70x90xf32>
  %d = fusion.sub %s, %mb : tensor<70x90xf32>
  %p = fusion.exp %d : tensor<70x90xf32>
  %o = fusion.matmul %p, %v : tensor<70x90xf32>, tensor<90x32xf32> -> tensor<70x32xf32>
  return %o : tensor<70x32xf32>
}

// -----

// A row's sum of its scores beside: three reductions.
// CHECK-LABEL: func.func @third_reduction(
// CHECK-COUNT-2: = fusion.group
func.func @third_reduction(%q: tensor<70x32xf32>, %k: tensor<90x32xf32>, %v: tensor<90x32xf32>) -> tensor<70x32xf32> {
  // expected-remark @below {{Reason="a reduction reads what lies between the contractions"}}
  %s = fusion.matmul %q, %k {transpose_b} : tensor<70x32xf32>, tensor<90x32xf32> -> tensor<70x90xf32>
  %a = fusion.reduce sum, %s dims = [1] : tensor<70x90xf32> to tensor<70xf32>
  %ab = fusion.broadcast %a dims = [0] : tensor<70xf32> to tensor<70x90xf32>
  %p = fusion.softmax %s dim = 1 : tensor<70x90xf32>
  %w = fusion.mul %p, %ab : tensor<70x90xf32>
  %o = fusion.matmul %w, %v : tensor<70x90xf32>, tensor<90x32xf32> -> tensor<70x32xf32>
  return %o : tensor<70x32xf32>
}

// -----

// So much follows from the scores that nobody looks further.
// CHECK-LABEL: func.func @long_way(
// CHECK-COUNT-2: = fusion.group
!t = tensor<70x90xf32>
func.func @long_way(%q: tensor<70x32xf32>, %k: tensor<90x32xf32>, %v: tensor<90x32xf32>) -> (tensor<70x32xf32>, !t) {
  // expected-remark @below {{Reason="more than 96 operations follow from the first contraction"}}
  %0 = fusion.matmul %q, %k {transpose_b} : tensor<70x32xf32>, tensor<90x32xf32> -> !t
  %p = fusion.softmax %0 dim = 1 : !t
  %o = fusion.matmul %p, %v : !t, tensor<90x32xf32> -> tensor<70x32xf32>
  %1 = fusion.exp %0 : !t  %2 = fusion.tanh %1 : !t  %3 = fusion.sin %2 : !t  %4 = fusion.sqrt %3 : !t
  %5 = fusion.exp %4 : !t  %6 = fusion.tanh %5 : !t  %7 = fusion.sin %6 : !t  %8 = fusion.sqrt %7 : !t
  %9 = fusion.exp %8 : !t  %10 = fusion.tanh %9 : !t  %11 = fusion.sin %10 : !t  %12 = fusion.sqrt %11 : !t
  %13 = fusion.exp %12 : !t  %14 = fusion.tanh %13 : !t  %15 = fusion.sin %14 : !t  %16 = fusion.sqrt %15 : !t
  %17 = fusion.exp %16 : !t  %18 = fusion.tanh %17 : !t  %19 = fusion.sin %18 : !t  %20 = fusion.sqrt %19 : !t
  %21 = fusion.exp %20 : !t  %22 = fusion.tanh %21 : !t  %23 = fusion.sin %22 : !t  %24 = fusion.sqrt %23 : !t
  %25 = fusion.exp %24 : !t  %26 = fusion.tanh %25 : !t  %27 = fusion.sin %26 : !t  %28 = fusion.sqrt %27 : !t
  %29 = fusion.exp %28 : !t  %30 = fusion.tanh %29 : !t  %31 = fusion.sin %30 : !t  %32 = fusion.sqrt %31 : !t
  %33 = fusion.exp %32 : !t  %34 = fusion.tanh %33 : !t  %35 = fusion.sin %34 : !t  %36 = fusion.sqrt %35 : !t
  %37 = fusion.exp %36 : !t  %38 = fusion.tanh %37 : !t  %39 = fusion.sin %38 : !t  %40 = fusion.sqrt %39 : !t
  %41 = fusion.exp %40 : !t  %42 = fusion.tanh %41 : !t  %43 = fusion.sin %42 : !t  %44 = fusion.sqrt %43 : !t
  %45 = fusion.exp %44 : !t  %46 = fusion.tanh %45 : !t  %47 = fusion.sin %46 : !t  %48 = fusion.sqrt %47 : !t
  %49 = fusion.exp %48 : !t  %50 = fusion.tanh %49 : !t  %51 = fusion.sin %50 : !t  %52 = fusion.sqrt %51 : !t
  %53 = fusion.exp %52 : !t  %54 = fusion.tanh %53 : !t  %55 = fusion.sin %54 : !t  %56 = fusion.sqrt %55 : !t
  %57 = fusion.exp %56 : !t  %58 = fusion.tanh %57 : !t  %59 = fusion.sin %58 : !t  %60 = fusion.sqrt %59 : !t
  %61 = fusion.exp %60 : !t  %62 = fusion.tanh %61 : !t  %63 = fusion.sin %62 : !t  %64 = fusion.sqrt %63 : !t
  %65 = fusion.exp %64 : !t  %66 = fusion.tanh %65 : !t  %67 = fusion.sin %66 : !t  %68 = fusion.sqrt %67 : !t
  %69 = fusion.exp %68 : !t  %70 = fusion.tanh %69 : !t  %71 = fusion.sin %70 : !t  %72 = fusion.sqrt %71 : !t
  %73 = fusion.exp %72 : !t  %74 = fusion.tanh %73 : !t  %75 = fusion.sin %74 : !t  %76 = fusion.sqrt %75 : !t
  %77 = fusion.exp %76 : !t  %78 = fusion.tanh %77 : !t  %79 = fusion.sin %78 : !t  %80 = fusion.sqrt %79 : !t
  %81 = fusion.exp %80 : !t  %82 = fusion.tanh %81 : !t  %83 = fusion.sin %82 : !t  %84 = fusion.sqrt %83 : !t
  %85 = fusion.exp %84 : !t  %86 = fusion.tanh %85 : !t  %87 = fusion.sin %86 : !t  %88 = fusion.sqrt %87 : !t
  %89 = fusion.exp %88 : !t  %90 = fusion.tanh %89 : !t  %91 = fusion.sin %90 : !t  %92 = fusion.sqrt %91 : !t
  %93 = fusion.exp %92 : !t  %94 = fusion.tanh %93 : !t  %95 = fusion.sin %94 : !t  %96 = fusion.sqrt %95 : !t
  %97 = fusion.exp %96 : !t
  return %o, %97 : tensor<70x32xf32>, !t
}
