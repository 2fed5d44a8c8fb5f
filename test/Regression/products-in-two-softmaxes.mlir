// Scores that are a sum of two products, and attention whose queries are the
// result of attention, are in the pattern of attention twice: one kernel has
// them, and each product is in some kernel.

// RUN: fusion-run %s --device=emulator --target=sm_80 --verify | FileCheck %s
// RUN: fusion-run %s --device=emulator --target=sm_90a --verify | FileCheck %s
// RUN: fusion-compile %s --target=sm_80 --emit=groups | FileCheck %s --check-prefix=GROUPS

// CHECK: verify: all {{[0-9]+}} results of groups agree
// GROUPS-COUNT-3: math.exp
// GROUPS-NOT:     math.exp

func.func @main(%q: tensor<2x23x16xf32>, %k: tensor<2x21x16xf32>, %p: tensor<2x21x16xf32>, %v: tensor<2x21x16xf32>)
    -> (tensor<2x23x16xf32>, tensor<2x23x16xf32>) {
  %kt = fusion.transpose %k perm = [0, 2, 1] : tensor<2x21x16xf32> to tensor<2x16x21xf32>
  %pt = fusion.transpose %p perm = [0, 2, 1] : tensor<2x21x16xf32> to tensor<2x16x21xf32>
  %a = fusion.matmul %q, %kt : tensor<2x23x16xf32>, tensor<2x16x21xf32> -> tensor<2x23x21xf32>
  %b = fusion.matmul %q, %pt : tensor<2x23x16xf32>, tensor<2x16x21xf32> -> tensor<2x23x21xf32>
  %s = fusion.add %a, %b : tensor<2x23x21xf32>
  %w = fusion.softmax %s dim = 2 : tensor<2x23x21xf32>
  %o = fusion.matmul %w, %v : tensor<2x23x21xf32>, tensor<2x21x16xf32> -> tensor<2x23x16xf32>
  %vt = fusion.transpose %v perm = [0, 2, 1] : tensor<2x21x16xf32> to tensor<2x16x21xf32>
  %x = fusion.matmul %q, %vt : tensor<2x23x16xf32>, tensor<2x16x21xf32> -> tensor<2x23x21xf32>
  %xs = fusion.softmax %x dim = 2 : tensor<2x23x21xf32>
  %xo = fusion.matmul %xs, %v : tensor<2x23x21xf32>, tensor<2x21x16xf32> -> tensor<2x23x16xf32>
  %y = fusion.matmul %xo, %pt : tensor<2x23x16xf32>, tensor<2x16x21xf32> -> tensor<2x23x21xf32>
  %ys = fusion.softmax %y dim = 2 : tensor<2x23x21xf32>
  %yo = fusion.matmul %ys, %v : tensor<2x23x21xf32>, tensor<2x21x16xf32> -> tensor<2x23x16xf32>
  return %o, %yo : tensor<2x23x16xf32>, tensor<2x23x16xf32>
}
