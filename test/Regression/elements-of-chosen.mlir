// A part of what both arms make of weights that a condition chooses: an element of
// the chosen tensor was read in the body, and the condition by the host.
// RUN: fusion-run %s --device=emulator --target=sm_90a --numerics=strict --verify | FileCheck %s
// RUN: fusion-run %s --device=emulator --target=sm_80 --verify | FileCheck %s
// RUN: fusion-run %s --device=cpu --numerics=strict --verify | FileCheck %s
// RUN: fusion-run %s --device=emulator --target=sm_90a --input c=zeros --verify | FileCheck %s
// CHECK: results of groups agree
func.func @main(%a: tensor<4x4xi8> {fusion.name = "x"}, %c: tensor<i1> {fusion.name = "c"}, %w: tensor<4xf32> {fusion.name = "w"},
                %v: tensor<4xf32> {fusion.name = "v"}, %u: tensor<4xf32> {fusion.name = "u"}) -> (tensor<1x1xf32> {fusion.name = "z"}) {
  %0 = fusion.cast %a : tensor<4x4xi8> to tensor<4x4xf32>
  %1 = fusion.broadcast %v dims = [1] : tensor<4xf32> to tensor<4x4xf32>
  %x = fusion.mul %0, %1 : tensor<4x4xf32>
  %y = fusion.if %c : tensor<i1> -> tensor<4x4xf32> {
    %2 = fusion.rms_norm %x scale(%w : tensor<4xf32>) axis = 1 eps = 9.99999974E-6 : tensor<4x4xf32>
    %3 = fusion.abs %2 : tensor<4x4xf32>
    fusion.yield %3 : tensor<4x4xf32>
  } else {
    %2 = fusion.rms_norm %x scale(%u : tensor<4xf32>) axis = 1 eps = 9.99999974E-6 : tensor<4x4xf32>
    %3 = fusion.silu %2 : tensor<4x4xf32>
    fusion.yield %3 : tensor<4x4xf32>
  }
  %4 = fusion.relu %y : tensor<4x4xf32>
  %5 = fusion.slice %4 starts = [2, 3] steps = [2, -2] : tensor<4x4xf32> to tensor<1x1xf32>
  return %5 : tensor<1x1xf32>
}
