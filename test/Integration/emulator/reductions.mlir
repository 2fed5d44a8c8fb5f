// Reductions of each form: along rows and columns, of everything, narrow and
// wide, with what comes before and behind in the same kernel.
// RUN: %gpu-tests --device=emulator --target=sm_80,sm_90a %s | FileCheck %s
// CHECK: {{[1-9][0-9]*}} passed, 0 failed
//
// CASE-STATIC: m=5,64 n=3,130
// CASE: m=7,33 n=1,2050

func.func @main(%x: tensor<?x?xf32> {fusion.name = "x", fusion.dims = ["m", "n"]})
    -> (tensor<?xf32> {fusion.name = "rows"}, tensor<?xf32> {fusion.name = "columns"},
        tensor<f32> {fusion.name = "all"}) {
  %0 = fusion.mul %x, %x : tensor<?x?xf32>
  %1 = fusion.reduce sum, %0 dims = [1] : tensor<?x?xf32> to tensor<?xf32>
  %2 = fusion.sqrt %1 : tensor<?xf32>
  %3 = fusion.reduce max, %x dims = [0] : tensor<?x?xf32> to tensor<?xf32>
  %4 = fusion.reduce sum, %0 dims = [0, 1] : tensor<?x?xf32> to tensor<f32>
  return %2, %3, %4 : tensor<?xf32>, tensor<?xf32>, tensor<f32>
}
