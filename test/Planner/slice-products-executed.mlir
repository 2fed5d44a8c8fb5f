// Parts of products, made by products of parts: what they compute is what they
// computed before. Tiles end outside of the parts, operands are constants,
// arguments and images; the batch is known at run time.

// RUN: rm -rf %t && mkdir %t
// RUN: fusion-compile %s --target=sm_90a --emit=groups | FileCheck %s
// RUN: fusion-run %s --device=cpu --fuse=none --dim batch=3 --save-outputs %t/expected
// RUN: fusion-run %s --device=cpu --dim batch=3 --save-outputs %t/cpu
// RUN: fusion-run %s --device=emulator --target=sm_90a --dim batch=3 --verify --save-outputs %t/sm_90a | FileCheck %s --check-prefix=VERIFY
// RUN: fusion-run %s --device=emulator --target=sm_80 --dim batch=3 --verify --save-outputs %t/sm_80 | FileCheck %s --check-prefix=VERIFY
// RUN: %python %S/Inputs/same-outputs.py %t/expected %t/cpu %t/sm_90a %t/sm_80

// What reads the parts is in the kernels that make them: nothing is cut out of a
// result.
// CHECK:     tensor.extract %{{.*}} : tensor<24x34xf16>
// CHECK-NOT: tensor.extract %{{.*}} : tensor<{{(\?x34|9x32|1x12x6x5|18x9)}}

// VERIFY: verify: all {{[0-9]+}} results of groups agree

func.func @main(%x: tensor<?x24xf16> {fusion.name = "x", fusion.dims = ["batch", ""]},
                %w: tensor<24x34xf16> {fusion.name = "w"}, %b: tensor<34xf16> {fusion.name = "b"},
                %y: tensor<9x19xf32> {fusion.name = "y"}, %v: tensor<19x32xf32> {fusion.name = "v"},
                %i: tensor<1x5x6x5xf16> {fusion.name = "i"}, %f: tensor<12x5x3x3xf16> {fusion.name = "f"},
                %h: tensor<2x9x24xf32> {fusion.name = "h"}, %u: tensor<24x9xf32> {fusion.name = "u"})
    -> (tensor<?x17xf16> {fusion.name = "gate", fusion.dims = ["batch", ""]},
        tensor<9x8xf32> {fusion.name = "cell"}, tensor<1x6x6x5xf16> {fusion.name = "image"},
        tensor<9x9xf32> {fusion.name = "last"}) {
  // Two halves with a bias, one the gate of the other.
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x24xf16>
  %0 = fusion.matmul %x, %w : tensor<?x24xf16>, tensor<24x34xf16> -> tensor<?x34xf16>
  %b0 = fusion.broadcast %b dims = [1] sizes(%n) : tensor<34xf16> to tensor<?x34xf16>
  %1 = fusion.add %0, %b0 : tensor<?x34xf16>
  %2 = fusion.slice %1 starts = [0, 0] steps = [1, 1] sizes(%n) : tensor<?x34xf16> to tensor<?x17xf16>
  %3 = fusion.slice %1 starts = [0, 17] steps = [1, 1] sizes(%n) : tensor<?x34xf16> to tensor<?x17xf16>
  %4 = fusion.sigmoid %2 : tensor<?x17xf16>
  %5 = fusion.mul %4, %3 : tensor<?x17xf16>
  // Four parts of one product.
  %10 = fusion.matmul %y, %v : tensor<9x19xf32>, tensor<19x32xf32> -> tensor<9x32xf32>
  %11 = fusion.slice %10 starts = [0, 0] steps = [1, 1] : tensor<9x32xf32> to tensor<9x8xf32>
  %12 = fusion.slice %10 starts = [0, 8] steps = [1, 1] : tensor<9x32xf32> to tensor<9x8xf32>
  %13 = fusion.slice %10 starts = [0, 16] steps = [1, 1] : tensor<9x32xf32> to tensor<9x8xf32>
  %14 = fusion.slice %10 starts = [0, 24] steps = [1, 1] : tensor<9x32xf32> to tensor<9x8xf32>
  %15 = fusion.sigmoid %11 : tensor<9x8xf32>
  %16 = fusion.tanh %12 : tensor<9x8xf32>
  %17 = fusion.mul %15, %16 : tensor<9x8xf32>
  %18 = fusion.mul %13, %14 : tensor<9x8xf32>
  %19 = fusion.add %17, %18 : tensor<9x8xf32>
  // Filters of an image: two halves, and a convolution that reads one of them.
  %20 = fusion.conv %i, %f strides = [1, 1] dilations = [1, 1] low = [1, 1] high = [1, 1] groups = 1
      : tensor<1x5x6x5xf16>, tensor<12x5x3x3xf16> -> tensor<1x12x6x5xf16>
  %21 = fusion.slice %20 starts = [0, 0, 0, 0] steps = [1, 1, 1, 1] : tensor<1x12x6x5xf16> to tensor<1x6x6x5xf16>
  %22 = fusion.slice %20 starts = [0, 6, 0, 0] steps = [1, 1, 1, 1] : tensor<1x12x6x5xf16> to tensor<1x6x6x5xf16>
  %23 = fusion.sigmoid %21 : tensor<1x6x6x5xf16>
  %24 = fusion.mul %22, %23 : tensor<1x6x6x5xf16>
  // The last half of the rows.
  %30 = fusion.reshape %h : tensor<2x9x24xf32> to tensor<18x24xf32>
  %31 = fusion.matmul %30, %u : tensor<18x24xf32>, tensor<24x9xf32> -> tensor<18x9xf32>
  %32 = fusion.relu %31 : tensor<18x9xf32>
  %33 = fusion.slice %32 starts = [9, 0] steps = [1, 1] : tensor<18x9xf32> to tensor<9x9xf32>
  return %5, %19, %24, %33 : tensor<?x17xf16>, tensor<9x8xf32>, tensor<1x6x6x5xf16>, tensor<9x9xf32>
}
