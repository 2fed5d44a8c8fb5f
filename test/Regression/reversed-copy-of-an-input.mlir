// An input that may be overwritten is returned reversed, and the result read on. The
// result has memory of its own: a run that is to write it over the input is refused
// before anything is written; one of host arrays copies. Case B001.
// RUN: fusion-compile %s --target=cpu -o %t.so
// RUN: %cc -std=c11 -Wall -Wextra -Werror -I%include %S/Inputs/repeat-run.c -L%lib -lFusionRuntime -Wl,-rpath,%lib -o %t
// RUN: %t %t.so 100 ramp 1 | FileCheck %s --check-prefix=RUNS
// RUNS:      100 runs: 0 arrays changed
// RUNS-NEXT: x: first 23, second 22, last 552
// RUNS-NEXT: out: first 48, second 47, last 577
// RUNS-NEXT: in place: input 'x': expected memory of its own, but it overlaps result 'x'
// RUNS-NEXT: 0 inputs changed
// RUNS-NEXT: of the host, in place: 0 results changed

// DEFINE: %{device} =
// DEFINE: %{run} = fusion-run %s --device=%{device} --input x=%t.d/x.npy --input y=ones --save-outputs %t.d/out
// DEFINE: %{show} = %python %S/Inputs/npy.py show %t.d/out/x.npy %t.d/out/out.npy
// RUN: rm -rf %t.d && mkdir %t.d
// RUN: %python %S/Inputs/programs.py ramp 24x24 %t.d/x.npy
// REDEFINE: %{device} = cpu
// RUN: %{run} && %{show} | FileCheck %s
// REDEFINE: %{device} = cpu --fuse=none
// RUN: %{run} && %{show} | FileCheck %s
// REDEFINE: %{device} = emulator --target=sm_80
// RUN: %{run} && %{show} | FileCheck %s
// REDEFINE: %{device} = emulator --target=sm_90a
// RUN: %{run} && %{show} | FileCheck %s
// CHECK:      f32 (24, 24) 23 22 21
// CHECK-SAME: 2 1 0 47 46
// CHECK-SAME: 554 553 552{{$}}
// CHECK-NEXT: f32 (24, 24) 48 47 46
// CHECK-SAME: 579 578 577{{$}}
func.func @main(%x: tensor<24x24xf32> {fusion.name = "x", fusion.donated}, %y: tensor<24x24xf32> {fusion.name = "y"})
    -> (tensor<24x24xf32> {fusion.name = "x"}, tensor<24x24xf32> {fusion.name = "out"}) {
  %r = fusion.slice %x starts = [0, 23] steps = [1, -1] : tensor<24x24xf32> to tensor<24x24xf32>
  %sum = fusion.reduce sum, %y dims = [1] : tensor<24x24xf32> to tensor<24xf32>
  %wide = fusion.broadcast %sum dims = [0] : tensor<24xf32> to tensor<24x24xf32>
  %z = fusion.add %y, %wide : tensor<24x24xf32>
  %out = fusion.add %r, %z : tensor<24x24xf32>
  return %r, %out : tensor<24x24xf32>, tensor<24x24xf32>
}
