// A mean decides, is data of an arm, and is returned: one block writes it, all
// others compute it for themselves.
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

func.func @main(%x: tensor<8x640xf32> {fusion.name="x"}) -> (tensor<8x640xf32> {fusion.name="y"}, tensor<f32> {fusion.name="m"}) {
  %s = fusion.reduce mean, %x dims = [0, 1] : tensor<8x640xf32> to tensor<f32>
  %z = fusion.constant dense<0.0> : tensor<f32>
  %c = fusion.compare gt, %s, %z : tensor<f32>
  %y = fusion.if %c : tensor<i1> -> tensor<8x640xf32> {
    %b = fusion.broadcast %s dims = [] : tensor<f32> to tensor<8x640xf32>
    %d = fusion.sub %x, %b : tensor<8x640xf32>
    %0 = fusion.softmax %d dim = 1 : tensor<8x640xf32>
    fusion.yield %0 : tensor<8x640xf32>
  } else {
    fusion.yield %x : tensor<8x640xf32>
  }
  return %y, %s : tensor<8x640xf32>, tensor<f32>
}
