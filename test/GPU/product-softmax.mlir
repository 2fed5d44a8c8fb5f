// A product with few columns, a bias and a softmax of each row: one kernel, whose
// tiles have columns past the last one.
//
// RUN: %gpu-tests --device=cpu %s | FileCheck %s
// RUN: %gpu-tests --device=emulator --target=sm_90a,sm_80 %s | FileCheck %s
// RUN: %if cuda-sm90 %{ %gpu-tests --device=cuda %s | FileCheck %s %}
// CHECK: {{[1-9][0-9]*}} passed, 0 failed
//
// Rows of 256 with a long k are estimated to be faster apart.
// LAUNCHES-STATIC: 2
// CASE-STATIC: m=70 n=10 k=40
// GPU-CASE-STATIC: m=2,129,4096 n=3,10,64,65,256 k=1,64,1000
// GPU-CASE: m=2,129 n=10,300 k=64

func.func @main(%x: tensor<?x?xf16> {fusion.name = "x", fusion.dims = ["m", "k"]},
                %w: tensor<?x?xf16> {fusion.name = "w", fusion.dims = ["k", "n"]},
                %b: tensor<?xf16> {fusion.name = "b", fusion.dims = ["n"]})
    -> (tensor<?x?xf16> {fusion.name = "y"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %x, %c0 : tensor<?x?xf16>
  %n = tensor.dim %w, %c1 : tensor<?x?xf16>
  %0 = fusion.matmul %x, %w : tensor<?x?xf16>, tensor<?x?xf16> -> tensor<?x?xf16>
  %bias = fusion.broadcast %b dims = [1] sizes(%m, %n) : tensor<?xf16> to tensor<?x?xf16>
  %1 = fusion.add %0, %bias : tensor<?x?xf16>
  %2 = fusion.softmax %1 dim = 1 : tensor<?x?xf16>
  return %2 : tensor<?x?xf16>
}
