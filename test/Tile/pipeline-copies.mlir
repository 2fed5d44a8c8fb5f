// RUN: fusion-opt %s -split-input-file --tile-pipeline-copies --canonicalize --cse | FileCheck %s

// A warp-specialised kernel: the producer keeps loops and addresses, fills the
// rings by bulk copies; the consumers keep the rest. Stage and parity go through
// the loop over tiles. The launch passes tensor maps in place of a, b and c; the
// bias stays.

#acc = #tile.layout<reg = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]], repeat = [1, 16]>

// CHECK-LABEL: func.func private @host(
// CHECK-SAME:    %[[A:.*]]: memref<?x512xf16>, %[[B:.*]]: memref<256x512xf16>, %[[BIAS:.*]]: memref<256xf16>, %[[C:.*]]: memref<?x256xf16>
// CHECK-DAG:     %[[MA:.*]] = tile.tensor_map %[[A]] : memref<?x512xf16> -> <128x64xf16, swizzle = 128>
// CHECK-DAG:     %[[MB:.*]] = tile.tensor_map %[[B]] : memref<256x512xf16> -> <128x64xf16, swizzle = 128>
// CHECK-DAG:     %[[MC:.*]] = tile.tensor_map %[[C]] : memref<?x256xf16> -> <64x64xf16, swizzle = 128>
// CHECK:         tile.launch @kernels::@matmul {{.*}} args(%{{.*}}, %[[BIAS]], %[[MA]], %[[MB]], %[[MC]] :
// CHECK-LABEL: gpu.func @matmul(
// CHECK-SAME:    %[[M:.*]]: index, %[[KBIAS:.*]]: memref<256xf16>, %[[KA:.*]]: !tile.tensor_map<128x64xf16, swizzle = 128>, %[[KB:.*]]: !tile.tensor_map<128x64xf16, swizzle = 128>, %[[KC:.*]]: !tile.tensor_map<64x64xf16, swizzle = 128>)
// CHECK-SAME:    tile.warps = 12 : i32
// CHECK-DAG:     %[[RA:.*]] = tile.alloc : <4x128x64xf16, swizzle = 128>
// CHECK-DAG:     %[[RB:.*]] = tile.alloc : <4x128x64xf16, swizzle = 128>
// CHECK-DAG:     %[[FULL:.*]] = tile.alloc_barriers arrivals 1 : <4>
// CHECK-DAG:     %[[EMPTY:.*]] = tile.alloc_barriers arrivals 2 : <4>
// CHECK-DAG:     %[[RC:.*]] = tile.alloc : <4x64x64xf16, swizzle = 128>
// CHECK:         tile.warp_specialize warps [4, 8] registers [40, 232] single_thread [true, false] {
// The producer's first waits pass at once: parity 1.
// CHECK:           scf.for %{{.*}} iter_args(%[[S0:.*]] = %c0, %[[P0:.*]] = %c1_i32) -> (index, i32) {
// CHECK-NOT:         tensor<
// CHECK:             scf.for %[[K:.*]] = %c0 to %c512 step %c64 iter_args(%[[S:.*]] = %[[S0]], %[[P:.*]] = %[[P0]])
// CHECK:               tile.wait %[[EMPTY]][%[[S]]] parity %[[P]]
// CHECK:               tile.expect %[[FULL]][%[[S]]] bytes 32768
// CHECK:               tile.copy_tma %[[KA]][%{{.*}}, %[[K]]] to %[[RA]][%[[S]]] signals %[[FULL]][%[[S]]]
// CHECK:               tile.copy_tma %[[KB]][%{{.*}}, %[[K]]] to %[[RB]][%[[S]]] signals %[[FULL]][%[[S]]]
// CHECK:         }, {
// CHECK:           scf.for %{{.*}} iter_args(%{{.*}} = %c0, %{{.*}} = %c0_i32) -> (index, i32) {
// CHECK:             scf.for %[[K:.*]] = %c0 to %c512 step %c64 iter_args(%[[S:.*]] = %{{.*}}, %[[P:.*]] = %{{.*}}, %[[PREV:.*]] = %{{.*}}, %[[ACC:.*]] = %{{.*}})
// CHECK:               tile.wait %[[FULL]][%[[S]]] parity %[[P]]
// CHECK:               %[[D:.*]] = tile.mma "wgmma" %[[RA]][%[[S]]] kmajor true, %[[RB]][%[[S]]] kmajor true, %[[ACC]]
// CHECK:               %[[W:.*]] = tile.mma_wait %[[D]] pending 1
// The stage before is free only now, and there is none at first.
// CHECK:               %[[LATER:.*]] = arith.cmpi ne, %[[K]], %c0
// CHECK:               scf.if %[[LATER]] {
// CHECK:                 tile.arrive %[[EMPTY]][%[[PREV]]]
// CHECK:             tile.mma_wait %{{.*}} pending 0
// CHECK:             tile.arrive %[[EMPTY]]
// CHECK:             tile.acc_read
// CHECK:             tile.load %[[KBIAS]]
// CHECK:             tile.store_tma %{{.*}}, %[[KC]][%{{.*}}, %{{.*}}] through %[[RC]]
// CHECK:           tile.store_wait
func.func private @host(%a: memref<?x512xf16>, %b: memref<256x512xf16>, %bias: memref<256xf16>, %c: memref<?x256xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %a, %c0 : memref<?x512xf16>
  tile.launch @kernels::@matmul grid(%m, %c1, %c1) args(%m, %a, %b, %bias, %c : index, memref<?x512xf16>, memref<256x512xf16>, memref<256xf16>, memref<?x256xf16>)
  return
}
gpu.module @kernels {
  gpu.func @matmul(%m: index, %a: memref<?x512xf16>, %b: memref<256x512xf16>, %bias: memref<256xf16>, %c: memref<?x256xf16>) kernel
      attributes {tile.warps = 8 : i32, tile.schedule = {kind = "wgmma", stages = 4 : i64}} {
    %bid = gpu.block_id x
    %blocks = gpu.grid_dim x
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %c512 = arith.constant 512 : index
    %zero = arith.constant dense<0.0> : tensor<128x128xf32, #acc>
    scf.for %t = %bid to %m step %blocks {
      %m0 = arith.muli %t, %c128 : index
      %sum = scf.for %k = %c0 to %c512 step %c64 iter_args(%s = %zero) -> (tensor<128x128xf32, #acc>) {
        %ta = tile.load %a[%m0, %k] dims [0, 1] in_bounds [false, true] : memref<?x512xf16> -> tensor<128x64xf16>
        %tb = tile.load %b[%c128, %k] dims [1, 0] in_bounds [true, true] : memref<256x512xf16> -> tensor<64x128xf16>
        %d = tile.dot %ta, %tb, %s : tensor<128x64xf16>, tensor<64x128xf16> -> tensor<128x128xf32, #acc>
        scf.yield %d : tensor<128x128xf32, #acc>
      }
      %tbias = tile.load %bias[%c128] dims [1] in_bounds [true] : memref<256xf16> -> tensor<128x128xf16, #acc>
      %wide = arith.extf %tbias : tensor<128x128xf16, #acc> to tensor<128x128xf32, #acc>
      %x = arith.addf %sum, %wide : tensor<128x128xf32, #acc>
      %y = arith.truncf %x : tensor<128x128xf32, #acc> to tensor<128x128xf16, #acc>
      tile.store %y, %c[%m0, %c128] dims [0, 1] in_bounds [false, true] : tensor<128x128xf16, #acc>, memref<?x256xf16>
    }
    gpu.return
  }
}

// -----

// Copies ahead by all threads: stages 0 .. S-2 before the loop; each step waits,
// syncs, and copies S-1 steps ahead into the stage used before. Two dots share
// the ring of a. Rows of 1001 elements are aligned to their element only.

#acc = #tile.layout<reg = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [0, 16]], repeat = [2, 2]>

gpu.module @kernels {
  // CHECK-LABEL: gpu.func @shared_operand(
  // CHECK-SAME:    %[[A:.*]]: memref<64x1001xf16>, %[[B0:.*]]: memref<1001x64xf16>, %[[B1:.*]]: memref<1001x64xf16>
  // CHECK-DAG:     %[[RA:.*]] = tile.alloc : <3x64x32xf16, swizzle = 64>
  // CHECK-DAG:     %[[RB0:.*]] = tile.alloc : <3x32x64xf16, swizzle = 128>
  // CHECK-DAG:     %[[RB1:.*]] = tile.alloc : <3x32x64xf16, swizzle = 128>
  // CHECK:         tile.copy_async %[[A]][%c0, %c0] to %[[RA]][%c0] dims [0, 1] in_bounds [true, false] alignment 2
  // CHECK:         tile.copy_async %[[B0]][%c0, %c0] to %[[RB0]][%c0] dims [0, 1] in_bounds [false, true] alignment 16
  // CHECK:         tile.copy_commit
  // CHECK:         tile.copy_async %[[A]][%c0, %c32] to %[[RA]][%c1]
  // CHECK:         tile.copy_commit
  // CHECK:         scf.for %[[K:.*]] = %c0 to %c1001 step %c32 iter_args(%[[S:.*]] = %c0, %[[X:.*]] = %{{.*}}, %[[Y:.*]] = %{{.*}})
  // CHECK-NEXT:      tile.copy_wait pending 1
  // CHECK-NEXT:      tile.sync
  // CHECK:           %[[AHEAD:.*]] = arith.addi %[[K]], %c64
  // CHECK:           %[[MORE:.*]] = arith.cmpi slt, %[[AHEAD]], %c1001
  // CHECK:           scf.if %[[MORE]] {
  // CHECK:             tile.copy_async %[[A]][%c0, %[[AHEAD]]]
  // CHECK:           }
  // CHECK-NEXT:      tile.copy_commit
  // CHECK-NEXT:      tile.mma "mma" %[[RA]][%[[S]]] kmajor true, %[[RB0]][%[[S]]] kmajor false, %[[X]]
  // CHECK-NEXT:      tile.mma "mma" %[[RA]][%[[S]]] kmajor true, %[[RB1]][%[[S]]] kmajor false, %[[Y]]
  // CHECK:         tile.copy_wait pending 0
  // CHECK-NEXT:    tile.sync
  // CHECK-COUNT-2: tile.acc_read
  gpu.func @shared_operand(%a: memref<64x1001xf16>, %b0: memref<1001x64xf16>, %b1: memref<1001x64xf16>, %c: memref<64x64xf32>) kernel
      attributes {tile.warps = 4 : i32, tile.schedule = {kind = "mma", stages = 3 : i64}} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %n = arith.constant 1001 : index
    %zero = arith.constant dense<0.0> : tensor<64x64xf32, #acc>
    %x:2 = scf.for %k = %c0 to %n step %c32 iter_args(%s = %zero, %t = %zero) -> (tensor<64x64xf32, #acc>, tensor<64x64xf32, #acc>) {
      %ta = tile.load %a[%c0, %k] dims [0, 1] in_bounds [true, false] : memref<64x1001xf16> -> tensor<64x32xf16>
      %t0 = tile.load %b0[%k, %c0] dims [0, 1] in_bounds [false, true] : memref<1001x64xf16> -> tensor<32x64xf16>
      %t1 = tile.load %b1[%k, %c0] dims [0, 1] in_bounds [false, true] : memref<1001x64xf16> -> tensor<32x64xf16>
      %d0 = tile.dot %ta, %t0, %s : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32, #acc>
      %d1 = tile.dot %ta, %t1, %t : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32, #acc>
      scf.yield %d0, %d1 : tensor<64x64xf32, #acc>, tensor<64x64xf32, #acc>
    }
    %y = arith.mulf %x#0, %x#1 : tensor<64x64xf32, #acc>
    tile.store %y, %c[%c0, %c0] dims [0, 1] in_bounds [true, true] : tensor<64x64xf32, #acc>, memref<64x64xf32>
    gpu.return
  }
}

// -----

// Two dots that share a, in a warp-specialised kernel, become one: their b lie
// side by side in one ring, each filled by its own copies, and the accumulator's
// columns are parted at the end.

#acc = #tile.layout<reg = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], repeat = [1, 8]>

gpu.module @kernels {
  // CHECK-LABEL: gpu.func @joined(
  // CHECK-SAME:    %[[MA:[a-z0-9]+]]: !tile.tensor_map<64x64xf16, swizzle = 128>, %[[MB0:[a-z0-9]+]]: !tile.tensor_map<64x64xf16, swizzle = 128>, %[[MB1:[a-z0-9]+]]: !tile.tensor_map<64x64xf16, swizzle = 128>
  // CHECK:         %[[RA:.*]] = tile.alloc : <2x64x64xf16, swizzle = 128>
  // CHECK:         %[[RB:.*]] = tile.alloc : <2x128x64xf16, swizzle = 128>
  // CHECK-NOT:     tile.alloc :
  // CHECK:         tile.expect %{{.*}} bytes 24576
  // CHECK:         tile.copy_tma %[[MA]]{{.*}} to %[[RA]]
  // CHECK-NOT:       columns
  // CHECK:         tile.copy_tma %[[MB0]]{{.*}} to %[[RB]]{{.*}} {columns = 64 : i64}
  // CHECK:         tile.copy_tma %[[MB1]]{{.*}} to %[[RB]]{{.*}} {columns = 64 : i64, row = 64 : i64}
  // CHECK:         tile.mma "wgmma" %[[RA]]{{.*}}, %[[RB]]{{.*}} -> <tensor<64x128xf32, #{{.*}}>>
  // CHECK-NOT:     tile.mma "wgmma"
  // CHECK:         %[[D:.*]] = tile.mma_wait %{{.*}} pending 0
  // CHECK:         tile.acc_read %[[D]] : <tensor<64x128xf32, #{{.*}}>> -> tensor<64x64xf32, #{{.*}}>
  // CHECK:         tile.acc_read %[[D]] {column = 64 : i64} : <tensor<64x128xf32, #{{.*}}>> -> tensor<64x64xf32, #{{.*}}>
  gpu.func @joined(%a: memref<64x256xf16>, %b0: memref<64x256xf16>, %b1: memref<64x256xf16>, %c: memref<64x64xf32>) kernel
      attributes {tile.warps = 4 : i32, tile.schedule = {kind = "wgmma", stages = 2 : i64}} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %n = arith.constant 256 : index
    %zero = arith.constant dense<0.0> : tensor<64x64xf32, #acc>
    %x:2 = scf.for %k = %c0 to %n step %c64 iter_args(%s = %zero, %t = %zero) -> (tensor<64x64xf32, #acc>, tensor<64x64xf32, #acc>) {
      %ta = tile.load %a[%c0, %k] dims [0, 1] in_bounds [true, true] : memref<64x256xf16> -> tensor<64x64xf16>
      %t0 = tile.load %b0[%c0, %k] dims [1, 0] in_bounds [true, true] : memref<64x256xf16> -> tensor<64x64xf16>
      %t1 = tile.load %b1[%c0, %k] dims [1, 0] in_bounds [true, true] : memref<64x256xf16> -> tensor<64x64xf16>
      %d0 = tile.dot %ta, %t0, %s : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32, #acc>
      %d1 = tile.dot %ta, %t1, %t : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32, #acc>
      scf.yield %d0, %d1 : tensor<64x64xf32, #acc>, tensor<64x64xf32, #acc>
    }
    %y = arith.mulf %x#0, %x#1 : tensor<64x64xf32, #acc>
    tile.store %y, %c[%c0, %c0] dims [0, 1] in_bounds [true, true] : tensor<64x64xf32, #acc>, memref<64x64xf32>
    gpu.return
  }
}

// -----

// An operand that is a choice: both sides have a tensor map, and the kernel picks
// the address of one. The memory itself is no argument any more.

#acc = #tile.layout<reg = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]], repeat = [1, 16]>

// CHECK-LABEL: func.func private @choice(
// CHECK-SAME:    %[[P:.*]]: memref<i1>, %[[A:.*]]: memref<128x512xf16>, %[[B:.*]]: memref<256x512xf16>, %[[C:.*]]: memref<256x512xf16>, %[[D:.*]]: memref<128x256xf32>
// CHECK-DAG:     %[[MA:.*]] = tile.tensor_map %[[A]]
// CHECK-DAG:     %[[MB:.*]] = tile.tensor_map %[[B]]
// CHECK-DAG:     %[[MC:.*]] = tile.tensor_map %[[C]]
// CHECK:         tile.launch {{.*}} args(%[[P]], %[[D]], %[[MA]], %[[MB]], %[[MC]] :
// CHECK-LABEL: gpu.func @choice(
// CHECK-SAME:    %[[KP:.*]]: memref<i1>, %{{.*}}: memref<128x256xf32>, %[[KA:.*]]: !tile.tensor_map<128x64xf16, swizzle = 128>, %[[KB:.*]]: !tile.tensor_map<128x64xf16, swizzle = 128>, %[[KC:.*]]: !tile.tensor_map<128x64xf16, swizzle = 128>)
// CHECK:         %[[H:.*]] = memref.load %[[KP]][]
// CHECK:         %[[M:.*]] = arith.select %[[H]], %[[KB]], %[[KC]] : !tile.tensor_map<128x64xf16, swizzle = 128>
// CHECK:         tile.warp_specialize
// CHECK:           tile.copy_tma %[[KA]]
// CHECK:           tile.copy_tma %[[M]]
// CHECK-NOT:     arith.select {{.*}} memref
func.func private @choice(%p: memref<i1>, %a: memref<128x512xf16>, %b: memref<256x512xf16>, %c: memref<256x512xf16>, %d: memref<128x256xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @kernels::@choice grid(%c1, %c1, %c1) args(%p, %a, %b, %c, %d : memref<i1>, memref<128x512xf16>, memref<256x512xf16>, memref<256x512xf16>, memref<128x256xf32>)
  return
}
gpu.module @kernels {
  gpu.func @choice(%p: memref<i1>, %a: memref<128x512xf16>, %b: memref<256x512xf16>, %c: memref<256x512xf16>, %d: memref<128x256xf32>) kernel
      attributes {tile.warps = 8 : i32, tile.schedule = {kind = "wgmma", stages = 4 : i64}} {
    %holds = memref.load %p[] : memref<i1>
    %bc = arith.select %holds, %b, %c : memref<256x512xf16>
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %c512 = arith.constant 512 : index
    %zero = arith.constant dense<0.0> : tensor<128x128xf32, #acc>
    %sum = scf.for %k = %c0 to %c512 step %c64 iter_args(%s = %zero) -> (tensor<128x128xf32, #acc>) {
      %ta = tile.load %a[%c0, %k] dims [0, 1] in_bounds [true, true] : memref<128x512xf16> -> tensor<128x64xf16>
      %tb = tile.load %bc[%c128, %k] dims [1, 0] in_bounds [true, true] : memref<256x512xf16> -> tensor<64x128xf16>
      %t = tile.dot %ta, %tb, %s : tensor<128x64xf16>, tensor<64x128xf16> -> tensor<128x128xf32, #acc>
      scf.yield %t : tensor<128x128xf32, #acc>
    }
    tile.store %sum, %d[%c0, %c128] dims [0, 1] in_bounds [true, true] : tensor<128x128xf32, #acc>, memref<128x256xf32>
    gpu.return
  }
}
