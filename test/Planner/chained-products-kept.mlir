// A contraction of what follows from another one that stays in a kernel of its own:
// something else reads what lies between, or it goes another way.

// RUN: fusion-opt %s -fusion-graph-to-linalg=target=sm_90a -fusion-linalg-to-groups=target=sm_90a -split-input-file | FileCheck %s
// RUN: fusion-opt %s -fusion-graph-to-linalg=target=sm_90a -fusion-linalg-to-groups=target=sm_90a -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics=only-expected -o /dev/null
// RUN: fusion-opt %s -fusion-graph-to-linalg=target=sm_80 '-fusion-linalg-to-groups=target=sm_80 numerics=strict' -split-input-file | FileCheck %s

// Two contractions read the middle.
// CHECK-LABEL: func.func @two_readers(
// CHECK-COUNT-2: = fusion.group
func.func @two_readers(%x: tensor<64x64xf16>, %a: tensor<64x16xf16>, %b: tensor<16x64xf16>, %c: tensor<16x32xf16>) -> (tensor<64x64xf16>, tensor<64x32xf16>) {
  // expected-remark @below 2 {{Reason="several contractions read what follows from the first"}}
  %0 = fusion.matmul %x, %a : tensor<64x64xf16>, tensor<64x16xf16> -> tensor<64x16xf16>
  %1 = fusion.matmul %0, %b : tensor<64x16xf16>, tensor<16x64xf16> -> tensor<64x64xf16>
  %2 = fusion.matmul %0, %c : tensor<64x16xf16>, tensor<16x32xf16> -> tensor<64x32xf16>
  return %1, %2 : tensor<64x64xf16>, tensor<64x32xf16>
}

// -----

// The middle is a result too.
// CHECK-LABEL: func.func @leaves(
// CHECK-COUNT-2: = fusion.group
func.func @leaves(%x: tensor<64x64xf16>, %a: tensor<64x16xf16>, %b: tensor<16x64xf16>) -> (tensor<64x16xf16>, tensor<64x64xf16>) {
  // expected-remark @below {{Reason="what lies between the contractions is needed elsewhere"}}
  %0 = fusion.matmul %x, %a : tensor<64x64xf16>, tensor<64x16xf16> -> tensor<64x16xf16>
  %1 = fusion.relu %0 : tensor<64x16xf16>
  %2 = fusion.matmul %1, %b : tensor<64x16xf16>, tensor<16x64xf16> -> tensor<64x64xf16>
  return %1, %2 : tensor<64x16xf16>, tensor<64x64xf16>
}

// -----

// A norm between them.
// CHECK-LABEL: func.func @reduction(
// CHECK-COUNT-2: = fusion.group
func.func @reduction(%x: tensor<64x64xf16>, %a: tensor<64x16xf16>, %b: tensor<16x64xf16>) -> tensor<64x64xf16> {
  // expected-remark @below {{Reason="a reduction reads what lies between the contractions"}}
  %0 = fusion.matmul %x, %a : tensor<64x64xf16>, tensor<64x16xf16> -> tensor<64x16xf16>
  %1 = fusion.log_softmax %0 dim = 1 : tensor<64x16xf16>
  %2 = fusion.matmul %1, %b : tensor<64x16xf16>, tensor<16x64xf16> -> tensor<64x64xf16>
  return %2 : tensor<64x64xf16>
}

// -----

// Both operands follow from the first.
// CHECK-LABEL: func.func @both(
// CHECK-COUNT-2: = fusion.group
func.func @both(%x: tensor<32x64xf16>, %a: tensor<64x32xf16>) -> tensor<32x32xf16> {
  // expected-remark @below {{Reason="both operands of the second contraction depend on the first"}}
  %0 = fusion.matmul %x, %a : tensor<32x64xf16>, tensor<64x32xf16> -> tensor<32x32xf16>
  %1 = fusion.relu %0 : tensor<32x32xf16>
  %2 = fusion.matmul %0, %1 : tensor<32x32xf16>, tensor<32x32xf16> -> tensor<32x32xf16>
  return %2 : tensor<32x32xf16>
}

// -----

// The two products of a gated layer share x: they are a kernel of their own.
// CHECK-LABEL: func.func @gated(
// CHECK-COUNT-2: = fusion.group
func.func @gated(%x: tensor<64x64xf16>, %g: tensor<64x32xf16>, %u: tensor<64x32xf16>, %d: tensor<32x64xf16>) -> tensor<64x64xf16> {
  // expected-remark @below {{Reason="a contraction that shares an operand with the first meets it in between"}}
  %0 = fusion.matmul %x, %g : tensor<64x64xf16>, tensor<64x32xf16> -> tensor<64x32xf16>
  // expected-remark @below {{Reason="a contraction that shares an operand with the first meets it in between"}}
  %1 = fusion.matmul %x, %u : tensor<64x64xf16>, tensor<64x32xf16> -> tensor<64x32xf16>
  %2 = fusion.silu %0 : tensor<64x32xf16>
  %3 = fusion.mul %2, %1 : tensor<64x32xf16>
  %4 = fusion.matmul %3, %d : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf16>
  return %4 : tensor<64x64xf16>
}

// -----

// The user forbids it.
// CHECK-LABEL: func.func @no_fuse(
// CHECK-COUNT-2: = fusion.group
func.func @no_fuse(%x: tensor<64x64xf16>, %a: tensor<64x16xf16>, %b: tensor<16x64xf16>) -> tensor<64x64xf16> {
  // expected-remark @below {{Reason="an op is marked with fusion.no_fuse"}}
  %0 = fusion.matmul %x, %a {fusion.no_fuse} : tensor<64x64xf16>, tensor<64x16xf16> -> tensor<64x16xf16>
  %1 = fusion.matmul %0, %b : tensor<64x16xf16>, tensor<16x64xf16> -> tensor<64x64xf16>
  return %1 : tensor<64x64xf16>
}

// -----

// The user wants a schedule for one of the two.
// CHECK-LABEL: func.func @pinned(
// CHECK-COUNT-2: = fusion.group
func.func @pinned(%x: tensor<64x64xf16>, %a: tensor<64x64xf16>, %b: tensor<64x64xf16>) -> tensor<64x64xf16> {
  %0 = fusion.matmul %x, %a : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
  // expected-remark @-1 {{Reason="an op pins the schedule of its kernel"}}
  %1 = fusion.matmul %0, %b {fusion.schedule = {kind = "mma", bm = 64, bn = 64, bk = 32, stages = 2, warps = 4}}
      : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf16>
  return %1 : tensor<64x64xf16>
}

// -----

// Both operands of the second contraction are one tensor: a block has some rows of it.
// CHECK-LABEL: func.func @gram(
// CHECK-COUNT-2: = fusion.group
func.func @gram(%x: tensor<32x64xf16>, %a: tensor<64x16xf16>) -> tensor<32x32xf16> {
  // expected-remark @below {{Reason="both operands of the second contraction depend on the first"}}
  %0 = fusion.matmul %x, %a : tensor<32x64xf16>, tensor<64x16xf16> -> tensor<32x16xf16>
  %1 = fusion.matmul %0, %0 {transpose_b} : tensor<32x16xf16>, tensor<32x16xf16> -> tensor<32x32xf16>
  return %1 : tensor<32x32xf16>
}

// -----

// Two contractions read the middle, each another function of it.
// CHECK-LABEL: func.func @two_paths(
// CHECK-COUNT-3: = fusion.group
func.func @two_paths(%x: tensor<64x64xf16>, %a: tensor<64x16xf16>, %b: tensor<16x64xf16>, %c: tensor<16x32xf16>) -> (tensor<64x64xf16>, tensor<64x32xf16>) {
  // expected-remark @below 2 {{Reason="several contractions read what follows from the first"}}
  %0 = fusion.matmul %x, %a : tensor<64x64xf16>, tensor<64x16xf16> -> tensor<64x16xf16>
  %1 = fusion.exp %0 : tensor<64x16xf16>
  %2 = fusion.tanh %0 : tensor<64x16xf16>
  %3 = fusion.matmul %1, %b : tensor<64x16xf16>, tensor<16x64xf16> -> tensor<64x64xf16>
  %4 = fusion.matmul %2, %c : tensor<64x16xf16>, tensor<16x32xf16> -> tensor<64x32xf16>
  return %3, %4 : tensor<64x64xf16>, tensor<64x32xf16>
}

// -----

// The first product itself is a result, before anything is done with it.
// CHECK-LABEL: func.func @product_leaves(
// CHECK-COUNT-2: = fusion.group
func.func @product_leaves(%x: tensor<64x64xf16>, %a: tensor<64x16xf16>, %b: tensor<16x64xf16>) -> (tensor<64x16xf16>, tensor<64x64xf16>) {
  // expected-remark @below {{Reason="what lies between the contractions is needed elsewhere"}}
  %0 = fusion.matmul %x, %a : tensor<64x64xf16>, tensor<64x16xf16> -> tensor<64x16xf16>
  %1 = fusion.relu %0 : tensor<64x16xf16>
  %2 = fusion.matmul %1, %b : tensor<64x16xf16>, tensor<16x64xf16> -> tensor<64x64xf16>
  return %0, %2 : tensor<64x16xf16>, tensor<64x64xf16>
}

// -----

// Something that is no product and no elementwise code reads it, too: running sums.
// CHECK-LABEL: func.func @summed_up(
// CHECK-COUNT-3: = fusion.group
func.func @summed_up(%x: tensor<64x64xf16>, %a: tensor<64x16xf16>, %b: tensor<16x64xf16>) -> (tensor<64x16xf16>, tensor<64x64xf16>) {
  // expected-remark @below {{Reason="what lies between the contractions is needed elsewhere"}}
  %0 = fusion.matmul %x, %a : tensor<64x64xf16>, tensor<64x16xf16> -> tensor<64x16xf16>
  %1 = fusion.cumsum %0 dim = 0 : tensor<64x16xf16>
  %2 = fusion.matmul %0, %b : tensor<64x16xf16>, tensor<16x64xf16> -> tensor<64x64xf16>
  return %1, %2 : tensor<64x16xf16>, tensor<64x64xf16>
}

// -----

// A reduction beside the second contraction reads the middle.
// CHECK-LABEL: func.func @largest(
// CHECK-COUNT-2: = fusion.group
func.func @largest(%x: tensor<64x64xf16>, %a: tensor<64x16xf16>, %b: tensor<16x64xf16>) -> (tensor<64xf16>, tensor<64x64xf16>) {
  // expected-remark @below {{Reason="a reduction reads what lies between the contractions"}}
  %0 = fusion.matmul %x, %a : tensor<64x64xf16>, tensor<64x16xf16> -> tensor<64x16xf16>
  %1 = fusion.reduce max, %0 dims = [1] : tensor<64x16xf16> to tensor<64xf16>
  %2 = fusion.matmul %0, %b : tensor<64x16xf16>, tensor<16x64xf16> -> tensor<64x64xf16>
  return %1, %2 : tensor<64xf16>, tensor<64x64xf16>
}

// -----

// The sibling of the first product shares the weights, and goes through code of its own.
// CHECK-LABEL: func.func @shared_weights(
// CHECK-COUNT-2: = fusion.group
func.func @shared_weights(%x: tensor<64x64xf16>, %y: tensor<64x64xf16>, %g: tensor<64x32xf16>, %d: tensor<32x64xf16>) -> tensor<64x64xf16> {
  // expected-remark @below {{Reason="a contraction that shares an operand with the first meets it in between"}}
  %0 = fusion.matmul %x, %g : tensor<64x64xf16>, tensor<64x32xf16> -> tensor<64x32xf16>
  // expected-remark @below {{Reason="a contraction that shares an operand with the first meets it in between"}}
  %1 = fusion.matmul %y, %g : tensor<64x64xf16>, tensor<64x32xf16> -> tensor<64x32xf16>
  %2 = fusion.tanh %1 : tensor<64x32xf16>
  %3 = fusion.add %0, %2 : tensor<64x32xf16>
  %4 = fusion.matmul %3, %d : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf16>
  return %4 : tensor<64x64xf16>
}

// -----

// Rows of the middle meet those of its outer dim: each block would need others' rows.
// CHECK-LABEL: func.func @symmetric(
// CHECK-COUNT-2: = fusion.group
func.func @symmetric(%x: tensor<8x8x64xf16>, %a: tensor<8x64x16xf16>, %b: tensor<8x16x64xf16>) -> tensor<8x8x64xf16> {
  // expected-remark @below {{Reason="a value between the contractions is read transposed"}}
  %0 = fusion.matmul %x, %a : tensor<8x8x64xf16>, tensor<8x64x16xf16> -> tensor<8x8x16xf16>
  %1 = fusion.transpose %0 perm = [1, 0, 2] : tensor<8x8x16xf16> to tensor<8x8x16xf16>
  %2 = fusion.add %0, %1 : tensor<8x8x16xf16>
  %3 = fusion.matmul %2, %b : tensor<8x8x16xf16>, tensor<8x16x64xf16> -> tensor<8x8x64xf16>
  return %3 : tensor<8x8x64xf16>
}

// -----

// So much follows from the first product that nobody looks further.
// CHECK-LABEL: func.func @long_way(
// CHECK-COUNT-2: = fusion.group
!t = tensor<64x16xf32>
func.func @long_way(%x: tensor<64x64xf32>, %a: tensor<64x16xf32>, %b: tensor<16x64xf32>) -> (tensor<64x64xf32>, !t) {
  // expected-remark @below {{Reason="more than 96 operations follow from the first contraction"}}
  %0 = fusion.matmul %x, %a : tensor<64x64xf32>, tensor<64x16xf32> -> !t
  %o = fusion.matmul %0, %b : !t, tensor<16x64xf32> -> tensor<64x64xf32>
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
  return %o, %97 : tensor<64x64xf32>, !t
}

// -----

// What lies between is to be a kernel of its own.
// CHECK-LABEL: func.func @no_fuse_between(
// CHECK-COUNT-3: = fusion.group
func.func @no_fuse_between(%x: tensor<64x64xf16>, %a: tensor<64x16xf16>, %b: tensor<16x64xf16>) -> tensor<64x64xf16> {
  // expected-remark @below {{Reason="an op is marked with fusion.no_fuse"}}
  %0 = fusion.matmul %x, %a : tensor<64x64xf16>, tensor<64x16xf16> -> tensor<64x16xf16>
  %1 = fusion.exp %0 {fusion.no_fuse} : tensor<64x16xf16>
  %2 = fusion.matmul %1, %b : tensor<64x16xf16>, tensor<16x64xf16> -> tensor<64x64xf16>
  return %2 : tensor<64x64xf16>
}

// -----

// The first is the end of attention, which is a kernel already.
// CHECK-LABEL: func.func @projected(
// CHECK-COUNT-2: = fusion.group
func.func @projected(%q: tensor<64x32xf16>, %k: tensor<64x32xf16>, %v: tensor<64x32xf16>, %w: tensor<32x64xf16>) -> tensor<64x64xf16> {
  // expected-remark @below {{Remark="one kernel with its softmax and}}
  %0 = fusion.matmul %q, %k {transpose_b} : tensor<64x32xf16>, tensor<64x32xf16> -> tensor<64x64xf16>
  %1 = fusion.softmax %0 dim = 1 : tensor<64x64xf16>
  // expected-remark @below {{Reason="one of the contractions is in a kernel with another"}}
  %2 = fusion.matmul %1, %v : tensor<64x64xf16>, tensor<64x32xf16> -> tensor<64x32xf16>
  %3 = fusion.matmul %2, %w : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf16>
  return %3 : tensor<64x64xf16>
}

// -----

// The second is the scores of attention.
// CHECK-LABEL: func.func @queries(
// CHECK-COUNT-2: = fusion.group
func.func @queries(%x: tensor<64x64xf16>, %w: tensor<64x32xf16>, %k: tensor<64x32xf16>, %v: tensor<64x32xf16>) -> tensor<64x32xf16> {
  // expected-remark @below {{Reason="one of the contractions is in a kernel with another"}}
  %0 = fusion.matmul %x, %w : tensor<64x64xf16>, tensor<64x32xf16> -> tensor<64x32xf16>
  // expected-remark @below {{Remark="one kernel with its softmax and}}
  %1 = fusion.matmul %0, %k {transpose_b} : tensor<64x32xf16>, tensor<64x32xf16> -> tensor<64x64xf16>
  %2 = fusion.softmax %1 dim = 1 : tensor<64x64xf16>
  %3 = fusion.matmul %2, %v : tensor<64x64xf16>, tensor<64x32xf16> -> tensor<64x32xf16>
  return %3 : tensor<64x32xf16>
}
