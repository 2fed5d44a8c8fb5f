// Rows that are normalised (a layer norm), multiplied by weights and by weights
// whose columns are divided by their sum: one kernel that reduces rows of both
// operands before its steps of k, whatever the estimate says.
//
// RUN: %gpu-tests --device=cpu %s | FileCheck %s
// RUN: %gpu-tests --device=emulator --target=sm_90a,sm_80 %s | FileCheck %s
// RUN: %if cuda-sm90 %{ %gpu-tests --device=cuda %s | FileCheck %s %}
// CHECK: {{[1-9][0-9]*}} passed, 0 failed
//
// LAUNCHES: 1
// CASE-STATIC: m=33 n=65 k=300
// CASE-STATIC: m=2 n=9 k=1
// CASE: m=2 n=40 k=13
// GPU-CASE-STATIC: m=2,16,300 n=8,127,4096 k=1,64,129,1024
// GPU-CASE: m=2,127,300 n=7,129,4096 k=64,129,1000

func.func @main(%x: tensor<?x?xf16> {fusion.name = "x", fusion.dims = ["m", "k"]},
                %w: tensor<?x?xf16> {fusion.name = "w", fusion.dims = ["k", "n"]},
                %g: tensor<?xf16> {fusion.name = "g", fusion.dims = ["k"]},
                %b: tensor<?xf16> {fusion.name = "b", fusion.dims = ["k"]})
    -> (tensor<?x?xf16> {fusion.name = "y"}) {
  %0 = fusion.layer_norm %x scale(%g : tensor<?xf16>) bias(%b : tensor<?xf16>) axis = 1 eps = 1.0e-5 {fusion.fuse_with = "all"} : tensor<?x?xf16>
  %1 = fusion.softmax %w dim = 0 {fusion.fuse_with = "all"} : tensor<?x?xf16>
  %2 = fusion.matmul %0, %1 {fusion.fuse_with = "all"} : tensor<?x?xf16>, tensor<?x?xf16> -> tensor<?x?xf16>
  %3 = fusion.relu %2 {fusion.fuse_with = "all"} : tensor<?x?xf16>
  return %3 : tensor<?x?xf16>
}
