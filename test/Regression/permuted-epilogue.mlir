// An epilogue that reads the product in another order. Case B006.
// DEFINE: %{npy} = %python %S/Inputs/npy.py
// RUN: rm -rf %t && mkdir -p %t
// RUN: %{npy} make %t/row.npy f32 0 1 2 3 4 5 6 7 8 9 10 11
// RUN: %{npy} make %t/b.npy f32:5x6 1
// RUN: %{npy} make %t/bias.npy f32 0 1 2 3 4 5
// RUN: fusion-run %s --device=cpu --input row=%t/row.npy --input b=%t/b.npy --input bias=%t/bias.npy --save-outputs %t/fused
// RUN: fusion-run %s --device=cpu --fuse=none --input row=%t/row.npy --input b=%t/b.npy --input bias=%t/bias.npy --save-outputs %t/unfused
// RUN: fusion-run %s --device=emulator --target=sm_80 --input row=%t/row.npy --input b=%t/b.npy --input bias=%t/bias.npy --save-outputs %t/sm80
// RUN: fusion-run %s --device=emulator --target=sm_90a --input row=%t/row.npy --input b=%t/b.npy --input bias=%t/bias.npy --save-outputs %t/sm90
// RUN: %{npy} show %t/fused/y.npy | FileCheck %s
// RUN: %{npy} show %t/unfused/y.npy | FileCheck %s
// RUN: %{npy} show %t/sm80/y.npy | FileCheck %s
// RUN: %{npy} show %t/sm90/y.npy | FileCheck %s

// out[p, q, j] = 5 * (4 q + p) + j
// CHECK: f32 (4, 3, 6) 0 1 2 3 4 5 20 21 22 23 24 25 40 41 42 43 44 45 5 6 7 8 9 10 25 26 27 28 29 30 45 46 47 48 49 50
// CHECK-SAME: 15 16 17 18 19 20 35 36 37 38 39 40 55 56 57 58 59 60{{$}}
func.func @main(%row: tensor<12xf32> {fusion.name = "row"}, %b: tensor<5x6xf32> {fusion.name = "b"},
                %bias: tensor<6xf32> {fusion.name = "bias"}) -> (tensor<4x3x6xf32> {fusion.name = "y"}) {
  %a = fusion.broadcast %row dims = [0] : tensor<12xf32> to tensor<12x5xf32>
  %0 = fusion.matmul %a, %b : tensor<12x5xf32>, tensor<5x6xf32> -> tensor<12x6xf32>
  %1 = fusion.reshape %0 : tensor<12x6xf32> to tensor<3x4x6xf32>
  %2 = fusion.transpose %1 perm = [1, 0, 2] : tensor<3x4x6xf32> to tensor<4x3x6xf32>
  %3 = fusion.broadcast %bias dims = [2] : tensor<6xf32> to tensor<4x3x6xf32>
  %4 = fusion.add %2, %3 : tensor<4x3x6xf32>
  return %4 : tensor<4x3x6xf32>
}
