// Arms that are computed both, behind a product that both read, are selected by a
// predicate that each block of the product computes.
//
// RUN: fusion-compile %s --target=sm_90a --emit=gpu -o - | FileCheck %s --check-prefix=HOST
// RUN: fusion-compile %s --target=sm_80 --emit=gpu -o - | FileCheck %s --check-prefix=HOST
// HOST-LABEL:   func.func @main(
// HOST-NOT:     memref.load
// HOST-COUNT-1: tile.launch
// HOST-NOT:     {{tile.launch|memref.load}}
// HOST:         gpu.module
//
// RUN: fusion-run %s --device=cpu --verify --input x=random:3 | FileCheck %s
// RUN: fusion-run %s --device=emulator --target=sm_80 --verify --input x=random:3 | FileCheck %s
// RUN: fusion-run %s --device=emulator --target=sm_90a --verify --input x=random:3 | FileCheck %s
// RUN: fusion-run %s --device=cpu --verify --input x=random:2 | FileCheck %s
// RUN: fusion-run %s --device=emulator --target=sm_80 --verify --input x=random:2 | FileCheck %s
// RUN: fusion-run %s --device=emulator --target=sm_90a --verify --input x=random:2 | FileCheck %s
// CHECK: verify: all {{[1-9].*}} agree

func.func @main(%x: tensor<70x32xf16> {fusion.name="x"}, %w: tensor<32x72xf16> {fusion.name="w"}) -> (tensor<70x72xf16> {fusion.name="y"}) {
  %s = fusion.reduce sum, %x dims = [0, 1] : tensor<70x32xf16> to tensor<f16>
  %z = fusion.constant dense<0.0> : tensor<f16>
  %c = fusion.compare gt, %s, %z : tensor<f16>
  %y = fusion.if %c : tensor<i1> -> tensor<70x72xf16> {
    %0 = fusion.matmul %x, %w : tensor<70x32xf16>, tensor<32x72xf16> -> tensor<70x72xf16>
    %1 = fusion.relu %0 : tensor<70x72xf16>
    fusion.yield %1 : tensor<70x72xf16>
  } else {
    %0 = fusion.matmul %x, %w : tensor<70x32xf16>, tensor<32x72xf16> -> tensor<70x72xf16>
    %1 = fusion.neg %0 : tensor<70x72xf16>
    fusion.yield %1 : tensor<70x72xf16>
  }
  return %y : tensor<70x72xf16>
}
