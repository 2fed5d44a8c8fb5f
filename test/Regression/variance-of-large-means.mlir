// The variance of rows whose mean is large against their spread keeps its
// digits; it is never negative. Case B022.
// DEFINE: %{npy} = %python %S/Inputs/npy.py
// RUN: rm -rf %t && mkdir -p %t
// RUN: %{npy} make %t/x.npy f32:1x16 1000000 1000001 1000002 1000003 1000004 1000005 1000006 1000007 1000008 1000009 1000010 1000011 1000012 1000013 1000014 1000015
// RUN: fusion-run %s --device=cpu --input x=%t/x.npy --save-outputs %t/fused
// RUN: fusion-run %s --device=cpu --fuse=none --input x=%t/x.npy --save-outputs %t/unfused
// RUN: fusion-run %s --device=emulator --target=sm_80 --input x=%t/x.npy --save-outputs %t/sm80
// RUN: fusion-run %s --device=emulator --target=sm_90a --input x=%t/x.npy --save-outputs %t/sm90
// RUN: %{npy} show %t/fused/y.npy | FileCheck %s
// RUN: %{npy} show %t/unfused/y.npy | FileCheck %s
// RUN: %{npy} show %t/sm80/y.npy | FileCheck %s
// RUN: %{npy} show %t/sm90/y.npy | FileCheck %s

// (j - 7.5) / sqrt(21.25001)
// CHECK: f32 (1, 16) -1.62697{{[78][0-9]*}} -1.4100{{.*}} 1.4100{{[0-9]*}} 1.62697{{[78][0-9]*}}{{$}}
func.func @main(%x: tensor<1x16xf32> {fusion.name = "x"}) -> (tensor<1x16xf32> {fusion.name = "y"}) {
  %one = fusion.constant dense<1.0> : tensor<16xf32>
  %zero = fusion.constant dense<0.0> : tensor<16xf32>
  %0 = fusion.layer_norm %x scale(%one : tensor<16xf32>) bias(%zero : tensor<16xf32>) axis = 1 eps = 1.0e-05 : tensor<1x16xf32>
  return %0 : tensor<1x16xf32>
}
