// An arm that ends in a reshape writes the branch's result as the other arm, which
// passes a tensor on, copies it: nothing is copied behind the arm's last kernel.
//
// RUN: fusion-compile %s --target=sm_90a --emit=gpu -o - | FileCheck %s --check-prefix=HOST
// RUN: fusion-compile %s --target=sm_80 --emit=gpu -o - | FileCheck %s --check-prefix=HOST
// HOST-LABEL:   func.func @main(
// HOST-COUNT-1: tile.launch
// HOST-NOT:     tile.launch
// HOST:         gpu.module
//
// RUN: fusion-run %s --device=cpu --verify --input c=zeros | FileCheck %s
// RUN: fusion-run %s --device=cpu --verify --input c=ones | FileCheck %s
// RUN: fusion-run %s --device=emulator --target=sm_80 --verify --input c=zeros | FileCheck %s
// RUN: fusion-run %s --device=emulator --target=sm_80 --verify --input c=ones | FileCheck %s
// RUN: fusion-run %s --device=emulator --target=sm_90a --verify --input c=zeros | FileCheck %s
// RUN: fusion-run %s --device=emulator --target=sm_90a --verify --input c=ones | FileCheck %s
// CHECK: verify: all {{[1-9].*}} agree

func.func @main(%c: tensor<i1> {fusion.name="c"}, %x: tensor<24x32xf32> {fusion.name="x"}, %w: tensor<32x40xf32> {fusion.name="w"},
                %y: tensor<1x4x6x40xf32> {fusion.name="y"}, %v: tensor<2x3x7xf32> {fusion.name="v"}, %u: tensor<42xf32> {fusion.name="u"})
    -> (tensor<1x4x6x40xf32> {fusion.name="r"}, tensor<42xf32> {fusion.name="s"}) {
  %r:2 = fusion.if %c : tensor<i1> -> tensor<1x4x6x40xf32>, tensor<42xf32> {
    %0 = fusion.matmul %x, %w : tensor<24x32xf32>, tensor<32x40xf32> -> tensor<24x40xf32>
    %1 = fusion.reshape %0 : tensor<24x40xf32> to tensor<1x4x6x40xf32>
    fusion.yield %1, %u : tensor<1x4x6x40xf32>, tensor<42xf32>
  } else {
    %1 = fusion.softmax %v dim = 1 : tensor<2x3x7xf32>
    %2 = fusion.reshape %1 : tensor<2x3x7xf32> to tensor<42xf32>
    fusion.yield %y, %2 : tensor<1x4x6x40xf32>, tensor<42xf32>
  }
  return %r#0, %r#1 : tensor<1x4x6x40xf32>, tensor<42xf32>
}
