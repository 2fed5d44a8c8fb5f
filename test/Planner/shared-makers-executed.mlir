// A causal mask and a bias that two attentions read, of heads that share keys: each
// kernel computes them for itself.
// RUN: fusion-run %s --device=emulator --target=sm_80 --verify | FileCheck %s
// RUN: fusion-run %s --device=emulator --target=sm_90a --verify | FileCheck %s
// RUN: fusion-run %s --device=cpu --verify | FileCheck %s --check-prefix=CPU

// CHECK: verify: all 2 results of groups agree
// CPU: verify: all {{[0-9]+}} results of groups agree

func.func @main(%q: tensor<1x4x40x32xf16> {fusion.name = "q"}, %k: tensor<1x2x40x32xf16> {fusion.name = "k"}, %v: tensor<1x2x40x32xf16> {fusion.name = "v"}, %k1: tensor<1x2x40x32xf16> {fusion.name = "k1"}, %v1: tensor<1x2x40x32xf16> {fusion.name = "v1"}, %m: tensor<40x40xf16> {fusion.name = "m"}) -> (tensor<1x4x40x32xf16> {fusion.name = "y"}) {
  %i = fusion.iota dim = 2 : tensor<1x4x40x40xi32>
  %j = fusion.iota dim = 3 : tensor<1x4x40x40xi32>
  %c = fusion.compare ge, %i, %j : tensor<1x4x40x40xi32>
  %far = fusion.constant dense<0xFC00> : tensor<1x4x40x40xf16>
  %near = fusion.broadcast %m dims = [2, 3] : tensor<40x40xf16> to tensor<1x4x40x40xf16>
  %b = fusion.select %c, %near, %far : tensor<1x4x40x40xf16>
  %ka0 = fusion.reshape %k : tensor<1x2x40x32xf16> to tensor<1x2x1x40x32xf16>
  %kb0 = fusion.broadcast %ka0 dims = [0, 1, 2, 3, 4] : tensor<1x2x1x40x32xf16> to tensor<1x2x2x40x32xf16>
  %kc0 = fusion.reshape %kb0 : tensor<1x2x2x40x32xf16> to tensor<1x4x40x32xf16>
  %va0 = fusion.reshape %v : tensor<1x2x40x32xf16> to tensor<1x2x1x40x32xf16>
  %vb0 = fusion.broadcast %va0 dims = [0, 1, 2, 3, 4] : tensor<1x2x1x40x32xf16> to tensor<1x2x2x40x32xf16>
  %vc0 = fusion.reshape %vb0 : tensor<1x2x2x40x32xf16> to tensor<1x4x40x32xf16>
  %s0 = fusion.matmul %q, %kc0 {transpose_b} : tensor<1x4x40x32xf16>, tensor<1x4x40x32xf16> -> tensor<1x4x40x40xf16>
  %t0 = fusion.add %s0, %b : tensor<1x4x40x40xf16>
  %p0 = fusion.softmax %t0 dim = 3 : tensor<1x4x40x40xf16>
  %y0 = fusion.matmul %p0, %vc0 : tensor<1x4x40x40xf16>, tensor<1x4x40x32xf16> -> tensor<1x4x40x32xf16>
  %ka1 = fusion.reshape %k1 : tensor<1x2x40x32xf16> to tensor<1x2x1x40x32xf16>
  %kb1 = fusion.broadcast %ka1 dims = [0, 1, 2, 3, 4] : tensor<1x2x1x40x32xf16> to tensor<1x2x2x40x32xf16>
  %kc1 = fusion.reshape %kb1 : tensor<1x2x2x40x32xf16> to tensor<1x4x40x32xf16>
  %va1 = fusion.reshape %v1 : tensor<1x2x40x32xf16> to tensor<1x2x1x40x32xf16>
  %vb1 = fusion.broadcast %va1 dims = [0, 1, 2, 3, 4] : tensor<1x2x1x40x32xf16> to tensor<1x2x2x40x32xf16>
  %vc1 = fusion.reshape %vb1 : tensor<1x2x2x40x32xf16> to tensor<1x4x40x32xf16>
  %s1 = fusion.matmul %y0, %kc1 {transpose_b} : tensor<1x4x40x32xf16>, tensor<1x4x40x32xf16> -> tensor<1x4x40x40xf16>
  %t1 = fusion.add %s1, %b : tensor<1x4x40x40xf16>
  %p1 = fusion.softmax %t1 dim = 3 : tensor<1x4x40x40xf16>
  %y1 = fusion.matmul %p1, %vc1 : tensor<1x4x40x40xf16>, tensor<1x4x40x32xf16> -> tensor<1x4x40x32xf16>
  return %y1 : tensor<1x4x40x32xf16>
}
