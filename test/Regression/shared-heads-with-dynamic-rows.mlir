// Heads that share keys, whose queries are made in attention's kernel: the sizes of
// the reshape between them were those of the queries themselves.
//
// DEFINE: %{run} = fusion-run %s --verify --dim seq=37 --device=emulator
// RUN: %{run} --target=sm_80 | FileCheck %s
// RUN: %{run} --target=sm_90a | FileCheck %s
// RUN: fusion-run %s --verify --dim seq=37 | FileCheck %s --check-prefix=CPU
// CHECK: verify: group 0 {{.*}} 2x2x2x37x16:f32: {{.*}}, ok
// CHECK: verify: all 1 results of groups agree
// CPU: verify: all {{.*}} results of groups agree
func.func @main(%q: tensor<2x4x?x16xf32> {fusion.name = "q", fusion.dims = ["", "", "seq", ""]}, %k: tensor<2x2x?x16xf32> {fusion.name = "k", fusion.dims = ["", "", "seq", ""]},
                %v: tensor<2x2x?x16xf32> {fusion.name = "v", fusion.dims = ["", "", "seq", ""]}) -> (tensor<2x4x?x16xf32> {fusion.name = "y"}) {
  %c2 = arith.constant 2 : index
  %n = tensor.dim %q, %c2 : tensor<2x4x?x16xf32>
  %t = fusion.tanh %q : tensor<2x4x?x16xf32>
  %k1 = fusion.reshape %k sizes(%n) : tensor<2x2x?x16xf32> to tensor<2x2x1x?x16xf32>
  %k2 = fusion.broadcast %k1 dims = [0, 1, 2, 3, 4] sizes(%n) : tensor<2x2x1x?x16xf32> to tensor<2x2x2x?x16xf32>
  %k3 = fusion.reshape %k2 sizes(%n) : tensor<2x2x2x?x16xf32> to tensor<2x4x?x16xf32>
  %v1 = fusion.reshape %v sizes(%n) : tensor<2x2x?x16xf32> to tensor<2x2x1x?x16xf32>
  %v2 = fusion.broadcast %v1 dims = [0, 1, 2, 3, 4] sizes(%n) : tensor<2x2x1x?x16xf32> to tensor<2x2x2x?x16xf32>
  %v3 = fusion.reshape %v2 sizes(%n) : tensor<2x2x2x?x16xf32> to tensor<2x4x?x16xf32>
  %s = fusion.matmul %t, %k3 {transpose_b} : tensor<2x4x?x16xf32>, tensor<2x4x?x16xf32> -> tensor<2x4x?x?xf32>
  %p = fusion.softmax %s dim = 3 : tensor<2x4x?x?xf32>
  %o = fusion.matmul %p, %v3 : tensor<2x4x?x?xf32>, tensor<2x4x?x16xf32> -> tensor<2x4x?x16xf32>
  return %o : tensor<2x4x?x16xf32>
}
