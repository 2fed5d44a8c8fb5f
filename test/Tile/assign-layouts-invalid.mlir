// RUN: fusion-opt %s -split-input-file -pass-pipeline='builtin.module(gpu.module(tile-assign-layouts))' -verify-diagnostics -o /dev/null

gpu.module @kernels {
  // expected-error @below {{expected 'tile.warps', a power of two}}
  gpu.func @no_warps() kernel {
    gpu.return
  }
}

// -----

gpu.module @kernels {
  // expected-error @below {{expected 'tile.warps', a power of two}}
  gpu.func @three_warps() kernel attributes {tile.warps = 3 : i32} {
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @small(%a: memref<16x16xf16>, %b: memref<16x16xf16>, %c: memref<16x16xf32>) kernel
      attributes {tile.warps = 4 : i32, tile.schedule = {kind = "mma"}} {
    %c0 = arith.constant 0 : index
    %zero = arith.constant dense<0.0> : tensor<16x16xf32>
    %x = tile.load %a[%c0, %c0] dims [0, 1] in_bounds [true, true] : memref<16x16xf16> -> tensor<16x16xf16>
    %y = tile.load %b[%c0, %c0] dims [0, 1] in_bounds [true, true] : memref<16x16xf16> -> tensor<16x16xf16>
    // expected-error @below {{expected a tile that 4 warps can hold as a mma accumulator}}
    %d = tile.dot %x, %y, %zero : tensor<16x16xf16>, tensor<16x16xf16> -> tensor<16x16xf32>
    tile.store %d, %c[%c0, %c0] dims [0, 1] in_bounds [true, true] : tensor<16x16xf32>, memref<16x16xf32>
    gpu.return
  }
}
