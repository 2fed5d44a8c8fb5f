// Attention whose heads share keys, and a softmax of its result that another product
// weighs: the product in the middle belongs to both, and the heads become a dim of
// their own once.
//
// RUN: %gpu-tests --device=cpu %s | FileCheck %s
// RUN: %gpu-tests --device=emulator --target=sm_90a,sm_80 %s | FileCheck %s
// CHECK: {{[1-9][0-9]*}} passed, 0 failed
// CASE: b=1

func.func @main(%q: tensor<?x4x5x16xf16> {fusion.name = "q", fusion.dims = ["b", "", "", ""]},
                %k: tensor<?x2x34x16xf16> {fusion.name = "k", fusion.dims = ["b", "", "", ""]},
                %v: tensor<?x2x34x16xf16> {fusion.name = "v", fusion.dims = ["b", "", "", ""]},
                %w: tensor<4x16x8xf16> {fusion.name = "w"})
    -> (tensor<?x4x5x8xf16> {fusion.name = "y"}) {
  %c0 = arith.constant 0 : index
  %b = tensor.dim %q, %c0 : tensor<?x4x5x16xf16>
  %kr = fusion.broadcast %k dims = [0, 1, 3, 4] sizes(%b) : tensor<?x2x34x16xf16> to tensor<?x2x2x34x16xf16>
  %ke = fusion.reshape %kr sizes(%b) : tensor<?x2x2x34x16xf16> to tensor<?x4x34x16xf16>
  %vr = fusion.broadcast %v dims = [0, 1, 3, 4] sizes(%b) : tensor<?x2x34x16xf16> to tensor<?x2x2x34x16xf16>
  %ve = fusion.reshape %vr sizes(%b) : tensor<?x2x2x34x16xf16> to tensor<?x4x34x16xf16>
  %kt = fusion.transpose %ke perm = [0, 1, 3, 2] : tensor<?x4x34x16xf16> to tensor<?x4x16x34xf16>
  %s = fusion.matmul %q, %kt : tensor<?x4x5x16xf16>, tensor<?x4x16x34xf16> -> tensor<?x4x5x34xf16>
  %p = fusion.softmax %s dim = 3 : tensor<?x4x5x34xf16>
  %o = fusion.matmul %p, %ve : tensor<?x4x5x34xf16>, tensor<?x4x34x16xf16> -> tensor<?x4x5x16xf16>
  %p2 = fusion.softmax %o dim = 3 : tensor<?x4x5x16xf16>
  %w2 = fusion.broadcast %w dims = [1, 2, 3] sizes(%b) : tensor<4x16x8xf16> to tensor<?x4x16x8xf16>
  %y = fusion.matmul %p2, %w2 : tensor<?x4x5x16xf16>, tensor<?x4x16x8xf16> -> tensor<?x4x5x8xf16>
  return %y : tensor<?x4x5x8xf16>
}
