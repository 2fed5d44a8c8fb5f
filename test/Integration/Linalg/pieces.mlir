// Slices, insertions and concatenations of other compilers' Linalg, by their values:
// steps, dropped dims, starts and sizes that are known at run time only.
//
// DEFINE: %{npy} = %python %S/../../Regression/Inputs/npy.py
// DEFINE: %{device} =
// DEFINE: %{run} = fusion-run %s --device=%{device} --input x=%t/x.npy --input u=%t/u.npy --input at=%t/at.npy --save-outputs %t/out
// DEFINE: %{show} = %{npy} show %t/out/odd.npy %t/out/row.npy %t/out/spread.npy %t/out/column.npy %t/out/joined.npy %t/out/moved.npy %t/out/made.npy %t/out/scaled.npy
// RUN: rm -rf %t && mkdir -p %t
// RUN: %{npy} make %t/x.npy f32:4x3 0 1 2 3 4 5 6 7 8 9 10 11
// RUN: %{npy} make %t/u.npy f32 20 21
// RUN: %{npy} make %t/at.npy i64:1 2
// REDEFINE: %{device} = cpu
// RUN: %{run} && %{show} | FileCheck %s
// REDEFINE: %{device} = cpu --fuse=none
// RUN: %{run} && %{show} | FileCheck %s
// REDEFINE: %{device} = emulator --target=sm_80
// RUN: %{run} && %{show} | FileCheck %s
// REDEFINE: %{device} = emulator --target=sm_90a
// RUN: %{run} && %{show} | FileCheck %s

// CHECK:      f32 (2, 2) 3 5 9 11{{$}}
// CHECK-NEXT: f32 (3,) 6 7 8{{$}}
// CHECK-NEXT: f32 (5,) 0 20 0 21 0{{$}}
// CHECK-NEXT: f32 (4, 3) 0 1 2 3 20 5 6 21 8 9 10 11{{$}}
// CHECK-NEXT: f32 (4, 6) 0 0 1 2 0 2 3 3 4 5 3 5 6 6 7 8 6 8 9 9 10 11 9 11{{$}}
// CHECK-NEXT: f32 (2, 3) 6 7 8 9 10 11{{$}}
// CHECK-NEXT: f32 (2, 3) 0 1 2 10 11 12{{$}}
// CHECK-NEXT: f32 (2,) 120 126{{$}}
func.func @main(%x: tensor<4x3xf32> {fusion.name = "x"}, %u: tensor<2xf32> {fusion.name = "u"}, %at: tensor<1xi64> {fusion.name = "at"})
    -> (tensor<2x2xf32> {fusion.name = "odd"}, tensor<3xf32> {fusion.name = "row"}, tensor<5xf32> {fusion.name = "spread"},
        tensor<4x3xf32> {fusion.name = "column"}, tensor<4x6xf32> {fusion.name = "joined"}, tensor<2x3xf32> {fusion.name = "moved"},
        tensor<2x3xf32> {fusion.name = "made"}, tensor<2xf32> {fusion.name = "scaled"}) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %odd = tensor.extract_slice %x[1, 0] [2, 2] [2, 2] : tensor<4x3xf32> to tensor<2x2xf32>
  %row = tensor.extract_slice %x[2, 0] [1, 3] [1, 1] : tensor<4x3xf32> to tensor<3xf32>
  %zeros = arith.constant dense<0.0> : tensor<5xf32>
  %spread = tensor.insert_slice %u into %zeros[1] [2] [2] : tensor<2xf32> into tensor<5xf32>
  %column = tensor.insert_slice %u into %x[1, 1] [2, 1] [1, 1] : tensor<2xf32> into tensor<4x3xf32>
  %first = tensor.extract_slice %x[0, 0] [4, 1] [1, 1] : tensor<4x3xf32> to tensor<4x1xf32>
  %ends = tensor.extract_slice %x[0, 0] [4, 2] [1, 2] : tensor<4x3xf32> to tensor<4x2xf32>
  %joined = tensor.concat dim(1) %first, %x, %ends : (tensor<4x1xf32>, tensor<4x3xf32>, tensor<4x2xf32>) -> tensor<4x6xf32>
  %t = tensor.extract %at[%c0] : tensor<1xi64>
  %start = arith.index_cast %t : i64 to index
  %moved = tensor.extract_slice %x[%start, 0] [2, 3] [1, 1] : tensor<4x3xf32> to tensor<2x3xf32>
  %made = tensor.generate {
  ^bb0(%i: index, %j: index):
    %c10 = arith.constant 10 : index
    %m = arith.muli %i, %c10 : index
    %s = arith.addi %m, %j : index
    %n = arith.index_cast %s : index to i32
    %f = arith.sitofp %n : i32 to f32
    tensor.yield %f : f32
  } : tensor<2x3xf32>
  %six = tensor.extract %x[%c2, %c0] : tensor<4x3xf32>
  %factor = tensor.splat %six : tensor<2xf32>
  %scaled = arith.mulf %u, %factor : tensor<2xf32>
  return %odd, %row, %spread, %column, %joined, %moved, %made, %scaled : tensor<2x2xf32>, tensor<3xf32>, tensor<5xf32>,
      tensor<4x3xf32>, tensor<4x6xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2xf32>
}
