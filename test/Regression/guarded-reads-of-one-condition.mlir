// Two reads under one condition, which upstream's canonicalizer makes one branch of.
// RUN: fusion-run %s --device=cpu --dim=m=5 --verify 2>&1 | FileCheck %s
// RUN: fusion-run %s --device=emulator --target=sm_80 --dim=m=5 --verify 2>&1 | FileCheck %s
// RUN: fusion-compile %s --target=sm_90a --emit=tiles | FileCheck %s --check-prefix=TILES

// CHECK: verify: all {{[1-9]}} results of groups agree
// TILES-LABEL: gpu.func @group_0
// TILES-COUNT-2: tile.gather
func.func @main(%row: tensor<32xf64> {fusion.name = "row"},
                %x: tensor<?x32xf64> {fusion.dims = ["m", ""], fusion.name = "x"})
    -> (tensor<?x31xf64> {fusion.dims = ["m", ""], fusion.name = "y"}) {
  %c0 = arith.constant 0 : index
  %m = tensor.dim %x, %c0 : tensor<?x32xf64>
  %0 = fusion.broadcast %row dims = [1] sizes(%m) : tensor<32xf64> to tensor<?x32xf64>
  %1 = fusion.add %x, %0 : tensor<?x32xf64>
  %2 = fusion.constant dense<1.0> : tensor<f64>
  %3 = fusion.pad constant, %1 value(%2 : tensor<f64>) low = [0, -1] high = [0, 0]
      : tensor<?x32xf64> to tensor<?x31xf64>
  return %3 : tensor<?x31xf64>
}
