// What only makes operands of attention runs in its kernel, where that is estimated to
// be faster, and where no other kernel can end with it.
//
// RUN: fusion-opt %s -fusion-graph-to-linalg=target=sm_90a -fusion-linalg-to-groups=target=sm_90a -split-input-file | FileCheck %s
// RUN: fusion-opt %s -fusion-graph-to-linalg=target=sm_90a '-fusion-linalg-to-groups=target=sm_90a fuse=all,-prologue' -split-input-file | FileCheck %s --check-prefix=OFF
// RUN: fusion-opt %s -fusion-graph-to-linalg=target=sm_90a -fusion-linalg-to-groups=target=sm_90a -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics=only-expected -o /dev/null

// CHECK-LABEL: func.func @scaled(
// CHECK-COUNT-1: = fusion.group
// CHECK-NOT:     = fusion.group
// OFF-LABEL:   func.func @scaled(
// OFF-COUNT-2:   = fusion.group
func.func @scaled(%q: tensor<70x32xf16>, %k: tensor<90x32xf16>, %v: tensor<90x32xf16>, %c: tensor<f16>) -> tensor<70x32xf16> {
  %cq = fusion.broadcast %c dims = [] : tensor<f16> to tensor<70x32xf16>
  %ck = fusion.broadcast %c dims = [] : tensor<f16> to tensor<90x32xf16>
  %q1 = fusion.mul %q, %cq : tensor<70x32xf16>
  %k1 = fusion.mul %k, %ck : tensor<90x32xf16>
  %s = fusion.matmul %q1, %k1 {transpose_b} : tensor<70x32xf16>, tensor<90x32xf16> -> tensor<70x90xf16>
  %p = fusion.softmax %s dim = 1 : tensor<70x90xf16>
  %o = fusion.matmul %p, %v : tensor<70x90xf16>, tensor<90x32xf16> -> tensor<70x32xf16>
  return %o : tensor<70x32xf16>
}

// -----

// The bias is the end of the product's kernel.
// CHECK-LABEL: func.func @ends(
// CHECK:         fusion.group "contraction+elementwise" kinds ["vertical"]
// CHECK:         fusion.group
// CHECK-NOT:     = fusion.group
func.func @ends(%x: tensor<70x64xf16>, %w: tensor<64x32xf16>, %b: tensor<70x32xf16>, %k: tensor<90x32xf16>, %v: tensor<90x32xf16>) -> tensor<70x32xf16> {
  %q = fusion.matmul %x, %w : tensor<70x64xf16>, tensor<64x32xf16> -> tensor<70x32xf16>
  %q1 = fusion.add %q, %b : tensor<70x32xf16>
  %s = fusion.matmul %q1, %k {transpose_b} : tensor<70x32xf16>, tensor<90x32xf16> -> tensor<70x90xf16>
  %p = fusion.softmax %s dim = 1 : tensor<70x90xf16>
  %o = fusion.matmul %p, %v : tensor<70x90xf16>, tensor<90x32xf16> -> tensor<70x32xf16>
  return %o : tensor<70x32xf16>
}
