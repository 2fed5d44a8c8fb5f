// Attention whose heads share keys, and a softmax of its result that another product
// weighs: the product in the middle belongs to both, and the heads become a dim of
// their own once.
//
// RUN: %gpu-tests --device=cpu %s | FileCheck %s
// RUN: %gpu-tests --device=emulator --target=sm_90a,sm_80 %s | FileCheck %s
// CHECK: {{[1-9][0-9]*}} passed, 0 failed
// CASE: b=1

func.func @main(%q: tensor<?x8x5x40xf16> {fusion.name = "q", fusion.dims = ["b", "", "", ""]},
                %k: tensor<?x2x70x40xf16> {fusion.name = "k", fusion.dims = ["b", "", "", ""]},
                %v: tensor<?x2x70x24xf16> {fusion.name = "v", fusion.dims = ["b", "", "", ""]},
                %w: tensor<8x24x16xf16> {fusion.name = "w"})
    -> (tensor<?x8x5x16xf16> {fusion.name = "y"}) {
  %c0 = arith.constant 0 : index
  %b = tensor.dim %q, %c0 : tensor<?x8x5x40xf16>
  %kr = fusion.broadcast %k dims = [0, 1, 3, 4] sizes(%b) : tensor<?x2x70x40xf16> to tensor<?x2x4x70x40xf16>
  %ke = fusion.reshape %kr sizes(%b) : tensor<?x2x4x70x40xf16> to tensor<?x8x70x40xf16>
  %vr = fusion.broadcast %v dims = [0, 1, 3, 4] sizes(%b) : tensor<?x2x70x24xf16> to tensor<?x2x4x70x24xf16>
  %ve = fusion.reshape %vr sizes(%b) : tensor<?x2x4x70x24xf16> to tensor<?x8x70x24xf16>
  %kt = fusion.transpose %ke perm = [0, 1, 3, 2] : tensor<?x8x70x40xf16> to tensor<?x8x40x70xf16>
  %s = fusion.matmul %q, %kt : tensor<?x8x5x40xf16>, tensor<?x8x40x70xf16> -> tensor<?x8x5x70xf16>
  %p = fusion.softmax %s dim = 3 : tensor<?x8x5x70xf16>
  %o = fusion.matmul %p, %ve : tensor<?x8x5x70xf16>, tensor<?x8x70x24xf16> -> tensor<?x8x5x24xf16>
  %p2 = fusion.softmax %o dim = 3 : tensor<?x8x5x24xf16>
  %w2 = fusion.broadcast %w dims = [1, 2, 3] sizes(%b) : tensor<8x24x16xf16> to tensor<?x8x24x16xf16>
  %y = fusion.matmul %p2, %w2 : tensor<?x8x5x24xf16>, tensor<?x8x24x16xf16> -> tensor<?x8x5x16xf16>
  return %y : tensor<?x8x5x16xf16>
}
