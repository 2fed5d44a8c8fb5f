// Limits below those of the device: what takes too many registers is split, with the
// reason; the grid walks over its tiles; parameters go to a table.
//
// RUN: fusion-compile %s --target=sm_80 --emit=groups --remarks -o %t.mlir 2> %t.txt
// RUN: FileCheck %s --input-file=%t.txt --check-prefix=REASON
// RUN: FileCheck %s --input-file=%t.mlir --check-prefix=SPLIT
// RUN: fusion-compile %s --target=sm_80 --emit=gpu | FileCheck %s --check-prefix=LAUNCH
// RUN: fusion-run %s --device=emulator --target=sm_80 --verify | FileCheck %s
// RUN: fusion-run %s --device=emulator --target=sm_90a --verify | FileCheck %s

// REASON: no kernel holds both: expected at most 34 registers of a thread for tiles, but the kernel needs
// SPLIT:  fusion.not_fused = [{{.*}}no kernel holds both: expected at most 34 registers
// SPLIT:  fusion.group "reduction" kinds []
// LAUNCH: tile.launch @kernels::@group_0 grid(%c3, %c1, %c1) table(
// CHECK:  verify: all {{[2-9]}} results of groups agree with the unfused program
module attributes {fusion.limits = {grid = 3, parameters = 8, registers = 34}} {
func.func @main(%x: tensor<37x1021xf32> {fusion.name = "x"}) -> (tensor<37x1021xf32> {fusion.name = "y"}) {
  %0 = fusion.softmax %x dim = 1 : tensor<37x1021xf32>
  %1 = fusion.add %0, %x : tensor<37x1021xf32>
  return %1 : tensor<37x1021xf32>
}
}
