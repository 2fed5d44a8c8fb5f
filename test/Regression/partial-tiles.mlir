// A matmul whose sizes are no multiples of a tile, with an epilogue that would
// show a wrong tail of K. Case B007.
// DEFINE: %{npy} = %python %S/Inputs/npy.py
// RUN: rm -rf %t && mkdir -p %t
// RUN: %{npy} make %t/a.npy f16:130x1001 1
// RUN: %{npy} make %t/b.npy f16:1001x999 1
// RUN: fusion-run %s --device=cpu --input a=%t/a.npy --input b=%t/b.npy --save-outputs %t/fused
// RUN: fusion-run %s --device=cpu --fuse=none --input a=%t/a.npy --input b=%t/b.npy --save-outputs %t/unfused
// RUN: fusion-run %s --device=emulator --target=sm_80 --input a=%t/a.npy --input b=%t/b.npy --save-outputs %t/sm80
// RUN: fusion-run %s --device=emulator --target=sm_90a --input a=%t/a.npy --input b=%t/b.npy --save-outputs %t/sm90
// RUN: %{npy} show %t/fused/least.npy %t/fused/most.npy | FileCheck %s
// RUN: %{npy} show %t/unfused/least.npy %t/unfused/most.npy | FileCheck %s
// RUN: %{npy} show %t/sm80/least.npy %t/sm80/most.npy | FileCheck %s
// RUN: %{npy} show %t/sm90/least.npy %t/sm90/most.npy | FileCheck %s

// CHECK:      f16 () 1{{$}}
// CHECK-NEXT: f16 () 1{{$}}
func.func @main(%a: tensor<130x1001xf16> {fusion.name = "a"}, %b: tensor<1001x999xf16> {fusion.name = "b"})
    -> (tensor<f16> {fusion.name = "least"}, tensor<f16> {fusion.name = "most"}) {
  %0 = fusion.matmul %a, %b : tensor<130x1001xf16>, tensor<1001x999xf16> -> tensor<130x999xf16>
  %c = fusion.constant dense<1000.0> : tensor<130x999xf16>
  %1 = fusion.sub %0, %c : tensor<130x999xf16>
  %2 = fusion.relu %1 : tensor<130x999xf16>
  %3 = fusion.reduce min, %2 dims = [0, 1] : tensor<130x999xf16> to tensor<f16>
  %4 = fusion.reduce max, %2 dims = [0, 1] : tensor<130x999xf16> to tensor<f16>
  return %3, %4 : tensor<f16>, tensor<f16>
}
