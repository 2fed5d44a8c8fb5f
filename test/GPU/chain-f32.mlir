// relu(x w) w^T + x in f32: scalar multiplies, the middle in shared memory, one
// array that both contractions read, and x as a residual.
//
// RUN: %gpu-tests --device=cpu %s | FileCheck %s
// RUN: %gpu-tests --device=emulator --target=sm_90a,sm_80 %s | FileCheck %s
// RUN: %if cuda-sm90 %{ %gpu-tests --device=cuda %s | FileCheck %s %}
// CHECK: {{[1-9][0-9]*}} passed, 0 failed
//
// CASE-STATIC: m=15 k=17 r=40
// CASE-STATIC: m=40 k=129 r=15
// CASE-STATIC: m=17 k=40 r=129
// GPU-CASE-STATIC: m=15,129,1000 k=17,64,129,1024 r=15,64,129,200

func.func @main(%x: tensor<?x?xf32> {fusion.name = "x", fusion.dims = ["m", "k"]},
                %w: tensor<?x?xf32> {fusion.name = "w", fusion.dims = ["k", "r"]})
    -> (tensor<?x?xf32> {fusion.name = "y"}) {
  %0 = fusion.matmul %x, %w {fusion.fuse_with = "chain"} : tensor<?x?xf32>, tensor<?x?xf32> -> tensor<?x?xf32>
  %1 = fusion.relu %0 : tensor<?x?xf32>
  %2 = fusion.matmul %1, %w {transpose_b, fusion.fuse_with = "chain"} : tensor<?x?xf32>, tensor<?x?xf32> -> tensor<?x?xf32>
  %3 = fusion.add %2, %x : tensor<?x?xf32>
  return %3 : tensor<?x?xf32>
}
