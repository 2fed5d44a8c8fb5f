// A chain of elementwise ops on two inputs.
//
// RUN: %gpu-tests --device=cpu %s | FileCheck %s
// RUN: %gpu-tests --device=emulator --target=sm_90a,sm_80 %s | FileCheck %s
// RUN: %if cuda-sm90 %{ %gpu-tests --device=cuda %s | FileCheck %s %}
// CHECK: {{[1-9][0-9]*}} passed, 0 failed
//
// LAUNCHES: 1
// CASE-STATIC: m=1,7 n=1,1000
// CASE: m=0,3 n=129
// GPU-CASE-STATIC: m=1,127,1000 n=1,7,129,4095,4096
// GPU-CASE: m=0,1,127,1000 n=1,7,129,4095,4096
// GPU-CASE-STATIC: m=16384 n=8192

func.func @main(%x: tensor<?x?xf16> {fusion.name = "x", fusion.dims = ["m", "n"]},
                %y: tensor<?x?xf16> {fusion.name = "y", fusion.dims = ["m", "n"]})
    -> (tensor<?x?xf16> {fusion.name = "z"}) {
  %0 = fusion.gelu %x approximate = none : tensor<?x?xf16>
  %1 = fusion.mul %0, %y : tensor<?x?xf16>
  %2 = fusion.tanh %1 : tensor<?x?xf16>
  %3 = fusion.sigmoid %y : tensor<?x?xf16>
  %4 = fusion.mul %2, %3 : tensor<?x?xf16>
  return %4 : tensor<?x?xf16>
}
