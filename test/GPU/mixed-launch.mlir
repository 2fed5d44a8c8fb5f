// Independent work of four kinds in one launch: a matrix product, a softmax of
// long rows, elementwise code, a sum of rows.
//
// RUN: %gpu-tests --device=cpu %s | FileCheck %s
// RUN: %gpu-tests --device=emulator --target=sm_90a,sm_80 %s | FileCheck %s
// RUN: %if cuda-sm90 %{ %gpu-tests --device=cuda %s | FileCheck %s %}
// CHECK: {{[1-9][0-9]*}} passed, 0 failed
//
// LAUNCHES: 1
// CASE-STATIC: m=33 n=70
// CASE: m=67 n=129
// GPU-CASE-STATIC: m=1,7,129,1000 n=1,129,1024,4100
// GPU-CASE: m=1,129,1000 n=7,1024

func.func @main(%a: tensor<?x?xf32> {fusion.name = "a", fusion.dims = ["m", "n"]},
                %b: tensor<?x40xf32> {fusion.name = "b", fusion.dims = ["n", ""]},
                %c: tensor<?x?xf32> {fusion.name = "c", fusion.dims = ["n", "m"]},
                %d: tensor<?xf16> {fusion.name = "d", fusion.dims = ["n"]},
                %e: tensor<17x?xf32> {fusion.name = "e", fusion.dims = ["", "m"]})
    -> (tensor<?x40xf32> {fusion.name = "p"}, tensor<?x?xf32> {fusion.name = "q"},
        tensor<?xf16> {fusion.name = "r"}, tensor<17xf32> {fusion.name = "s"}) {
  %p = fusion.matmul %a, %b : tensor<?x?xf32>, tensor<?x40xf32> -> tensor<?x40xf32>
  %q = fusion.softmax %c dim = 1 : tensor<?x?xf32>
  %0 = fusion.exp %d : tensor<?xf16>
  %r = fusion.neg %0 : tensor<?xf16>
  %s = fusion.reduce sum, %e dims = [1] : tensor<17x?xf32> to tensor<17xf32>
  return %p, %q, %r, %s : tensor<?x40xf32>, tensor<?x?xf32>, tensor<?xf16>, tensor<17xf32>
}
