// A launch of more blocks than the limit becomes several, and the report says why. What
// each block computes for itself, the predicate, stays in those that read it. Where
// shared memory has no room to hand it over it is a launch of its own.
//
// DEFINE: %{report} = fusion-compile %s --report=- --emit=gpu -o %t.mlir
// DEFINE: %{run} = fusion-run %s --device=emulator
//
// RUN: %{report} --target=sm_80 | FileCheck %s --check-prefix=FREE
// RUN: %{report} --target=sm_90a --device-limits=grid=33 | FileCheck %s --check-prefix=FREE
// FREE:     9 launches become 1,
// FREE-NOT: holds both
//
// RUN: %{report} --target=sm_80 --device-limits=grid=5 | FileCheck %s --check-prefix=GRID
// RUN: FileCheck %s --input-file=%t.mlir --check-prefix=BLOCKS
// RUN: %{report} --target=sm_90a --device-limits=grid=5 | FileCheck %s --check-prefix=GRID
// RUN: FileCheck %s --input-file=%t.mlir --check-prefix=BLOCKS
// GRID:     launches become 3,
// GRID:     horizontal, conditional
// GRID:     horizontal, conditional
// GRID:     not fused:
// GRID:     reduction+elementwise -> elementwise {{.*}}no launch holds both: the grid would be too large
// BLOCKS-COUNT-3: tile.launch {{.*}} grid(%c{{[1-5]}}, %c1{{(_0)?}}, %c1{{(_0)?}})
//
// RUN: %{report} --target=sm_80 --device-limits=shared=8 | FileCheck %s --check-prefix=SHARED
// RUN: %{report} --target=sm_90a --device-limits=shared=8 | FileCheck %s --check-prefix=SHARED
// SHARED: not fused:
// SHARED: no launch holds both: expected at most 8 bytes of shared memory, but the kernel needs 16
//
// RUN: %{run} --target=sm_80 --fuse=none --input s=ones --save-outputs %t.1 > %t.txt
// RUN: %{run} --target=sm_80 --device-limits=grid=5 --input s=ones --save-outputs %t.80.1 > %t.txt
// RUN: %{run} --target=sm_90a --device-limits=grid=5 --input s=ones --save-outputs %t.90.1 > %t.txt
// RUN: diff -r %t.1 %t.80.1
// RUN: diff -r %t.1 %t.90.1
// RUN: %{run} --target=sm_80 --device-limits=shared=8 --input s=zeros --save-outputs %t.80.0 > %t.txt
// RUN: %{run} --target=sm_90a --device-limits=shared=8,grid=5 --input s=zeros --save-outputs %t.90.0 > %t.txt
// RUN: %{run} --target=sm_80 --fuse=none --input s=zeros --save-outputs %t.0 > %t.txt
// RUN: diff -r %t.0 %t.80.0
// RUN: diff -r %t.0 %t.90.0
func.func @main(%s: tensor<4xf32> {fusion.name = "s"}, %x: tensor<1000xf32> {fusion.name = "x"},
                %z: tensor<3000xf32> {fusion.name = "z"})
    -> (tensor<1000xf32> {fusion.name = "y"}, tensor<3000xf32> {fusion.name = "w"}) {
  %0 = fusion.reduce sum, %s dims = [0] : tensor<4xf32> to tensor<f32>
  %zero = fusion.constant dense<0.0> : tensor<f32>
  %p = fusion.compare gt, %0, %zero : tensor<f32>
  %a = fusion.if %p : tensor<i1> -> tensor<1000xf32> {
    %1 = fusion.exp %x : tensor<1000xf32>
    %2 = fusion.reduce max, %1 dims = [0] : tensor<1000xf32> to tensor<f32>
    %b2 = fusion.broadcast %2 dims = [] : tensor<f32> to tensor<1000xf32>
    %3 = fusion.mul %1, %b2 : tensor<1000xf32>
    fusion.yield %3 : tensor<1000xf32>
  } else {
    %1 = fusion.tanh %x : tensor<1000xf32>
    fusion.yield %1 : tensor<1000xf32>
  }
  %b = fusion.if %p : tensor<i1> -> tensor<3000xf32> {
    %1 = fusion.sin %z : tensor<3000xf32>
    fusion.yield %1 : tensor<3000xf32>
  } else {
    %1 = fusion.cos %z : tensor<3000xf32>
    fusion.yield %1 : tensor<3000xf32>
  }
  return %a, %b : tensor<1000xf32>, tensor<3000xf32>
}
