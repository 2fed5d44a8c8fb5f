// On a CPU two contractions, one after the other, stay apart, whatever is wished.

// RUN: fusion-opt %s -fusion-graph-to-linalg=target=cpu -fusion-linalg-to-groups=target=cpu -split-input-file | FileCheck %s
// RUN: fusion-opt %s -fusion-graph-to-linalg=target=cpu -fusion-linalg-to-groups=target=cpu -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics=only-expected -o /dev/null

// A low-rank adapter, which one kernel of a GPU does: a wish does not change that.
// CHECK-LABEL: func.func @low_rank(
// CHECK-COUNT-2: = fusion.group
func.func @low_rank(%x: tensor<?x4096xf16>, %a: tensor<4096x16xf16>, %bias: tensor<16xf16>,
                    %b: tensor<16x4096xf16>, %res: tensor<?x4096xf16>) -> tensor<?x4096xf16> {
  %c0 = arith.constant 0 : index
  %m = tensor.dim %x, %c0 : tensor<?x4096xf16>
  // expected-remark @below {{Reason="on a CPU the caches hold what lies between the contractions"}}
  %0 = fusion.matmul %x, %a {fusion.fuse_with = "chain"} : tensor<?x4096xf16>, tensor<4096x16xf16> -> tensor<?x16xf16>
  %1 = fusion.broadcast %bias dims = [1] sizes(%m) : tensor<16xf16> to tensor<?x16xf16>
  %2 = fusion.add %0, %1 : tensor<?x16xf16>
  %3 = fusion.gelu %2 : tensor<?x16xf16>
  %4 = fusion.matmul %3, %b {fusion.fuse_with = "chain"} : tensor<?x16xf16>, tensor<16x4096xf16> -> tensor<?x4096xf16>
  %5 = fusion.add %4, %res : tensor<?x4096xf16>
  return %5 : tensor<?x4096xf16>
}

// -----

// Three in a row, none with another.
// CHECK-LABEL: func.func @three(
// CHECK-COUNT-3: = fusion.group
func.func @three(%x: tensor<64x64xf16>, %a: tensor<64x32xf16>, %b: tensor<32x64xf16>, %c: tensor<64x32xf16>) -> tensor<64x32xf16> {
  // expected-remark @below {{Reason="on a CPU the caches hold what lies between the contractions"}}
  %0 = fusion.matmul %x, %a : tensor<64x64xf16>, tensor<64x32xf16> -> tensor<64x32xf16>
  // expected-remark @below {{Reason="on a CPU the caches hold what lies between the contractions"}}
  %1 = fusion.matmul %0, %b : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf16>
  %2 = fusion.matmul %1, %c : tensor<64x64xf16>, tensor<64x32xf16> -> tensor<64x32xf16>
  return %2 : tensor<64x32xf16>
}
