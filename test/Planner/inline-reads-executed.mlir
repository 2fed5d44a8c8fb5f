// Rolls, channel shuffles, interleaved halves and joined tensors of joined tensors
// are one op each: what they compute is what they computed before.

// RUN: rm -rf %t && mkdir %t
// RUN: fusion-compile %s --target=sm_90a --emit=groups | FileCheck %s
// RUN: fusion-run %s --device=cpu --fuse=none --save-outputs %t/expected
// RUN: fusion-run %s --device=emulator --target=sm_90a --verify --save-outputs %t/sm_90a | FileCheck %s --check-prefix=VERIFY
// RUN: fusion-run %s --device=emulator --target=sm_80 --verify --save-outputs %t/sm_80 | FileCheck %s --check-prefix=VERIFY
// RUN: %python %S/Inputs/same-outputs.py %t/expected %t/sm_90a %t/sm_80

// All in one launch, of which one part makes one result.
// CHECK:         %[[ALL:[0-9]+]]:3 = fusion.group
// CHECK-COUNT-3: fusion.group
// CHECK-NOT:     fusion.group

// VERIFY: verify: all {{[0-9]+}} results of groups agree

func.func @main(%x: tensor<2x7x6x5xf16> {fusion.name = "x"}, %a: tensor<1x6x5xf32> {fusion.name = "a"},
                %b: tensor<1x6x5xf32> {fusion.name = "b"}, %p: tensor<3x5x4xf32> {fusion.name = "p"},
                %q: tensor<3x5x4xf32> {fusion.name = "q"})
    -> (tensor<2x6x7x5xf16> {fusion.name = "rolled"}, tensor<1x12x5xf32> {fusion.name = "shuffled"},
        tensor<3x5x8xf32> {fusion.name = "interleaved"}) {
  // Rolled along two dims, then turned.
  %0 = fusion.slice %x starts = [0, 2, 0, 0] steps = [1, 1, 1, 1] : tensor<2x7x6x5xf16> to tensor<2x5x6x5xf16>
  %1 = fusion.slice %x starts = [0, 0, 0, 0] steps = [1, 1, 1, 1] : tensor<2x7x6x5xf16> to tensor<2x2x6x5xf16>
  %2 = fusion.concat %0, %1 dim = 1 : tensor<2x5x6x5xf16>, tensor<2x2x6x5xf16> -> tensor<2x7x6x5xf16>
  %3 = fusion.slice %2 starts = [0, 0, 5, 0] steps = [1, 1, 1, 1] : tensor<2x7x6x5xf16> to tensor<2x7x1x5xf16>
  %4 = fusion.slice %2 starts = [0, 0, 0, 0] steps = [1, 1, 1, 1] : tensor<2x7x6x5xf16> to tensor<2x7x5x5xf16>
  %5 = fusion.concat %3, %4 dim = 2 : tensor<2x7x1x5xf16>, tensor<2x7x5x5xf16> -> tensor<2x7x6x5xf16>
  %6 = fusion.transpose %5 perm = [0, 2, 1, 3] : tensor<2x7x6x5xf16> to tensor<2x6x7x5xf16>
  // Channels of two halves in turn.
  %10 = fusion.relu %b : tensor<1x6x5xf32>
  %11 = fusion.concat %a, %10 dim = 1 : tensor<1x6x5xf32>, tensor<1x6x5xf32> -> tensor<1x12x5xf32>
  %12 = fusion.reshape %11 : tensor<1x12x5xf32> to tensor<1x2x6x5xf32>
  %13 = fusion.transpose %12 perm = [0, 2, 1, 3] : tensor<1x2x6x5xf32> to tensor<1x6x2x5xf32>
  %14 = fusion.reshape %13 : tensor<1x6x2x5xf32> to tensor<1x12x5xf32>
  // A rotation, its two results in turn.
  %20 = fusion.mul %p, %q : tensor<3x5x4xf32>
  %21 = fusion.sub %20, %q : tensor<3x5x4xf32>
  %22 = fusion.add %p, %q : tensor<3x5x4xf32>
  %23 = fusion.reshape %21 : tensor<3x5x4xf32> to tensor<3x5x4x1xf32>
  %24 = fusion.reshape %22 : tensor<3x5x4xf32> to tensor<3x5x4x1xf32>
  %25 = fusion.concat %23, %24 dim = 3 : tensor<3x5x4x1xf32>, tensor<3x5x4x1xf32> -> tensor<3x5x4x2xf32>
  %26 = fusion.reshape %25 : tensor<3x5x4x2xf32> to tensor<3x5x8xf32>
  return %6, %14, %26 : tensor<2x6x7x5xf16>, tensor<1x12x5xf32>, tensor<3x5x8xf32>
}
