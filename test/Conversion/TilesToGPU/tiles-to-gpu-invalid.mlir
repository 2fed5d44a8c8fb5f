// RUN: fusion-opt %s -split-input-file -verify-diagnostics -pass-pipeline='builtin.module(gpu.module(fusion-tiles-to-gpu{target=sm_80}))'

gpu.module @kernels {
  gpu.func @no_layout(%x: f32) kernel attributes {tile.warps = 4 : i32} {
    // expected-error @below {{expected a tile with a layout, but got 'tensor<64xf32>'}}
    %t = tile.splat %x : f32 -> tensor<64xf32>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  // expected-error @below {{expected between 1 and 32 warps (attribute 'tile.warps'), but got 0}}
  gpu.func @no_warps() kernel {
    gpu.return
  }
}

// -----

gpu.module @kernels {
  // expected-error @below {{expected arguments that are dense memrefs, tensor maps or scalars, but got 'memref<4x4xf32, strided<[8, 1]>>'}}
  gpu.func @strided(%x: memref<4x4xf32, strided<[8, 1]>>) kernel attributes {tile.warps = 4 : i32} {
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @no_lowering(%x: memref<4xf32>) kernel attributes {tile.warps = 4 : i32} {
    // expected-error @below {{expected an op that has a lowering to a thread's registers, but got 'memref.cast'}}
    %v = memref.cast %x : memref<4xf32> to memref<?xf32>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @load(%x: memref<4xf32>) kernel attributes {tile.warps = 4 : i32} {
    %c0 = arith.constant 0 : index
    // expected-error @below {{expected memory of rank 0, but got 'memref<4xf32>'}}
    %v = memref.load %x[%c0] : memref<4xf32>
    gpu.return
  }
}

// -----

#l = #tile.layout<reg = [[1]], lane = [[2], [4], [8], [16], [32]], warp = [], repeat = [1]>
gpu.module @kernels {
  gpu.func @not_splat() kernel attributes {tile.warps = 1 : i32} {
    // expected-error @below {{expected a constant tile with one value everywhere}}
    %t = arith.constant dense_resource<none> : tensor<64xf32, #l>
    gpu.return
  }
}

{-#
  dialect_resources: {
    builtin: {
      none: "0x040000000000803F"
    }
  }
#-}

// -----

#l = #tile.layout<reg = [[1, 0]], lane = [[2, 0], [4, 0], [8, 0], [16, 0], [32, 0]], warp = [], repeat = [1, 2]>
#s = #tile.layout<reg = [], lane = [[1], [0], [0], [0], [0]], warp = [], repeat = [1]>
gpu.module @kernels {
  gpu.func @no_slice(%x: f32) kernel attributes {tile.warps = 1 : i32} {
    %t = tile.splat %x : f32 -> tensor<64x2xf32, #l>
    // expected-error @below {{expected the layout of the result to be the slice of the source's}}
    %r = tile.reduce %t dim 0 : tensor<64x2xf32, #l> -> tensor<2xf32, #s> {
    ^bb0(%p: f32, %q: f32):
      %s = arith.addf %p, %q : f32
      tile.yield %s : f32
    }
    gpu.return
  }
}

// -----

#l = #tile.layout<reg = [[1, 0]], lane = [[2, 0], [4, 0], [8, 0], [16, 0], [32, 0]], warp = [], repeat = [1, 2]>
#s = #tile.layout<reg = [], lane = [[1], [0], [0], [0], [0]], warp = [], repeat = [1]>
gpu.module @kernels {
  gpu.func @no_slice(%x: f32) kernel attributes {tile.warps = 1 : i32} {
    %t = tile.splat %x : f32 -> tensor<2xf32, #s>
    // expected-error @below {{expected the layout of the source to be a slice of the result's}}
    %b = tile.broadcast %t dims [1] : tensor<2xf32, #s> -> tensor<64x2xf32, #l>
    gpu.return
  }
}

// -----

// Atoms that are the whole tile cannot be cut.

#a = #tile.layout<reg = [[0, 32], [0, 64], [0, 128], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0], [128, 0]],
                  lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [], repeat = [1, 1]>
#b = #tile.layout<reg = [[32, 0], [64, 0], [128, 0], [0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [0, 64], [0, 128]],
                  lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [], repeat = [1, 1]>
gpu.module @kernels {
  // expected-error @below {{expected at most 166912 bytes of shared memory, but the kernel needs 266240}}
  gpu.func @too_much_shared(%x: f32) kernel attributes {tile.warps = 1 : i32} {
    %t = tile.splat %x : f32 -> tensor<256x256xf32, #a>
    %u = tile.convert_layout %t : tensor<256x256xf32, #a> -> tensor<256x256xf32, #b>
    gpu.return
  }
}
