// A pooled value is dense: flattened rows of 3283 elements, no multiple of any
// unit, are summed right in each batch. Case B005.
// DEFINE: %{npy} = %python %S/Inputs/npy.py
// DEFINE: %{run} = fusion-run %s --input batch=%t/batch.npy --input ramp=%t/ramp.npy --save-outputs %t/out
// DEFINE: %{show} = %{npy} show %t/out/sums.npy %t/out/ramps.npy
// RUN: rm -rf %t && mkdir -p %t
// RUN: %{npy} make %t/batch.npy f32 1 2 3 4
// RUN: %{npy} make %t/ramp.npy f32 0 1 2 3 4 5 6 7 8 9 10 11 12 13
// RUN: %{run} --device=cpu && %{show} | FileCheck %s
// RUN: %{run} --device=cpu --fuse=none && %{show} | FileCheck %s
// RUN: %{run} --device=emulator --target=sm_80 && %{show} | FileCheck %s
// RUN: %{run} --device=emulator --target=sm_90a && %{show} | FileCheck %s

// CHECK:      f32 (4,) 3283 6566 9849 13132
// CHECK-NEXT: f32 (4,) 21339.5 21339.5 21339.5 21339.5
func.func @main(%batch: tensor<4xf32> {fusion.name = "batch"}, %ramp: tensor<14xf32> {fusion.name = "ramp"})
    -> (tensor<4xf32> {fusion.name = "sums"}, tensor<4xf32> {fusion.name = "ramps"}) {
  %quarter = fusion.constant dense<0.25> : tensor<4x67x7x7xf32>
  %0 = fusion.broadcast %batch dims = [0] : tensor<4xf32> to tensor<4x67x14x14xf32>
  %1 = fusion.pool sum, %0 window = [2, 2] strides = [2, 2] dilations = [1, 1] low = [0, 0] high = [0, 0]
       : tensor<4x67x14x14xf32> to tensor<4x67x7x7xf32>
  %2 = fusion.mul %1, %quarter : tensor<4x67x7x7xf32>
  %3 = fusion.reshape %2 : tensor<4x67x7x7xf32> to tensor<4x3283xf32>
  %4 = fusion.reduce sum, %3 dims = [1] : tensor<4x3283xf32> to tensor<4xf32>
  %5 = fusion.broadcast %ramp dims = [3] : tensor<14xf32> to tensor<4x67x14x14xf32>
  %6 = fusion.pool sum, %5 window = [2, 2] strides = [2, 2] dilations = [1, 1] low = [0, 0] high = [0, 0]
       : tensor<4x67x14x14xf32> to tensor<4x67x7x7xf32>
  %7 = fusion.mul %6, %quarter : tensor<4x67x7x7xf32>
  %8 = fusion.reshape %7 : tensor<4x67x7x7xf32> to tensor<4x3283xf32>
  %9 = fusion.reduce sum, %8 dims = [1] : tensor<4x3283xf32> to tensor<4xf32>
  return %4, %9 : tensor<4xf32>, tensor<4xf32>
}
