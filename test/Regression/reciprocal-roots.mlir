// Under strict numerics 1 / sqrt(x) has the CPU's bits: the root is rounded.
// RUN: fusion-fuzz %s --seed=9000 --device=emulator --target=sm_90a --numerics=strict | FileCheck %s
// RUN: fusion-fuzz %s --seed=9000 --device=emulator --target=sm_80 --numerics=strict | FileCheck %s

// CHECK: 1 agree
func.func @main(%x: tensor<64x7xf32> {fusion.name = "x32"}) -> (tensor<64x7xf32> {fusion.name = "y"}) {
  %0 = fusion.rsqrt %x : tensor<64x7xf32>
  return %0 : tensor<64x7xf32>
}
