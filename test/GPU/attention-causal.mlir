// Causal attention of six query heads that share two heads of keys and values,
// bf16, widths known, positions not. The mask comes from positions, the scores are
// capped by tanh. One kernel.
//
// RUN: %gpu-tests --device=cpu %s | FileCheck %s
// RUN: %gpu-tests --device=emulator --target=sm_90a,sm_80 %s | FileCheck %s
// RUN: %if cuda-sm90 %{ %gpu-tests --device=cuda %s | FileCheck %s %}
// CHECK: {{[1-9][0-9]*}} passed, 0 failed
//
// LAUNCHES: 1
// CASE: m=2,67
// GPU-CASE: m=0,2,64,127,512,1000

func.func @main(%q: tensor<6x?x64xbf16> {fusion.name = "q", fusion.dims = ["", "m", ""]},
                %k: tensor<2x?x64xbf16> {fusion.name = "k", fusion.dims = ["", "m", ""]},
                %v: tensor<2x?x48xbf16> {fusion.name = "v", fusion.dims = ["", "m", ""]})
    -> (tensor<6x?x48xbf16> {fusion.name = "y"}) {
  %c1 = arith.constant 1 : index
  %m = tensor.dim %q, %c1 : tensor<6x?x64xbf16>
  %kr = fusion.broadcast %k dims = [0, 2, 3] sizes(%m) : tensor<2x?x64xbf16> to tensor<2x3x?x64xbf16>
  %ke = fusion.reshape %kr sizes(%m) : tensor<2x3x?x64xbf16> to tensor<6x?x64xbf16>
  %vr = fusion.broadcast %v dims = [0, 2, 3] sizes(%m) : tensor<2x?x48xbf16> to tensor<2x3x?x48xbf16>
  %ve = fusion.reshape %vr sizes(%m) : tensor<2x3x?x48xbf16> to tensor<6x?x48xbf16>
  %s = fusion.matmul %q, %ke {transpose_b} : tensor<6x?x64xbf16>, tensor<6x?x64xbf16> -> tensor<6x?x?xbf16>
  %t = fusion.tanh %s : tensor<6x?x?xbf16>
  %c = fusion.constant dense<30.0> : tensor<bf16>
  %cb = fusion.broadcast %c dims = [] sizes(%m, %m) : tensor<bf16> to tensor<6x?x?xbf16>
  %capped = fusion.mul %t, %cb : tensor<6x?x?xbf16>
  %i = fusion.iota dim = 1 sizes(%m, %m) : tensor<6x?x?xi32>
  %j = fusion.iota dim = 2 sizes(%m, %m) : tensor<6x?x?xi32>
  %causal = fusion.compare ge, %i, %j : tensor<6x?x?xi32>
  %inf = fusion.constant dense<0xFF80> : tensor<bf16>
  %ib = fusion.broadcast %inf dims = [] sizes(%m, %m) : tensor<bf16> to tensor<6x?x?xbf16>
  %x = fusion.select %causal, %capped, %ib : tensor<6x?x?xbf16>
  %p = fusion.softmax %x dim = 2 : tensor<6x?x?xbf16>
  %o = fusion.matmul %p, %ve : tensor<6x?x?xbf16>, tensor<6x?x48xbf16> -> tensor<6x?x48xbf16>
  return %o : tensor<6x?x48xbf16>
}
