// How far fusion-fuzz lets results be apart follows from runs in which each value is
// moved. Here two values that are moved by the same in all such runs would allow a
// sum of them nothing: where terms of opposite signs cancel, and where terms are
// equal (but for their roundings) and are multiplied by factors that cancel.
// RUN: rm -rf %t && split-file %s %t
// RUN: fusion-fuzz %t/opposite.mlir --seed=110003 --numerics=default | FileCheck %s
// RUN: fusion-fuzz %t/equal.mlir --seed=887 --numerics=default | FileCheck %s
// RUN: fusion-fuzz %t/product.mlir --seed=200013 --device=emulator --target=sm_90a | FileCheck %s
// RUN: fusion-fuzz %t/overflow.mlir --seed=700010 --numerics=default | FileCheck %s
// RUN: fusion-fuzz %t/norm.mlir --seed=1 --numerics=default | FileCheck %s
// RUN: fusion-fuzz %t/sum.mlir --seed=1100010 --numerics=strict --device=emulator --target=sm_90a | FileCheck %s
// CHECK: 1 agree

//--- opposite.mlir
// The reference rounds both terms to halves.
func.func @main(%x: tensor<33x33x7x2xf16> {fusion.name = "r1"}) -> (tensor<33x33x7xf16> {fusion.name = "y1"}) {
  %0 = fusion.atan %x : tensor<33x33x7x2xf16>
  %1 = fusion.reduce sum, %0 dims = [3] : tensor<33x33x7x2xf16> to tensor<33x33x7xf16>
  return %1 : tensor<33x33x7xf16>
}
//--- equal.mlir
// A row of three weights that are 1/3 but for what tanh is off from 1; in halves all
// three are. With f64 throughout the element is -0.02905, which is what one kernel
// computes, too; the reference has -0.02856.
func.func @main(%arg0: tensor<7x7x7x7xf16> {fusion.name = "x0"}, %arg1: tensor<7x1x7x7xf16> {fusion.name = "x2"}, %arg2: tensor<7x1x7x7xf16> {fusion.name = "x3"}) -> (tensor<7x7x7x7xf16> {fusion.name = "y8"}) {
  %0 = fusion.cumsum %arg0 dim = 3 : tensor<7x7x7x7xf16>
  %1 = fusion.cosh %0 : tensor<7x7x7x7xf16>
  %2 = fusion.constant dense<0.000000e+00> : tensor<f16>
  %3 = fusion.broadcast %2 dims = [] : tensor<f16> to tensor<7x7x7x7xf16>
  %4 = fusion.add %1, %3 : tensor<7x7x7x7xf16>
  %5 = fusion.broadcast %arg1 dims = [0, 1, 3, 4] : tensor<7x1x7x7xf16> to tensor<7x1x7x7x7xf16>
  %6 = fusion.reshape %5 : tensor<7x1x7x7x7xf16> to tensor<7x7x7x7xf16>
  %7 = fusion.broadcast %arg2 dims = [0, 1, 3, 4] : tensor<7x1x7x7xf16> to tensor<7x1x7x7x7xf16>
  %8 = fusion.reshape %7 : tensor<7x1x7x7x7xf16> to tensor<7x7x7x7xf16>
  %9 = fusion.matmul %4, %6 {transpose_b} : tensor<7x7x7x7xf16>, tensor<7x7x7x7xf16> -> tensor<7x7x7x7xf16>
  %10 = fusion.constant dense<2.000000e+00> : tensor<f16>
  %11 = fusion.broadcast %10 dims = [] : tensor<f16> to tensor<7x7x7x7xf16>
  %12 = fusion.mul %9, %11 : tensor<7x7x7x7xf16>
  %13 = fusion.tanh %12 : tensor<7x7x7x7xf16>
  %14 = fusion.constant dense<-1.000000e+04> : tensor<f16>
  %15 = fusion.broadcast %14 dims = [] : tensor<f16> to tensor<7x7x7x7xf16>
  %16 = fusion.iota dim = 3 : tensor<7x7x7x7xi64>
  %17 = fusion.iota dim = 2 : tensor<7x7x7x7xi64>
  %18 = fusion.compare  le, %16, %17 : tensor<7x7x7x7xi64>
  %19 = fusion.select %18, %13, %15 : tensor<7x7x7x7xf16>
  %20 = fusion.softmax %19 dim = 3 : tensor<7x7x7x7xf16>
  %21 = fusion.matmul %20, %8 : tensor<7x7x7x7xf16>, tensor<7x7x7x7xf16> -> tensor<7x7x7x7xf16>
  return %21 : tensor<7x7x7x7xf16>
}

//--- product.mlir
// A product in an order that is open, with infinities and numbers whose product is 0:
// one order gives NaN, another an infinity.
func.func @main(%x: tensor<100x1xf32> {fusion.name = "x0"}, %i: tensor<100x7xi64> {fusion.name = "index1_x3"},
                %u: tensor<100x7xf32> {fusion.name = "x4"}) -> (tensor<100x1xf32> {fusion.name = "y0"}) {
  %0 = fusion.scatter_elements mul, %x, %i, %u dim = 1 : tensor<100x1xf32>, tensor<100x7xi64>, tensor<100x7xf32>
  return %0 : tensor<100x1xf32>
}

//--- overflow.mlir
// A product that overflows halves but not floats, whose rounding the kernel leaves out:
// the reference divides by an infinity.
func.func @main(%x: tensor<13x13x13xf16> {fusion.name = "int4_x40"}) -> (tensor<13x13x13xf16> {fusion.name = "y34"}) {
  %0 = fusion.reduce prod, %x dims = [0] : tensor<13x13x13xf16> to tensor<13x13xf16>
  %1 = fusion.broadcast %0 dims = [1, 2] : tensor<13x13xf16> to tensor<13x13x13xf16>
  %2 = fusion.div %x, %1 : tensor<13x13x13xf16>
  return %2 : tensor<13x13x13xf16>
}

//--- norm.mlir
// The same of what a normalization makes.
func.func @main(%x: tensor<3x9xf16> {fusion.name = "int9_x"}, %s: tensor<9xf16> {fusion.name = "int65000_s"}) -> (tensor<3x9xf16> {fusion.name = "y"}) {
  %0 = fusion.rms_norm %x scale(%s : tensor<9xf16>) axis = 1 eps = 9.99999974E-6 : tensor<3x9xf16>
  %1 = fusion.div %x, %0 : tensor<3x9xf16>
  return %1 : tensor<3x9xf16>
}

//--- sum.mlir
// A sum with an infinity whose finite terms overflow to the other one in some orders.
func.func @main(%x: tensor<31x31xf64> {fusion.name = "x1"}, %y: tensor<33x31xf64> {fusion.name = "x4"},
                %z: tensor<31x31xf64> {fusion.name = "r2"}) -> (tensor<31x33xf64> {fusion.name = "y0"}) {
  %0 = fusion.div %z, %x : tensor<31x31xf64>
  %1 = fusion.matmul %0, %y {transpose_b} : tensor<31x31xf64>, tensor<33x31xf64> -> tensor<31x33xf64>
  return %1 : tensor<31x33xf64>
}
