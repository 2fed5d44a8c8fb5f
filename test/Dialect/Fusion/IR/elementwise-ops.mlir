// RUN: fusion-opt %s | FileCheck %s
// RUN: fusion-opt %s -mlir-print-op-generic | fusion-opt | FileCheck %s

// CHECK-LABEL: func.func @unary(
// CHECK-SAME:    %[[X:.*]]: tensor<4x?xf16>
func.func @unary(%x: tensor<4x?xf16>) -> tensor<4x?xf16> {
  // CHECK: fusion.neg %[[X]] : tensor<4x?xf16>
  %0 = fusion.neg %x : tensor<4x?xf16>
  // CHECK: fusion.abs
  %1 = fusion.abs %0 : tensor<4x?xf16>
  // CHECK: fusion.sign
  %2 = fusion.sign %1 : tensor<4x?xf16>
  // CHECK: fusion.relu
  %3 = fusion.relu %2 : tensor<4x?xf16>
  // CHECK: fusion.exp
  %4 = fusion.exp %3 : tensor<4x?xf16>
  // CHECK: fusion.log
  %5 = fusion.log %4 : tensor<4x?xf16>
  // CHECK: fusion.sqrt
  %6 = fusion.sqrt %5 : tensor<4x?xf16>
  // CHECK: fusion.rsqrt
  %7 = fusion.rsqrt %6 : tensor<4x?xf16>
  // CHECK: fusion.reciprocal
  %8 = fusion.reciprocal %7 : tensor<4x?xf16>
  // CHECK: fusion.erf
  %9 = fusion.erf %8 : tensor<4x?xf16>
  // CHECK: fusion.tanh
  %10 = fusion.tanh %9 : tensor<4x?xf16>
  // CHECK: fusion.sigmoid
  %11 = fusion.sigmoid %10 : tensor<4x?xf16>
  // CHECK: fusion.silu
  %12 = fusion.silu %11 : tensor<4x?xf16>
  // CHECK: fusion.sin
  %13 = fusion.sin %12 : tensor<4x?xf16>
  // CHECK: fusion.cos
  %14 = fusion.cos %13 : tensor<4x?xf16>
  // CHECK: fusion.floor
  %15 = fusion.floor %14 : tensor<4x?xf16>
  // CHECK: fusion.ceil
  %16 = fusion.ceil %15 : tensor<4x?xf16>
  // CHECK: fusion.round
  %17 = fusion.round %16 : tensor<4x?xf16>
  // CHECK: fusion.gelu %{{.*}} : tensor<4x?xf16>
  %18 = fusion.gelu %17 : tensor<4x?xf16>
  // CHECK: fusion.gelu %{{.*}} approximate = tanh : tensor<4x?xf16>
  %19 = fusion.gelu %18 approximate = tanh : tensor<4x?xf16>
  return %19 : tensor<4x?xf16>
}

// CHECK-LABEL: func.func @inverse(
func.func @inverse(%x: tensor<?xf32>) -> tensor<?xf32> {
  // CHECK: fusion.tan %{{.*}} : tensor<?xf32>
  %0 = fusion.tan %x : tensor<?xf32>
  // CHECK: fusion.asin
  %1 = fusion.asin %0 : tensor<?xf32>
  // CHECK: fusion.acos
  %2 = fusion.acos %1 : tensor<?xf32>
  // CHECK: fusion.atan
  %3 = fusion.atan %2 : tensor<?xf32>
  // CHECK: fusion.sinh
  %4 = fusion.sinh %3 : tensor<?xf32>
  // CHECK: fusion.cosh
  %5 = fusion.cosh %4 : tensor<?xf32>
  // CHECK: fusion.asinh
  %6 = fusion.asinh %5 : tensor<?xf32>
  // CHECK: fusion.acosh
  %7 = fusion.acosh %6 : tensor<?xf32>
  // CHECK: fusion.atanh
  %8 = fusion.atanh %7 : tensor<?xf32>
  // CHECK: fusion.expm1
  %9 = fusion.expm1 %8 : tensor<?xf32>
  // CHECK: fusion.log1p
  %10 = fusion.log1p %9 : tensor<?xf32>
  return %10 : tensor<?xf32>
}

// CHECK-LABEL: func.func @shifts(
func.func @shifts(%x: tensor<3xui8>, %y: tensor<3xui8>) -> tensor<3xui8> {
  // CHECK: fusion.shl %{{.*}}, %{{.*}} : tensor<3xui8>
  %0 = fusion.shl %x, %y : tensor<3xui8>
  // CHECK: fusion.shr %{{.*}}, %{{.*}} : tensor<3xui8>
  %1 = fusion.shr %0, %y : tensor<3xui8>
  return %1 : tensor<3xui8>
}

// CHECK-LABEL: func.func @binary(
// CHECK-SAME:    %[[X:.*]]: tensor<?xf64>, %[[Y:.*]]: tensor<?xf64>
func.func @binary(%x: tensor<?xf64>, %y: tensor<?xf64>) -> tensor<?xf64> {
  // CHECK: fusion.add %[[X]], %[[Y]] : tensor<?xf64>
  %0 = fusion.add %x, %y : tensor<?xf64>
  // CHECK: fusion.sub
  %1 = fusion.sub %0, %y : tensor<?xf64>
  // CHECK: fusion.mul
  %2 = fusion.mul %1, %y : tensor<?xf64>
  // CHECK: fusion.div
  %3 = fusion.div %2, %y : tensor<?xf64>
  // CHECK: fusion.rem
  %4 = fusion.rem %3, %y : tensor<?xf64>
  // CHECK: fusion.min
  %5 = fusion.min %4, %y : tensor<?xf64>
  // CHECK: fusion.max
  %6 = fusion.max %5, %y : tensor<?xf64>
  // CHECK: fusion.pow
  %7 = fusion.pow %6, %y : tensor<?xf64>
  return %7 : tensor<?xf64>
}

// CHECK-LABEL: func.func @bits(
func.func @bits(%x: tensor<i1>, %y: tensor<i1>, %u: tensor<0x3xui16>) -> tensor<0x3xui16> {
  // CHECK: fusion.and %{{.*}}, %{{.*}} : tensor<i1>
  %0 = fusion.and %x, %y : tensor<i1>
  // CHECK: fusion.or
  %1 = fusion.or %0, %y : tensor<i1>
  // CHECK: fusion.xor
  %2 = fusion.xor %1, %y : tensor<i1>
  // CHECK: fusion.not %{{.*}} : tensor<0x3xui16>
  %3 = fusion.not %u : tensor<0x3xui16>
  return %3 : tensor<0x3xui16>
}

// CHECK-LABEL: func.func @others(
func.func @others(%x: tensor<2xi64>, %y: tensor<2xi64>) -> tensor<2xbf16> {
  // CHECK: %[[C:.*]] = fusion.compare ge, %{{.*}}, %{{.*}} : tensor<2xi64>
  %0 = fusion.compare ge, %x, %y : tensor<2xi64>
  // CHECK: fusion.select %[[C]], %{{.*}}, %{{.*}} : tensor<2xi64>
  %1 = fusion.select %0, %x, %y : tensor<2xi64>
  // CHECK: fusion.clamp %{{.*}}, %{{.*}}, %{{.*}} : tensor<2xi64>
  %2 = fusion.clamp %1, %x, %y : tensor<2xi64>
  // CHECK: fusion.cast %{{.*}} : tensor<2xi64> to tensor<2xf32>
  %3 = fusion.cast %2 : tensor<2xi64> to tensor<2xf32>
  // CHECK: fusion.cast %{{.*}} rounding : tensor<2xf32> to tensor<2xbf16>
  %4 = fusion.cast %3 rounding : tensor<2xf32> to tensor<2xbf16>
  return %4 : tensor<2xbf16>
}
