// The negation of -32768 in 16 bits is -32768, and so is its absolute value. ptxas
// takes the results of neg.s16 and abs.s16 for 32768 where their sign is read.
//
// RUN: %gpu-tests --device=cpu %s | FileCheck %s
// RUN: %gpu-tests --device=emulator --target=sm_90a,sm_80 %s | FileCheck %s
// RUN: %if cuda-sm90 %{ %gpu-tests --device=cuda %s | FileCheck %s %}
// RUN: fusion-compile %s --target=sm_90a --emit=ptx | FileCheck %s --check-prefix=PTX
// CHECK: {{[1-9][0-9]*}} passed, 0 failed
// PTX-NOT: {{neg|abs}}.s16
// PTX: not.b16
// PTX-NOT: {{neg|abs}}.s16
//
// LAUNCHES: 1
// CASE: m=1,37
// GPU-CASE: m=1,64,1000
func.func @main(%a: tensor<?x4xi16> {fusion.name = "a", fusion.dims = ["m", ""]},
                %b: tensor<?x4xi16> {fusion.name = "b", fusion.dims = ["m", ""]})
    -> (tensor<?x4xi16> {fusion.name = "quotient"}, tensor<?x4xi16> {fusion.name = "shifted"},
        tensor<?x4xf32> {fusion.name = "absolute"}, tensor<?x4xi1> {fusion.name = "less"}) {
  %c0 = arith.constant 0 : index
  %m = tensor.dim %a, %c0 : tensor<?x4xi16>
  %table = fusion.constant dense<[-32768, -32767, 5, 32767]> : tensor<4xi16>
  %row = fusion.broadcast %table dims = [1] sizes(%m) : tensor<4xi16> to tensor<?x4xi16>
  %least = fusion.min %a, %row : tensor<?x4xi16>
  %negated = fusion.neg %least : tensor<?x4xi16>
  %quotient = fusion.div %negated, %b : tensor<?x4xi16>
  %three = fusion.constant dense<3> : tensor<i16>
  %amount = fusion.broadcast %three dims = [] sizes(%m) : tensor<i16> to tensor<?x4xi16>
  %shifted = fusion.shr %negated, %amount : tensor<?x4xi16>
  %magnitude = fusion.abs %least : tensor<?x4xi16>
  %absolute = fusion.cast %magnitude : tensor<?x4xi16> to tensor<?x4xf32>
  %less = fusion.compare lt, %negated, %b : tensor<?x4xi16>
  return %quotient, %shifted, %absolute, %less
      : tensor<?x4xi16>, tensor<?x4xi16>, tensor<?x4xf32>, tensor<?x4xi1>
}
