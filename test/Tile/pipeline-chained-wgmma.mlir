// wgmma in a loop in which one multiply makes an operand of the next. A q of 64
// columns is copied to shared memory once; one of 128 stays in registers, in the
// layout of an accumulator.

// RUN: fusion-opt %s -split-input-file -tile-assign-layouts -tile-pipeline-copies | FileCheck %s

// CHECK-LABEL: gpu.func @narrow(
// CHECK:         %[[Q:.*]] = tile.alloc : <1x64x64xf16, swizzle = 128>
// CHECK-NOT:     tile.load
// CHECK:         tile.copy_async %arg0{{.*}} to %[[Q]]
// CHECK:         scf.for
// CHECK:           tile.mma "wgmma" %[[Q]]
// CHECK:           tile.mma_wait
// CHECK:           tile.mma_registers
// CHECK:           tile.mma_wait
gpu.module @kernels {
  gpu.func @narrow(%q: memref<64x64xf16>, %k: memref<128x64xf16>, %v: memref<128x64xf16>, %o: memref<64x64xf32>)
      kernel attributes {tile.warps = 4 : i32, tile.schedule = {kind = "wgmma", pipeline = "multistage", bm = 64 : i64, bn = 64 : i64, bk = 64 : i64, stages = 2 : i64, warps = 4 : i64}} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %tq = tile.load %q[%c0, %c0] dims [0, 1] in_bounds [true, true] : memref<64x64xf16> -> tensor<64x64xf16>
    %x = scf.for %j = %c0 to %c128 step %c64 iter_args(%acc = %zero) -> (tensor<64x64xf32>) {
      %tk = tile.load %k[%j, %c0] dims [1, 0] in_bounds [true, true] : memref<128x64xf16> -> tensor<64x64xf16>
      %none = arith.constant dense<0.0> : tensor<64x64xf32>
      %s = tile.dot %tq, %tk, %none : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      %p = arith.truncf %s : tensor<64x64xf32> to tensor<64x64xf16>
      %tv = tile.load %v[%j, %c0] dims [0, 1] in_bounds [true, true] : memref<128x64xf16> -> tensor<64x64xf16>
      %d = tile.dot %p, %tv, %acc : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    }
    tile.store %x, %o[%c0, %c0] dims [0, 1] in_bounds [true, true] : tensor<64x64xf32>, memref<64x64xf32>
    gpu.return
  }
}

// -----

// CHECK-LABEL: gpu.func @wide(
// CHECK-NOT:     tile.alloc : <1x
// CHECK:         %[[Q:.*]] = tile.load %arg0{{.*}} -> tensor<64x128xf16, #{{.*}}>
// CHECK-NOT:     tile.copy_async %arg0
// CHECK:         scf.for
// CHECK:           tile.mma_registers %[[Q]]
// CHECK:           tile.mma_wait
// CHECK:           tile.mma_registers
// CHECK:           tile.mma_wait
gpu.module @kernels {
  gpu.func @wide(%q: memref<64x128xf16>, %k: memref<128x128xf16>, %v: memref<128x64xf16>, %o: memref<64x64xf32>)
      kernel attributes {tile.warps = 4 : i32, tile.schedule = {kind = "wgmma", pipeline = "multistage", bm = 64 : i64, bn = 64 : i64, bk = 128 : i64, stages = 2 : i64, warps = 4 : i64}} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %tq = tile.load %q[%c0, %c0] dims [0, 1] in_bounds [true, true] : memref<64x128xf16> -> tensor<64x128xf16>
    %x = scf.for %j = %c0 to %c128 step %c64 iter_args(%acc = %zero) -> (tensor<64x64xf32>) {
      %tk = tile.load %k[%j, %c0] dims [1, 0] in_bounds [true, true] : memref<128x128xf16> -> tensor<128x64xf16>
      %none = arith.constant dense<0.0> : tensor<64x64xf32>
      %s = tile.dot %tq, %tk, %none : tensor<64x128xf16>, tensor<128x64xf16> -> tensor<64x64xf32>
      %p = arith.truncf %s : tensor<64x64xf32> to tensor<64x64xf16>
      %tv = tile.load %v[%j, %c0] dims [0, 1] in_bounds [true, true] : memref<128x64xf16> -> tensor<64x64xf16>
      %d = tile.dot %p, %tv, %acc : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    }
    tile.store %x, %o[%c0, %c0] dims [0, 1] in_bounds [true, true] : tensor<64x64xf32>, memref<64x64xf32>
    gpu.return
  }
}
