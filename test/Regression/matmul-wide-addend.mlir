// An addend that is wider than the product: the product is what repeats.
// Case B008.
// DEFINE: %{npy} = %python %S/Inputs/npy.py
// RUN: rm -rf %t && mkdir -p %t
// RUN: %{npy} make %t/a.npy f32:2x3 1 0 0 0 1 1
// RUN: %{npy} make %t/b.npy f32:3x1 1 2 3
// RUN: %{npy} make %t/c.npy f32:1x5 10 20 30 40 50
// RUN: fusion-run %s --device=cpu --input a=%t/a.npy --input b=%t/b.npy --input c=%t/c.npy --save-outputs %t/fused
// RUN: fusion-run %s --device=cpu --fuse=none --input a=%t/a.npy --input b=%t/b.npy --input c=%t/c.npy --save-outputs %t/unfused
// RUN: fusion-run %s --device=emulator --target=sm_80 --input a=%t/a.npy --input b=%t/b.npy --input c=%t/c.npy --save-outputs %t/sm80
// RUN: fusion-run %s --device=emulator --target=sm_90a --input a=%t/a.npy --input b=%t/b.npy --input c=%t/c.npy --save-outputs %t/sm90
// RUN: %{npy} show %t/fused/y.npy | FileCheck %s
// RUN: %{npy} show %t/unfused/y.npy | FileCheck %s
// RUN: %{npy} show %t/sm80/y.npy | FileCheck %s
// RUN: %{npy} show %t/sm90/y.npy | FileCheck %s

// CHECK: f32 (2, 5) 11 21 31 41 51 15 25 35 45 55
func.func @main(%a: tensor<2x3xf32> {fusion.name = "a"}, %b: tensor<3x1xf32> {fusion.name = "b"},
                %c: tensor<1x5xf32> {fusion.name = "c"}) -> (tensor<2x5xf32> {fusion.name = "y"}) {
  %0 = fusion.matmul %a, %b : tensor<2x3xf32>, tensor<3x1xf32> -> tensor<2x1xf32>
  %1 = fusion.broadcast %0 dims = [0, 1] : tensor<2x1xf32> to tensor<2x5xf32>
  %2 = fusion.broadcast %c dims = [0, 1] : tensor<1x5xf32> to tensor<2x5xf32>
  %3 = fusion.add %1, %2 : tensor<2x5xf32>
  return %3 : tensor<2x5xf32>
}
