// Sums of rows that both arms of a branch read are computed by the arm that runs,
// in one launch with what it makes of them.
//
// RUN: fusion-compile %s --target=sm_90a --emit=gpu -o - | FileCheck %s --check-prefix=HOST
// RUN: fusion-compile %s --target=sm_80 --emit=gpu -o - | FileCheck %s --check-prefix=HOST
// HOST-LABEL:   func.func @main(
// HOST-NOT:     memref.load
// HOST-COUNT-1: tile.launch
// HOST-NOT:     {{tile.launch|memref.load}}
// HOST:         gpu.module
//
// RUN: fusion-run %s --device=cpu --verify --input c=zeros | FileCheck %s
// RUN: fusion-run %s --device=cpu --verify --input c=ones | FileCheck %s
// RUN: fusion-run %s --device=emulator --target=sm_80 --verify --input c=zeros | FileCheck %s
// RUN: fusion-run %s --device=emulator --target=sm_80 --verify --input c=ones | FileCheck %s
// RUN: fusion-run %s --device=emulator --target=sm_90a --verify --input c=zeros | FileCheck %s
// RUN: fusion-run %s --device=emulator --target=sm_90a --verify --input c=ones | FileCheck %s
// CHECK: verify: all {{[1-9].*}} agree

func.func @main(%c: tensor<i1> {fusion.name="c"}, %x: tensor<13x50xf32> {fusion.name="x"}, %r: tensor<13x50xf32> {fusion.name="r"}) -> (tensor<13x50xf32> {fusion.name="y"}) {
  %h = fusion.add %x, %r : tensor<13x50xf32>
  %s = fusion.reduce sum, %h dims = [1] : tensor<13x50xf32> to tensor<13xf32>
  %b = fusion.broadcast %s dims = [0] : tensor<13xf32> to tensor<13x50xf32>
  %y = fusion.if %c : tensor<i1> -> tensor<13x50xf32> {
    %0 = fusion.sub %h, %b : tensor<13x50xf32>
    fusion.yield %0 : tensor<13x50xf32>
  } else {
    %0 = fusion.mul %h, %b : tensor<13x50xf32>
    %1 = fusion.softmax %0 dim = 1 : tensor<13x50xf32>
    fusion.yield %1 : tensor<13x50xf32>
  }
  return %y : tensor<13x50xf32>
}
