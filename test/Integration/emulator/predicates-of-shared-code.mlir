// The condition and the arms read one tensor that elementwise code makes, and an
// activation that reads its argument twice follows: one launch.
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

func.func @main(%x: tensor<12x33xf32> {fusion.name="x"}) -> (tensor<12x33xf32> {fusion.name="y"}) {
  %u = fusion.tanh %x : tensor<12x33xf32>
  %s = fusion.reduce sum, %u dims = [0, 1] : tensor<12x33xf32> to tensor<f32>
  %z = fusion.constant dense<0.0> : tensor<f32>
  %c = fusion.compare gt, %s, %z : tensor<f32>
  %r = fusion.if %c : tensor<i1> -> tensor<12x33xf32> {
    %0 = fusion.softmax %u dim = 1 : tensor<12x33xf32>
    fusion.yield %0 : tensor<12x33xf32>
  } else {
    %0 = fusion.exp %u : tensor<12x33xf32>
    fusion.yield %0 : tensor<12x33xf32>
  }
  %e = fusion.erf %r : tensor<12x33xf32>
  %m = fusion.mul %r, %e : tensor<12x33xf32>
  %y = fusion.add %m, %x : tensor<12x33xf32>
  return %y : tensor<12x33xf32>
}
