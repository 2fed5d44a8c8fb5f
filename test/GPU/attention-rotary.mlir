// Attention whose kernel rotates q and k by positions, of heads 128 wide: wgmma
// multiplies q from registers. Rows and keys are as many, and not known.
//
// RUN: %gpu-tests --device=cpu %s | FileCheck %s
// RUN: %gpu-tests --device=emulator --target=sm_90a,sm_80 %s | FileCheck %s
// RUN: %if cuda-sm90 %{ %gpu-tests --device=cuda %s | FileCheck %s %}
// CHECK: {{[1-9][0-9]*}} passed, 0 failed
//
// LAUNCHES: 3
// CASE: m=37
// GPU-CASE: m=2,64,127,1000

func.func @main(%q: tensor<2x2x?x128xf16> {fusion.name = "q", fusion.dims = ["", "", "m", ""]},
                %k: tensor<2x2x?x128xf16> {fusion.name = "k", fusion.dims = ["", "", "m", ""]},
                %v: tensor<2x2x?x128xf16> {fusion.name = "v", fusion.dims = ["", "", "m", ""]},
                %cos: tensor<?x128xf16> {fusion.name = "cos", fusion.dims = ["m", ""]},
                %sin: tensor<?x128xf16> {fusion.name = "sin", fusion.dims = ["m", ""]})
    -> (tensor<2x2x?x128xf16> {fusion.name = "y"}) {
  %c2 = arith.constant 2 : index
  %m = tensor.dim %q, %c2 : tensor<2x2x?x128xf16>
  %cb = fusion.broadcast %cos dims = [2, 3] sizes(%m) : tensor<?x128xf16> to tensor<2x2x?x128xf16>
  %sb = fusion.broadcast %sin dims = [2, 3] sizes(%m) : tensor<?x128xf16> to tensor<2x2x?x128xf16>
  %qa = fusion.mul %q, %cb : tensor<2x2x?x128xf16>
  %ql = fusion.slice %q starts = [0, 0, 0, 0] steps = [1, 1, 1, 1] sizes(%m) : tensor<2x2x?x128xf16> to tensor<2x2x?x64xf16>
  %qr = fusion.slice %q starts = [0, 0, 0, 64] steps = [1, 1, 1, 1] sizes(%m) : tensor<2x2x?x128xf16> to tensor<2x2x?x64xf16>
  %qn = fusion.neg %qr : tensor<2x2x?x64xf16>
  %qt = fusion.concat %qn, %ql dim = 3 : tensor<2x2x?x64xf16>, tensor<2x2x?x64xf16> -> tensor<2x2x?x128xf16>
  %qb = fusion.mul %qt, %sb : tensor<2x2x?x128xf16>
  %qy = fusion.add %qa, %qb : tensor<2x2x?x128xf16>
  %ka = fusion.mul %k, %cb : tensor<2x2x?x128xf16>
  %kl = fusion.slice %k starts = [0, 0, 0, 0] steps = [1, 1, 1, 1] sizes(%m) : tensor<2x2x?x128xf16> to tensor<2x2x?x64xf16>
  %kr = fusion.slice %k starts = [0, 0, 0, 64] steps = [1, 1, 1, 1] sizes(%m) : tensor<2x2x?x128xf16> to tensor<2x2x?x64xf16>
  %kn = fusion.neg %kr : tensor<2x2x?x64xf16>
  %kt = fusion.concat %kn, %kl dim = 3 : tensor<2x2x?x64xf16>, tensor<2x2x?x64xf16> -> tensor<2x2x?x128xf16>
  %kb = fusion.mul %kt, %sb : tensor<2x2x?x128xf16>
  %ky = fusion.add %ka, %kb : tensor<2x2x?x128xf16>
  %s = fusion.matmul %qy, %ky {transpose_b} : tensor<2x2x?x128xf16>, tensor<2x2x?x128xf16> -> tensor<2x2x?x?xf16>
  %c = fusion.constant dense<0.0884> : tensor<f16>
  %cc = fusion.broadcast %c dims = [] sizes(%m, %m) : tensor<f16> to tensor<2x2x?x?xf16>
  %x = fusion.mul %s, %cc : tensor<2x2x?x?xf16>
  %p = fusion.softmax %x dim = 3 : tensor<2x2x?x?xf16>
  %y = fusion.matmul %p, %v : tensor<2x2x?x?xf16>, tensor<2x2x?x128xf16> -> tensor<2x2x?x128xf16>
  return %y : tensor<2x2x?x128xf16>
}
