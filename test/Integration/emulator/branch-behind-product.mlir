// Arms of elementwise code that follow one product: both are selected from in the
// product's epilogue, also where an arm passes the product through. One launch.
//
// RUN: fusion-compile %s --target=sm_80 --report=- -o %t.so | FileCheck %s --check-prefix=PLAN
// RUN: fusion-compile %s --target=sm_90a --report=- -o %t.so | FileCheck %s --check-prefix=PLAN
// PLAN: launches become 1,
//
// x w is 16 everywhere: 16 - 20, 16 + 0.5; 16 through, 16 * 2.
// RUN: rm -rf %t && mkdir -p %t
// DEFINE: %{npy} = %python %S/../../Regression/Inputs/npy.py
// RUN: %{npy} make %t/true.npy bool: 1
// RUN: %{npy} make %t/false.npy bool: 0
// DEFINE: %{run} = fusion-run %s --input x=ones --input w=ones --verify
// RUN: %{run} --device=cpu --input c=%t/true.npy | FileCheck %s --check-prefix=TRUE
// RUN: %{run} --device=cpu --input c=%t/false.npy | FileCheck %s --check-prefix=FALSE
// RUN: %{run} --device=emulator --target=sm_80 --input c=%t/true.npy | FileCheck %s --check-prefix=TRUE
// RUN: %{run} --device=emulator --target=sm_80 --input c=%t/false.npy | FileCheck %s --check-prefix=FALSE
// RUN: %{run} --device=emulator --target=sm_90a --input c=%t/true.npy | FileCheck %s --check-prefix=TRUE
// RUN: %{run} --device=emulator --target=sm_90a --input c=%t/false.npy | FileCheck %s --check-prefix=FALSE
// TRUE:  y: 7x11:f32 least -4 most -4
// TRUE:  z: 7x11:f32 least 16 most 16
// TRUE:  verify: all {{.*}} agree
// FALSE: y: 7x11:f32 least 16.5 most 16.5
// FALSE: z: 7x11:f32 least 32 most 32
// FALSE: verify: all {{.*}} agree
func.func @main(%c: tensor<i1> {fusion.name = "c"}, %x: tensor<7x16xf32> {fusion.name = "x"}, %w: tensor<16x11xf32> {fusion.name = "w"})
    -> (tensor<7x11xf32> {fusion.name = "y"}, tensor<7x11xf32> {fusion.name = "z"}) {
  %twenty = fusion.constant dense<20.0> : tensor<7x11xf32>
  %half = fusion.constant dense<0.5> : tensor<7x11xf32>
  %y, %z = fusion.if %c : tensor<i1> -> tensor<7x11xf32>, tensor<7x11xf32> {
    %m = fusion.matmul %x, %w : tensor<7x16xf32>, tensor<16x11xf32> -> tensor<7x11xf32>
    %0 = fusion.sub %m, %twenty : tensor<7x11xf32>
    fusion.yield %0, %m : tensor<7x11xf32>, tensor<7x11xf32>
  } else {
    %m = fusion.matmul %x, %w : tensor<7x16xf32>, tensor<16x11xf32> -> tensor<7x11xf32>
    %0 = fusion.add %m, %half : tensor<7x11xf32>
    %1 = fusion.add %m, %m : tensor<7x11xf32>
    fusion.yield %0, %1 : tensor<7x11xf32>, tensor<7x11xf32>
  }
  return %y, %z : tensor<7x11xf32>, tensor<7x11xf32>
}
