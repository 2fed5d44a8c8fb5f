// Predicates that reductions make, one of them in a branch, and what they decide
// are one launch; the host reads no predicate, so the program can be captured.
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
// RUN: fusion-run %s --device=cpu --verify --input x=random:2 --input t=random:4 | FileCheck %s
// RUN: fusion-run %s --device=emulator --target=sm_80 --verify --input x=random:2 --input t=random:4 | FileCheck %s
// RUN: fusion-run %s --device=emulator --target=sm_90a --verify --input x=random:2 --input t=random:4 | FileCheck %s
// RUN: fusion-run %s --device=cpu --verify --input x=random:3 | FileCheck %s
// RUN: fusion-run %s --device=emulator --target=sm_80 --verify --input x=random:3 | FileCheck %s
// RUN: fusion-run %s --device=emulator --target=sm_90a --verify --input x=random:3 | FileCheck %s
// CHECK: verify: all {{[1-9].*}} agree

func.func @main(%x: tensor<8x64xf32> {fusion.name="x"}, %t: tensor<64xf32> {fusion.name="t"}) -> (tensor<8x64xf32> {fusion.name="y"}) {
  %s = fusion.reduce sum, %x dims = [0, 1] : tensor<8x64xf32> to tensor<f32>
  %z = fusion.constant dense<0.0> : tensor<f32>
  %c = fusion.compare gt, %s, %z : tensor<f32>
  %y = fusion.if %c : tensor<i1> -> tensor<8x64xf32> {
    %0 = fusion.softmax %x dim = 1 : tensor<8x64xf32>
    fusion.yield %0 : tensor<8x64xf32>
  } else {
    %m = fusion.reduce max, %t dims = [0] : tensor<64xf32> to tensor<f32>
    %s2 = fusion.add %m, %s : tensor<f32>
    %d = fusion.compare lt, %s2, %z : tensor<f32>
    %1 = fusion.if %d : tensor<i1> -> tensor<8x64xf32> {
      %2 = fusion.log_softmax %x dim = 0 : tensor<8x64xf32>
      fusion.yield %2 : tensor<8x64xf32>
    } else {
      %2 = fusion.rms_norm %x scale(%t : tensor<64xf32>) axis = 1 eps = 1.0e-5 : tensor<8x64xf32>
      fusion.yield %2 : tensor<8x64xf32>
    }
    fusion.yield %1 : tensor<8x64xf32>
  }
  return %y : tensor<8x64xf32>
}
