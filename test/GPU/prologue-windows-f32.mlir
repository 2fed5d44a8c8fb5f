// conv(sigmoid(x) x, k z) of places two apart, f32: both operands are computed, the
// image in windows with gaps, the filters with a factor for each channel.
//
// RUN: %gpu-tests --device=cpu %s | FileCheck %s
// RUN: %gpu-tests --device=emulator --target=sm_90a,sm_80 %s | FileCheck %s
// RUN: %if cuda-sm90 %{ %gpu-tests --device=cuda %s | FileCheck %s %}
// CHECK: {{[1-9][0-9]*}} passed, 0 failed
//
// LAUNCHES: 1
// CASE-STATIC: n=2,3
// CASE: n=1
// GPU-CASE-STATIC: n=1,16
// GPU-CASE: n=2,33

func.func @main(%x: tensor<?x5x9x10xf32> {fusion.name = "x", fusion.dims = ["n", "", "", ""]},
                %z: tensor<5xf32> {fusion.name = "z"},
                %k: tensor<12x5x3x2xf32> {fusion.name = "k"})
    -> (tensor<?x12x4x6xf32> {fusion.name = "y"}) {
  %x0 = fusion.sigmoid %x : tensor<?x5x9x10xf32>
  %x1 = fusion.mul %x0, %x {fusion.fuse_with = "all"} : tensor<?x5x9x10xf32>
  %zb = fusion.broadcast %z dims = [1] : tensor<5xf32> to tensor<12x5x3x2xf32>
  %k0 = fusion.mul %k, %zb {fusion.fuse_with = "all"} : tensor<12x5x3x2xf32>
  %0 = fusion.conv %x1, %k0 strides = [2, 2] dilations = [2, 1] low = [1, 1] high = [1, 1] groups = 1 {fusion.fuse_with = "all"}
       : tensor<?x5x9x10xf32>, tensor<12x5x3x2xf32> -> tensor<?x12x4x6xf32>
  return %0 : tensor<?x12x4x6xf32>
}
