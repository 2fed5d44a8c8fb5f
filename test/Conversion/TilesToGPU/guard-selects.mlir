// RUN: fusion-opt %s -split-input-file -pass-pipeline='builtin.module(gpu.module(fusion-tiles-to-gpu))' | FileCheck %s

// An expensive side is computed where a lane of the warp wants one of the eight
// elements that a thread votes about: two votes for sixteen registers.

#vec = #tile.layout<reg = [[1], [2], [4], [8]], lane = [[16], [32], [64], [128], [256]], warp = [], repeat = [1]>

// CHECK-LABEL: llvm.func @expensive(
// CHECK-NOT:     math.sin
// CHECK-COUNT-7: arith.ori
// CHECK:         %[[ANY:.*]] = nvvm.vote.sync any %{{.*}}, %{{.*}} -> i1
// CHECK:         %[[V:.*]]:8 = scf.if %[[ANY]] -> (f32, f32, f32, f32, f32, f32, f32, f32) {
// CHECK-COUNT-8:   math.sin
// CHECK-NOT:       math.sin
// CHECK:           scf.yield
// CHECK:         } else {
// CHECK:           scf.yield
// CHECK:         arith.select %{{.*}}, %[[V]]#0, %{{.*}} : f32
// CHECK-COUNT-7: arith.select
// CHECK:         nvvm.vote.sync any
// CHECK:         scf.if
// CHECK-COUNT-8:   math.sin
// CHECK:         } else {
// CHECK-COUNT-8: arith.select
// CHECK-NOT:     nvvm.vote.sync
// CHECK-NOT:     fusion.tile_selects
gpu.module @kernels {
  gpu.func @expensive(%x: memref<512xf32>, %y: memref<512xf32>) kernel attributes {tile.warps = 1 : i32} {
    %c0 = arith.constant 0 : index
    %zero = arith.constant dense<0.0> : tensor<512xf32, #vec>
    %t = tile.load %x[%c0] dims [0] in_bounds [true] : memref<512xf32> -> tensor<512xf32, #vec>
    %s = math.sin %t : tensor<512xf32, #vec>
    %c = arith.cmpf ogt, %t, %zero : tensor<512xf32, #vec>
    %r = arith.select %c, %s, %t : tensor<512xi1, #vec>, tensor<512xf32, #vec>
    tile.store %r, %y[%c0] dims [0] in_bounds [true] : tensor<512xf32, #vec>, memref<512xf32>
    gpu.return
  }
}

// -----

// One condition for all elements, as of an arm that differs: one vote, which is
// worth it for less, and both sides have a branch. A tensor that one side alone
// reads is not read where it is not wanted.

#vec = #tile.layout<reg = [[1], [2], [4], [8]], lane = [[16], [32], [64], [128], [256]], warp = [], repeat = [1]>

// CHECK-LABEL: llvm.func @uniform(
// CHECK-NOT:     math.exp
// CHECK-COUNT-1: nvvm.vote.sync any
// CHECK:         %[[V:.*]]:16 = scf.if
// CHECK-COUNT-16:  math.exp
// CHECK:         } else {
// CHECK:         arith.xori
// CHECK:         nvvm.vote.sync any
// CHECK:         %[[U:.*]]:16 = scf.if
// CHECK:           llvm.load
// CHECK:           arith.addf
// CHECK:         } else {
// CHECK:         arith.select %{{.*}}, %[[V]]#0, %[[U]]#0 : f32
gpu.module @kernels {
  gpu.func @uniform(%c: i1, %x: memref<512xf32>, %z: memref<512xf32>, %y: memref<512xf32>) kernel attributes {tile.warps = 1 : i32} {
    %c0 = arith.constant 0 : index
    %t = tile.load %x[%c0] dims [0] in_bounds [true] : memref<512xf32> -> tensor<512xf32, #vec>
    %e = math.exp %t : tensor<512xf32, #vec>
    %u = tile.load %z[%c0] dims [0] in_bounds [true] : memref<512xf32> -> tensor<512xf32, #vec>
    %a = arith.addf %t, %u : tensor<512xf32, #vec>
    %r = arith.select %c, %e, %a : tensor<512xf32, #vec>
    tile.store %r, %y[%c0] dims [0] in_bounds [true] : tensor<512xf32, #vec>, memref<512xf32>
    gpu.return
  }
}

// -----

// Not for what is cheap, nor what something else needs.

#vec = #tile.layout<reg = [[1], [2], [4], [8]], lane = [[16], [32], [64], [128], [256]], warp = [], repeat = [1]>

// CHECK-LABEL: llvm.func @cheap(
// CHECK-NOT:     nvvm.vote.sync
// CHECK-LABEL: llvm.func @shared(
// CHECK-NOT:     nvvm.vote.sync
gpu.module @kernels {
  gpu.func @cheap(%x: memref<512xf32>, %y: memref<512xf32>) kernel attributes {tile.warps = 1 : i32} {
    %c0 = arith.constant 0 : index
    %zero = arith.constant dense<0.0> : tensor<512xf32, #vec>
    %t = tile.load %x[%c0] dims [0] in_bounds [true] : memref<512xf32> -> tensor<512xf32, #vec>
    %s = arith.mulf %t, %t : tensor<512xf32, #vec>
    %c = arith.cmpf ogt, %t, %zero : tensor<512xf32, #vec>
    %r = arith.select %c, %s, %t : tensor<512xi1, #vec>, tensor<512xf32, #vec>
    tile.store %r, %y[%c0] dims [0] in_bounds [true] : tensor<512xf32, #vec>, memref<512xf32>
    gpu.return
  }
  gpu.func @shared(%x: memref<512xf32>, %y: memref<512xf32>, %z: memref<512xf32>) kernel attributes {tile.warps = 1 : i32} {
    %c0 = arith.constant 0 : index
    %zero = arith.constant dense<0.0> : tensor<512xf32, #vec>
    %t = tile.load %x[%c0] dims [0] in_bounds [true] : memref<512xf32> -> tensor<512xf32, #vec>
    %s = math.sin %t : tensor<512xf32, #vec>
    %c = arith.cmpf ogt, %t, %zero : tensor<512xf32, #vec>
    %r = arith.select %c, %s, %t : tensor<512xi1, #vec>, tensor<512xf32, #vec>
    tile.store %s, %z[%c0] dims [0] in_bounds [true] : tensor<512xf32, #vec>, memref<512xf32>
    tile.store %r, %y[%c0] dims [0] in_bounds [true] : tensor<512xf32, #vec>, memref<512xf32>
    gpu.return
  }
}

// -----

// A read does not cross a write, nor a barrier: the sine moves, what it reads
// does not.

#vec = #tile.layout<reg = [[1], [2], [4], [8]], lane = [[16], [32], [64], [128], [256]], warp = [], repeat = [1]>

// CHECK-LABEL: llvm.func @order(
// CHECK:         llvm.load
// CHECK:         llvm.store
// CHECK:         nvvm.vote.sync
// CHECK:         scf.if
// CHECK-NOT:       llvm.load
// CHECK:           math.sin
gpu.module @kernels {
  gpu.func @order(%c: i1, %x: memref<512xf32>, %y: memref<512xf32>) kernel attributes {tile.warps = 1 : i32} {
    %c0 = arith.constant 0 : index
    %zero = arith.constant dense<0.0> : tensor<512xf32, #vec>
    %t = tile.load %x[%c0] dims [0] in_bounds [true] : memref<512xf32> -> tensor<512xf32, #vec>
    tile.store %zero, %x[%c0] dims [0] in_bounds [true] : tensor<512xf32, #vec>, memref<512xf32>
    %s = math.sin %t : tensor<512xf32, #vec>
    %r = arith.select %c, %s, %zero : tensor<512xf32, #vec>
    tile.store %r, %y[%c0] dims [0] in_bounds [true] : tensor<512xf32, #vec>, memref<512xf32>
    gpu.return
  }
}

// -----

// A choice of memory is one of pointers and sizes, with the predicate in memory.

#vec = #tile.layout<reg = [[1], [2], [4], [8]], lane = [[16], [32], [64], [128], [256]], warp = [], repeat = [1]>

// CHECK-LABEL: llvm.func @choice(
// CHECK-SAME:    %[[C:[a-z0-9]+]]: !llvm.ptr<1> {{{[^}]*}}llvm.readonly}, %[[X:[a-z0-9]+]]: !llvm.ptr<1> {{{[^}]*}}llvm.readonly}, %[[N:[a-z0-9]+]]: i64, %[[Y:[a-z0-9]+]]: !llvm.ptr<1> {{{[^}]*}}llvm.readonly}, %[[M:[a-z0-9]+]]: i64,
// CHECK:         %[[B:.*]] = llvm.load %[[C]] : !llvm.ptr<1> -> i8
// CHECK:         %[[P:.*]] = {{.*}} %[[B]]
// CHECK:         arith.select %{{.*}}, %[[X]], %[[Y]] : !llvm.ptr<1>
// CHECK:         arith.select %{{.*}}, %[[N]], %[[M]] : i64
gpu.module @kernels {
  gpu.func @choice(%c: memref<i1>, %x: memref<?xf32>, %y: memref<?xf32>, %z: memref<512xf32>) kernel attributes {tile.warps = 1 : i32} {
    %c0 = arith.constant 0 : index
    %p = memref.load %c[] : memref<i1>
    %m = arith.select %p, %x, %y : memref<?xf32>
    %t = tile.load %m[%c0] dims [0] in_bounds [true] : memref<?xf32> -> tensor<512xf32, #vec>
    tile.store %t, %z[%c0] dims [0] in_bounds [true] : tensor<512xf32, #vec>, memref<512xf32>
    gpu.return
  }
}
