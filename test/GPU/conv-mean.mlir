// The end of a classifier's body: a convolution, a residual, an activation, and the
// mean over the places of each image, in one kernel; before it, perhaps, one that lays
// out the image.
//
// RUN: %gpu-tests --device=cpu %s | FileCheck %s
// RUN: %gpu-tests --device=emulator --target=sm_90a,sm_80 %s | FileCheck %s
// RUN: %if cuda-sm90 %{ %gpu-tests --device=cuda %s | FileCheck %s %}
// CHECK: {{[1-9][0-9]*}} passed, 0 failed
//
// LAUNCHES: 2
// CASE: n=3
// GPU-CASE: n=1,2,32

func.func @main(%x: tensor<?x8x7x7xf16> {fusion.name = "x", fusion.dims = ["n", "", "", ""]},
                %w: tensor<20x8x3x3xf16> {fusion.name = "w"},
                %r: tensor<?x20x7x7xf16> {fusion.name = "r", fusion.dims = ["n", "", "", ""]})
    -> (tensor<?x20xf16> {fusion.name = "y"}) {
  %0 = fusion.conv %x, %w strides = [1, 1] dilations = [1, 1] low = [1, 1] high = [1, 1] groups = 1
     : tensor<?x8x7x7xf16>, tensor<20x8x3x3xf16> -> tensor<?x20x7x7xf16>
  %1 = fusion.add %0, %r : tensor<?x20x7x7xf16>
  %2 = fusion.relu %1 : tensor<?x20x7x7xf16>
  %3 = fusion.reduce mean, %2 dims = [2, 3] : tensor<?x20x7x7xf16> to tensor<?x20xf16>
  return %3 : tensor<?x20xf16>
}
