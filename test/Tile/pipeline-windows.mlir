// RUN: fusion-opt %s -split-input-file -pass-pipeline='builtin.module(gpu.module(tile-assign-layouts),tile-pipeline-copies)' -verify-diagnostics | FileCheck %s

// Elements of 4 bytes are copied by cp.async, each for itself.
// CHECK-LABEL: gpu.func @words(
// CHECK:         tile.copy_window %{{.*}} parts [3, 1] sizes [8, 3, 3, 32] map {{.*}} to %[[RING:.*]][
// CHECK:         scf.for
// CHECK:           tile.copy_window {{.*}} to %[[RING]][
// CHECK:           tile.mma "fma" %{{.*}} kmajor true, %[[RING]][%{{.*}}] kmajor false
gpu.module @kernels {
  gpu.func @words(%x: memref<8x10x34xf32>, %w: memref<32x72xf32>, %out: memref<32x32xf32>) kernel
      attributes {tile.schedule = {kind = "fma", stages = 2 : i64}, tile.warps = 1 : i32} {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %c72 = arith.constant 72 : index
    %zero = arith.constant dense<0.0> : tensor<32x32xf32>
    %sum = scf.for %k = %c0 to %c72 step %c16 iter_args(%acc = %zero) -> (tensor<32x32xf32>) {
      %a = tile.load %w[%c0, %k] dims [0, 1] in_bounds [true, false] : memref<32x72xf32> -> tensor<32x16xf32>
      %b = tile.load_window %x[%c0, %c0, %c0] extents [%c0, %c0, %c0] checked [false, false, false]
           along [%k, %c0] limits [%c72, %c32] in_bounds [false, true] parts [3, 1] sizes [8, 3, 3, 32]
           map affine_map<(c, i, j, w) -> (c, i, j + w)> : memref<8x10x34xf32> -> tensor<16x32xf32>
      %d = tile.dot %a, %b, %acc : tensor<32x16xf32>, tensor<16x32xf32> -> tensor<32x32xf32>
      scf.yield %d : tensor<32x32xf32>
    }
    tile.store %sum, %out[%c0, %c0] dims [0, 1] in_bounds [true, true] : tensor<32x32xf32>, memref<32x32xf32>
    gpu.return
  }
}

// -----

// 16-bit elements at odd places go through registers: loaded before the
// multiplies of the step, written after them.
// CHECK-LABEL: gpu.func @halves(
// CHECK:         %[[A:.*]] = tile.alloc : <3x32x32xf16
// CHECK:         %[[RING:.*]] = tile.alloc : <3x32x32xf16
// CHECK:         scf.for
// CHECK:           tile.sync
// CHECK:           %[[X:.*]] = tile.load_window
// CHECK:           tile.mma "mma" %[[A]][{{.*}}] kmajor true, %[[RING]][{{.*}}] kmajor false
// CHECK:           tile.store_shared %[[X]] to %[[RING]][
gpu.module @kernels {
  gpu.func @halves(%x: memref<8x10x34xf16>, %w: memref<32x72xf16>, %out: memref<32x32xf32>) kernel
      attributes {tile.schedule = {kind = "mma", stages = 3 : i64}, tile.warps = 1 : i32} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c72 = arith.constant 72 : index
    %zero = arith.constant dense<0.0> : tensor<32x32xf32>
    %sum = scf.for %k = %c0 to %c72 step %c32 iter_args(%acc = %zero) -> (tensor<32x32xf32>) {
      %a = tile.load %w[%c0, %k] dims [0, 1] in_bounds [true, false] : memref<32x72xf16> -> tensor<32x32xf16>
      %b = tile.load_window %x[%c0, %c0, %c0] extents [%c0, %c0, %c0] checked [false, false, false]
           along [%k, %c0] limits [%c72, %c32] in_bounds [false, true] parts [3, 1] sizes [8, 3, 3, 32]
           map affine_map<(c, i, j, w) -> (c, i, j + w)> : memref<8x10x34xf16> -> tensor<32x32xf16>
      %d = tile.dot %a, %b, %acc : tensor<32x32xf16>, tensor<32x32xf16> -> tensor<32x32xf32>
      scf.yield %d : tensor<32x32xf32>
    }
    tile.store %sum, %out[%c0, %c0] dims [0, 1] in_bounds [true, true] : tensor<32x32xf32>, memref<32x32xf32>
    gpu.return
  }
}

// -----

// Shared memory is filled with zeros, nothing else.
gpu.module @kernels {
  gpu.func @padded_by_one(%x: memref<34x16xf32>, %w: memref<32x16xf32>, %out: memref<32x32xf32>) kernel
      attributes {tile.schedule = {kind = "fma", stages = 2 : i64}, tile.warps = 1 : i32} {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %one = arith.constant 1.0 : f32
    %zero = arith.constant dense<0.0> : tensor<32x32xf32>
    %sum = scf.for %k = %c0 to %c16 step %c16 iter_args(%acc = %zero) -> (tensor<32x32xf32>) {
      %a = tile.load %w[%c0, %k] dims [0, 1] in_bounds [true, true] : memref<32x16xf32> -> tensor<32x16xf32>
      %b = tile.load_window %x[%c0, %c0] extents [%c32, %c0] checked [true, false]
           along [%k, %c0] limits [%c16, %c32] in_bounds [true, true] parts [1, 1] sizes [16, 32]
           map affine_map<(k, w) -> (w, k)> other %one : f32 : memref<34x16xf32> -> tensor<16x32xf32>
      // expected-error @below {{expected a window that is zero outside, in the dot's loop}}
      %d = tile.dot %a, %b, %acc : tensor<32x16xf32>, tensor<16x32xf32> -> tensor<32x32xf32>
      scf.yield %d : tensor<32x32xf32>
    }
    tile.store %sum, %out[%c0, %c0] dims [0, 1] in_bounds [true, true] : tensor<32x32xf32>, memref<32x32xf32>
    gpu.return
  }
}
