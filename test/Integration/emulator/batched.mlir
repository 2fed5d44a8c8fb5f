// Products of a batch, the second operand the same for all or not.
// RUN: %gpu-tests --device=emulator --target=sm_80,sm_90a %s | FileCheck %s
// CHECK: {{[1-9][0-9]*}} passed, 0 failed
//
// CASE-STATIC: p=2 m=64 n=64 k=128
// CASE-STATIC: p=3 m=40 n=72 k=40
// CASE: p=2 m=33 n=24 k=17

func.func @main(%a: tensor<?x?x?xf16> {fusion.name = "a", fusion.dims = ["p", "m", "k"]},
                %b: tensor<?x?x?xf16> {fusion.name = "b", fusion.dims = ["p", "k", "n"]})
    -> (tensor<?x?x?xf16> {fusion.name = "y"}) {
  %0 = fusion.matmul %a, %b : tensor<?x?x?xf16>, tensor<?x?x?xf16> -> tensor<?x?x?xf16>
  %1 = fusion.relu %0 : tensor<?x?x?xf16>
  return %1 : tensor<?x?x?xf16>
}
