// Results that nothing can be said of are no failures of fusion-fuzz; the others of
// the same graph are compared.
// RUN: fusion-fuzz %s --seed=777 --numerics=default | FileCheck %s
// RUN: fusion-fuzz %s --seed=777 --device=emulator --target=sm_80 --numerics=default | FileCheck %s
// CHECK: 1 agree
func.func @main(%x: tensor<100xf16> {fusion.name = "int3_x0"}, %a: tensor<32x2xf32> {fusion.name = "x1"},
                %b: tensor<13x13xf16> {fusion.name = "x2"})
    -> (tensor<100xf16> {fusion.name = "y0"}, tensor<32xf32> {fusion.name = "y1"},
        tensor<13x13xf64> {fusion.name = "y2"}, tensor<100xf16> {fusion.name = "y3"}) {
  // The divisor, a sum of a layer norm, is zero but for roundings.
  %0 = fusion.layer_norm %x axis = 0 eps = 9.99999974E-6 : tensor<100xf16>
  %1 = fusion.reduce sum, %0 dims = [0] : tensor<100xf16> to tensor<f16>
  %2 = fusion.broadcast %1 dims = [] : tensor<f16> to tensor<100xf16>
  %3 = fusion.div %0, %2 : tensor<100xf16>
  // Products of 32 terms, one of which is zero: some orders overflow before.
  %4 = fusion.iota dim = 0 : tensor<32x2xf32>
  %5 = fusion.cumsum %4 dim = 0 : tensor<32x2xf32>
  %6 = fusion.matmul %5, %a {transpose_b} : tensor<32x2xf32>, tensor<32x2xf32> -> tensor<32x32xf32>
  %7 = fusion.reduce prod, %6 dims = [0] : tensor<32x32xf32> to tensor<32xf32>
  // Halves too small to be rounded to eleven bits.
  %8 = fusion.constant dense<16.0> : tensor<f16>
  %9 = fusion.broadcast %8 dims = [] : tensor<f16> to tensor<13x13xf16>
  %10 = fusion.mul %b, %9 : tensor<13x13xf16>
  %11 = fusion.softmax %10 dim = 1 : tensor<13x13xf16>
  %12 = fusion.cast %11 : tensor<13x13xf16> to tensor<13x13xf64>
  return %3, %7, %12, %0 : tensor<100xf16>, tensor<32xf32>, tensor<13x13xf64>, tensor<100xf16>
}
