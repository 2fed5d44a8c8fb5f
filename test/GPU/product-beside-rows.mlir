// A warp-specialised product, short rows and elementwise code in one launch:
// bodies of unequal block size; the smaller ones leave warps idle, and their
// barriers count just the others.
//
// RUN: %gpu-tests --device=cpu %s | FileCheck %s
// RUN: %gpu-tests --device=emulator --target=sm_90a,sm_80 %s | FileCheck %s
// RUN: %if cuda-sm90 %{ %gpu-tests --device=cuda %s | FileCheck %s %}
// CHECK: {{[1-9][0-9]*}} passed, 0 failed
//
// LAUNCHES: 1
// CASE-STATIC: m=130
// GPU-CASE-STATIC: m=1,129,1000
// GPU-CASE: m=1,129,1000

func.func @main(%a: tensor<?x64xf16> {fusion.name = "a", fusion.dims = ["m", ""]},
                %b: tensor<64x72xf16> {fusion.name = "b"},
                %c: tensor<?x300xf32> {fusion.name = "c", fusion.dims = ["m", ""]},
                %d: tensor<?x5xf32> {fusion.name = "d", fusion.dims = ["m", ""]})
    -> (tensor<?x72xf16> {fusion.name = "p"}, tensor<?x300xf32> {fusion.name = "q"},
        tensor<?x5xf32> {fusion.name = "r"}) {
  %0 = fusion.matmul %a, %b : tensor<?x64xf16>, tensor<64x72xf16> -> tensor<?x72xf16>
  %p = fusion.gelu %0 approximate = none : tensor<?x72xf16>
  %q = fusion.softmax %c dim = 1 : tensor<?x300xf32>
  %r = fusion.tanh %d : tensor<?x5xf32>
  return %p, %q, %r : tensor<?x72xf16>, tensor<?x300xf32>, tensor<?x5xf32>
}
