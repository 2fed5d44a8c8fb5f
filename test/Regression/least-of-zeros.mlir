// The position of the least of unsigned zeros: the minimum's body folds to 0,
// and nothing is left to accumulate.
// RUN: fusion-fuzz %s --seed=9000 --device=cpu --numerics=strict | FileCheck %s
// RUN: fusion-fuzz %s --seed=9000 --device=emulator --target=sm_90a --numerics=strict | FileCheck %s
// RUN: fusion-fuzz %s --seed=9000 --device=emulator --target=sm_80 --numerics=default | FileCheck %s

// CHECK: 1 agree
func.func @main(%x: tensor<100x0xui64> {fusion.name = "x"}) -> (tensor<i64> {fusion.name = "y"}) {
  %0 = fusion.reduce  sum, %x dims = [1] : tensor<100x0xui64> to tensor<100xui64>
  %1 = fusion.arg_reduce  min, %0 dim = 0 : tensor<100xui64> to tensor<i64>
  return %1 : tensor<i64>
}
