// Reductions of constants along a dim that turns out empty: the result is that of no
// element, also where one element would settle it (any of true, the largest integer, a
// product with zero).
//
// DEFINE: %{run} = fusion-run %s
// DEFINE: %{show} = %python %S/Inputs/npy.py show
// RUN: rm -rf %t && mkdir %t
// RUN: %{run} --device=cpu --dim n=0 --save-outputs %t/cpu > %t/log
// RUN: %{show} %t/cpu/any.npy %t/cpu/largest.npy %t/cpu/product.npy %t/cpu/rows.npy | FileCheck %s --check-prefix=NONE
// RUN: %{run} --device=cpu --fuse=none --dim n=0 --save-outputs %t/none > %t/log
// RUN: %{run} --device=emulator --target=sm_80 --dim n=0 --save-outputs %t/80 > %t/log
// RUN: %{run} --device=emulator --target=sm_90a --dim n=0 --save-outputs %t/90 > %t/log
// RUN: diff -r %t/cpu %t/none
// RUN: diff -r %t/cpu %t/80
// RUN: diff -r %t/cpu %t/90
// RUN: %{run} --device=cpu --dim n=5 --save-outputs %t/five > %t/log
// RUN: %{show} %t/five/any.npy %t/five/largest.npy %t/five/product.npy %t/five/rows.npy | FileCheck %s --check-prefix=FIVE
// RUN: %{run} --device=emulator --target=sm_90a --dim n=5 --save-outputs %t/five90 > %t/log
// RUN: diff -r %t/five %t/five90
// NONE:      False False False
// NONE-NEXT: () -2147483648
// NONE-NEXT: () 1
// NONE-NEXT: -2147483648 -2147483648 -2147483648
// FIVE:      True True True
// FIVE-NEXT: () 2147483647
// FIVE-NEXT: () 0
// FIVE-NEXT: 2147483647 2147483647 2147483647
func.func @main(%x: tensor<3x?xi32> {fusion.name = "x", fusion.dims = ["", "n"]})
    -> (tensor<3xi1> {fusion.name = "any"}, tensor<i32> {fusion.name = "largest"},
        tensor<i32> {fusion.name = "product"}, tensor<3xi32> {fusion.name = "rows"}) {
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c1 : tensor<3x?xi32>
  %true = fusion.constant dense<true> : tensor<i1>
  %trues = fusion.broadcast %true dims = [] sizes(%n) : tensor<i1> to tensor<3x?xi1>
  %any = fusion.reduce max, %trues dims = [1] : tensor<3x?xi1> to tensor<3xi1>
  %most = fusion.constant dense<2147483647> : tensor<i32>
  %mosts = fusion.broadcast %most dims = [] sizes(%n) : tensor<i32> to tensor<?xi32>
  %largest = fusion.reduce max, %mosts dims = [0] : tensor<?xi32> to tensor<i32>
  %zero = fusion.constant dense<0> : tensor<i32>
  %zeros = fusion.broadcast %zero dims = [] sizes(%n) : tensor<i32> to tensor<?xi32>
  %product = fusion.reduce prod, %zeros dims = [0] : tensor<?xi32> to tensor<i32>
  %all = fusion.broadcast %most dims = [] sizes(%n) : tensor<i32> to tensor<3x?xi32>
  %m = fusion.max %x, %all : tensor<3x?xi32>
  %rows = fusion.reduce max, %m dims = [1] : tensor<3x?xi32> to tensor<3xi32>
  return %any, %largest, %product, %rows : tensor<3xi1>, tensor<i32>, tensor<i32>, tensor<3xi32>
}
