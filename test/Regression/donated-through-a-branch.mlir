// An arm passes an input through that may be overwritten; what is then computed of the
// branch's result, and returned with it, does not change the caller's input, whichever
// arm is taken. Case B039.
// RUN: fusion-compile %s --target=cpu -o %t.so
// RUN: %cc -std=c11 -Wall -Wextra -Werror -I%include %S/Inputs/repeat-run.c -L%lib -lFusionRuntime -Wl,-rpath,%lib -o %t
// RUN: %t %t.so 20 ramp 1 | FileCheck %s --check-prefixes=CHECK,TAKEN
// RUN: %t %t.so 20 ramp 0 | FileCheck %s --check-prefixes=CHECK,OTHER
// RUN: fusion-compile %s --target=cpu --fuse=none -o %t.so
// RUN: %t %t.so 20 ramp 1 | FileCheck %s --check-prefixes=CHECK,TAKEN
// RUN: %t %t.so 20 ramp 0 | FileCheck %s --check-prefixes=CHECK,OTHER
// CHECK:      20 runs: 0 arrays changed
// TAKEN-NEXT: a: first 7, second 8, last 18
// TAKEN-NEXT: b: first 0, second 1, last 11
// TAKEN-NEXT: x: first 0, second 1, last 11
// TAKEN-NEXT: y: first -7, second -8, last -18
// OTHER-NEXT: a: first 0, second 1, last 11
// OTHER-NEXT: b: first 7, second 8, last 18
// OTHER-NEXT: x: first 0, second 1, last 11
// OTHER-NEXT: y: first -0, second -1, last -11
// CHECK:      0 inputs changed
// CHECK-NEXT: of the host, in place: 0 results changed
func.func @main(%x: tensor<2x6xf32> {fusion.name = "x", fusion.donated}, %k: tensor<f32> {fusion.name = "k"})
    -> (tensor<2x6xf32> {fusion.name = "a"}, tensor<2x6xf32> {fusion.name = "b"},
        tensor<2x6xf32> {fusion.name = "x"}, tensor<2x6xf32> {fusion.name = "y"}) {
  %zero = fusion.constant dense<0.0> : tensor<f32>
  %seven = fusion.constant dense<7.0> : tensor<2x6xf32>
  %c = fusion.compare gt, %k, %zero : tensor<f32>
  %a = fusion.if %c : tensor<i1> -> tensor<2x6xf32> {
    %0 = fusion.add %x, %seven : tensor<2x6xf32>
    fusion.yield %0 : tensor<2x6xf32>
  } else {
    fusion.yield %x : tensor<2x6xf32>
  }
  %b = fusion.if %c : tensor<i1> -> tensor<2x6xf32> {
    fusion.yield %x : tensor<2x6xf32>
  } else {
    %0 = fusion.add %x, %seven : tensor<2x6xf32>
    fusion.yield %0 : tensor<2x6xf32>
  }
  %y = fusion.neg %a : tensor<2x6xf32>
  return %a, %b, %x, %y : tensor<2x6xf32>, tensor<2x6xf32>, tensor<2x6xf32>, tensor<2x6xf32>
}
