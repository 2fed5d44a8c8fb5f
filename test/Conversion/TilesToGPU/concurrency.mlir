// RUN: fusion-opt %s --pass-pipeline='builtin.module(gpu.module(fusion-tiles-to-gpu{target=sm_90a},canonicalize,cse))' | FileCheck %s

// Partitions, barriers and bulk copies: thread 0 prepares the barriers, all
// threads meet, each partition takes its registers; one thread of the producer
// copies, panel by panel.

gpu.module @kernels {
  // CHECK-LABEL: llvm.func @ring(
  // CHECK-SAME:    !llvm.ptr {llvm.align = 64 : i64, llvm.byval = !llvm.array<128 x i8>, nvvm.grid_constant}
  // CHECK-SAME:    fusion.shared_bytes = 32800
  // CHECK-SAME:    nvvm.maxntid = array<i32: 256, 1, 1>
  // CHECK:         %[[BAR:.*]] = llvm.getelementptr %{{.*}}[32768]
  // CHECK:         scf.if
  // CHECK-COUNT-2:   nvvm.mbarrier.init %{{.*}}, %c1_i32
  // CHECK:           nvvm.fence.mbarrier.init
  // CHECK:         nvvm.barrier0
  // CHECK:         %[[PRODUCER:.*]] = arith.cmpi ult, %{{.*}}, %c128_i32
  // CHECK:         scf.if %[[PRODUCER]] {
  // 65536 registers over 256 threads are 256 each: 40 is fewer, 240 too.
  // CHECK:           nvvm.setmaxregister decrease 40
  // CHECK:           scf.if
  // CHECK:             nvvm.mbarrier.try_wait.parity
  // CHECK:             nvvm.mbarrier.arrive.expect_tx %{{.*}}, %c16384_i32
  // Two panels of 64 columns, 8192 bytes apart.
  // CHECK:             nvvm.cp.async.bulk.tensor.shared.cluster.global %{{.*}}, %{{.*}}, %{{.*}}, box[%[[COL:.*]], %[[ROW:.*]]]
  // CHECK:             llvm.getelementptr %{{.*}}[8192]
  // CHECK:             %[[NEXT:.*]] = arith.addi %[[COL]], %c64_i32
  // CHECK:             nvvm.cp.async.bulk.tensor.shared.cluster.global %{{.*}}, %{{.*}}, %{{.*}}, box[%[[NEXT]], %[[ROW]]]
  // CHECK:         } else {
  // CHECK:           nvvm.mbarrier.arrive %
  gpu.func @ring(%map: !tile.tensor_map<64x64xf16, swizzle = 128>, %i: index, %j: index) kernel attributes {tile.warps = 8 : i32} {
    %c0 = arith.constant 0 : index
    %p0 = arith.constant 0 : i32
    %ring = tile.alloc : !tile.buffer<2x64x128xf16, swizzle = 128>
    %full = tile.alloc_barriers arrivals 1 : !tile.barriers<2>
    %empty = tile.alloc_barriers arrivals 1 : !tile.barriers<2>
    tile.warp_specialize warps [4, 4] registers [40, 240] single_thread [true, false] {
      tile.wait %empty[%c0] parity %p0 : !tile.barriers<2>
      tile.expect %full[%c0] bytes 16384 : !tile.barriers<2>
      tile.copy_tma %map[%i, %j] to %ring[%c0] signals %full[%c0]
          : !tile.tensor_map<64x64xf16, swizzle = 128>, !tile.buffer<2x64x128xf16, swizzle = 128>, !tile.barriers<2>
    }, {
      tile.arrive %empty[%c0] : !tile.barriers<2>
    }
    gpu.return
  }

  // 16 bytes at a time, swizzled; rows beyond the end are filled with zeros by a
  // source size of 0.
  // CHECK-LABEL: llvm.func @copy_ahead(
  // CHECK:         %[[SIZE:.*]] = arith.select %{{.*}}, %c16_i32, %c0_i32
  // CHECK:         nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 16, cache = cg, %[[SIZE]]
  // CHECK:         nvvm.cp.async.commit.group
  // CHECK:         nvvm.cp.async.wait.group 0
  // CHECK:         nvvm.barrier0
  gpu.func @copy_ahead(%m: memref<?x64xf16>, %i: index) kernel attributes {tile.warps = 4 : i32} {
    %c0 = arith.constant 0 : index
    %ring = tile.alloc : !tile.buffer<2x16x64xf16, swizzle = 128>
    tile.copy_async %m[%i, %c0] to %ring[%c0] dims [0, 1] in_bounds [false, true] alignment 16
        : memref<?x64xf16>, !tile.buffer<2x16x64xf16, swizzle = 128>
    tile.copy_commit
    tile.copy_wait pending 0
    tile.sync
    gpu.return
  }

  // An odd pitch leaves elements of two bytes: plain loads and stores.
  // CHECK-LABEL: llvm.func @copy_odd(
  // CHECK-NOT:     cp.async.shared
  // CHECK:         scf.if %{{.*}} -> (f16) {
  // CHECK:           llvm.load %{{.*}} {alignment = 2 : i64} : !llvm.ptr<1> -> f16
  // CHECK:         llvm.store %{{.*}}, %{{.*}} {alignment = 2 : i64} : f16, !llvm.ptr<3>
  gpu.func @copy_odd(%m: memref<?x63xf16>, %i: index) kernel attributes {tile.warps = 4 : i32} {
    %c0 = arith.constant 0 : index
    %ring = tile.alloc : !tile.buffer<2x16x32xf16, swizzle = 64>
    tile.copy_async %m[%i, %c0] to %ring[%c0] dims [0, 1] in_bounds [false, false] alignment 2
        : memref<?x63xf16>, !tile.buffer<2x16x32xf16, swizzle = 64>
    gpu.return
  }
}
