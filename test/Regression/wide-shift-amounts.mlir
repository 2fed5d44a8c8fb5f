// An amount of 64 bits whose lower half is small shifts everything out. LLVM makes
// of a shift, and a select of zero for larger amounts, one `shl.b64`, which reads the
// lower half only.
// RUN: fusion-compile %s --target=sm_90a --emit=ptx | FileCheck %s

// CHECK-LABEL: .entry group_0(
// CHECK: and.b32 [[AMOUNT:%r[0-9]+]], {{%r[0-9]+}}, 63
// CHECK: shl.b64 [[RESULT:%rd[0-9]+]], {{%rd[0-9]+}}, [[AMOUNT]]
// CHECK: selp.b64 {{%rd[0-9]+}}, [[RESULT]], 0
func.func @main(%a: tensor<1xi64> {fusion.name = "a"}, %b: tensor<1xi64> {fusion.name = "b"})
    -> (tensor<1xi64> {fusion.name = "y"}) {
  %0 = fusion.shl %a, %b : tensor<1xi64>
  return %0 : tensor<1xi64>
}
