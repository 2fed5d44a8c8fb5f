// Running sums of no elements: nothing is tiled.
// RUN: fusion-run %s --device=cpu --verify | FileCheck %s
// CHECK: verify: all {{[0-9]+}} results of groups agree with the unfused program
func.func @main(%x: tensor<0xui8> {fusion.name = "x"}, %h: tensor<5x0x33xbf16> {fusion.name = "h"})
    -> (tensor<0xui8> {fusion.name = "a"}, tensor<5x0x33xbf16> {fusion.name = "b"}) {
  %0 = fusion.cumsum %x dim = 0 {exclusive, reverse} : tensor<0xui8>
  %1 = fusion.cumsum %h dim = 1 : tensor<5x0x33xbf16>
  return %0, %1 : tensor<0xui8>, tensor<5x0x33xbf16>
}
