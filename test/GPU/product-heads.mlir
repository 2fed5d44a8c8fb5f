// Queries and keys whose heads are normalised, each by itself: the tiles of the
// product have whole heads.
//
// RUN: %gpu-tests --device=cpu %s | FileCheck %s
// RUN: %gpu-tests --device=emulator --target=sm_90a,sm_80 %s | FileCheck %s
// RUN: %if cuda-sm90 %{ %gpu-tests --device=cuda %s | FileCheck %s %}
// CHECK: {{[1-9][0-9]*}} passed, 0 failed
//
// LAUNCHES: 1
// CASE: m=5
// GPU-CASE: m=1,2,1000,8192

func.func @main(%x: tensor<?x40xf16> {fusion.name = "x", fusion.dims = ["m", ""]},
                %w: tensor<40x128xf16> {fusion.name = "w"}, %g: tensor<32xf16> {fusion.name = "g"})
    -> (tensor<?x4x32xf16> {fusion.name = "y"}) {
  %c0 = arith.constant 0 : index
  %m = tensor.dim %x, %c0 : tensor<?x40xf16>
  %0 = fusion.matmul %x, %w : tensor<?x40xf16>, tensor<40x128xf16> -> tensor<?x128xf16>
  %1 = tensor.expand_shape %0 [[0], [1, 2]] output_shape [%m, 4, 32] : tensor<?x128xf16> into tensor<?x4x32xf16>
  %2 = fusion.rms_norm %1 scale(%g : tensor<32xf16>) axis = 2 eps = 1.0e-5 : tensor<?x4x32xf16>
  return %2 : tensor<?x4x32xf16>
}
