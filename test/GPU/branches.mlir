// Branches on predicates that the GPU computes: one that holds, one that does
// not. Equal work on different weights, arms of unequal depth, an arm that
// passes a value through, a branch inside of a branch. The host reads no
// predicate; what is not taken is not computed.
//
// RUN: %gpu-tests --device=cpu %s | FileCheck %s
// RUN: %gpu-tests --device=emulator --target=sm_90a,sm_80 %s | FileCheck %s
// RUN: %if cuda-sm90 %{ %gpu-tests --device=cuda %s | FileCheck %s %}
// CHECK: {{[1-9][0-9]*}} passed, 0 failed
//
// CASE-STATIC: m=17 n=40
// GPU-CASE: m=70 n=72
// GPU-CASE-STATIC: m=1,7,129,1000 n=64,129,1024
// GPU-CASE: m=1,129,1000 n=8,1024

func.func @main(%x: tensor<?x?xf16> {fusion.name = "x", fusion.dims = ["m", "n"]},
                %a: tensor<?x?xf16> {fusion.name = "a", fusion.dims = ["n", "n"]},
                %b: tensor<?x?xf16> {fusion.name = "b", fusion.dims = ["n", "n"]})
    -> (tensor<?x?xf16> {fusion.name = "r"}, tensor<?x?xf16> {fusion.name = "s"},
        tensor<?x?xf16> {fusion.name = "t"}) {
  %square = fusion.mul %x, %x : tensor<?x?xf16>
  %sum = fusion.reduce sum, %square dims = [0, 1] : tensor<?x?xf16> to tensor<f16>
  %limit = fusion.constant dense<-1.0> : tensor<f16>
  %yes = fusion.compare gt, %sum, %limit : tensor<f16>
  %no = fusion.compare lt, %sum, %limit : tensor<f16>

  %r = fusion.if %yes : tensor<i1> -> tensor<?x?xf16> {
    %0 = fusion.matmul %x, %a : tensor<?x?xf16>, tensor<?x?xf16> -> tensor<?x?xf16>
    %1 = fusion.gelu %0 approximate = none : tensor<?x?xf16>
    fusion.yield %1 : tensor<?x?xf16>
  } else {
    %0 = fusion.matmul %x, %b : tensor<?x?xf16>, tensor<?x?xf16> -> tensor<?x?xf16>
    %1 = fusion.tanh %0 : tensor<?x?xf16>
    fusion.yield %1 : tensor<?x?xf16>
  }

  %s = fusion.if %no : tensor<i1> -> tensor<?x?xf16> {
    %0 = fusion.softmax %x dim = 1 : tensor<?x?xf16>
    fusion.yield %0 : tensor<?x?xf16>
  } else {
    %0 = fusion.matmul %x, %a : tensor<?x?xf16>, tensor<?x?xf16> -> tensor<?x?xf16>
    %1 = fusion.matmul %0, %b : tensor<?x?xf16>, tensor<?x?xf16> -> tensor<?x?xf16>
    %2 = fusion.add %1, %x : tensor<?x?xf16>
    fusion.yield %2 : tensor<?x?xf16>
  }

  %t = fusion.if %yes : tensor<i1> -> tensor<?x?xf16> {
    %u = fusion.if %no : tensor<i1> -> tensor<?x?xf16> {
      %0 = fusion.matmul %x, %b : tensor<?x?xf16>, tensor<?x?xf16> -> tensor<?x?xf16>
      fusion.yield %0 : tensor<?x?xf16>
    } else {
      fusion.yield %x : tensor<?x?xf16>
    }
    %1 = fusion.exp %u : tensor<?x?xf16>
    fusion.yield %1 : tensor<?x?xf16>
  } else {
    fusion.yield %r : tensor<?x?xf16>
  }
  return %r, %s, %t : tensor<?x?xf16>, tensor<?x?xf16>, tensor<?x?xf16>
}
