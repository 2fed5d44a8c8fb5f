// gelu(a b + bias), one kernel, with every size in every place: tiles that are
// cut off, strides that no bulk copy can have, one row, one column, one step.
//
// RUN: %gpu-tests --device=cpu %s | FileCheck %s
// RUN: %gpu-tests --device=emulator --target=sm_90a,sm_80 %s | FileCheck %s
// RUN: %if cuda-sm90 %{ %gpu-tests --device=cuda %s | FileCheck %s %}
// CHECK: {{[1-9][0-9]*}} passed, 0 failed
//
// LAUNCHES: 1
// Of three sizes for each dim, every pair of two.
// CASE-STATIC: m=1 n=1 k=1
// CASE-STATIC: m=1 n=127 k=7
// CASE-STATIC: m=1 n=129 k=129
// CASE-STATIC: m=7 n=1 k=7
// CASE-STATIC: m=7 n=127 k=129
// CASE-STATIC: m=7 n=129 k=1
// CASE-STATIC: m=129 n=1 k=129
// CASE-STATIC: m=129 n=127 k=1
// CASE-STATIC: m=129 n=129 k=7
// CASE: m=130 n=257 k=72
// GPU-CASE-STATIC: m=1,7,127,129,1000,4095 n=1,7,127,129,1000,4095 k=1,7,127,129,1000,4095
// GPU-CASE: m=1,127,1000 n=7,129,4096 k=64,129,1000
// GPU-CASE-STATIC: m=4096 n=4096 k=4096

func.func @main(%a: tensor<?x?xf16> {fusion.name = "a", fusion.dims = ["m", "k"]},
                %b: tensor<?x?xf16> {fusion.name = "b", fusion.dims = ["k", "n"]},
                %bias: tensor<?xf16> {fusion.name = "bias", fusion.dims = ["n"]})
    -> (tensor<?x?xf16> {fusion.name = "y"}) {
  %c0 = arith.constant 0 : index
  %m = tensor.dim %a, %c0 : tensor<?x?xf16>
  %n = tensor.dim %bias, %c0 : tensor<?xf16>
  %0 = fusion.matmul %a, %b : tensor<?x?xf16>, tensor<?x?xf16> -> tensor<?x?xf16>
  %1 = fusion.broadcast %bias dims = [1] sizes(%m, %n) : tensor<?xf16> to tensor<?x?xf16>
  %2 = fusion.add %0, %1 : tensor<?x?xf16>
  %3 = fusion.gelu %2 approximate = none : tensor<?x?xf16>
  return %3 : tensor<?x?xf16>
}
