// Sums, extremes and products over no elements are the identity of what is
// reduced: no loop is left that would have to be tiled.
// DEFINE: %{npy} = %python %S/Inputs/npy.py
// RUN: rm -rf %t
// RUN: fusion-run %s --device=cpu --save-outputs %t
// RUN: %{npy} show %t/sum.npy %t/largest.npy %t/mean.npy %t/product.npy | FileCheck %s

// CHECK: f32 (2,) 0 0
// CHECK: f32 (2,) -inf -inf
// CHECK: f16 (2,) nan nan
// CHECK: f16 (2, 3) 0 0 0 0 0 0
func.func @main(%x: tensor<2x0xf32> {fusion.name = "x"}, %h: tensor<2x0xf16> {fusion.name = "h"},
                %k: tensor<0x3xf16> {fusion.name = "k"})
    -> (tensor<2xf32> {fusion.name = "sum"}, tensor<2xf32> {fusion.name = "largest"},
        tensor<2xf16> {fusion.name = "mean"}, tensor<2x3xf16> {fusion.name = "product"}) {
  %sum = fusion.reduce sum, %x dims = [1] : tensor<2x0xf32> to tensor<2xf32>
  %largest = fusion.reduce max, %x dims = [1] : tensor<2x0xf32> to tensor<2xf32>
  %mean = fusion.reduce mean, %h dims = [1] : tensor<2x0xf16> to tensor<2xf16>
  %product = fusion.matmul %h, %k : tensor<2x0xf16>, tensor<0x3xf16> -> tensor<2x3xf16>
  return %sum, %largest, %mean, %product : tensor<2xf32>, tensor<2xf32>, tensor<2xf16>, tensor<2x3xf16>
}
