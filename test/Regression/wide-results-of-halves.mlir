// Attention of f16 that the graph widens: one kernel, whose result is an f32 that was
// never rounded, but made of weights that were. Verification measures it by these.
// DEFINE: %{run} = fusion-run %s --verify --device=emulator
// RUN: %{run} --target=sm_80 | FileCheck %s
// RUN: %{run} --target=sm_90a | FileCheck %s
// CHECK: verify: group 0 {{.*}}f32: largest error {{.*}}, ok
// CHECK: agree
func.func @main(%q: tensor<4x33x40xf16> {fusion.name = "q"}, %k: tensor<4x40x70xf16> {fusion.name = "k"},
                %v: tensor<4x70x24xf16> {fusion.name = "v"}) -> (tensor<4x33x24xf32> {fusion.name = "y"}) {
  %s = fusion.matmul %q, %k : tensor<4x33x40xf16>, tensor<4x40x70xf16> -> tensor<4x33x70xf16>
  %p = fusion.softmax %s dim = 2 : tensor<4x33x70xf16>
  %o = fusion.matmul %p, %v : tensor<4x33x70xf16>, tensor<4x70x24xf16> -> tensor<4x33x24xf16>
  %y = fusion.cast %o : tensor<4x33x24xf16> to tensor<4x33x24xf32>
  return %y : tensor<4x33x24xf32>
}
