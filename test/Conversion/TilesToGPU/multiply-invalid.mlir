// RUN: fusion-opt %s -split-input-file --pass-pipeline='builtin.module(gpu.module(fusion-tiles-to-gpu{target=sm_90a}))' -verify-diagnostics -o /dev/null

#wgmma = #tile.layout<reg = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], repeat = [1, 8]>

gpu.module @kernels {
  gpu.func @wgmma_f32() kernel attributes {tile.warps = 4 : i32} {
    %c0 = arith.constant 0 : index
    %a = tile.alloc : !tile.buffer<1x64x32xf32, swizzle = 128>
    %zero = tile.acc_zero : !tile.acc<tensor<64x64xf32, #wgmma>>
    // expected-error @below {{expected f16 or bf16 operands with a 128-byte swizzle and an f32 accumulator of 64-row blocks, n at most 256}}
    %d = tile.mma "wgmma" %a[%c0] kmajor true, %a[%c0] kmajor true, %zero
        : !tile.buffer<1x64x32xf32, swizzle = 128>, !tile.buffer<1x64x32xf32, swizzle = 128> -> !tile.acc<tensor<64x64xf32, #wgmma>>
    gpu.return
  }
}

// -----

#wgmma = #tile.layout<reg = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], repeat = [1, 8]>

gpu.module @kernels {
  gpu.func @mma_layout() kernel attributes {tile.warps = 4 : i32} {
    %c0 = arith.constant 0 : index
    %a = tile.alloc : !tile.buffer<1x64x64xf16, swizzle = 128>
    %zero = tile.acc_zero : !tile.acc<tensor<64x64xf32, #wgmma>>
    // expected-error @below {{expected swizzled f16 or bf16 operands with k a multiple of 16 and an f32 accumulator of 16x16 blocks}}
    %d = tile.mma "mma" %a[%c0] kmajor true, %a[%c0] kmajor true, %zero
        : !tile.buffer<1x64x64xf16, swizzle = 128>, !tile.buffer<1x64x64xf16, swizzle = 128> -> !tile.acc<tensor<64x64xf32, #wgmma>>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @copy_by_all(%map: !tile.tensor_map<64x64xf16, swizzle = 128>) kernel attributes {tile.warps = 4 : i32} {
    %c0 = arith.constant 0 : index
    %ring = tile.alloc : !tile.buffer<1x64x64xf16, swizzle = 128>
    %full = tile.alloc_barriers arrivals 1 : !tile.barriers<1>
    // expected-error @below {{expected a single-thread partition}}
    tile.copy_tma %map[%c0, %c0] to %ring[%c0] signals %full[%c0]
        : !tile.tensor_map<64x64xf16, swizzle = 128>, !tile.buffer<1x64x64xf16, swizzle = 128>, !tile.barriers<1>
    gpu.return
  }
}

// -----

#blocked = #tile.layout<reg = [[0, 1], [0, 2]], lane = [[0, 4], [0, 8], [0, 16], [0, 32], [1, 0]], warp = [[2, 0], [4, 0]], repeat = [8, 1]>

gpu.module @kernels {
  gpu.func @bulk_store_layout(%map: !tile.tensor_map<64x64xf16, swizzle = 128>, %m: memref<64x64xf16>) kernel attributes {tile.warps = 4 : i32} {
    %c0 = arith.constant 0 : index
    %stage = tile.alloc : !tile.buffer<2x64x64xf16, swizzle = 128>
    %x = tile.load %m[%c0, %c0] dims [0, 1] in_bounds [true, true] : memref<64x64xf16> -> tensor<64x64xf16, #blocked>
    // expected-error @below {{expected 16-bit elements in the layout of a wgmma accumulator}}
    tile.store_tma %x, %map[%c0, %c0] through %stage
        : tensor<64x64xf16, #blocked>, !tile.tensor_map<64x64xf16, swizzle = 128>, !tile.buffer<2x64x64xf16, swizzle = 128>
    gpu.return
  }
}
