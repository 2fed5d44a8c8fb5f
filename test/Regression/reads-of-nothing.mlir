// A concatenation of arrays without elements: what it reads is no argument any more.
// RUN: fusion-run %s --device=cpu --verify | FileCheck %s
// RUN: fusion-run %s --device=emulator --target=sm_80 --verify | FileCheck %s
// RUN: fusion-run %s --device=emulator --target=sm_90a --verify | FileCheck %s

// CHECK: verify: all {{[0-9]+}} results of groups agree with the unfused program

func.func @main(%a: tensor<0x0x100xbf16> {fusion.name = "a"})
    -> (tensor<0x0xbf16> {fusion.name = "y"}, tensor<0x1x0x200xbf16> {fusion.name = "z"}) {
  %0 = fusion.min %a, %a : tensor<0x0x100xbf16>
  %1 = fusion.softmax %0 dim = 2 : tensor<0x0x100xbf16>
  %2 = fusion.reshape %1 : tensor<0x0x100xbf16> to tensor<0x1x0x100xbf16>
  %3 = fusion.reshape %0 : tensor<0x0x100xbf16> to tensor<0x0xbf16>
  %4 = fusion.add %2, %2 : tensor<0x1x0x100xbf16>
  %5 = fusion.rms_norm %3 axis = 1 eps = 1.0e-5 : tensor<0x0xbf16>
  %6 = fusion.concat %4, %4 dim = 3 : tensor<0x1x0x100xbf16>, tensor<0x1x0x100xbf16> -> tensor<0x1x0x200xbf16>
  return %5, %6 : tensor<0x0xbf16>, tensor<0x1x0x200xbf16>
}
