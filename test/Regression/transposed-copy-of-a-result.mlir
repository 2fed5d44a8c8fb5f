// One value, returned as it is and transposed: two layouts of threads read it, and
// no order of blocks and threads makes a difference. Case B025.
// DEFINE: %{npy} = %python %S/Inputs/npy.py
// DEFINE: %{seed} = 0
// DEFINE: %{run} = env FUSION_EMULATOR_SEED=%{seed} fusion-run %s --input row=%t/row.npy --save-outputs %t/out
// DEFINE: %{show} = %{npy} show %t/out/y.npy %t/out/z.npy
// RUN: rm -rf %t && mkdir -p %t
// RUN: %{npy} make %t/row.npy f32 0 128 256 384 512 640 768 896 1024 1152 1280 1408 1536 1664 1792 1920
// RUN: %{run} --device=cpu && %{show} | FileCheck %s
// RUN: %{run} --device=emulator --target=sm_80 && %{show} | FileCheck %s
// RUN: %{run} --device=emulator --target=sm_90a && %{show} | FileCheck %s
// REDEFINE: %{seed} = 1
// RUN: %{run} --device=emulator --target=sm_90a && %{show} | FileCheck %s
// REDEFINE: %{seed} = 2
// RUN: %{run} --device=emulator --target=sm_80 && %{show} | FileCheck %s
// RUN: fusion-compile %s --target=sm_90a --emit=groups | FileCheck %s --check-prefix=ONE
// RUN: fusion-compile %s --target=sm_80 --emit=groups | FileCheck %s --check-prefix=ONE

// Both are results of one kernel.
// ONE:     %[[BOTH:.*]]:2 = fusion.group
// ONE-NOT: fusion.group
// ONE:     return %[[BOTH]]#{{[01]}}, %[[BOTH]]#{{[01]}}

// CHECK:      f32 (16, 128) 0 2 4 6
// CHECK-SAME: 4088 4090 4092 4094{{$}}
// CHECK-NEXT: f16 (128, 16) 0 256 512 768
// CHECK-SAME: 3840 2 258 514
// CHECK-SAME: 3326 3582 3838 4094{{$}}
func.func @main(%row: tensor<16xf32> {fusion.name = "row"})
    -> (tensor<16x128xf32> {fusion.name = "y"}, tensor<128x16xf16> {fusion.name = "z"}) {
  %two = fusion.constant dense<2.0> : tensor<16x128xf32>
  %rows = fusion.broadcast %row dims = [0] : tensor<16xf32> to tensor<16x128xf32>
  %columns = fusion.iota dim = 1 : tensor<16x128xi64>
  %column = fusion.cast %columns : tensor<16x128xi64> to tensor<16x128xf32>
  %x = fusion.add %rows, %column : tensor<16x128xf32>
  %y = fusion.mul %x, %two : tensor<16x128xf32>
  %t = fusion.transpose %y perm = [1, 0] : tensor<16x128xf32> to tensor<128x16xf32>
  %z = fusion.cast %t : tensor<128x16xf32> to tensor<128x16xf16>
  return %y, %z : tensor<16x128xf32>, tensor<128x16xf16>
}
