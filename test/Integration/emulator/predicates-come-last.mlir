// Arms that are computed both join what reads the selected value, and the predicate
// is computed in each of its blocks: it takes no fusion away from them. What one arm
// alone needs runs in that arm.
//
// RUN: fusion-compile %s --target=sm_90a --emit=gpu -o - | FileCheck %s --check-prefix=HOST
// RUN: fusion-compile %s --target=sm_80 --emit=gpu -o - | FileCheck %s --check-prefix=HOST
// HOST-LABEL:   func.func @main(
// HOST-NOT:     memref.load
// HOST-COUNT-1: tile.launch
// HOST-NOT:     {{tile.launch|memref.load}}
// HOST:         gpu.module
//
// RUN: fusion-run %s --device=cpu --verify --input x=random:1 | FileCheck %s
// RUN: fusion-run %s --device=emulator --target=sm_80 --verify --input x=random:1 | FileCheck %s
// RUN: fusion-run %s --device=emulator --target=sm_90a --verify --input x=random:1 | FileCheck %s
// RUN: fusion-run %s --device=cpu --verify --input x=random:2 | FileCheck %s
// RUN: fusion-run %s --device=emulator --target=sm_80 --verify --input x=random:2 | FileCheck %s
// RUN: fusion-run %s --device=emulator --target=sm_90a --verify --input x=random:2 | FileCheck %s
// CHECK: verify: all {{[1-9].*}} agree

func.func @main(%x: tensor<16x32xf32> {fusion.name="x"}, %w: tensor<32x24xf32> {fusion.name="w"}, %v: tensor<16x24xf32> {fusion.name="v"})
    -> (tensor<16x32xf32> {fusion.name="y"}, tensor<16x24xf32> {fusion.name="z"}) {
  %s = fusion.reduce sum, %x dims = [0, 1] : tensor<16x32xf32> to tensor<f32>
  %zero = fusion.constant dense<0.0> : tensor<f32>
  %c = fusion.compare gt, %s, %zero : tensor<f32>
  %a = fusion.if %c : tensor<i1> -> tensor<16x32xf32> {
    %0 = fusion.tanh %x : tensor<16x32xf32>
    fusion.yield %0 : tensor<16x32xf32>
  } else {
    fusion.yield %x : tensor<16x32xf32>
  }
  %y = fusion.softmax %a dim = 1 : tensor<16x32xf32>
  %p = fusion.matmul %x, %w : tensor<16x32xf32>, tensor<32x24xf32> -> tensor<16x24xf32>
  %r = fusion.relu %p : tensor<16x24xf32>
  %z = fusion.if %c : tensor<i1> -> tensor<16x24xf32> {
    fusion.yield %r : tensor<16x24xf32>
  } else {
    fusion.yield %v : tensor<16x24xf32>
  }
  return %y, %z : tensor<16x32xf32>, tensor<16x24xf32>
}
