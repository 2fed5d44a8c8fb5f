// The absolute value of the least integer is that integer, in 8, 32 and 64 bits too,
// and below zero for whatever reads it. ptxas holds that abs.s32 and abs.s64 give
// nothing below zero.
//
// RUN: %gpu-tests --device=cpu %s | FileCheck %s
// RUN: %gpu-tests --device=emulator --target=sm_90a,sm_80 %s | FileCheck %s
// RUN: %if cuda-sm90 %{ %gpu-tests --device=cuda %s | FileCheck %s %}
// RUN: fusion-compile %s --target=sm_90a --emit=ptx | FileCheck %s --check-prefix=PTX
// CHECK: {{[1-9][0-9]*}} passed, 0 failed
// PTX-NOT: abs.s{{[0-9]}}
// PTX: max.s32
// PTX-NOT: abs.s{{[0-9]}}
//
// LAUNCHES: 1
// CASE: m=1,37
// GPU-CASE: m=1,64,1000
func.func @main(%a: tensor<?x4xi8> {fusion.name = "a", fusion.dims = ["m", ""]},
                %b: tensor<?x4xi32> {fusion.name = "b", fusion.dims = ["m", ""]},
                %c: tensor<?x4xi64> {fusion.name = "c", fusion.dims = ["m", ""]})
    -> (tensor<?x4xi8> {fusion.name = "signs8"}, tensor<?x4xi32> {fusion.name = "signs32"},
        tensor<?x4xi64> {fusion.name = "quotient64"}, tensor<?x4xf32> {fusion.name = "float32"}) {
  %c0 = arith.constant 0 : index
  %m = tensor.dim %a, %c0 : tensor<?x4xi8>
  %table8 = fusion.constant dense<[-128, -127, 5, -3]> : tensor<4xi8>
  %row8 = fusion.broadcast %table8 dims = [1] sizes(%m) : tensor<4xi8> to tensor<?x4xi8>
  %0 = fusion.min %a, %row8 : tensor<?x4xi8>
  %1 = fusion.abs %0 : tensor<?x4xi8>
  %signs8 = fusion.sign %1 : tensor<?x4xi8>
  %table32 = fusion.constant dense<[-2147483648, -2147483647, 5, -3]> : tensor<4xi32>
  %row32 = fusion.broadcast %table32 dims = [1] sizes(%m) : tensor<4xi32> to tensor<?x4xi32>
  %2 = fusion.min %b, %row32 : tensor<?x4xi32>
  %3 = fusion.abs %2 : tensor<?x4xi32>
  %signs32 = fusion.sign %3 : tensor<?x4xi32>
  %float32 = fusion.cast %3 : tensor<?x4xi32> to tensor<?x4xf32>
  %table64 = fusion.constant dense<[-9223372036854775808, -9223372036854775807, 5, -3]> : tensor<4xi64>
  %row64 = fusion.broadcast %table64 dims = [1] sizes(%m) : tensor<4xi64> to tensor<?x4xi64>
  %4 = fusion.min %c, %row64 : tensor<?x4xi64>
  %5 = fusion.abs %4 : tensor<?x4xi64>
  %six = fusion.constant dense<6> : tensor<i64>
  %sixes = fusion.broadcast %six dims = [] sizes(%m) : tensor<i64> to tensor<?x4xi64>
  %quotient64 = fusion.div %5, %sixes : tensor<?x4xi64>
  return %signs8, %signs32, %quotient64, %float32
      : tensor<?x4xi8>, tensor<?x4xi32>, tensor<?x4xi64>, tensor<?x4xf32>
}
