// A reduction of a padded array: no other operand says how long its loop is,
// so it does not read the array in windows.
// RUN: fusion-run %s --device=emulator --target=sm_80 --verify | FileCheck %s
// RUN: fusion-run %s --device=emulator --target=sm_90a --verify | FileCheck %s
// CHECK: verify: all {{[0-9]+}} results of groups agree with the unfused program
func.func @main(%x: tensor<101xf32> {fusion.name = "x"}, %i: tensor<7x9xi32> {fusion.name = "i"})
    -> (tensor<f32> {fusion.name = "a"}, tensor<9x11xi1> {fusion.name = "b"}) {
  %0 = fusion.constant dense<1.5> : tensor<f32>
  %1 = fusion.pad constant, %x value(%0 : tensor<f32>) low = [1] high = [2] : tensor<101xf32> to tensor<104xf32>
  %2 = fusion.reduce sum, %1 dims = [0] : tensor<104xf32> to tensor<f32>
  %3 = fusion.constant dense<1> : tensor<i32>
  %4 = fusion.pad constant, %i value(%3 : tensor<i32>) low = [1, 0] high = [1, 2] : tensor<7x9xi32> to tensor<9x11xi32>
  %5 = fusion.reduce max, %4 dims = [1] : tensor<9x11xi32> to tensor<9xi32>
  %6 = fusion.broadcast %5 dims = [0] : tensor<9xi32> to tensor<9x11xi32>
  %7 = fusion.compare eq, %4, %6 : tensor<9x11xi32>
  return %2, %7 : tensor<f32>, tensor<9x11xi1>
}
