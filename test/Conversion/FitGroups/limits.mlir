// Limits below those of the device. Rows get smaller tiles and stay together as long as
// these fit; what no tile fits is split, and the report says why. The grid walks over
// its tiles; parameters go to a table.
//
// DEFINE: %{report} = fusion-compile %s --target=sm_80 --report=-
// DEFINE: %{run} = fusion-run %s --device=emulator --verify
//
// RUN: %{report} --device-limits=registers=3 --remarks > %t.txt 2> %t.remarks
// RUN: FileCheck %s --input-file=%t.txt --check-prefix=SPLIT
// RUN: FileCheck %s --input-file=%t.remarks --check-prefix=REASON
// SPLIT:     8 launches become 3,
// SPLIT:     not fused:
// SPLIT-DAG: reduction -> elementwise {{.*}}no kernel holds both: expected at most 3 registers of a thread for tiles, but the kernel needs
// SPLIT-DAG: elementwise -> elementwise {{.*}}no kernel holds both: expected at most 3 registers
// REASON:    [Missed] FitGroups {{.*}}Group=reduction+elementwise, Reason="no kernel holds both: expected at most 3 registers
//
// RUN: %{report} --device-limits=registers=34 --remarks > %t.txt 2> %t.remarks
// RUN: FileCheck %s --input-file=%t.txt --check-prefix=WHOLE
// RUN: FileCheck %s --input-file=%t.remarks --check-prefix=SMALLER
// WHOLE:     8 launches become 1,
// WHOLE-NOT: not fused
// SMALLER:   [Missed] FitGroups {{.*}}Reason="a smaller schedule was taken: expected at most 34 registers of a thread for tiles, but the kernel needs 49", Schedule="{columns = 512
//
// What has room for it stays as it was.
// RUN: %{report} --device-limits=registers=49,shared=8192,grid=37,threads=128,parameters=16 --remarks > %t.txt 2> %t.remarks
// RUN: FileCheck %s --input-file=%t.txt --check-prefix=WHOLE
// RUN: FileCheck %s --input-file=%t.remarks --check-prefix=FITS
// FITS-NOT: ] FitGroups
// FITS:     ] FormGroups
// FITS-NOT: ] FitGroups
//
// RUN: fusion-compile %s --target=sm_80 --emit=gpu | FileCheck %s --check-prefix=LAUNCH
// LAUNCH: tile.launch @kernels::@group_0 grid(%c3, %c1, %c1) table(
//
// RUN: %{run} --target=sm_80 | FileCheck %s --check-prefix=ONE
// RUN: %{run} --target=sm_90a | FileCheck %s --check-prefix=ONE
// RUN: %{run} --target=sm_80 --device-limits=registers=34,threads=32 | FileCheck %s --check-prefix=ONE
// RUN: %{run} --target=sm_90a --device-limits=registers=34,threads=32 | FileCheck %s --check-prefix=ONE
// RUN: %{run} --target=sm_80 --device-limits=registers=3,grid=5 | FileCheck %s
// RUN: %{run} --target=sm_90a --device-limits=registers=3,grid=5 | FileCheck %s
// ONE:    verify: all 1 results of groups agree with the unfused program
// CHECK:  verify: all {{[2-9]}} results of groups agree with the unfused program
module attributes {fusion.limits = {grid = 3, parameters = 8}} {
func.func @main(%x: tensor<37x1021xf32> {fusion.name = "x"}) -> (tensor<37x1021xf32> {fusion.name = "y"}) {
  %0 = fusion.softmax %x dim = 1 : tensor<37x1021xf32>
  %1 = fusion.add %0, %x : tensor<37x1021xf32>
  return %1 : tensor<37x1021xf32>
}
}
