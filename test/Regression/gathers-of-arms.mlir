// Both arms look up rows of a table, at positions that one of them computes, and
// multiply what they find: once the lookups were taken for one op of both, and the
// compiler failed.
//
// RUN: fusion-run %s --device=cpu --verify --input c=ones --input i=zeros | FileCheck %s
// RUN: fusion-run %s --device=cpu --verify --input c=zeros --input i=zeros | FileCheck %s
// RUN: fusion-run %s --device=emulator --target=sm_90a --verify --input c=ones --input i=zeros | FileCheck %s
// RUN: fusion-run %s --device=emulator --target=sm_80 --verify --input c=zeros --input i=zeros | FileCheck %s
// CHECK: verify: all {{[1-9].*}} agree

func.func @main(%c: tensor<i1> {fusion.name = "c"}, %i: tensor<8xi64> {fusion.name = "i"},
                %t: tensor<4x16xf32> {fusion.name = "t"}, %w: tensor<16x8xf32> {fusion.name = "w"}) -> (tensor<8x8xf32> {fusion.name = "y"}) {
  %y = fusion.if %c : tensor<i1> -> tensor<8x8xf32> {
    %one = fusion.constant dense<1> : tensor<8xi64>
    %j = fusion.add %i, %one : tensor<8xi64>
    %g = fusion.gather %t, %j dim = 0 : tensor<4x16xf32>, tensor<8xi64> -> tensor<8x16xf32>
    %0 = fusion.matmul %g, %w : tensor<8x16xf32>, tensor<16x8xf32> -> tensor<8x8xf32>
    fusion.yield %0 : tensor<8x8xf32>
  } else {
    %g = fusion.gather %t, %i dim = 0 : tensor<4x16xf32>, tensor<8xi64> -> tensor<8x16xf32>
    %0 = fusion.matmul %g, %w : tensor<8x16xf32>, tensor<16x8xf32> -> tensor<8x8xf32>
    fusion.yield %0 : tensor<8x8xf32>
  }
  return %y : tensor<8x8xf32>
}
