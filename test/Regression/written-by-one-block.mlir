// A row's maximum is a result, and goes over a matrix of the same sizes that a
// product reads: blocks work on that matrix, and only one of each row writes the
// maximum. (All of them did: a race, if one of equal values.)
// RUN: fusion-run %s --device=cpu --input r=randint:3:4 --input x=ones --verify | FileCheck %s
// RUN: fusion-run %s --device=emulator --target=sm_80 --input r=randint:3:4 --input x=ones --verify | FileCheck %s
// RUN: fusion-run %s --device=emulator --target=sm_90a --input r=randint:3:4 --input x=ones --verify | FileCheck %s
// CHECK: m: 5:f32 least 3 most 3
// CHECK: y: 5x17:f32 least 15 most 15
// CHECK: verify: all {{[0-9]+}} results of groups agree
func.func @main(%x: tensor<5x17xf32> {fusion.name = "x"}, %r: tensor<5x5xf32> {fusion.name = "r"})
    -> (tensor<5xf32> {fusion.name = "m"}, tensor<5x17xf32> {fusion.name = "y"}) {
  %0 = fusion.reduce max, %r dims = [1] : tensor<5x5xf32> to tensor<5xf32>
  %1 = fusion.broadcast %0 dims = [0] : tensor<5xf32> to tensor<5x5xf32>
  %2 = fusion.matmul %1, %x : tensor<5x5xf32>, tensor<5x17xf32> -> tensor<5x17xf32>
  return %0, %2 : tensor<5xf32>, tensor<5x17xf32>
}
