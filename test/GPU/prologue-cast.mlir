// The products of what was rounded to f16 for them, one operand also scaled and
// rectified, with a transposed weight: one kernel, whatever the estimate says.
//
// RUN: %gpu-tests --device=cpu %s | FileCheck %s
// RUN: %gpu-tests --device=emulator --target=sm_90a,sm_80 %s | FileCheck %s
// RUN: %if cuda-sm90 %{ %gpu-tests --device=cuda %s | FileCheck %s %}
// CHECK: {{[1-9][0-9]*}} passed, 0 failed
//
// LAUNCHES: 1
// CASE-STATIC: m=2,33 n=24,65 k=7,72
// CASE: m=35 n=40 k=33
// GPU-CASE-STATIC: m=2,7,300 n=8,127,129 k=1,7,64,129
// GPU-CASE: m=2,127,300 n=7,129 k=64,129,1000

func.func @main(%a: tensor<?x?xf32> {fusion.name = "a", fusion.dims = ["m", "k"]},
                %r: tensor<?xf32> {fusion.name = "r", fusion.dims = ["m"]},
                %w: tensor<?x?xf32> {fusion.name = "w", fusion.dims = ["n", "k"]},
                %bias: tensor<?xf16> {fusion.name = "bias", fusion.dims = ["n"]})
    -> (tensor<?x?xf16> {fusion.name = "y"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %a, %c0 : tensor<?x?xf32>
  %k = tensor.dim %a, %c1 : tensor<?x?xf32>
  %n = tensor.dim %w, %c0 : tensor<?x?xf32>
  %rb = fusion.broadcast %r dims = [0] sizes(%m, %k) : tensor<?xf32> to tensor<?x?xf32>
  %0 = fusion.mul %a, %rb : tensor<?x?xf32>
  %1 = fusion.relu %0 : tensor<?x?xf32>
  %2 = fusion.cast %1 {fusion.fuse_with = "all"} : tensor<?x?xf32> to tensor<?x?xf16>
  %w1 = fusion.cast %w {fusion.fuse_with = "all"} : tensor<?x?xf32> to tensor<?x?xf16>
  %wt = fusion.transpose %w1 perm = [1, 0] : tensor<?x?xf16> to tensor<?x?xf16>
  %3 = fusion.matmul %2, %wt {fusion.fuse_with = "all"} : tensor<?x?xf16>, tensor<?x?xf16> -> tensor<?x?xf16>
  %4 = fusion.broadcast %bias dims = [1] sizes(%m, %n) : tensor<?xf16> to tensor<?x?xf16>
  %5 = fusion.add %3, %4 : tensor<?x?xf16>
  %6 = fusion.relu %5 : tensor<?x?xf16>
  return %6 : tensor<?x?xf16>
}
