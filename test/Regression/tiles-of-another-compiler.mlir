// Changes of layout to tiles and back, as data-tiling compilers write them, become
// paddings, transposes and slices. (They were refused.)
// RUN: fusion-opt %s -pass-pipeline='builtin.module(func.func(fusion-adopt-linalg))' | FileCheck %s --check-prefix=ADOPTED
// ADOPTED-LABEL: func.func @main(
// ADOPTED-NOT:   linalg.pack
// ADOPTED-NOT:   linalg.unpack
// ADOPTED:       return
//
// RUN: fusion-run %s --verify | FileCheck %s
// RUN: fusion-run %s --device=emulator --target=sm_80 --verify | FileCheck %s
// RUN: fusion-run %s --device=emulator --target=sm_90a --verify | FileCheck %s
// CHECK: verify: all {{[0-9]+}} results of groups agree
func.func @main(%x: tensor<30x20xf32>, %y: tensor<16x16xf32>) -> (tensor<30x20xf32>, tensor<16x16xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x3x8x8xf32>
  %0 = linalg.pack %x padding_value(%zero : f32) inner_dims_pos = [0, 1] inner_tiles = [8, 8] into %e : tensor<30x20xf32> -> tensor<4x3x8x8xf32>
  %1 = linalg.exp ins(%0 : tensor<4x3x8x8xf32>) outs(%e : tensor<4x3x8x8xf32>) -> tensor<4x3x8x8xf32>
  %f = tensor.empty() : tensor<30x20xf32>
  %2 = linalg.unpack %1 inner_dims_pos = [0, 1] inner_tiles = [8, 8] into %f : tensor<4x3x8x8xf32> -> tensor<30x20xf32>
  %g = tensor.empty() : tensor<2x4x4x8xf32>
  %3 = linalg.pack %y outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [4, 8] into %g : tensor<16x16xf32> -> tensor<2x4x4x8xf32>
  %h = tensor.empty() : tensor<16x16xf32>
  %4 = linalg.unpack %3 outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [4, 8] into %h : tensor<2x4x4x8xf32> -> tensor<16x16xf32>
  return %2, %4 : tensor<30x20xf32>, tensor<16x16xf32>
}
