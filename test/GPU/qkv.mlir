// x wq, x wk, x wv: three matrix products of unequal widths that share an
// operand, one launch; the weights lie where they are. Each writes a result of
// its own, one with a bias, one through an activation.
//
// RUN: %gpu-tests --device=cpu %s | FileCheck %s
// RUN: %gpu-tests --device=emulator --target=sm_90a,sm_80 %s | FileCheck %s
// RUN: %if cuda-sm90 %{ %gpu-tests --device=cuda %s | FileCheck %s %}
// CHECK: {{[1-9][0-9]*}} passed, 0 failed
//
// LAUNCHES: 1
// CASE-STATIC: m=70 k=72
// CASE: m=65 k=40
// GPU-CASE-STATIC: m=1,7,129,1000,4096 k=64,129,1536
// GPU-CASE: m=1,129,4095 k=64,129,1536

func.func @main(%x: tensor<?x?xf16> {fusion.name = "x", fusion.dims = ["m", "k"]},
                %wq: tensor<?x136xf16> {fusion.name = "wq", fusion.dims = ["k", ""]},
                %wk: tensor<?x72xf16> {fusion.name = "wk", fusion.dims = ["k", ""]},
                %wv: tensor<?x24xf16> {fusion.name = "wv", fusion.dims = ["k", ""]},
                %bias: tensor<136xf16> {fusion.name = "bias"})
    -> (tensor<?x136xf16> {fusion.name = "q"}, tensor<?x72xf16> {fusion.name = "k"},
        tensor<?x24xf16> {fusion.name = "v"}) {
  %c0 = arith.constant 0 : index
  %m = tensor.dim %x, %c0 : tensor<?x?xf16>
  %0 = fusion.matmul %x, %wq : tensor<?x?xf16>, tensor<?x136xf16> -> tensor<?x136xf16>
  %1 = fusion.broadcast %bias dims = [1] sizes(%m) : tensor<136xf16> to tensor<?x136xf16>
  %q = fusion.add %0, %1 : tensor<?x136xf16>
  %2 = fusion.matmul %x, %wk : tensor<?x?xf16>, tensor<?x72xf16> -> tensor<?x72xf16>
  %k = fusion.tanh %2 : tensor<?x72xf16>
  %v = fusion.matmul %x, %wv : tensor<?x?xf16>, tensor<?x24xf16> -> tensor<?x24xf16>
  return %q, %k, %v : tensor<?x136xf16>, tensor<?x72xf16>, tensor<?x24xf16>
}
