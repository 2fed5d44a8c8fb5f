// Unsigned results are verified as what they are, also where a group reads them.
// RUN: fusion-run %s --device=cpu --fuse=none --verify | FileCheck %s
// RUN: fusion-run %s --device=emulator --target=sm_80 --verify | FileCheck %s
// CHECK: verify: all {{[0-9]+}} results of groups agree with the unfused program
func.func @main(%x: tensor<3xui8> {fusion.name = "x"}) -> (tensor<3xui8> {fusion.name = "a"}, tensor<3xui8> {fusion.name = "b"}) {
  %0 = fusion.add %x, %x : tensor<3xui8>
  %1 = fusion.mul %0, %x : tensor<3xui8>
  return %0, %1 : tensor<3xui8>, tensor<3xui8>
}
