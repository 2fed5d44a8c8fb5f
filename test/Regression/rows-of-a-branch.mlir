// Sizes of destinations come from the result of a branch: a group needs them before it.
// RUN: fusion-run %s --device=cpu --dim n=7 --input c=ones --verify | FileCheck %s
// RUN: fusion-run %s --device=emulator --target=sm_80 --dim n=7 --input c=zeros --verify | FileCheck %s
// RUN: fusion-run %s --device=cpu --dim n=7 --numerics=strict --verify | FileCheck %s

// CHECK: verify: all {{[0-9]+}} results of groups agree with the unfused program

func.func @main(
    %x: tensor<?x7xf16> {fusion.name = "x", fusion.dims = ["n", ""]}, %c: tensor<i1> {fusion.name = "c"}, %s: tensor<7xf16> {fusion.name = "s"},
    %u: tensor<13x7xf16> {fusion.name = "u"}, %v: tensor<7x13xf16> {fusion.name = "v"}, %w: tensor<7x13xf16> {fusion.name = "w"})
    -> (tensor<3x1xf16> {fusion.name = "y"}) {
  %0 = fusion.if %c : tensor<i1> -> tensor<?x7xf16> {
    %6 = fusion.rms_norm %x scale(%s : tensor<7xf16>) axis = 1 eps = 1.0e-5 : tensor<?x7xf16>
    fusion.yield %6 : tensor<?x7xf16>
  } else {
    fusion.yield %x : tensor<?x7xf16>
  }
  %1 = fusion.matmul %0, %u {transpose_b} : tensor<?x7xf16>, tensor<13x7xf16> -> tensor<?x13xf16>
  %2 = fusion.matmul %0, %v : tensor<?x7xf16>, tensor<7x13xf16> -> tensor<?x13xf16>
  %3 = fusion.mul %1, %2 : tensor<?x13xf16>
  %4 = fusion.matmul %3, %w {transpose_b} : tensor<?x13xf16>, tensor<7x13xf16> -> tensor<?x7xf16>
  %5 = fusion.slice %4 starts = [2, 4] steps = [1, -1] : tensor<?x7xf16> to tensor<3x1xf16>
  return %5 : tensor<3x1xf16>
}
