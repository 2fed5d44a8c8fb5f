// Attention of others' Linalg, with named products, whose heads share keys: they are
// made generic, and their heads become a dim of their own.
// DEFINE: %{run} = fusion-run %s --verify --device=emulator
// RUN: %{run} --target=sm_80 | FileCheck %s
// RUN: %{run} --target=sm_90a | FileCheck %s
// CHECK: verify: group 0 {{.*}} 2x2x18x8:f32: {{.*}}, ok
// CHECK: agree
func.func @main(%q: tensor<4x18x8xf32> {fusion.name = "q"}, %k2: tensor<2x8x34xf32> {fusion.name = "k"},
                %v2: tensor<2x34x8xf32> {fusion.name = "v"}) -> (tensor<4x18x8xf32> {fusion.name = "y"}) {
  %ke = tensor.empty() : tensor<2x2x8x34xf32>
  %kr = linalg.broadcast ins(%k2 : tensor<2x8x34xf32>) outs(%ke : tensor<2x2x8x34xf32>) dimensions = [1]
  %k = tensor.collapse_shape %kr [[0, 1], [2], [3]] : tensor<2x2x8x34xf32> into tensor<4x8x34xf32>
  %ve = tensor.empty() : tensor<2x2x34x8xf32>
  %vr = linalg.broadcast ins(%v2 : tensor<2x34x8xf32>) outs(%ve : tensor<2x2x34x8xf32>) dimensions = [1]
  %v = tensor.collapse_shape %vr [[0, 1], [2], [3]] : tensor<2x2x34x8xf32> into tensor<4x34x8xf32>
  %zero = arith.constant 0.0 : f32
  %se = tensor.empty() : tensor<4x18x34xf32>
  %s0 = linalg.fill ins(%zero : f32) outs(%se : tensor<4x18x34xf32>) -> tensor<4x18x34xf32>
  %oe = tensor.empty() : tensor<4x18x8xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%oe : tensor<4x18x8xf32>) -> tensor<4x18x8xf32>
  %s = linalg.batch_matmul ins(%q, %k : tensor<4x18x8xf32>, tensor<4x8x34xf32>) outs(%s0 : tensor<4x18x34xf32>) -> tensor<4x18x34xf32>
  %p = linalg.softmax dimension(2) ins(%s : tensor<4x18x34xf32>) outs(%se : tensor<4x18x34xf32>) -> tensor<4x18x34xf32>
  %o = linalg.batch_matmul ins(%p, %v : tensor<4x18x34xf32>, tensor<4x34x8xf32>) outs(%o0 : tensor<4x18x8xf32>) -> tensor<4x18x8xf32>
  return %o : tensor<4x18x8xf32>
}
