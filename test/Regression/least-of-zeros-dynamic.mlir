// As least-of-zeros.mlir with a size that only the run knows: the loop stays, and
// what it starts from is read by no iteration.
// RUN: fusion-fuzz %s --seed=1 --device=emulator --target=sm_90a --numerics=strict | FileCheck %s
// RUN: fusion-fuzz %s --seed=1 --device=emulator --target=sm_80 --numerics=default | FileCheck %s

// CHECK: 1 agree
func.func @main(%x: tensor<?x0xui64> {fusion.dims = ["size5", ""], fusion.name = "x"}) -> (tensor<i64> {fusion.name = "y"}) {
  %0 = fusion.reduce  sum, %x dims = [1] : tensor<?x0xui64> to tensor<?xui64>
  %1 = fusion.arg_reduce  min, %0 dim = 0 : tensor<?xui64> to tensor<i64>
  return %1 : tensor<i64>
}
