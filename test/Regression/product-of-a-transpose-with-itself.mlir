// A named product both operands of which are one transposed tensor: it reads the
// tensor itself, twice.
// DEFINE: %{run} = fusion-run %s --verify
// RUN: %{run} --device=cpu | FileCheck %s
// RUN: %{run} --device=emulator --target=sm_80 | FileCheck %s
// RUN: %{run} --device=emulator --target=sm_90a | FileCheck %s
// RUN: fusion-compile %s --target=sm_80 --emit=groups -o - | FileCheck %s --check-prefix=PLAN
// CHECK: agree
// PLAN-COUNT-1: fusion.group
// PLAN-NOT:     fusion.group
// PLAN-NOT:     linalg.transpose
func.func @main(%x: tensor<18x18xf32> {fusion.name = "x"}) -> (tensor<18x18xf32> {fusion.name = "y"}) {
  %e = tensor.empty() : tensor<18x18xf32>
  %zero = arith.constant 0.0 : f32
  %d = linalg.fill ins(%zero : f32) outs(%e : tensor<18x18xf32>) -> tensor<18x18xf32>
  %t = linalg.transpose ins(%x : tensor<18x18xf32>) outs(%e : tensor<18x18xf32>) permutation = [1, 0]
  %y = linalg.matmul ins(%t, %t : tensor<18x18xf32>, tensor<18x18xf32>) outs(%d : tensor<18x18xf32>) -> tensor<18x18xf32>
  return %y : tensor<18x18xf32>
}
