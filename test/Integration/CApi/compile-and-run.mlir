// From a graph to a package to a C program that runs it: the program knows
// nothing but fusion-c/Runtime.h, and does not link the compiler.
//
// RUN: fusion-compile %s --target=cpu -o %t.so
// RUN: %cc -std=c11 -pedantic -Wall -Wextra -Werror -I%include %S/Inputs/run-package.c -L%lib -lFusionRuntime -Wl,-rpath,%lib -o %t
// RUN: %t %t.so | FileCheck %s
// CHECK: {{^}}11 26{{$}}
//
// UNSUPPORTED: sanitizer

func.func @main(%x: tensor<?x2xf32> {fusion.name = "x", fusion.dims = ["batch", ""]},
                %w: tensor<2xf32> {fusion.name = "w", fusion.weight})
    -> (tensor<?x2xf32> {fusion.name = "y", fusion.dims = ["batch", ""]}) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x2xf32>
  %b = fusion.broadcast %w dims = [1] sizes(%n) : tensor<2xf32> to tensor<?x2xf32>
  %y = fusion.add %x, %b : tensor<?x2xf32>
  return %y : tensor<?x2xf32>
}
