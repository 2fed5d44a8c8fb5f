// softmax of each row: two reductions and what is around them, one kernel.
//
// RUN: %gpu-tests --device=cpu %s | FileCheck %s
// RUN: %gpu-tests --device=emulator --target=sm_90a,sm_80 %s | FileCheck %s
// RUN: %if cuda-sm90 %{ %gpu-tests --device=cuda %s | FileCheck %s %}
// CHECK: {{[1-9][0-9]*}} passed, 0 failed
//
// LAUNCHES: 1
// CASE-STATIC: m=1,7 n=1,33,1025
// GPU-CASE-STATIC: m=1,127,1000 n=1,7,129,1025,4096
// GPU-CASE: m=0,1,127,1000 n=1,7,129,1025,4096
// GPU-CASE-STATIC: m=16384 n=8192

func.func @main(%x: tensor<?x?xf16> {fusion.name = "x", fusion.dims = ["m", "n"]})
    -> (tensor<?x?xf16> {fusion.name = "y"}) {
  %0 = fusion.softmax %x dim = 1 : tensor<?x?xf16>
  return %0 : tensor<?x?xf16>
}
