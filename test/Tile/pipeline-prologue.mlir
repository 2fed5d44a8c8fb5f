// RUN: fusion-opt %s -split-input-file -tile-assign-layouts -tile-pipeline-copies | FileCheck %s

// An operand that the loop computes: its loads, in pieces of 16 bytes as they are
// written, stand before the multiplies of a step, the code and the stores to shared
// memory after them. What is the same in each step is loaded once, before the loop.
// CHECK-LABEL: gpu.func @computed(
// CHECK-DAG:     %[[A:.*]] = tile.alloc : <3x64x32xf16, swizzle = 64>
// CHECK-DAG:     %[[B:.*]] = tile.alloc : <3x32x64xf16, swizzle = 128>
// CHECK:         %[[S:.*]] = tile.load %arg2{{.*}} -> tensor<64xf16, #[[ROW:.*]]>
// CHECK:         %[[W0:.*]] = tile.load %arg1{{.*}} -> tensor<32x64xi8, #[[L:.*]]>
// CHECK:         arith.sitofp %[[W0]]
// CHECK:         tile.store_shared %{{.*}} to %[[B]]
// CHECK:         tile.copy_async %arg0{{.*}} to %[[A]]
// CHECK:         scf.for
// CHECK:           tile.copy_wait pending 1
// CHECK:           tile.sync
// CHECK-NOT:       tile.load %arg2
// CHECK:           %[[W:.*]] = tile.load %arg1{{.*}} -> tensor<32x64xi8, #[[L]]>
// CHECK:           tile.copy_async
// CHECK:           tile.mma "mma" %[[A]][%[[STAGE:.*]]] kmajor true, %[[B]][%[[STAGE]]] kmajor false
// CHECK:           tile.broadcast %[[S]] dims [1] : tensor<64xf16, #[[ROW]]> -> tensor<32x64xf16, #[[L]]>
// CHECK:           arith.sitofp %[[W]]
// CHECK:           tile.store_shared %{{.*}} to %[[B]]
// CHECK:           scf.yield
gpu.module @kernels {
  gpu.func @computed(%x: memref<64x96xf16>, %w: memref<96x64xi8>, %s: memref<64xf16>, %y: memref<64x64xf32>) kernel
      attributes {tile.warps = 4 : i32, tile.schedule = {kind = "mma", stages = 3 : i64}} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c96 = arith.constant 96 : index
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %r = scf.for %k = %c0 to %c96 step %c32 iter_args(%acc = %zero) -> (tensor<64x64xf32>) {
      %0 = tile.load %w[%k, %c0] dims [0, 1] in_bounds [true, true] : memref<96x64xi8> -> tensor<32x64xi8>
      %1 = tile.load %s[%c0] dims [0] in_bounds [true] : memref<64xf16> -> tensor<64xf16>
      %2 = tile.broadcast %1 dims [1] : tensor<64xf16> -> tensor<32x64xf16>
      %3 = arith.sitofp %0 : tensor<32x64xi8> to tensor<32x64xf16>
      %4 = arith.mulf %3, %2 : tensor<32x64xf16>
      %5 = tile.load %x[%c0, %k] dims [0, 1] in_bounds [true, true] : memref<64x96xf16> -> tensor<64x32xf16>
      %6 = tile.dot %5, %4, %acc : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
      scf.yield %6 : tensor<64x64xf32>
    }
    tile.store %r, %y[%c0, %c0] dims [0, 1] in_bounds [true, true] : tensor<64x64xf32>, memref<64x64xf32>
    gpu.return
  }
}

// -----

// A load that is multiplied and computed with is two: to shared memory, and to
// registers.
// CHECK-LABEL: gpu.func @both_ways(
// CHECK:         scf.for
// CHECK:           tile.load %arg0
// CHECK:           tile.copy_async %arg0
// CHECK:           tile.mma
// CHECK:           tile.mma
// CHECK:           arith.negf
// CHECK:           tile.store_shared
gpu.module @kernels {
  gpu.func @both_ways(%x: memref<64x96xf16>, %w: memref<96x64xf16>, %y: memref<64x64xf32>) kernel
      attributes {tile.warps = 4 : i32, tile.schedule = {kind = "mma", stages = 2 : i64}} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c96 = arith.constant 96 : index
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %r:2 = scf.for %k = %c0 to %c96 step %c32 iter_args(%p = %zero, %q = %zero) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
      %0 = tile.load %x[%c0, %k] dims [0, 1] in_bounds [true, true] : memref<64x96xf16> -> tensor<64x32xf16>
      %1 = tile.load %w[%k, %c0] dims [0, 1] in_bounds [true, true] : memref<96x64xf16> -> tensor<32x64xf16>
      %2 = arith.negf %0 : tensor<64x32xf16>
      %3 = tile.dot %0, %1, %p : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
      %4 = tile.dot %2, %1, %q : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
      scf.yield %3, %4 : tensor<64x64xf32>, tensor<64x64xf32>
    }
    %s = arith.addf %r#0, %r#1 : tensor<64x64xf32>
    tile.store %s, %y[%c0, %c0] dims [0, 1] in_bounds [true, true] : tensor<64x64xf32>, memref<64x64xf32>
    gpu.return
  }
}
