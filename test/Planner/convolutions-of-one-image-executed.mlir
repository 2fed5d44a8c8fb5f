// Convolutions of one image by filters of one shape share a kernel, and with it
// what is read of the image: strides, dilations and padding alike.

// RUN: rm -rf %t && mkdir %t
// RUN: fusion-compile %s --target=sm_90a --emit=groups | FileCheck %s
// RUN: fusion-run %s --device=cpu --fuse=none --save-outputs %t/expected
// RUN: fusion-run %s --device=cpu --save-outputs %t/cpu
// RUN: fusion-run %s --device=emulator --target=sm_90a --save-outputs %t/sm_90a
// RUN: fusion-run %s --device=emulator --target=sm_80 --save-outputs %t/sm_80
// RUN: %python %S/Inputs/same-outputs.py %t/expected %t/cpu %t/sm_90a %t/sm_80

// CHECK:     fusion.group {{.*}} kinds ["vertical", "horizontal"]
// CHECK-NOT: fusion.group

func.func @main(%x: tensor<2x3x9x7xf32> {fusion.name = "x"}, %f: tensor<5x3x3x2xf32> {fusion.name = "f"},
                %g: tensor<5x3x3x2xf32> {fusion.name = "g"}) -> (tensor<2x5x4x8xf32> {fusion.name = "y"}) {
  %0 = fusion.conv %x, %f strides = [2, 1] dilations = [1, 2] low = [1, 1] high = [0, 2] groups = 1
      : tensor<2x3x9x7xf32>, tensor<5x3x3x2xf32> -> tensor<2x5x4x8xf32>
  %1 = fusion.conv %x, %g strides = [2, 1] dilations = [1, 2] low = [1, 1] high = [0, 2] groups = 1
      : tensor<2x3x9x7xf32>, tensor<5x3x3x2xf32> -> tensor<2x5x4x8xf32>
  %2 = fusion.sigmoid %0 : tensor<2x5x4x8xf32>
  %3 = fusion.mul %2, %1 : tensor<2x5x4x8xf32>
  return %3 : tensor<2x5x4x8xf32>
}
