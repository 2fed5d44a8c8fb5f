// Convolutions with channels side by side compute what they computed before: a
// strided one, a residual block, a pooling, a result in the old order, by
// kernels of both ways to multiply, with tiles that end outside.

// RUN: rm -rf %t && mkdir %t
// RUN: fusion-opt %s -pass-pipeline='builtin.module(fusion-decompose,fusion-to-linalg,canonicalize,func.func(fusion-lay-out-windows{always=true}),canonicalize,cse)' -o %t/turned.mlir
// RUN: FileCheck %s --input-file=%t/turned.mlir
// RUN: fusion-run %s --device=cpu --fuse=none --save-outputs %t/expected
// RUN: fusion-run %t/turned.mlir --device=cpu --save-outputs %t/cpu
// RUN: fusion-run %t/turned.mlir --device=emulator --target=sm_90a --verify --save-outputs %t/sm_90a | FileCheck %s --check-prefix=VERIFY
// RUN: fusion-run %t/turned.mlir --device=emulator --target=sm_80 --verify --save-outputs %t/sm_80 | FileCheck %s --check-prefix=VERIFY
// RUN: %python %S/Inputs/same-outputs.py %t/expected %t/cpu %t/sm_90a %t/sm_80

// Filters and images are turned once, the result back.
// CHECK-COUNT-4: linalg.transpose
// CHECK-NOT:     linalg.transpose
// CHECK:         return

// VERIFY: verify: all {{[0-9]+}} results of groups agree

func.func @main(%x: tensor<2x16x7x9xf16> {fusion.name = "x"}, %w: tensor<24x16x3x3xf16> {fusion.name = "w"},
                %v: tensor<24x24x3x3xf16> {fusion.name = "v"}, %b: tensor<24xf16> {fusion.name = "b"})
    -> (tensor<2x24x4x5xf16> {fusion.name = "y"}, tensor<2x24x2x3xf16> {fusion.name = "pooled"}) {
  %0 = fusion.conv %x, %w strides = [2, 2] dilations = [1, 1] low = [1, 1] high = [1, 1] groups = 1
      : tensor<2x16x7x9xf16>, tensor<24x16x3x3xf16> -> tensor<2x24x4x5xf16>
  %1 = fusion.relu %0 : tensor<2x24x4x5xf16>
  %2 = fusion.conv %1, %v strides = [1, 1] dilations = [1, 1] low = [1, 1] high = [1, 1] groups = 1
      : tensor<2x24x4x5xf16>, tensor<24x24x3x3xf16> -> tensor<2x24x4x5xf16>
  %3 = fusion.broadcast %b dims = [1] : tensor<24xf16> to tensor<2x24x4x5xf16>
  %4 = fusion.add %2, %3 : tensor<2x24x4x5xf16>
  %5 = fusion.add %4, %1 : tensor<2x24x4x5xf16>
  %6 = fusion.relu %5 : tensor<2x24x4x5xf16>
  %7 = fusion.pool max, %6 window = [3, 3] strides = [2, 2] dilations = [1, 1] low = [1, 1] high = [1, 1]
      : tensor<2x24x4x5xf16> to tensor<2x24x2x3xf16>
  return %6, %7 : tensor<2x24x4x5xf16>, tensor<2x24x2x3xf16>
}
