// What a pad reads, at positions that it computes, has a recorded reason to be in
// another launch, whatever was asked of the two before: --reasons names none without.
//
// RUN: fusion-fuzz --reasons --target=sm_90a %s | FileCheck %s --check-prefix=REASONS
// RUN: fusion-compile %s --target=sm_90a --report=%t.json -o %t.so
// RUN: FileCheck %s < %t.json
// REASONS: 0 fail
// CHECK: the value is read at computed positions: it lies in memory unless it is computed again at each of them
module {
  func.func @main(%arg0: tensor<17xbf16> {fusion.name = "int4_x0"}, %arg1: tensor<4x100x2xf64> {fusion.name = "x1"}, %arg2: tensor<17xi64> {fusion.name = "index17_x2", fusion.weight}, %arg3: tensor<4x4x3xf64> {fusion.name = "x3", fusion.weight}, %arg4: tensor<4xf64> {fusion.name = "x4", fusion.weight}, %arg5: tensor<4xf64> {fusion.name = "x5"}, %arg6: tensor<4x2x1xf64> {fusion.name = "int1_x6"}, %arg7: tensor<2x4x148xi1> {fusion.name = "x7"}, %arg8: tensor<6x13xf64> {fusion.name = "x8"}, %arg9: tensor<13x17xf64> {fusion.donated, fusion.name = "int3_x9"}, %arg10: tensor<13xf64> {fusion.name = "x10"}, %arg11: tensor<13xf64> {fusion.name = "int2_x11"}, %arg12: tensor<17x4xf64> {fusion.name = "int2_x12"}, %arg13: tensor<13xf64> {fusion.name = "x13"}) -> (tensor<17xbf16> {fusion.name = "y0"}, tensor<2x4x50xf64> {fusion.name = "y1"}, tensor<2x4x50xf64> {fusion.name = "y2"}, tensor<2x4x148xf64> {fusion.name = "y3"}, tensor<2x17xf64> {fusion.name = "y4"}, tensor<13xf64> {fusion.name = "y5"}, tensor<2x13xf64> {fusion.name = "y6"}, tensor<2x13xf64> {fusion.name = "y7"}, tensor<2x17xf64> {fusion.name = "y8"}, tensor<2x13xf64> {fusion.name = "y9"}, tensor<13xf64> {fusion.name = "y10"}) {
    %0 = fusion.transpose %arg1 perm = [2, 0, 1] : tensor<4x100x2xf64> to tensor<2x4x100xf64>
    %1 = fusion.gather_elements %arg0, %arg2 dim = 0 : tensor<17xbf16>, tensor<17xi64> -> tensor<17xbf16>
    %2 = fusion.conv %0, %arg3 strides = [2] dilations = [1] low = [0] high = [1] groups = 1 : tensor<2x4x100xf64>, tensor<4x4x3xf64> -> tensor<2x4x50xf64>
    %3 = fusion.broadcast %arg4 dims = [1] : tensor<4xf64> to tensor<2x4x50xf64>
    %4 = fusion.mul %2, %3 : tensor<2x4x50xf64>
    %5 = fusion.broadcast %arg5 dims = [1] : tensor<4xf64> to tensor<2x4x50xf64>
    %6 = fusion.add %4, %5 : tensor<2x4x50xf64>
    %7 = fusion.relu %6 : tensor<2x4x50xf64>
    %8 = fusion.reduce  min, %4 dims = [2] : tensor<2x4x50xf64> to tensor<2x4xf64>
    %9 = fusion.broadcast %8 dims = [0, 1] : tensor<2x4xf64> to tensor<2x4x50xf64>
    %10 = fusion.reduce  max, %4 dims = [2] : tensor<2x4x50xf64> to tensor<2x4xf64>
    %11 = fusion.broadcast %10 dims = [0, 1] : tensor<2x4xf64> to tensor<2x4x50xf64>
    %12 = fusion.sub %11, %9 : tensor<2x4x50xf64>
    %13 = fusion.sub %4, %9 : tensor<2x4x50xf64>
    %14 = fusion.div %13, %12 : tensor<2x4x50xf64>
    %15 = fusion.conv_transpose %13, %arg6 strides = [3] dilations = [1] low = [0] high = [0] groups = 2 : tensor<2x4x50xf64>, tensor<4x2x1xf64> -> tensor<2x4x148xf64>
    %16 = fusion.constant dense<2.000000e+00> : tensor<f64>
    %17 = fusion.pad  constant, %10 value(%16 : tensor<f64>) low = [0, 0] high = [0, 2] : tensor<2x4xf64> to tensor<2x6xf64>
    %18 = fusion.select %arg7, %15, %15 : tensor<2x4x148xf64>
    %19 = fusion.matmul %17, %arg8 : tensor<2x6xf64>, tensor<6x13xf64> -> tensor<2x13xf64>
    %20 = fusion.matmul %19, %arg9 : tensor<2x13xf64>, tensor<13x17xf64> -> tensor<2x17xf64>
    %21 = fusion.broadcast %arg10 dims = [1] : tensor<13xf64> to tensor<2x13xf64>
    %22 = fusion.mul %19, %21 : tensor<2x13xf64>
    %23 = fusion.rms_norm %arg10 scale(%arg11 : tensor<13xf64>) axis = 0 eps = 9.99999974E-6 : tensor<13xf64>
    %24 = fusion.reduce  sum, %22 dims = [0] : tensor<2x13xf64> to tensor<13xf64>
    %25 = fusion.broadcast %24 dims = [1] : tensor<13xf64> to tensor<2x13xf64>
    %26 = fusion.div %22, %25 : tensor<2x13xf64>
    %27 = fusion.sub %22, %26 : tensor<2x13xf64>
    %28 = fusion.constant dense<2.000000e+00> : tensor<f64>
    %29 = fusion.broadcast %28 dims = [] : tensor<f64> to tensor<2x13xf64>
    %30 = fusion.max %26, %29 : tensor<2x13xf64>
    %31 = fusion.matmul %8, %arg12 {transpose_b} : tensor<2x4xf64>, tensor<17x4xf64> -> tensor<2x17xf64>
    %32 = fusion.broadcast %arg13 dims = [1] : tensor<13xf64> to tensor<2x13xf64>
    %33 = fusion.clamp %30, %27, %32 : tensor<2x13xf64>
    %34 = fusion.relu %arg13 : tensor<13xf64>
    return %1, %7, %14, %18, %20, %23, %26, %29, %31, %33, %34 : tensor<17xbf16>, tensor<2x4x50xf64>, tensor<2x4x50xf64>, tensor<2x4x148xf64>, tensor<2x17xf64>, tensor<13xf64>, tensor<2x13xf64>, tensor<2x13xf64>, tensor<2x17xf64>, tensor<2x13xf64>, tensor<13xf64>
  }
}