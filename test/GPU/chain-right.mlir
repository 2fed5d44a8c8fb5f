// a tanh(b c) with few columns: what lies between is the right operand, and the
// tiles of the result run across memory.
//
// RUN: %gpu-tests --device=cpu %s | FileCheck %s
// RUN: %gpu-tests --device=emulator --target=sm_90a,sm_80 %s | FileCheck %s
// RUN: %if cuda-sm90 %{ %gpu-tests --device=cuda %s | FileCheck %s %}
// CHECK: {{[1-9][0-9]*}} passed, 0 failed
//
// CASE-STATIC: m=129 k=40 l=17 n=15
// CASE-STATIC: m=17 k=300 l=40 n=17
// GPU-CASE-STATIC: m=15,129,4096 k=40,129,1000 l=17,64 n=15,32

func.func @main(%a: tensor<?x?xf16> {fusion.name = "a", fusion.dims = ["m", "k"]},
                %b: tensor<?x?xf16> {fusion.name = "b", fusion.dims = ["k", "l"]},
                %c: tensor<?x?xf16> {fusion.name = "c", fusion.dims = ["l", "n"]})
    -> (tensor<?x?xf16> {fusion.name = "y"}) {
  %0 = fusion.matmul %b, %c {fusion.fuse_with = "chain"} : tensor<?x?xf16>, tensor<?x?xf16> -> tensor<?x?xf16>
  %1 = fusion.tanh %0 : tensor<?x?xf16>
  %2 = fusion.matmul %a, %1 {fusion.fuse_with = "chain"} : tensor<?x?xf16>, tensor<?x?xf16> -> tensor<?x?xf16>
  return %2 : tensor<?x?xf16>
}
