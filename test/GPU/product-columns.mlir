// The columns of a product of few rows are added up, and their extremes found,
// where they are made. The maximum of a column of nothing but roots of negative
// numbers is NaN; what lies past the last row is no part of it.
//
// RUN: %gpu-tests --device=cpu %s | FileCheck %s
// RUN: %gpu-tests --device=emulator --target=sm_90a,sm_80 %s | FileCheck %s
// RUN: %if cuda-sm90 %{ %gpu-tests --device=cuda %s | FileCheck %s %}
// CHECK: {{[1-9][0-9]*}} passed, 0 failed
//
// LAUNCHES: 1
// CASE: n=70 k=40
// GPU-CASE: n=2,1000,8192 k=1,64,1000
// GPU-CASE-STATIC: n=2,1000 k=64

func.func @main(%x: tensor<20x?xbf16> {fusion.name = "x", fusion.dims = ["", "k"]},
                %w: tensor<?x?xbf16> {fusion.name = "w", fusion.dims = ["k", "n"]})
    -> (tensor<?xbf16> {fusion.name = "y"}, tensor<?xbf16> {fusion.name = "z"}) {
  %0 = fusion.matmul %x, %w : tensor<20x?xbf16>, tensor<?x?xbf16> -> tensor<20x?xbf16>
  %1 = fusion.sigmoid %0 : tensor<20x?xbf16>
  %2 = fusion.reduce mean, %1 dims = [0] : tensor<20x?xbf16> to tensor<?xbf16>
  %3 = fusion.sqrt %0 : tensor<20x?xbf16>
  %4 = fusion.reduce max, %3 dims = [0] : tensor<20x?xbf16> to tensor<?xbf16>
  return %2, %4 : tensor<?xbf16>, tensor<?xbf16>
}
