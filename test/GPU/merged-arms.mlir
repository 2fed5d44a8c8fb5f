// Arms that compute the same on different operands: one body whose tensors the
// device chooses. Matrix products of other activations and weights, with other
// code after them; a case of three ways; rows. Predicates that hold and that do
// not, which the GPU computes. What is not chosen holds NaN.
//
// RUN: %gpu-tests --device=cpu %s | FileCheck %s
// RUN: %gpu-tests --device=emulator --target=sm_90a,sm_80 %s | FileCheck %s
// RUN: %if cuda-sm90 %{ %gpu-tests --device=cuda %s | FileCheck %s %}
// CHECK: {{[1-9][0-9]*}} passed, 0 failed
//
// CASE-STATIC: m=70 n=40 k=72
// CASE: m=33 n=24 k=40
// GPU-CASE-STATIC: m=1,7,129,1000,4096 n=64,129,1024 k=64,129,1536
// GPU-CASE: m=1,129,4095 n=8,1024 k=64,1536

func.func @main(%x: tensor<?x?xf16> {fusion.name = "x", fusion.dims = ["m", "k"]},
                %a: tensor<?x?xf16> {fusion.name = "a", fusion.dims = ["k", "n"]},
                %b: tensor<?x?xf16> {fusion.name = "b", fusion.dims = ["k", "n"]},
                %bias: tensor<?xf16> {fusion.name = "bias", fusion.dims = ["n"]})
    -> (tensor<?x?xf16> {fusion.name = "r"}, tensor<?x?xf16> {fusion.name = "s"},
        tensor<?x?xf16> {fusion.name = "t"}, tensor<?x?xf16> {fusion.name = "u"}) {
  %c0 = arith.constant 0 : index
  %m = tensor.dim %x, %c0 : tensor<?x?xf16>
  %n = tensor.dim %bias, %c0 : tensor<?xf16>
  %square = fusion.mul %x, %x : tensor<?x?xf16>
  %sum = fusion.reduce sum, %square dims = [0, 1] : tensor<?x?xf16> to tensor<f16>
  %limit = fusion.constant dense<-1.0> : tensor<f16>
  %yes = fusion.compare gt, %sum, %limit : tensor<f16>
  %no = fusion.compare lt, %sum, %limit : tensor<f16>
  %zero = fusion.sub %x, %x : tensor<?x?xf16>
  %nan = fusion.div %zero, %zero : tensor<?x?xf16>

  %r = fusion.if %yes : tensor<i1> -> tensor<?x?xf16> {
    %0 = fusion.matmul %x, %a : tensor<?x?xf16>, tensor<?x?xf16> -> tensor<?x?xf16>
    %1 = fusion.broadcast %bias dims = [1] sizes(%m, %n) : tensor<?xf16> to tensor<?x?xf16>
    %2 = fusion.add %0, %1 : tensor<?x?xf16>
    %3 = fusion.relu %2 : tensor<?x?xf16>
    fusion.yield %3 : tensor<?x?xf16>
  } else {
    %0 = fusion.matmul %nan, %b : tensor<?x?xf16>, tensor<?x?xf16> -> tensor<?x?xf16>
    %1 = fusion.gelu %0 approximate = none : tensor<?x?xf16>
    fusion.yield %1 : tensor<?x?xf16>
  }

  %s = fusion.if %no : tensor<i1> -> tensor<?x?xf16> {
    %0 = fusion.matmul %nan, %a : tensor<?x?xf16>, tensor<?x?xf16> -> tensor<?x?xf16>
    fusion.yield %0 : tensor<?x?xf16>
  } else {
    %0 = fusion.matmul %x, %b : tensor<?x?xf16>, tensor<?x?xf16> -> tensor<?x?xf16>
    %1 = fusion.tanh %0 : tensor<?x?xf16>
    %2 = fusion.add %1, %r : tensor<?x?xf16>
    fusion.yield %2 : tensor<?x?xf16>
  }

  %t = fusion.if %no : tensor<i1> -> tensor<?x?xf16> {
    %0 = fusion.matmul %nan, %a : tensor<?x?xf16>, tensor<?x?xf16> -> tensor<?x?xf16>
    fusion.yield %0 : tensor<?x?xf16>
  } else {
    %v = fusion.if %yes : tensor<i1> -> tensor<?x?xf16> {
      %0 = fusion.matmul %x, %b : tensor<?x?xf16>, tensor<?x?xf16> -> tensor<?x?xf16>
      %1 = fusion.silu %0 : tensor<?x?xf16>
      fusion.yield %1 : tensor<?x?xf16>
    } else {
      %0 = fusion.matmul %nan, %b : tensor<?x?xf16>, tensor<?x?xf16> -> tensor<?x?xf16>
      fusion.yield %0 : tensor<?x?xf16>
    }
    fusion.yield %v : tensor<?x?xf16>
  }

  %u = fusion.if %yes : tensor<i1> -> tensor<?x?xf16> {
    %0 = fusion.softmax %x dim = 1 : tensor<?x?xf16>
    fusion.yield %0 : tensor<?x?xf16>
  } else {
    %0 = fusion.softmax %nan dim = 1 : tensor<?x?xf16>
    fusion.yield %0 : tensor<?x?xf16>
  }
  return %r, %s, %t, %u : tensor<?x?xf16>, tensor<?x?xf16>, tensor<?x?xf16>, tensor<?x?xf16>
}
