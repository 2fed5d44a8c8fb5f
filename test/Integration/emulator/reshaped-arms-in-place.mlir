// A region that ends in a reshape of what it computes writes the branch's result in its
// own shape, in the launch of the other region: no copy, no launch behind it.
//
// RUN: fusion-compile %s --target=sm_90a --emit=gpu -o - | FileCheck %s --check-prefix=HOST
// RUN: fusion-compile %s --target=sm_80 --emit=gpu -o - | FileCheck %s --check-prefix=HOST
// HOST-LABEL:   func.func @main(
// HOST-COUNT-1: tile.launch
// HOST-NOT:     tile.launch
// HOST:         gpu.module
//
// RUN: fusion-run %s --device=cpu --verify --input c=zeros --input d=ones | FileCheck %s
// RUN: fusion-run %s --device=cpu --verify --input c=ones --input d=ones | FileCheck %s
// RUN: fusion-run %s --device=cpu --verify --input c=ones --input d=zeros | FileCheck %s
// RUN: fusion-run %s --device=emulator --target=sm_80 --verify --input c=zeros --input d=ones | FileCheck %s
// RUN: fusion-run %s --device=emulator --target=sm_80 --verify --input c=ones --input d=ones | FileCheck %s
// RUN: fusion-run %s --device=emulator --target=sm_90a --verify --input c=ones --input d=ones | FileCheck %s
// RUN: fusion-run %s --device=emulator --target=sm_90a --verify --input c=ones --input d=zeros | FileCheck %s
//
// In launches apart they write one array in turn, too.
// RUN: fusion-run %s --device=emulator --target=sm_90a --device-limits=grid=1 --verify --input c=zeros --input d=ones | FileCheck %s
// RUN: fusion-run %s --device=emulator --target=sm_90a --device-limits=grid=1 --verify --input c=ones --input d=ones | FileCheck %s
// CHECK: verify: all {{[1-9].*}} agree

func.func @main(%c: tensor<i1> {fusion.name = "c"}, %d: tensor<i1> {fusion.name = "d"},
                %x: tensor<2x16x64xf16> {fusion.name = "x"}, %h: tensor<32x64xf16> {fusion.name = "h"},
                %w: tensor<64x64xf16> {fusion.name = "w"}) -> tensor<2x16x64xf16> {
  %r = fusion.if %c : tensor<i1> -> tensor<2x16x64xf16> {
    %i = fusion.if %d : tensor<i1> -> tensor<2x16x64xf16> {
      %y = fusion.matmul %h, %w : tensor<32x64xf16>, tensor<64x64xf16> -> tensor<32x64xf16>
      %z = fusion.reshape %y : tensor<32x64xf16> to tensor<2x16x64xf16>
      fusion.yield %z : tensor<2x16x64xf16>
    } else {
      %q = fusion.exp %x : tensor<2x16x64xf16>
      %s = fusion.softmax %x dim = 2 : tensor<2x16x64xf16>
      %a = fusion.add %q, %s : tensor<2x16x64xf16>
      fusion.yield %a : tensor<2x16x64xf16>
    }
    fusion.yield %i : tensor<2x16x64xf16>
  } else {
    %s = fusion.softmax %x dim = 2 : tensor<2x16x64xf16>
    fusion.yield %s : tensor<2x16x64xf16>
  }
  return %r : tensor<2x16x64xf16>
}
