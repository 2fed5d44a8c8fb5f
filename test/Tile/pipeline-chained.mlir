// A loop in which one multiply makes an operand of the next: what is loaded before
// the loop is copied once, the rest `stages - 1` steps ahead, both rings in one
// group. mma.sync takes the computed operand from registers, scalar multiplies from
// shared memory.

// RUN: fusion-opt %s -split-input-file -tile-pipeline-copies | FileCheck %s

// CHECK-LABEL: gpu.func @registers(
// CHECK-DAG:     %[[Q:.*]] = tile.alloc : <1x64x16xf16, swizzle = 32>
// CHECK-DAG:     %[[K:.*]] = tile.alloc : <3x32x16xf16, swizzle = 32>
// CHECK-DAG:     %[[V:.*]] = tile.alloc : <3x32x64xf16, swizzle = 128>
// CHECK-NOT:     tile.load
// CHECK:         tile.copy_async %arg0{{.*}} to %[[Q]]
// CHECK-COUNT-2: tile.copy_commit
// CHECK:         scf.for
// CHECK:           tile.copy_wait pending 1
// CHECK-NEXT:      tile.sync
// CHECK:           scf.if
// CHECK:             tile.copy_async %arg1{{.*}} to %[[K]]
// CHECK:             tile.copy_async %arg2{{.*}} to %[[V]]
// CHECK:           tile.copy_commit
// CHECK:           tile.acc_zero
// CHECK:           tile.mma "mma" %[[Q]][%{{.*}}] kmajor true, %[[K]][%[[STAGE:.*]]] kmajor true
// CHECK:           %[[S:.*]] = tile.acc_read
// CHECK:           %[[P:.*]] = arith.truncf %[[S]]
// CHECK:           %[[A:.*]] = tile.acc_init %{{.*}}
// CHECK:           tile.mma_registers %[[P]], %[[V]][%[[STAGE]]] kmajor false, %[[A]]
// CHECK-NOT:       tile.sync
// CHECK:           scf.yield
// CHECK:         tile.copy_wait pending 0
// CHECK:         tile.sync
gpu.module @kernels {
  gpu.func @registers(%q: memref<64x16xf16>, %k: memref<128x16xf16>, %v: memref<128x64xf16>, %o: memref<64x64xf32>)
      kernel attributes {tile.warps = 4 : i32, tile.schedule = {kind = "mma", bm = 64 : i64, bn = 32 : i64, bk = 16 : i64, stages = 3 : i64, warps = 4 : i64}} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c128 = arith.constant 128 : index
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %tq = tile.load %q[%c0, %c0] dims [0, 1] in_bounds [true, true] : memref<64x16xf16> -> tensor<64x16xf16>
    %x = scf.for %j = %c0 to %c128 step %c32 iter_args(%acc = %zero) -> (tensor<64x64xf32>) {
      %tk = tile.load %k[%j, %c0] dims [1, 0] in_bounds [true, true] : memref<128x16xf16> -> tensor<16x32xf16>
      %none = arith.constant dense<0.0> : tensor<64x32xf32>
      %s = tile.dot %tq, %tk, %none : tensor<64x16xf16>, tensor<16x32xf16> -> tensor<64x32xf32>
      %p = arith.truncf %s : tensor<64x32xf32> to tensor<64x32xf16>
      %tv = tile.load %v[%j, %c0] dims [0, 1] in_bounds [true, true] : memref<128x64xf16> -> tensor<32x64xf16>
      %d = tile.dot %p, %tv, %acc : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    }
    tile.store %x, %o[%c0, %c0] dims [0, 1] in_bounds [true, true] : tensor<64x64xf32>, memref<64x64xf32>
    gpu.return
  }
}

// -----

// CHECK-LABEL: gpu.func @shared(
// CHECK-DAG:     %[[P:.*]] = tile.alloc : <1x64x32xf32, padding = 16>
// CHECK:         scf.for
// CHECK:           %[[S:.*]] = tile.acc_read
// CHECK:           tile.store_shared %{{.*}} to %[[P]]
// CHECK-NEXT:      tile.sync
// CHECK-NEXT:      tile.mma "fma" %[[P]][%{{.*}}] kmajor true
gpu.module @kernels {
  gpu.func @shared(%q: memref<64x16xf32>, %k: memref<128x16xf32>, %v: memref<128x64xf32>, %o: memref<64x64xf32>)
      kernel attributes {tile.warps = 4 : i32, tile.schedule = {kind = "fma", bm = 64 : i64, bn = 32 : i64, bk = 16 : i64, stages = 2 : i64, warps = 4 : i64}} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c128 = arith.constant 128 : index
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %tq = tile.load %q[%c0, %c0] dims [0, 1] in_bounds [true, true] : memref<64x16xf32> -> tensor<64x16xf32>
    %x = scf.for %j = %c0 to %c128 step %c32 iter_args(%acc = %zero) -> (tensor<64x64xf32>) {
      %tk = tile.load %k[%j, %c0] dims [1, 0] in_bounds [true, true] : memref<128x16xf32> -> tensor<16x32xf32>
      %none = arith.constant dense<0.0> : tensor<64x32xf32>
      %s = tile.dot %tq, %tk, %none : tensor<64x16xf32>, tensor<16x32xf32> -> tensor<64x32xf32>
      %p = arith.negf %s : tensor<64x32xf32>
      %tv = tile.load %v[%j, %c0] dims [0, 1] in_bounds [true, true] : memref<128x64xf32> -> tensor<32x64xf32>
      %d = tile.dot %p, %tv, %acc : tensor<64x32xf32>, tensor<32x64xf32> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    }
    tile.store %x, %o[%c0, %c0] dims [0, 1] in_bounds [true, true] : tensor<64x64xf32>, memref<64x64xf32>
    gpu.return
  }
}

// -----

// What was computed before the loop is multiplied in every step: it is written to
// shared memory once, before.
// CHECK-LABEL: gpu.func @before(
// CHECK-DAG:     %[[P:.*]] = tile.alloc : <1x16x32xf32, padding = 16>
// CHECK-DAG:     %[[C:.*]] = tile.alloc : <2x32x32xf32>
// CHECK:         %[[N:.*]] = arith.negf
// CHECK:         tile.store_shared %[[N]] to %[[P]]
// CHECK:         tile.copy_async %arg1{{.*}} to %[[C]]
// CHECK:         scf.for
// CHECK:           tile.copy_wait
// CHECK-NEXT:      tile.sync
// CHECK-NOT:       tile.store_shared
// CHECK:           tile.mma "fma" %[[P]][%{{.*}}] kmajor true, %[[C]]
// CHECK:           tile.store
gpu.module @kernels {
  gpu.func @before(%x: memref<16x32xf32>, %c: memref<32x128xf32>, %o: memref<16x128xf32>)
      kernel attributes {tile.warps = 1 : i32, tile.schedule = {kind = "fma", bm = 16 : i64, bn = 32 : i64, bk = 16 : i64, stages = 2 : i64, warps = 1 : i64}} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c128 = arith.constant 128 : index
    %tx = tile.load %x[%c0, %c0] dims [0, 1] in_bounds [true, true] : memref<16x32xf32> -> tensor<16x32xf32>
    %p = arith.negf %tx : tensor<16x32xf32>
    scf.for %j = %c0 to %c128 step %c32 {
      %tc = tile.load %c[%c0, %j] dims [0, 1] in_bounds [true, true] : memref<32x128xf32> -> tensor<32x32xf32>
      %none = arith.constant dense<0.0> : tensor<16x32xf32>
      %d = tile.dot %p, %tc, %none : tensor<16x32xf32>, tensor<32x32xf32> -> tensor<16x32xf32>
      tile.store %d, %o[%c0, %j] dims [0, 1] in_bounds [true, true] : tensor<16x32xf32>, memref<16x128xf32>
    }
    gpu.return
  }
}
