// Functions of values that fusion makes constants. MLIR folds them with the C library of
// the machine that compiles, whose last bits are others than those of fusion-expand-math,
// which the unfused program computes. Each of these differed.
// RUN: rm -rf %t && split-file %s %t
// RUN: fusion-fuzz %t/functions.mlir --numerics=strict | FileCheck %s
// RUN: fusion-fuzz %t/functions.mlir --numerics=strict --device=emulator --target=sm_80 | FileCheck %s
// RUN: fusion-fuzz %t/functions.mlir --numerics=strict --device=emulator --target=sm_90a | FileCheck %s
// RUN: fusion-fuzz %t/powers.mlir --numerics=strict | FileCheck %s
// RUN: fusion-fuzz %t/powers.mlir --numerics=strict --device=emulator --target=sm_80 | FileCheck %s
// CHECK: 1 agree

//--- functions.mlir
func.func @main() -> (tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>,
                      tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>,
                      tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>,
                      tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) {
  %c0 = fusion.constant dense<4.0> : tensor<f32>
  %b0 = fusion.broadcast %c0 dims = [] : tensor<f32> to tensor<f32>
  %n0 = fusion.floor %b0 : tensor<f32>
  %k0 = fusion.constant dense<-0.0825000> : tensor<f32>
  %x0 = fusion.mul %n0, %k0 : tensor<f32>
  %y0 = fusion.exp %x0 : tensor<f32>
  %c1 = fusion.constant dense<76.0> : tensor<f32>
  %b1 = fusion.broadcast %c1 dims = [] : tensor<f32> to tensor<f32>
  %n1 = fusion.floor %b1 : tensor<f32>
  %k1 = fusion.constant dense<0.0953947> : tensor<f32>
  %x1 = fusion.mul %n1, %k1 : tensor<f32>
  %y1 = fusion.log %x1 : tensor<f32>
  %c2 = fusion.constant dense<143.0> : tensor<f32>
  %b2 = fusion.broadcast %c2 dims = [] : tensor<f32> to tensor<f32>
  %n2 = fusion.floor %b2 : tensor<f32>
  %k2 = fusion.constant dense<0.0110490> : tensor<f32>
  %x2 = fusion.mul %n2, %k2 : tensor<f32>
  %y2 = fusion.erf %x2 : tensor<f32>
  %c3 = fusion.constant dense<185.0> : tensor<f32>
  %b3 = fusion.broadcast %c3 dims = [] : tensor<f32> to tensor<f32>
  %n3 = fusion.floor %b3 : tensor<f32>
  %k3 = fusion.constant dense<0.0012432> : tensor<f32>
  %x3 = fusion.mul %n3, %k3 : tensor<f32>
  %y3 = fusion.tanh %x3 : tensor<f32>
  %c4 = fusion.constant dense<241.0> : tensor<f32>
  %b4 = fusion.broadcast %c4 dims = [] : tensor<f32> to tensor<f32>
  %n4 = fusion.floor %b4 : tensor<f32>
  %k4 = fusion.constant dense<-0.0053527> : tensor<f32>
  %x4 = fusion.mul %n4, %k4 : tensor<f32>
  %y4 = fusion.sigmoid %x4 : tensor<f32>
  %c5 = fusion.constant dense<339.0> : tensor<f32>
  %b5 = fusion.broadcast %c5 dims = [] : tensor<f32> to tensor<f32>
  %n5 = fusion.floor %b5 : tensor<f32>
  %k5 = fusion.constant dense<-0.0056342> : tensor<f32>
  %x5 = fusion.mul %n5, %k5 : tensor<f32>
  %y5 = fusion.silu %x5 : tensor<f32>
  %c6 = fusion.constant dense<362.0> : tensor<f32>
  %b6 = fusion.broadcast %c6 dims = [] : tensor<f32> to tensor<f32>
  %n6 = fusion.floor %b6 : tensor<f32>
  %k6 = fusion.constant dense<-0.0020718> : tensor<f32>
  %x6 = fusion.mul %n6, %k6 : tensor<f32>
  %y6 = fusion.sin %x6 : tensor<f32>
  %c7 = fusion.constant dense<423.0> : tensor<f32>
  %b7 = fusion.broadcast %c7 dims = [] : tensor<f32> to tensor<f32>
  %n7 = fusion.floor %b7 : tensor<f32>
  %k7 = fusion.constant dense<0.0065012> : tensor<f32>
  %x7 = fusion.mul %n7, %k7 : tensor<f32>
  %y7 = fusion.cos %x7 : tensor<f32>
  %c8 = fusion.constant dense<519.0> : tensor<f32>
  %b8 = fusion.broadcast %c8 dims = [] : tensor<f32> to tensor<f32>
  %n8 = fusion.floor %b8 : tensor<f32>
  %k8 = fusion.constant dense<-0.0044509> : tensor<f32>
  %x8 = fusion.mul %n8, %k8 : tensor<f32>
  %y8 = fusion.tan %x8 : tensor<f32>
  %c9 = fusion.constant dense<544.0> : tensor<f32>
  %b9 = fusion.broadcast %c9 dims = [] : tensor<f32> to tensor<f32>
  %n9 = fusion.floor %b9 : tensor<f32>
  %k9 = fusion.constant dense<0.0014706> : tensor<f32>
  %x9 = fusion.mul %n9, %k9 : tensor<f32>
  %y9 = fusion.asin %x9 : tensor<f32>
  %c10 = fusion.constant dense<601.0> : tensor<f32>
  %b10 = fusion.broadcast %c10 dims = [] : tensor<f32> to tensor<f32>
  %n10 = fusion.floor %b10 : tensor<f32>
  %k10 = fusion.constant dense<0.0012313> : tensor<f32>
  %x10 = fusion.mul %n10, %k10 : tensor<f32>
  %y10 = fusion.acos %x10 : tensor<f32>
  %c11 = fusion.constant dense<672.0> : tensor<f32>
  %b11 = fusion.broadcast %c11 dims = [] : tensor<f32> to tensor<f32>
  %n11 = fusion.floor %b11 : tensor<f32>
  %k11 = fusion.constant dense<-0.0038839> : tensor<f32>
  %x11 = fusion.mul %n11, %k11 : tensor<f32>
  %y11 = fusion.atan %x11 : tensor<f32>
  %c12 = fusion.constant dense<724.0> : tensor<f32>
  %b12 = fusion.broadcast %c12 dims = [] : tensor<f32> to tensor<f32>
  %n12 = fusion.floor %b12 : tensor<f32>
  %k12 = fusion.constant dense<-0.0032459> : tensor<f32>
  %x12 = fusion.mul %n12, %k12 : tensor<f32>
  %y12 = fusion.sinh %x12 : tensor<f32>
  %c13 = fusion.constant dense<785.0> : tensor<f32>
  %b13 = fusion.broadcast %c13 dims = [] : tensor<f32> to tensor<f32>
  %n13 = fusion.floor %b13 : tensor<f32>
  %k13 = fusion.constant dense<-0.0015669> : tensor<f32>
  %x13 = fusion.mul %n13, %k13 : tensor<f32>
  %y13 = fusion.cosh %x13 : tensor<f32>
  %c14 = fusion.constant dense<845.0> : tensor<f32>
  %b14 = fusion.broadcast %c14 dims = [] : tensor<f32> to tensor<f32>
  %n14 = fusion.floor %b14 : tensor<f32>
  %k14 = fusion.constant dense<0.0006036> : tensor<f32>
  %x14 = fusion.mul %n14, %k14 : tensor<f32>
  %y14 = fusion.asinh %x14 : tensor<f32>
  %c15 = fusion.constant dense<901.0> : tensor<f32>
  %b15 = fusion.broadcast %c15 dims = [] : tensor<f32> to tensor<f32>
  %n15 = fusion.floor %b15 : tensor<f32>
  %k15 = fusion.constant dense<0.0054273> : tensor<f32>
  %x15 = fusion.mul %n15, %k15 : tensor<f32>
  %y15 = fusion.acosh %x15 : tensor<f32>
  %c16 = fusion.constant dense<963.0> : tensor<f32>
  %b16 = fusion.broadcast %c16 dims = [] : tensor<f32> to tensor<f32>
  %n16 = fusion.floor %b16 : tensor<f32>
  %k16 = fusion.constant dense<0.0006127> : tensor<f32>
  %x16 = fusion.mul %n16, %k16 : tensor<f32>
  %y16 = fusion.atanh %x16 : tensor<f32>
  %c17 = fusion.constant dense<1028.0> : tensor<f32>
  %b17 = fusion.broadcast %c17 dims = [] : tensor<f32> to tensor<f32>
  %n17 = fusion.floor %b17 : tensor<f32>
  %k17 = fusion.constant dense<0.0022568> : tensor<f32>
  %x17 = fusion.mul %n17, %k17 : tensor<f32>
  %y17 = fusion.expm1 %x17 : tensor<f32>
  %c18 = fusion.constant dense<1135.0> : tensor<f32>
  %b18 = fusion.broadcast %c18 dims = [] : tensor<f32> to tensor<f32>
  %n18 = fusion.floor %b18 : tensor<f32>
  %k18 = fusion.constant dense<0.0046696> : tensor<f32>
  %x18 = fusion.mul %n18, %k18 : tensor<f32>
  %y18 = fusion.log1p %x18 : tensor<f32>
  %c19 = fusion.constant dense<1182.0> : tensor<f32>
  %b19 = fusion.broadcast %c19 dims = [] : tensor<f32> to tensor<f32>
  %n19 = fusion.floor %b19 : tensor<f32>
  %k19 = fusion.constant dense<-0.0014382> : tensor<f32>
  %x19 = fusion.mul %n19, %k19 : tensor<f32>
  %y19 = fusion.gelu %x19 : tensor<f32>
  return %y0, %y1, %y2, %y3, %y4, %y5, %y6, %y7, %y8, %y9, %y10, %y11, %y12, %y13, %y14, %y15,
         %y16, %y17, %y18, %y19 :
         tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>,
         tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>,
         tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>,
         tensor<f32>, tensor<f32>
}

//--- powers.mlir
// Exponents and bases that are constants in one program and in memory in the other:
// x^3 is a product in both, and LLVM makes no exp2(x) of 2^x.
func.func @main(%x: tensor<999xf32> {fusion.name = "x"}, %w: tensor<999xf64> {fusion.name = "w"})
    -> (tensor<999xf32>, tensor<999xf32>, tensor<999xf32>, tensor<999xf64>, tensor<999xf64>) {
  %c0 = fusion.constant dense<2.0> : tensor<f32>
  %b0 = fusion.broadcast %c0 dims = [] : tensor<f32> to tensor<999xf32>
  %two = fusion.floor %b0 : tensor<999xf32>
  %c1 = fusion.constant dense<3.0> : tensor<f32>
  %b1 = fusion.broadcast %c1 dims = [] : tensor<f32> to tensor<999xf32>
  %three = fusion.floor %b1 : tensor<999xf32>
  %c2 = fusion.constant dense<-1.0> : tensor<f32>
  %b2 = fusion.broadcast %c2 dims = [] : tensor<f32> to tensor<999xf32>
  %less = fusion.floor %b2 : tensor<999xf32>
  %c3 = fusion.constant dense<2.0> : tensor<f64>
  %b3 = fusion.broadcast %c3 dims = [] : tensor<f64> to tensor<999xf64>
  %wide = fusion.floor %b3 : tensor<999xf64>
  %0 = fusion.pow %x, %two : tensor<999xf32>
  %1 = fusion.pow %x, %three : tensor<999xf32>
  %2 = fusion.pow %x, %less : tensor<999xf32>
  %3 = fusion.pow %w, %wide : tensor<999xf64>
  %4 = fusion.pow %wide, %w : tensor<999xf64>
  return %0, %1, %2, %3, %4 : tensor<999xf32>, tensor<999xf32>, tensor<999xf32>, tensor<999xf64>, tensor<999xf64>
}
