// A value that is made once and read by each copy of a loop's body is not written
// over; weights and constants are the same after any number of runs. Case B023.
// RUN: fusion-compile %s --target=cpu -o %t.so
// RUN: %cc -std=c11 -Wall -Wextra -Werror -I%include %S/Inputs/repeat-run.c -L%lib -lFusionRuntime -Wl,-rpath,%lib -o %t
// RUN: %t %t.so 3 1 2 5 | FileCheck %s --check-prefix=RUNS
// RUN: fusion-compile %s --target=cpu --fuse=none -o %t.so
// RUN: %t %t.so 3 1 2 5 | FileCheck %s --check-prefix=RUNS
// RUNS:      3 runs: 0 arrays changed
// RUNS-NEXT: u: first -3, second -3, last -3
// RUNS-NEXT: v: first -9, second -9, last -9
// RUNS-NEXT: w: first 16, second 18, last 14

// DEFINE: %{npy} = %python %S/Inputs/npy.py
// DEFINE: %{device} =
// DEFINE: %{run} = fusion-run %s --device=%{device} --input a=ones --input b=%t.d/b.npy --input w=%t.d/w.npy --save-outputs %t.d/out
// DEFINE: %{show} = %{npy} tally %t.d/out/u.npy %t.d/out/v.npy %t.d/out/w.npy
// RUN: rm -rf %t.d && mkdir %t.d
// RUN: %{npy} make %t.d/b.npy f32:24x3 2
// RUN: %{npy} make %t.d/w.npy f32:3 5
// REDEFINE: %{device} = cpu
// RUN: %{run} && %{show} | FileCheck %s
// REDEFINE: %{device} = cpu --fuse=none
// RUN: %{run} && %{show} | FileCheck %s
// REDEFINE: %{device} = emulator --target=sm_80
// RUN: %{run} && %{show} | FileCheck %s
// REDEFINE: %{device} = emulator --target=sm_90a
// RUN: %{run} && %{show} | FileCheck %s
// CHECK:      f32 (24, 3) 72 times -3{{$}}
// CHECK-NEXT: f32 (24, 3) 72 times -9{{$}}
// CHECK-NEXT: f32 (3,) 1 times 16, 1 times 18, 1 times 14{{$}}
func.func @main(%a: tensor<24x3xf32> {fusion.name = "a"}, %b: tensor<24x3xf32> {fusion.name = "b"},
                %w: tensor<3xf32> {fusion.name = "w", fusion.weight})
    -> (tensor<24x3xf32> {fusion.name = "u"}, tensor<24x3xf32> {fusion.name = "v"},
        tensor<3xf32> {fusion.name = "w"}) {
  %z = fusion.constant dense<0.0> : tensor<24x3xf32>
  %d = fusion.sub %z, %a : tensor<24x3xf32>
  %u = fusion.sub %d, %b : tensor<24x3xf32>
  // Three copies: each reads what was made before the loop.
  %s = fusion.reduce sum, %u dims = [0] : tensor<24x3xf32> to tensor<3xf32>
  %v = fusion.loop 3 iter(%z) : tensor<24x3xf32> {
  ^bb0(%i: tensor<i64>, %x: tensor<24x3xf32>):
    %0 = fusion.sub %x, %a : tensor<24x3xf32>
    %1 = fusion.sub %0, %b : tensor<24x3xf32>
    %t = fusion.reduce sum, %u dims = [0] : tensor<24x3xf32> to tensor<3xf32>
    %n = fusion.sub %t, %s : tensor<3xf32>
    %nw = fusion.broadcast %n dims = [1] : tensor<3xf32> to tensor<24x3xf32>
    %2 = fusion.add %1, %nw : tensor<24x3xf32>
    fusion.yield %2 : tensor<24x3xf32>
  }
  %k = fusion.constant dense<[1.0, 3.0, -1.0]> : tensor<3xf32>
  %ww = fusion.loop 3 iter(%w) : tensor<3xf32> {
  ^bb0(%i: tensor<i64>, %x: tensor<3xf32>):
    %0 = fusion.add %x, %w : tensor<3xf32>
    fusion.yield %0 : tensor<3xf32>
  }
  %l = fusion.sub %ww, %w : tensor<3xf32>
  %wk = fusion.add %l, %k : tensor<3xf32>
  return %u, %v, %wk : tensor<24x3xf32>, tensor<24x3xf32>, tensor<3xf32>
}
