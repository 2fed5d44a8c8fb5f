// Rows of 1025 and 65537 numbers whose mean is large against their spread: kept in
// registers, or read again. A CPU adds up runs of a few numbers, and then their sums:
// one accumulator for all would be off by 2.3e-5. Case B022.
// REQUIRES: onnxruntime
// DEFINE: %{device} =
// DEFINE: %{run} = fusion-run %s --device=%{device} --input x16=%t/x16.npy --input x1025=%t/x1025.npy --input x65537=%t/x65537.npy --save-outputs %t/out
// DEFINE: %{check} = %python %S/Inputs/normed.py check %t/out
// RUN: rm -rf %t && mkdir -p %t && %python %S/Inputs/normed.py make %t
// REDEFINE: %{device} = cpu
// RUN: %{run} && %{check} | FileCheck %s
// REDEFINE: %{device} = cpu --fuse=none
// RUN: %{run} && %{check} | FileCheck %s
// REDEFINE: %{device} = emulator --target=sm_80
// RUN: %{run} && %{check} | FileCheck %s
// REDEFINE: %{device} = emulator --target=sm_90a
// RUN: %{run} && %{check} | FileCheck %s
// CHECK:      16: within 1e-5
// CHECK-NEXT: 1025: within 1e-5
// CHECK-NEXT: 65537: within 1e-5
func.func @main(%a: tensor<1x16xf32> {fusion.name = "x16"}, %b: tensor<1x1025xf32> {fusion.name = "x1025"},
                %c: tensor<1x65537xf32> {fusion.name = "x65537"})
    -> (tensor<1x16xf32> {fusion.name = "y16"}, tensor<1x1025xf32> {fusion.name = "y1025"},
        tensor<1x65537xf32> {fusion.name = "y65537"}) {
  %one0 = fusion.constant dense<1.0> : tensor<16xf32>
  %one1 = fusion.constant dense<1.0> : tensor<1025xf32>
  %one2 = fusion.constant dense<1.0> : tensor<65537xf32>
  %0 = fusion.layer_norm %a scale(%one0 : tensor<16xf32>) axis = 1 eps = 1.0e-05 : tensor<1x16xf32>
  %1 = fusion.layer_norm %b scale(%one1 : tensor<1025xf32>) axis = 1 eps = 1.0e-05 : tensor<1x1025xf32>
  %2 = fusion.layer_norm %c scale(%one2 : tensor<65537xf32>) axis = 1 eps = 1.0e-05 : tensor<1x65537xf32>
  return %0, %1, %2 : tensor<1x16xf32>, tensor<1x1025xf32>, tensor<1x65537xf32>
}
