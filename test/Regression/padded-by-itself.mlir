// A product of a padded tensor with itself: the two operands run along
// different loops, so that the padding is a kernel of its own.
// RUN: fusion-fuzz %s --seed=5004 --device=emulator --target=sm_90a --numerics=strict | FileCheck %s
// RUN: fusion-fuzz %s --seed=5004 --device=emulator --target=sm_80 --numerics=default | FileCheck %s
// RUN: fusion-compile %s --target=sm_80 --emit=groups --remarks 2>&1 | FileCheck %s --check-prefix=WHY

// CHECK: 1 agree
// WHY: the consumer reads the value at other positions than the producer writes it
func.func @main(%x: tensor<5x5xf16> {fusion.name = "x"}) -> (tensor<8x8xf16> {fusion.name = "y"}) {
  %0 = fusion.constant dense<-2.500000e-01> : tensor<f16>
  %1 = fusion.pad  constant, %x value(%0 : tensor<f16>) low = [1, 2] high = [2, 0] : tensor<5x5xf16> to tensor<8x7xf16>
  %2 = fusion.matmul %1, %1 {transpose_b} : tensor<8x7xf16>, tensor<8x7xf16> -> tensor<8x8xf16>
  return %2 : tensor<8x8xf16>
}
