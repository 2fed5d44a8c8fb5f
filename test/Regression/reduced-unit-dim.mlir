// A sum along a dim of size 1 of a transposed array: the tile spans no dim that the
// planner could count bytes along.
// RUN: fusion-run %s --device=cpu --dim n=13 --verify | FileCheck %s
// RUN: fusion-run %s --device=emulator --target=sm_80 --dim n=13 --verify | FileCheck %s

// CHECK: verify: all {{[0-9]+}} results of groups agree with the unfused program

func.func @main(%x: tensor<8x?x8x1xf32> {fusion.name = "x", fusion.dims = ["", "n", "", ""]})
    -> (tensor<8x8x?xf32> {fusion.name = "y"}) {
  %0 = fusion.transpose %x perm = [2, 3, 0, 1] : tensor<8x?x8x1xf32> to tensor<8x1x8x?xf32>
  %1 = fusion.reduce sum, %0 dims = [1] : tensor<8x1x8x?xf32> to tensor<8x8x?xf32>
  return %1 : tensor<8x8x?xf32>
}
