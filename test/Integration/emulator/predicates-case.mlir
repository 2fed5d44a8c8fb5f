// The index of the largest number picks the weights and the activation of one
// matrix product: one launch, whose host reads nothing.
//
// RUN: fusion-compile %s --target=sm_90a --emit=gpu -o - | FileCheck %s --check-prefix=HOST
// RUN: fusion-compile %s --target=sm_80 --emit=gpu -o - | FileCheck %s --check-prefix=HOST
// HOST-LABEL:   func.func @main(
// HOST-NOT:     memref.load
// HOST-COUNT-1: tile.launch
// HOST-NOT:     {{tile.launch|memref.load}}
// HOST:         gpu.module
//
// RUN: fusion-run %s --device=cpu --verify --input l=random:1 | FileCheck %s
// RUN: fusion-run %s --device=emulator --target=sm_80 --verify --input l=random:1 | FileCheck %s
// RUN: fusion-run %s --device=emulator --target=sm_90a --verify --input l=random:1 | FileCheck %s
// RUN: fusion-run %s --device=cpu --verify --input l=random:2 | FileCheck %s
// RUN: fusion-run %s --device=emulator --target=sm_80 --verify --input l=random:2 | FileCheck %s
// RUN: fusion-run %s --device=emulator --target=sm_90a --verify --input l=random:2 | FileCheck %s
// RUN: fusion-run %s --device=cpu --verify --input l=random:6 | FileCheck %s
// RUN: fusion-run %s --device=emulator --target=sm_80 --verify --input l=random:6 | FileCheck %s
// RUN: fusion-run %s --device=emulator --target=sm_90a --verify --input l=random:6 | FileCheck %s
// CHECK: verify: all {{[1-9].*}} agree

func.func @main(%l: tensor<5xf32> {fusion.name="l"}, %x: tensor<16x32xf16> {fusion.name="x"}, %a: tensor<32x48xf16> {fusion.name="a"}, %b: tensor<32x48xf16> {fusion.name="b"}, %c: tensor<32x48xf16> {fusion.name="c"}) -> (tensor<16x48xf16> {fusion.name="y"}) {
  %i = fusion.arg_reduce max, %l dim = 0 : tensor<5xf32> to tensor<i64>
  %c0 = fusion.constant dense<0> : tensor<i64>
  %c1 = fusion.constant dense<1> : tensor<i64>
  %e0 = fusion.compare eq, %i, %c0 : tensor<i64>
  %y = fusion.if %e0 : tensor<i1> -> tensor<16x48xf16> {
    %m = fusion.matmul %x, %a : tensor<16x32xf16>, tensor<32x48xf16> -> tensor<16x48xf16>
    %r = fusion.relu %m : tensor<16x48xf16>
    fusion.yield %r : tensor<16x48xf16>
  } else {
    %e1 = fusion.compare eq, %i, %c1 : tensor<i64>
    %w = fusion.if %e1 : tensor<i1> -> tensor<16x48xf16> {
      %m = fusion.matmul %x, %b : tensor<16x32xf16>, tensor<32x48xf16> -> tensor<16x48xf16>
      %r = fusion.tanh %m : tensor<16x48xf16>
      fusion.yield %r : tensor<16x48xf16>
    } else {
      %m = fusion.matmul %x, %c : tensor<16x32xf16>, tensor<32x48xf16> -> tensor<16x48xf16>
      fusion.yield %m : tensor<16x48xf16>
    }
    fusion.yield %w : tensor<16x48xf16>
  }
  return %y : tensor<16x48xf16>
}
