// softmax of rows that fit in no block's registers, and of a sum, in f32.
//
// RUN: %gpu-tests --device=cpu %s | FileCheck %s
// RUN: %gpu-tests --device=emulator --target=sm_90a,sm_80 %s | FileCheck %s
// RUN: %if cuda-sm90 %{ %gpu-tests --device=cuda %s | FileCheck %s %}
// CHECK: {{[1-9][0-9]*}} passed, 0 failed
//
// With few rows one block each leaves the GPU idle: several launches may be
// estimated to be faster than one.
// LAUNCHES: 5
// CASE-STATIC: m=2 n=40000
// GPU-CASE-STATIC: m=1,9 n=33,40000,65537

func.func @main(%x: tensor<?x?xf32> {fusion.name = "x", fusion.dims = ["m", "n"]},
                %y: tensor<?x?xf32> {fusion.name = "y", fusion.dims = ["m", "n"]})
    -> (tensor<?x?xf32> {fusion.name = "z"}) {
  %0 = fusion.add %x, %y : tensor<?x?xf32>
  %1 = fusion.softmax %0 dim = 1 : tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}
