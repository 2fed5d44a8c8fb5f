// A product whose operand is made of constants alone: nothing is loaded for it, step
// by step it is computed all the same. And one of no columns.

// RUN: fusion-run %s --device=emulator --target=sm_90a --dim=n=65 --verify | FileCheck %s
// RUN: fusion-run %s --device=emulator --target=sm_80 --dim=n=65 --verify | FileCheck %s
// RUN: fusion-run %s --device=cpu --dim=n=65 --verify | FileCheck %s
// RUN: fusion-compile %s --target=sm_90a --emit=tiles -o - | FileCheck %s --check-prefix=TILES
// CHECK: verify: all {{[0-9]+}} results of groups agree
// TILES: pipeline = "multistage"

func.func @main(%a: tensor<?x0xf16> {fusion.dims = ["n", ""], fusion.name = "a"}, %b: tensor<0x3xf16> {fusion.name = "b"},
                %c: tensor<3x0xf16> {fusion.name = "c"}, %d: tensor<3x130xf16> {fusion.name = "d"})
    -> (tensor<?x0xf32> {fusion.name = "y"}, tensor<?x130xf32> {fusion.name = "z"}) {
  %0 = fusion.matmul %a, %b : tensor<?x0xf16>, tensor<0x3xf16> -> tensor<?x3xf16>
  %1 = fusion.matmul %0, %c : tensor<?x3xf16>, tensor<3x0xf16> -> tensor<?x0xf32>
  %2 = fusion.abs %1 : tensor<?x0xf32>
  %3 = fusion.matmul %0, %d : tensor<?x3xf16>, tensor<3x130xf16> -> tensor<?x130xf32>
  return %2, %3 : tensor<?x0xf32>, tensor<?x130xf32>
}
