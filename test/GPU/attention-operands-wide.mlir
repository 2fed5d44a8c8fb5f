// Attention whose operands its kernel computes, of a width at which wgmma multiplies q
// from registers: something is added to q and k, keys come transposed, values are
// reciprocals. Widths end inside of tiles, and what is computed there would not be
// zero, or infinite. bf16, positions not known. Keys, which every tile of rows would
// compute anew, have a kernel of their own where that is estimated to be faster.
//
// RUN: %gpu-tests --device=cpu %s | FileCheck %s
// RUN: %gpu-tests --device=emulator --target=sm_90a,sm_80 %s | FileCheck %s
// RUN: %if cuda-sm90 %{ %gpu-tests --device=cuda %s | FileCheck %s %}
// CHECK: {{[1-9][0-9]*}} passed, 0 failed
//
// LAUNCHES: 2
// CASE: m=2,67 n=70
// GPU-CASE: m=0,2,64,127,512 n=1,64,1000

func.func @main(%q: tensor<3x?x100xbf16> {fusion.name = "q", fusion.dims = ["", "m", ""]},
                %k: tensor<3x100x?xbf16> {fusion.name = "k", fusion.dims = ["", "", "n"]},
                %v: tensor<3x?x24xbf16> {fusion.name = "v", fusion.dims = ["", "n", ""]},
                %b: tensor<24xbf16> {fusion.name = "b"})
    -> (tensor<3x?x24xbf16> {fusion.name = "y"}) {
  %c1 = arith.constant 1 : index
  %m = tensor.dim %q, %c1 : tensor<3x?x100xbf16>
  %n = tensor.dim %v, %c1 : tensor<3x?x24xbf16>
  %c = fusion.constant dense<0.4> : tensor<bf16>
  %cq = fusion.broadcast %c dims = [] sizes(%m) : tensor<bf16> to tensor<3x?x100xbf16>
  %ck = fusion.broadcast %c dims = [] sizes(%n) : tensor<bf16> to tensor<3x100x?xbf16>
  %q1 = fusion.add %q, %cq : tensor<3x?x100xbf16>
  %k1 = fusion.sub %ck, %k : tensor<3x100x?xbf16>
  %bb = fusion.broadcast %b dims = [2] sizes(%n) : tensor<24xbf16> to tensor<3x?x24xbf16>
  %one = fusion.constant dense<1.0> : tensor<bf16>
  %ob = fusion.broadcast %one dims = [] sizes(%n) : tensor<bf16> to tensor<3x?x24xbf16>
  %vr = fusion.div %ob, %v : tensor<3x?x24xbf16>
  %v1 = fusion.mul %vr, %bb : tensor<3x?x24xbf16>
  %s = fusion.matmul %q1, %k1 : tensor<3x?x100xbf16>, tensor<3x100x?xbf16> -> tensor<3x?x?xbf16>
  %p = fusion.softmax %s dim = 2 : tensor<3x?x?xbf16>
  %o = fusion.matmul %p, %v1 : tensor<3x?x?xbf16>, tensor<3x?x24xbf16> -> tensor<3x?x24xbf16>
  return %o : tensor<3x?x24xbf16>
}
