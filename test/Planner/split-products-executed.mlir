// Products whose results are stored as heads, or in another order, by kernels
// of all ways to multiply: what they compute is what they computed before.
// Sizes are odd, tiles end outside, the batch is known at run time.

// RUN: rm -rf %t && mkdir %t
// RUN: fusion-compile %s --target=sm_90a --emit=groups | FileCheck %s
// RUN: fusion-run %s --device=cpu --fuse=none --dim batch=3 --save-outputs %t/expected
// RUN: fusion-run %s --device=cpu --dim batch=3 --save-outputs %t/cpu
// RUN: fusion-run %s --device=emulator --target=sm_90a --dim batch=3 --verify --save-outputs %t/sm_90a | FileCheck %s --check-prefix=VERIFY
// RUN: fusion-run %s --device=emulator --target=sm_80 --dim batch=3 --verify --save-outputs %t/sm_80 | FileCheck %s --check-prefix=VERIFY
// RUN: %python %S/Inputs/same-outputs.py %t/expected %t/cpu %t/sm_90a %t/sm_80

// One launch.
// CHECK:         fusion.group {{.*}}kinds ["vertical", "horizontal"]
// CHECK-COUNT-4: iterator_types = [{{.*}}"reduction"
// CHECK-NOT:     iterator_types = [{{.*}}"reduction"

// VERIFY: verify: all {{[0-9]+}} results of groups agree

func.func @main(%x: tensor<?x7x40xf16> {fusion.name = "x", fusion.dims = ["batch", "", ""]},
                %w: tensor<40x15xf16> {fusion.name = "w"}, %b: tensor<15xf16> {fusion.name = "b"},
                %p: tensor<7x5xf16> {fusion.name = "p"},
                %r: tensor<?x3x7x5xf16> {fusion.name = "r", fusion.dims = ["batch", "", "", ""]},
                %z: tensor<2x9x31xf32> {fusion.name = "z"}, %v: tensor<31x15xf32> {fusion.name = "v"},
                %s: tensor<2x9x16xf16> {fusion.name = "s"}, %u: tensor<16x72xf16> {fusion.name = "u"},
                %e: tensor<3x7x11xf32> {fusion.name = "e"}, %f: tensor<11x5xf32> {fusion.name = "f"})
    -> (tensor<?x3x7x5xf16> {fusion.name = "q", fusion.dims = ["batch", "", "", ""]},
        tensor<2x3x5x9xf32> {fusion.name = "k"}, tensor<2x3x9x24xf16> {fusion.name = "wide"},
        tensor<7x3x5xf32> {fusion.name = "einsum"}) {
  // Heads, with a bias, what differs by place and column, and a residual.
  %c0 = arith.constant 0 : index
  %c7 = arith.constant 7 : index
  %n = tensor.dim %x, %c0 : tensor<?x7x40xf16>
  %m = arith.muli %n, %c7 : index
  %x0 = fusion.reshape %x sizes(%m) : tensor<?x7x40xf16> to tensor<?x40xf16>
  %0 = fusion.matmul %x0, %w : tensor<?x40xf16>, tensor<40x15xf16> -> tensor<?x15xf16>
  %b0 = fusion.broadcast %b dims = [1] sizes(%m) : tensor<15xf16> to tensor<?x15xf16>
  %1 = fusion.add %0, %b0 : tensor<?x15xf16>
  %2 = fusion.reshape %1 sizes(%n) : tensor<?x15xf16> to tensor<?x7x3x5xf16>
  %3 = fusion.transpose %2 perm = [0, 2, 1, 3] : tensor<?x7x3x5xf16> to tensor<?x3x7x5xf16>
  %p0 = fusion.broadcast %p dims = [2, 3] sizes(%n) : tensor<7x5xf16> to tensor<?x3x7x5xf16>
  %4 = fusion.add %3, %p0 : tensor<?x3x7x5xf16>
  %5 = fusion.add %4, %r : tensor<?x3x7x5xf16>
  // Keys, places last.
  %z0 = fusion.reshape %z : tensor<2x9x31xf32> to tensor<18x31xf32>
  %6 = fusion.matmul %z0, %v : tensor<18x31xf32>, tensor<31x15xf32> -> tensor<18x15xf32>
  %7 = fusion.reshape %6 : tensor<18x15xf32> to tensor<2x9x3x5xf32>
  %8 = fusion.transpose %7 perm = [0, 2, 3, 1] : tensor<2x9x3x5xf32> to tensor<2x3x5x9xf32>
  %9 = fusion.relu %8 : tensor<2x3x5x9xf32>
  // Columns that bulk copies fetch.
  %s0 = fusion.reshape %s : tensor<2x9x16xf16> to tensor<18x16xf16>
  %10 = fusion.matmul %s0, %u : tensor<18x16xf16>, tensor<16x72xf16> -> tensor<18x72xf16>
  %11 = fusion.reshape %10 : tensor<18x72xf16> to tensor<2x9x3x24xf16>
  %12 = fusion.transpose %11 perm = [0, 2, 1, 3] : tensor<2x9x3x24xf16> to tensor<2x3x9x24xf16>
  // abc, cd -> bad
  %e0 = fusion.reshape %e : tensor<3x7x11xf32> to tensor<21x11xf32>
  %13 = fusion.matmul %e0, %f : tensor<21x11xf32>, tensor<11x5xf32> -> tensor<21x5xf32>
  %14 = fusion.reshape %13 : tensor<21x5xf32> to tensor<3x7x5xf32>
  %15 = fusion.transpose %14 perm = [1, 0, 2] : tensor<3x7x5xf32> to tensor<7x3x5xf32>
  return %5, %9, %12, %15 : tensor<?x3x7x5xf16>, tensor<2x3x5x9xf32>, tensor<2x3x9x24xf16>, tensor<7x3x5xf32>
}
