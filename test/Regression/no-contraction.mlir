// Products and a sum of separate operations are not contracted: where the
// products cancel, the result is 0 (a multiply-add gives 1.18e22). Case B019.
// DEFINE: %{npy} = %python %S/Inputs/npy.py
// RUN: rm -rf %t && mkdir -p %t
// RUN: %{npy} make %t/a.npy f32:33 3e19
// RUN: %{npy} make %t/b.npy f32:33 -3e19
// RUN: %{npy} make %t/x.npy f32:33 2e10
// RUN: fusion-run %s --device=cpu --input a=%t/a.npy --input b=%t/b.npy --input x=%t/x.npy --save-outputs %t/fused
// RUN: fusion-run %s --device=cpu --fuse=none --input a=%t/a.npy --input b=%t/b.npy --input x=%t/x.npy --save-outputs %t/unfused
// RUN: fusion-run %s --device=emulator --target=sm_80 --input a=%t/a.npy --input b=%t/b.npy --input x=%t/x.npy --save-outputs %t/sm80
// RUN: fusion-run %s --device=emulator --target=sm_90a --input a=%t/a.npy --input b=%t/b.npy --input x=%t/x.npy --save-outputs %t/sm90
// RUN: %{npy} show %t/fused/y.npy | FileCheck %s
// RUN: %{npy} show %t/unfused/y.npy | FileCheck %s
// RUN: %{npy} show %t/sm80/y.npy | FileCheck %s
// RUN: %{npy} show %t/sm90/y.npy | FileCheck %s
// RUN: fusion-compile %s --target=sm_80 --emit=ptx -o - | FileCheck %s --check-prefix=PTX
// RUN: fusion-compile %s --target=sm_90a --emit=ptx -o - | FileCheck %s --check-prefix=PTX

// Nor does the assembler contract what says how it is rounded.
// PTX-NOT:       fma
// PTX-COUNT-2:   mul.rn.f32
// PTX-NOT:       fma
// PTX:           add.rn.f32
// PTX-NOT:       fma

// CHECK: f32 () 0{{$}}
func.func @main(%a: tensor<33xf32> {fusion.name = "a"}, %b: tensor<33xf32> {fusion.name = "b"},
                %x: tensor<33xf32> {fusion.name = "x"}) -> (tensor<f32> {fusion.name = "y"}) {
  %0 = fusion.mul %a, %x : tensor<33xf32>
  %1 = fusion.mul %b, %x : tensor<33xf32>
  %2 = fusion.add %0, %1 : tensor<33xf32>
  %3 = fusion.abs %2 : tensor<33xf32>
  %4 = fusion.reduce max, %3 dims = [0] : tensor<33xf32> to tensor<f32>
  return %4 : tensor<f32>
}
