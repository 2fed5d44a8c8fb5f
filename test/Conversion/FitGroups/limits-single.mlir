// A single op that takes too much gets a schedule that takes less: a smaller tile, fewer
// warps, at last a sum like any other. Where nothing keeps to the limits the simplest is
// taken, with a remark: no limit is an error.
//
// DEFINE: %{remarks} = fusion-compile %s --remarks --emit=tiles -o %t.mlir
// DEFINE: %{run} = fusion-run %s --device=emulator --verify
//
// RUN: %{remarks} --target=sm_80 --device-limits=shared=4096 2>&1 | FileCheck %s --check-prefix=SHARED
// RUN: %{remarks} --target=sm_90a --device-limits=shared=4096 2>&1 | FileCheck %s --check-prefix=SHARED
// SHARED: [Missed] FitGroups {{.*}}Group=contraction, Reason="a smaller schedule was taken: the schedule doesn't fit: 7168 bytes of shared memory are more than 4096", Schedule="{bk = 16 : i64, bm = 16 : i64, bn = 32 : i64, kind = "mma"
//
// RUN: %{remarks} --target=sm_80 --device-limits=registers=16 2>&1 | FileCheck %s --check-prefix=REGISTERS
// RUN: %{remarks} --target=sm_90a --device-limits=registers=16 2>&1 | FileCheck %s --check-prefix=REGISTERS
// REGISTERS: Reason="a smaller schedule was taken: expected at most 16 registers of a thread for tiles, but the kernel needs {{32|64}}", Schedule="{bk = 16 : i64, bm = 16 : i64
//
// RUN: %{remarks} --target=sm_80 --device-limits=shared=64,threads=64 2>&1 | FileCheck %s --check-prefix=ROWS
// RUN: %{remarks} --target=sm_90a --device-limits=shared=64,threads=64 2>&1 | FileCheck %s --check-prefix=ROWS
// ROWS: Reason="a smaller schedule was taken: {{.*}}", Schedule="{columns = {{[0-9]+}} : i64, kind = "rows", rows = 1 : i64, warps = 2
//
// RUN: %{remarks} --target=sm_80 --device-limits=registers=1 2>&1 | FileCheck %s --check-prefix=SIMPLEST
// RUN: %{remarks} --target=sm_90a --device-limits=registers=1 2>&1 | FileCheck %s --check-prefix=SIMPLEST
// SIMPLEST: Reason="no schedule keeps to the limits, the simplest was taken: expected at most 1 registers of a thread for tiles, but the kernel needs {{.*}}", Schedule="{columns = 32 : i64, kind = "rows", rows = 1 : i64, warps = 1
//
// A loop over the grid, and parameters in memory: the schedule stays.
// RUN: %{remarks} --target=sm_80 --device-limits=grid=1,parameters=8 2>&1 | FileCheck %s --check-prefix=STAYS --allow-empty
// STAYS-NOT: FitGroups
//
// RUN: %{run} --target=sm_80 --device-limits=shared=4096 | FileCheck %s
// RUN: %{run} --target=sm_90a --device-limits=shared=4096 | FileCheck %s
// RUN: %{run} --target=sm_80 --device-limits=registers=16 | FileCheck %s
// RUN: %{run} --target=sm_90a --device-limits=registers=16,grid=2 | FileCheck %s
// RUN: %{run} --target=sm_80 --device-limits=shared=64,threads=64 | FileCheck %s
// RUN: %{run} --target=sm_90a --device-limits=shared=64,threads=64 | FileCheck %s
// RUN: %{run} --target=sm_80 --device-limits=registers=1 | FileCheck %s
// RUN: %{run} --target=sm_90a --device-limits=registers=1 | FileCheck %s
// RUN: %{run} --target=sm_80 --device-limits=grid=1,parameters=8 | FileCheck %s
// RUN: %{run} --target=sm_90a --device-limits=grid=1,parameters=8 | FileCheck %s
// CHECK: verify: all 1 results of groups agree with the unfused program
func.func @main(%x: tensor<70x100xf16> {fusion.name = "x"}, %a: tensor<100x50xf16> {fusion.name = "a"})
    -> (tensor<70x50xf16> {fusion.name = "y"}) {
  %0 = fusion.matmul %x, %a : tensor<70x100xf16>, tensor<100x50xf16> -> tensor<70x50xf16>
  return %0 : tensor<70x50xf16>
}
