// Rotary embedding of heads: x cos + (-right half, left half) sin, with slices, a
// negation and a concatenation, from the layout of a projection to that of heads.
// The halves are read where they lie: one kernel.
//
// RUN: %gpu-tests --device=cpu %s | FileCheck %s
// RUN: %gpu-tests --device=emulator --target=sm_90a,sm_80 %s | FileCheck %s
// RUN: %if cuda-sm90 %{ %gpu-tests --device=cuda %s | FileCheck %s %}
// CHECK: {{[1-9][0-9]*}} passed, 0 failed
//
// LAUNCHES: 1
// CASE: m=1,37
// GPU-CASE: m=0,1,64,127,1000

func.func @main(%x: tensor<2x?x128xbf16> {fusion.name = "x", fusion.dims = ["", "m", ""]},
                %cos: tensor<?x64xbf16> {fusion.name = "cos", fusion.dims = ["m", ""]},
                %sin: tensor<?x64xbf16> {fusion.name = "sin", fusion.dims = ["m", ""]})
    -> (tensor<2x2x?x64xbf16> {fusion.name = "y"}) {
  %c1 = arith.constant 1 : index
  %m = tensor.dim %x, %c1 : tensor<2x?x128xbf16>
  %heads = fusion.reshape %x sizes(%m) : tensor<2x?x128xbf16> to tensor<2x?x2x64xbf16>
  %t = fusion.transpose %heads perm = [0, 2, 1, 3] : tensor<2x?x2x64xbf16> to tensor<2x2x?x64xbf16>
  %cb = fusion.broadcast %cos dims = [2, 3] sizes(%m) : tensor<?x64xbf16> to tensor<2x2x?x64xbf16>
  %sb = fusion.broadcast %sin dims = [2, 3] sizes(%m) : tensor<?x64xbf16> to tensor<2x2x?x64xbf16>
  %a = fusion.mul %t, %cb : tensor<2x2x?x64xbf16>
  %left = fusion.slice %t starts = [0, 0, 0, 0] steps = [1, 1, 1, 1] sizes(%m) : tensor<2x2x?x64xbf16> to tensor<2x2x?x32xbf16>
  %right = fusion.slice %t starts = [0, 0, 0, 32] steps = [1, 1, 1, 1] sizes(%m) : tensor<2x2x?x64xbf16> to tensor<2x2x?x32xbf16>
  %neg = fusion.neg %right : tensor<2x2x?x32xbf16>
  %turned = fusion.concat %neg, %left dim = 3 : tensor<2x2x?x32xbf16>, tensor<2x2x?x32xbf16> -> tensor<2x2x?x64xbf16>
  %b = fusion.mul %turned, %sb : tensor<2x2x?x64xbf16>
  %y = fusion.add %a, %b : tensor<2x2x?x64xbf16>
  return %y : tensor<2x2x?x64xbf16>
}
