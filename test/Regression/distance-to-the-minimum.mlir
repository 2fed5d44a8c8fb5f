// x - 0.3 and the minimum of its rows meet again in one kernel, the minimum after a
// broadcast: both were rounded to f16, or neither. The difference to itself is 0.
// RUN: fusion-run %s --device=cpu --input x=random:5 | FileCheck %s
// RUN: fusion-run %s --device=emulator --target=sm_80 --input x=random:5 | FileCheck %s
// RUN: fusion-run %s --device=emulator --target=sm_90a --input x=random:5 | FileCheck %s
// CHECK: y: 13:f16  least 0  most 0  mean 0
func.func @main(%x: tensor<13x16xf16> {fusion.name = "x"}) -> (tensor<13xf16> {fusion.name = "y"}) {
  %c = fusion.constant dense<0.3> : tensor<13x16xf16>
  %0 = fusion.sub %x, %c : tensor<13x16xf16>
  %1 = fusion.reduce min, %0 dims = [1] : tensor<13x16xf16> to tensor<13xf16>
  %2 = fusion.broadcast %1 dims = [0] : tensor<13xf16> to tensor<13x16xf16>
  %3 = fusion.sub %0, %2 : tensor<13x16xf16>
  %4 = fusion.reduce min, %3 dims = [1] : tensor<13x16xf16> to tensor<13xf16>
  return %4 : tensor<13xf16>
}
