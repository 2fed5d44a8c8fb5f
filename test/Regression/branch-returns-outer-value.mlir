// A branch that yields a value of the enclosing graph, in either arm and in both,
// which is returned besides: no result shares memory with it. Case B039. Then
// one of three ways by nested branches.
// DEFINE: %{npy} = %python %S/Inputs/npy.py
// DEFINE: %{flags} =
// DEFINE: %{run} = fusion-run %s --input c=%t/c.npy --input d=%t/d.npy --input x=%t/x.npy %{flags}
// DEFINE: %{show} = %{npy} show %t/out/a.npy %t/out/b.npy %t/out/e.npy %t/out/x.npy %t/out/w.npy
// RUN: rm -rf %t && mkdir -p %t
// RUN: %{npy} make %t/x.npy f32:2x3 0 1 2 3 4 5
// RUN: %{npy} make %t/c.npy bool: 1
// RUN: %{npy} make %t/d.npy bool: 0
// REDEFINE: %{flags} = --device=cpu --save-outputs %t/out
// RUN: %{run} && %{show} | FileCheck %s --check-prefix=TAKEN
// REDEFINE: %{flags} = --device=emulator --target=sm_90a --save-outputs %t/out
// RUN: %{run} && %{show} | FileCheck %s --check-prefix=TAKEN
// RUN: %{npy} make %t/c.npy bool: 0
// RUN: %{run} && %{show} | FileCheck %s --check-prefix=OTHER
// RUN: %{npy} make %t/d.npy bool: 1
// RUN: %{run} && %{show} | FileCheck %s --check-prefix=THIRD
// REDEFINE: %{flags} = --device=emulator --target=sm_80 --save-outputs %t/out
// RUN: %{run} && %{show} | FileCheck %s --check-prefix=THIRD
// REDEFINE: %{flags} = --device=cpu --fuse=none --save-outputs %t/out
// RUN: %{run} && %{show} | FileCheck %s --check-prefix=THIRD

// TAKEN:      f32 (2, 3) 15 15 15 15 15 15
// TAKEN-NEXT: f32 (2, 3) 0 1 2 3 4 5
// TAKEN-NEXT: f32 (2, 3) 0 1 2 3 4 5
// TAKEN-NEXT: f32 (2, 3) 0 1 2 3 4 5
// TAKEN-NEXT: f32 () 15

// OTHER:      f32 (2, 3) 0 1 2 3 4 5
// OTHER-NEXT: f32 (2, 3) 15 15 15 15 15 15
// OTHER-NEXT: f32 (2, 3) 0 1 2 3 4 5
// OTHER-NEXT: f32 (2, 3) 0 1 2 3 4 5
// OTHER-NEXT: f32 () 0

// THIRD:      f32 (2, 3) 0 1 2 3 4 5
// THIRD-NEXT: f32 (2, 3) 15 15 15 15 15 15
// THIRD-NEXT: f32 (2, 3) 0 1 2 3 4 5
// THIRD-NEXT: f32 (2, 3) 0 1 2 3 4 5
// THIRD-NEXT: f32 () 5
func.func @main(%c: tensor<i1> {fusion.name = "c"}, %d: tensor<i1> {fusion.name = "d"},
                %x: tensor<2x3xf32> {fusion.name = "x"})
    -> (tensor<2x3xf32> {fusion.name = "a"}, tensor<2x3xf32> {fusion.name = "b"},
        tensor<2x3xf32> {fusion.name = "e"}, tensor<2x3xf32> {fusion.name = "x"},
        tensor<f32> {fusion.name = "w"}) {
  %a = fusion.if %c : tensor<i1> -> tensor<2x3xf32> {
    %s = fusion.reduce sum, %x dims = [0, 1] : tensor<2x3xf32> to tensor<f32>
    %0 = fusion.broadcast %s dims = [] : tensor<f32> to tensor<2x3xf32>
    fusion.yield %0 : tensor<2x3xf32>
  } else {
    fusion.yield %x : tensor<2x3xf32>
  }
  %b = fusion.if %c : tensor<i1> -> tensor<2x3xf32> {
    fusion.yield %x : tensor<2x3xf32>
  } else {
    %s = fusion.reduce sum, %x dims = [0, 1] : tensor<2x3xf32> to tensor<f32>
    %0 = fusion.broadcast %s dims = [] : tensor<f32> to tensor<2x3xf32>
    fusion.yield %0 : tensor<2x3xf32>
  }
  %e = fusion.if %c : tensor<i1> -> tensor<2x3xf32> {
    fusion.yield %x : tensor<2x3xf32>
  } else {
    fusion.yield %x : tensor<2x3xf32>
  }
  %w = fusion.if %c : tensor<i1> -> tensor<f32> {
    %0 = fusion.reduce sum, %x dims = [0, 1] : tensor<2x3xf32> to tensor<f32>
    fusion.yield %0 : tensor<f32>
  } else {
    %0 = fusion.if %d : tensor<i1> -> tensor<f32> {
      %1 = fusion.reduce max, %x dims = [0, 1] : tensor<2x3xf32> to tensor<f32>
      fusion.yield %1 : tensor<f32>
    } else {
      %1 = fusion.reduce min, %x dims = [0, 1] : tensor<2x3xf32> to tensor<f32>
      fusion.yield %1 : tensor<f32>
    }
    fusion.yield %0 : tensor<f32>
  }
  return %a, %b, %e, %x, %w : tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<f32>
}
