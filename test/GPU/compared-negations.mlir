// A minimum or maximum of three values, one of them negated: on sm_90 ptxas makes one
// instruction of two maxima, and drops the sign of a second operand. So are absolute
// values compared, and sums that keep the largest of what they negate.
//
// RUN: %gpu-tests --device=cpu %s | FileCheck %s
// RUN: %gpu-tests --device=emulator --target=sm_90a,sm_80 %s | FileCheck %s
// RUN: %if cuda-sm90 %{ %gpu-tests --device=cuda %s | FileCheck %s %}
// RUN: fusion-compile %s --target=sm_90a --emit=ptx | FileCheck %s --check-prefix=PTX
// CHECK: {{[1-9][0-9]*}} passed, 0 failed
// PTX-NOT: neg.s32
// PTX: not.b32
// PTX-NOT: neg.s32
//
// CASE: m=1,37
// GPU-CASE: m=1,64,1000
func.func @main(%a: tensor<?x40xi32> {fusion.name = "a", fusion.dims = ["m", ""]},
                %b: tensor<?x40xi32> {fusion.name = "b", fusion.dims = ["m", ""]},
                %c: tensor<40xi32> {fusion.name = "c"})
    -> (tensor<?x40xi32> {fusion.name = "largest"}, tensor<?x40xi32> {fusion.name = "least"},
        tensor<?x40xi32> {fusion.name = "absolute"}, tensor<?x40xi32> {fusion.name = "product"},
        tensor<?x40xi32> {fusion.name = "chosen"}, tensor<?xi32> {fusion.name = "rows"}) {
  %c0 = arith.constant 0 : index
  %m = tensor.dim %a, %c0 : tensor<?x40xi32>
  %row = fusion.broadcast %c dims = [1] sizes(%m) : tensor<40xi32> to tensor<?x40xi32>
  %n = fusion.neg %b : tensor<?x40xi32>
  %0 = fusion.max %a, %n : tensor<?x40xi32>
  %largest = fusion.max %0, %row : tensor<?x40xi32>
  %1 = fusion.min %a, %n : tensor<?x40xi32>
  %least = fusion.min %row, %1 : tensor<?x40xi32>
  %2 = fusion.abs %a : tensor<?x40xi32>
  %absolute = fusion.max %2, %row : tensor<?x40xi32>
  %one = fusion.constant dense<-1> : tensor<i32>
  %ones = fusion.broadcast %one dims = [] sizes(%m) : tensor<i32> to tensor<?x40xi32>
  %3 = fusion.mul %row, %ones : tensor<?x40xi32>
  %4 = fusion.max %b, %3 : tensor<?x40xi32>
  %product = fusion.max %4, %a : tensor<?x40xi32>
  %is = fusion.compare gt, %b, %n : tensor<?x40xi32>
  %5 = fusion.select %is, %b, %n : tensor<?x40xi32>
  %chosen = fusion.max %5, %row : tensor<?x40xi32>
  %rows = fusion.reduce max, %n dims = [1] : tensor<?x40xi32> to tensor<?xi32>
  return %largest, %least, %absolute, %product, %chosen, %rows
      : tensor<?x40xi32>, tensor<?x40xi32>, tensor<?x40xi32>, tensor<?x40xi32>, tensor<?x40xi32>, tensor<?xi32>
}
