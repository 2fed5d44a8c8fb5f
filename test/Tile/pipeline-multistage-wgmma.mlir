// RUN: fusion-opt %s -split-input-file -tile-assign-layouts -tile-pipeline-copies | FileCheck %s

// wgmma on stages that all warps fill: two of four steps ahead, since the multiplies
// of one step run while the next one copies. A fence shows the copies to them.
// CHECK-LABEL: gpu.func @matmul(
// CHECK-SAME:    tile.warps = 8 : i32
// CHECK-DAG:     %[[A:.*]] = tile.alloc : <4x128x64xf16, swizzle = 128>
// CHECK-DAG:     %[[B:.*]] = tile.alloc : <4x64x64xf16, swizzle = 128>
// CHECK-COUNT-2: tile.copy_commit
// CHECK:         scf.for {{.*}} iter_args(%[[S:.*]] = %{{.*}}, %[[ACC:.*]] = %{{.*}}) -> (index, !tile.acc<tensor<128x64xf32,
// CHECK:           tile.copy_wait pending 1
// CHECK-NEXT:      tile.fence_async
// CHECK-NEXT:      tile.sync
// CHECK-NEXT:      %[[D:.*]] = tile.mma "wgmma" %[[A]][%[[S]]] kmajor true, %[[B]][%[[S]]] kmajor false, %[[ACC]]
// CHECK:           %[[WRAPS:.*]] = arith.cmpi ult, %[[S]], %c2
// CHECK:           %[[FREE:.*]] = arith.select %[[WRAPS]]
// CHECK:           scf.if
// CHECK:             tile.copy_async %arg0{{.*}} to %[[A]][%[[FREE]]]
// CHECK:             tile.copy_async %arg1{{.*}} to %[[B]][%[[FREE]]]
// CHECK:           tile.copy_commit
// CHECK-NEXT:      %[[W:.*]] = tile.mma_wait %[[D]] pending 1
// CHECK:           scf.yield %{{.*}}, %[[W]]
// CHECK:         tile.mma_wait %{{.*}} pending 0
// CHECK-NEXT:    tile.copy_wait pending 0
// CHECK-NEXT:    tile.sync
// CHECK-NEXT:    tile.acc_read
gpu.module @kernels {
  gpu.func @matmul(%x: memref<128x320xf16>, %w: memref<320x64xf16>, %y: memref<128x64xf32>) kernel
      attributes {tile.warps = 8 : i32, tile.schedule = {kind = "wgmma", stages = 4 : i64, pipeline = "multistage"}} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c320 = arith.constant 320 : index
    %zero = arith.constant dense<0.0> : tensor<128x64xf32>
    %r = scf.for %k = %c0 to %c320 step %c64 iter_args(%acc = %zero) -> (tensor<128x64xf32>) {
      %0 = tile.load %x[%c0, %k] dims [0, 1] in_bounds [true, true] : memref<128x320xf16> -> tensor<128x64xf16>
      %1 = tile.load %w[%k, %c0] dims [0, 1] in_bounds [true, true] : memref<320x64xf16> -> tensor<64x64xf16>
      %2 = tile.dot %0, %1, %acc : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf32>
      scf.yield %2 : tensor<128x64xf32>
    }
    tile.store %r, %y[%c0, %c0] dims [0, 1] in_bounds [true, true] : tensor<128x64xf32>, memref<128x64xf32>
    gpu.return
  }
}

// -----

// What is computed was loaded in the step before: it has arrived while that step
// multiplied, and is written while this one does. So have elements of rows that are
// not aligned.
// CHECK-LABEL: gpu.func @computed(
// CHECK-DAG:     %[[A:.*]] = tile.alloc : <3x64x64xf16, swizzle = 128>
// CHECK-DAG:     %[[B:.*]] = tile.alloc : <3x64x64xf16, swizzle = 128>
// CHECK:         %[[W1:.*]] = tile.load %arg1{{.*}} -> tensor<64x64xi8, #[[L:.*]]>
// CHECK:         %[[X1:.*]] = tile.load %arg0{{.*}} -> tensor<64x64xf16, #[[R:.*]]>
// CHECK:         scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}, %[[X:.*]] = %{{.*}}, %[[W:.*]] = %{{.*}}) -> (index, !tile.acc<{{.*}}>, tensor<64x64xf16, #[[R]]>, tensor<64x64xi8, #[[L]]>)
// CHECK:           tile.fence_async
// CHECK:           %[[D:.*]] = tile.mma "wgmma" %[[A]][%{{.*}}] kmajor true, %[[B]][%{{.*}}] kmajor false
// CHECK-DAG:       %[[W2:.*]] = tile.load %arg1
// CHECK-DAG:       %[[X2:.*]] = tile.load %arg0
// CHECK-NOT:       tile.copy_async
// CHECK:           tile.store_shared %[[X]] to %[[A]]
// CHECK:           %[[F:.*]] = arith.sitofp %[[W]]
// CHECK:           tile.store_shared %[[F]] to %[[B]]
// CHECK:           %[[DONE:.*]] = tile.mma_wait %[[D]] pending 1
// CHECK:           scf.yield %{{.*}}, %[[DONE]], %[[X2]], %[[W2]]
gpu.module @kernels {
  gpu.func @computed(%x: memref<64x321xf16>, %w: memref<321x64xi8>, %y: memref<64x64xf32>) kernel
      attributes {tile.warps = 4 : i32, tile.schedule = {kind = "wgmma", stages = 3 : i64, pipeline = "multistage"}} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c321 = arith.constant 321 : index
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %r = scf.for %k = %c0 to %c321 step %c64 iter_args(%acc = %zero) -> (tensor<64x64xf32>) {
      %0 = tile.load %w[%k, %c0] dims [0, 1] in_bounds [false, true] : memref<321x64xi8> -> tensor<64x64xi8>
      %1 = arith.sitofp %0 : tensor<64x64xi8> to tensor<64x64xf16>
      %2 = tile.load %x[%c0, %k] dims [0, 1] in_bounds [true, false] : memref<64x321xf16> -> tensor<64x64xf16>
      %3 = tile.dot %2, %1, %acc : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      scf.yield %3 : tensor<64x64xf32>
    }
    tile.store %r, %y[%c0, %c0] dims [0, 1] in_bounds [true, true] : tensor<64x64xf32>, memref<64x64xf32>
    gpu.return
  }
}
