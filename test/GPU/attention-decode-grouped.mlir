// One position of eight query heads, of which four share each head of keys and values:
// these are the rows of a tile. Keys are scaled after they are repeated, which the
// kernel does before. f16. One kernel.
//
// RUN: %gpu-tests --device=cpu %s | FileCheck %s
// RUN: %gpu-tests --device=emulator --target=sm_90a,sm_80 %s | FileCheck %s
// RUN: %if cuda-sm90 %{ %gpu-tests --device=cuda %s | FileCheck %s %}
// CHECK: {{[1-9][0-9]*}} passed, 0 failed
//
// LAUNCHES: 1
// CASE: b=1,2
// GPU-CASE: b=0,1,7,64

func.func @main(%q: tensor<?x8x1x40xf16> {fusion.name = "q", fusion.dims = ["b", "", "", ""]},
                %k: tensor<?x2x70x40xf16> {fusion.name = "k", fusion.dims = ["b", "", "", ""]},
                %v: tensor<?x2x70x24xf16> {fusion.name = "v", fusion.dims = ["b", "", "", ""]})
    -> (tensor<?x8x1x24xf16> {fusion.name = "y"}) {
  %c0 = arith.constant 0 : index
  %b = tensor.dim %q, %c0 : tensor<?x8x1x40xf16>
  %kr = fusion.broadcast %k dims = [0, 1, 3, 4] sizes(%b) : tensor<?x2x70x40xf16> to tensor<?x2x4x70x40xf16>
  %ke = fusion.reshape %kr sizes(%b) : tensor<?x2x4x70x40xf16> to tensor<?x8x70x40xf16>
  %vr = fusion.broadcast %v dims = [0, 1, 3, 4] sizes(%b) : tensor<?x2x70x24xf16> to tensor<?x2x4x70x24xf16>
  %ve = fusion.reshape %vr sizes(%b) : tensor<?x2x4x70x24xf16> to tensor<?x8x70x24xf16>
  %kt = fusion.transpose %ke perm = [0, 1, 3, 2] : tensor<?x8x70x40xf16> to tensor<?x8x40x70xf16>
  %c = fusion.constant dense<0.4> : tensor<f16>
  %cq = fusion.broadcast %c dims = [] sizes(%b) : tensor<f16> to tensor<?x8x1x40xf16>
  %ck = fusion.broadcast %c dims = [] sizes(%b) : tensor<f16> to tensor<?x8x40x70xf16>
  %q1 = fusion.mul %q, %cq : tensor<?x8x1x40xf16>
  %k1 = fusion.mul %kt, %ck : tensor<?x8x40x70xf16>
  %s = fusion.matmul %q1, %k1 : tensor<?x8x1x40xf16>, tensor<?x8x40x70xf16> -> tensor<?x8x1x70xf16>
  %p = fusion.softmax %s dim = 3 : tensor<?x8x1x70xf16>
  %o = fusion.matmul %p, %ve : tensor<?x8x1x70xf16>, tensor<?x8x70x24xf16> -> tensor<?x8x1x24xf16>
  return %o : tensor<?x8x1x24xf16>
}
