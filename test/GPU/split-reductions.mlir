// Reductions with few results, done in parts: a sum of everything, sums of
// columns with elementwise code before and after them, the largest of a long
// row, sums over the first and the last dims.
//
// RUN: %gpu-tests --device=cpu %s | FileCheck %s
// RUN: %gpu-tests --device=emulator --target=sm_90a,sm_80 %s | FileCheck %s
// RUN: %if cuda-sm90 %{ %gpu-tests --device=cuda %s | FileCheck %s %}
// CHECK: {{[1-9][0-9]*}} passed, 0 failed
//
// LAUNCHES: 8
// CASE-STATIC: n=40003
// GPU-CASE-STATIC: n=40003,1048577

func.func @main(%x: tensor<?xf32> {fusion.name = "x", fusion.dims = ["n"]},
                %y: tensor<?x5xf16> {fusion.name = "y", fusion.dims = ["n", ""]},
                %z: tensor<2x?x3xf32> {fusion.name = "z", fusion.dims = ["", "n", ""]})
    -> (tensor<f32> {fusion.name = "sum"}, tensor<5xf16> {fusion.name = "columns"},
        tensor<f32> {fusion.name = "most"}, tensor<2x3xf32> {fusion.name = "middle"}) {
  %0 = fusion.reduce sum, %x dims = [0] : tensor<?xf32> to tensor<f32>
  %1 = fusion.mul %y, %y : tensor<?x5xf16>
  %2 = fusion.reduce mean, %1 dims = [0] : tensor<?x5xf16> to tensor<5xf16>
  %3 = fusion.sqrt %2 : tensor<5xf16>
  %4 = fusion.abs %x : tensor<?xf32>
  %5 = fusion.reduce max, %4 dims = [0] : tensor<?xf32> to tensor<f32>
  %6 = fusion.reduce sum, %z dims = [1] : tensor<2x?x3xf32> to tensor<2x3xf32>
  return %0, %3, %5, %6 : tensor<f32>, tensor<5xf16>, tensor<f32>, tensor<2x3xf32>
}
