// Self-attention whose q, k and v are parts of one projection, as GPT-2 has it: the
// kernel reads the parts where they lie.
//
// RUN: %gpu-tests --device=cpu %s | FileCheck %s
// RUN: %gpu-tests --device=emulator --target=sm_90a,sm_80 %s | FileCheck %s
// RUN: %if cuda-sm90 %{ %gpu-tests --device=cuda %s | FileCheck %s %}
// CHECK: {{[1-9][0-9]*}} passed, 0 failed
//
// LAUNCHES: 1
// CASE-STATIC: m=37
// GPU-CASE-STATIC: m=2,64,127,1000

func.func @main(%x: tensor<2x?x384xf16> {fusion.name = "x", fusion.dims = ["", "m", ""]})
    -> (tensor<2x?x2x64xf16> {fusion.name = "y"}) {
  %c1 = arith.constant 1 : index
  %m = tensor.dim %x, %c1 : tensor<2x?x384xf16>
  %q0 = fusion.slice %x starts = [0, 0, 0] steps = [1, 1, 1] sizes(%m) : tensor<2x?x384xf16> to tensor<2x?x128xf16>
  %k0 = fusion.slice %x starts = [0, 0, 128] steps = [1, 1, 1] sizes(%m) : tensor<2x?x384xf16> to tensor<2x?x128xf16>
  %v0 = fusion.slice %x starts = [0, 0, 256] steps = [1, 1, 1] sizes(%m) : tensor<2x?x384xf16> to tensor<2x?x128xf16>
  %q1 = fusion.reshape %q0 sizes(%m) : tensor<2x?x128xf16> to tensor<2x?x2x64xf16>
  %k1 = fusion.reshape %k0 sizes(%m) : tensor<2x?x128xf16> to tensor<2x?x2x64xf16>
  %v1 = fusion.reshape %v0 sizes(%m) : tensor<2x?x128xf16> to tensor<2x?x2x64xf16>
  %qt = fusion.transpose %q1 perm = [0, 2, 1, 3] : tensor<2x?x2x64xf16> to tensor<2x2x?x64xf16>
  %kt = fusion.transpose %k1 perm = [0, 2, 1, 3] : tensor<2x?x2x64xf16> to tensor<2x2x?x64xf16>
  %vt = fusion.transpose %v1 perm = [0, 2, 1, 3] : tensor<2x?x2x64xf16> to tensor<2x2x?x64xf16>
  %s = fusion.matmul %qt, %kt {transpose_b} : tensor<2x2x?x64xf16>, tensor<2x2x?x64xf16> -> tensor<2x2x?x?xf16>
  %p = fusion.softmax %s dim = 3 : tensor<2x2x?x?xf16>
  %o = fusion.matmul %p, %vt : tensor<2x2x?x?xf16>, tensor<2x2x?x64xf16> -> tensor<2x2x?x64xf16>
  %y = fusion.transpose %o perm = [0, 2, 1, 3] : tensor<2x2x?x64xf16> to tensor<2x?x2x64xf16>
  return %y : tensor<2x?x2x64xf16>
}
