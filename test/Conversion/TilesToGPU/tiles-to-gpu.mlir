// RUN: fusion-opt %s -split-input-file -pass-pipeline='builtin.module(gpu.module(fusion-tiles-to-gpu))' | FileCheck %s

// Parameters: a memref is its pointer and dynamic dims, an index an i64, a
// tensor map 128 bytes by value.

// CHECK-LABEL: gpu.module @kernels
// CHECK:         llvm.mlir.global external @smem() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
// CHECK:         llvm.func @parameters(
// CHECK-SAME:        %{{[a-z0-9]+}}: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.noalias, llvm.readonly}
// CHECK-SAME:        %{{[a-z0-9]+}}: i64, %{{[a-z0-9]+}}: i64, %{{[a-z0-9]+}}: i64, %{{[a-z0-9]+}}: f32
// CHECK-SAME:        %{{[a-z0-9]+}}: !llvm.ptr {llvm.align = 64 : i64, llvm.byval = !llvm.array<128 x i8>, nvvm.grid_constant}
// CHECK-SAME:        fusion.shared_bytes = 0 : i32, nvvm.kernel
// CHECK-SAME:        nvvm.maxntid = array<i32: 128, 1, 1>, nvvm.minctasm = 1 : i32
// CHECK-NOT:     gpu.func
gpu.module @kernels {
  gpu.func @parameters(%a: memref<?x8x?xf32> {llvm.noalias}, %n: index, %s: f32,
                       %map: !tile.tensor_map<64x64xf16, swizzle = 128>)
      kernel attributes {tile.warps = 4 : i32} {
    gpu.return
  }
}

// -----

// A thread's eight halves are one access of 16 bytes, since the block's offset
// is divisible; the pairs are rounded together.

#vec = #tile.layout<reg = [[1], [2], [4]], lane = [[8], [16], [32], [64], [128]], warp = [[256], [512]], repeat = [1]>

// CHECK-LABEL: llvm.func @vectors(
// CHECK:         %[[LOADED:.*]] = llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<8xf16>
// CHECK-COUNT-8: arith.extf %{{.*}} : f16 to f32
// CHECK-COUNT-8: arith.addf %{{.*}} : f32
// CHECK-COUNT-4: arith.truncf %{{.*}} : vector<2xf32> to vector<2xf16>
// CHECK-NOT:     scf.if
// CHECK:         llvm.store %{{.*}} {alignment = 16 : i64} : vector<8xf16>, !llvm.ptr<1>
gpu.module @kernels {
  gpu.func @vectors(%x: memref<8192xf16>, %y: memref<8192xf16>)
      kernel attributes {tile.warps = 4 : i32} {
    %c1024 = arith.constant 1024 : index
    %b = gpu.block_id x
    %o = arith.muli %b, %c1024 : index
    %t = tile.load %x[%o] dims [0] in_bounds [true] : memref<8192xf16> -> tensor<1024xf16, #vec>
    %f = arith.extf %t : tensor<1024xf16, #vec> to tensor<1024xf32, #vec>
    %s = arith.addf %f, %f : tensor<1024xf32, #vec>
    %r = arith.truncf %s : tensor<1024xf32, #vec> to tensor<1024xf16, #vec>
    tile.store %r, %y[%o] dims [0] in_bounds [true] : tensor<1024xf16, #vec>, memref<8192xf16>
    gpu.return
  }
}

// -----

// An offset that nothing is known of, or a pitch that is odd: one by one.

#vec = #tile.layout<reg = [[1], [2], [4]], lane = [[8], [16], [32], [64], [128]], warp = [[256], [512]], repeat = [1]>
#mat = #tile.layout<reg = [[0, 1], [0, 2]], lane = [[0, 4], [0, 8], [0, 16], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]], repeat = [1, 1]>

// CHECK-LABEL: llvm.func @unaligned(
// CHECK-COUNT-8: llvm.load %{{.*}} {alignment = 2 : i64} : !llvm.ptr<1> -> f16
// CHECK-COUNT-4: llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr<1> -> f32
// CHECK-COUNT-2: llvm.load %{{.*}} {alignment = 8 : i64} : !llvm.ptr<1> -> vector<2xf32>
// CHECK-NOT:     llvm.load
gpu.module @kernels {
  gpu.func @unaligned(%x: memref<8192xf16>, %m: memref<16x33xf32>, %p: memref<16x34xf32>, %o: index)
      kernel attributes {tile.warps = 4 : i32} {
    %c0 = arith.constant 0 : index
    %t = tile.load %x[%o] dims [0] in_bounds [true] : memref<8192xf16> -> tensor<1024xf16, #vec>
    %u = tile.load %m[%c0, %c0] dims [0, 1] in_bounds [true, true] : memref<16x33xf32> -> tensor<16x32xf32, #mat>
    %v = tile.load %p[%c0, %c0] dims [0, 1] in_bounds [true, true] : memref<16x34xf32> -> tensor<16x32xf32, #mat>
    gpu.return
  }
}

// -----

// A pitch known at run time: a uniform branch between vectors and elements.

#mat = #tile.layout<reg = [[0, 1], [0, 2]], lane = [[0, 4], [0, 8], [0, 16], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]], repeat = [1, 1]>

// CHECK-LABEL: llvm.func @pitch(
// CHECK-SAME:      %{{[a-z0-9]+}}: !llvm.ptr<1> {{{[^}]*}}}, %[[PITCH:[a-z0-9]+]]: i64
// CHECK:         %[[REST:.*]] = arith.remui %[[PITCH]], %{{.*}} : i64
// CHECK:         %[[EVEN:.*]] = arith.cmpi eq, %[[REST]]
// CHECK:         scf.if %[[EVEN]] -> (vector<4xf32>)
// CHECK:           llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
// CHECK:         } else {
// CHECK-COUNT-4:   llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr<1> -> f32
gpu.module @kernels {
  gpu.func @pitch(%m: memref<16x?xf32>) kernel attributes {tile.warps = 4 : i32} {
    %c0 = arith.constant 0 : index
    %t = tile.load %m[%c0, %c0] dims [0, 1] in_bounds [true, true] : memref<16x?xf32> -> tensor<16x32xf32, #mat>
    gpu.return
  }
}

// -----

// A bias is the same in all rows: it is loaded once a column. Of the threads
// that hold copies of a row's sum, one stores.

#acc = #tile.layout<reg = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], repeat = [1, 8]>
#accR = #tile.layout<reg = [[0], [8]], lane = [[0], [0], [1], [2], [4]], warp = [[16], [32]], repeat = [1]>

// CHECK-LABEL: llvm.func @copies(
// CHECK-COUNT-8: llvm.load %{{.*}} {alignment = 8 : i64} : !llvm.ptr<1> -> vector<2xf32>
// CHECK-NOT:     llvm.load
// CHECK-COUNT-4: nvvm.shfl.sync bfly
// CHECK-NOT:     nvvm.shfl
// CHECK-NOT:     nvvm.barrier0
// CHECK:         %[[FIRST:.*]] = arith.cmpi eq
// CHECK:         scf.if %[[FIRST]]
// CHECK-COUNT-2:   llvm.store %{{.*}} : f32, !llvm.ptr<1>
// CHECK-NOT:       llvm.store
gpu.module @kernels {
  gpu.func @copies(%b: memref<64xf32>, %y: memref<64xf32>) kernel attributes {tile.warps = 4 : i32} {
    %c0 = arith.constant 0 : index
    %t = tile.load %b[%c0] dims [1] in_bounds [true] : memref<64xf32> -> tensor<64x64xf32, #acc>
    %r = tile.reduce %t dim 1 : tensor<64x64xf32, #acc> -> tensor<64xf32, #accR> {
    ^bb0(%p: f32, %q: f32):
      %s = arith.addf %p, %q : f32
      tile.yield %s : f32
    }
    tile.store %r, %y[%c0] dims [0] in_bounds [true] : tensor<64xf32, #accR>, memref<64xf32>
    gpu.return
  }
}

// -----

// Across warps through shared memory, between two barriers of the partition.

#acc = #tile.layout<reg = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], repeat = [1, 8]>
#accC = #tile.layout<reg = [[1], [0]], lane = [[2], [4], [0], [0], [0]], warp = [[0], [0]], repeat = [8]>

// CHECK-LABEL: llvm.func @across_warps(
// CHECK-SAME:      fusion.shared_bytes = 1024 : i32
// CHECK:         nvvm.barrier0
// CHECK:         llvm.store %{{.*}} : f32, !llvm.ptr<3>
// CHECK:         nvvm.barrier0
// CHECK:         llvm.load %{{.*}} : !llvm.ptr<3> -> f32
gpu.module @kernels {
  gpu.func @across_warps(%x: f32) kernel attributes {tile.warps = 4 : i32} {
    %t = tile.splat %x : f32 -> tensor<64x64xf32, #acc>
    %r = tile.reduce %t dim 0 : tensor<64x64xf32, #acc> -> tensor<64xf32, #accC> {
    ^bb0(%p: f32, %q: f32):
      %s = arith.addf %p, %q : f32
      tile.yield %s : f32
    }
    gpu.return
  }
}

// -----

// A loop carries a tile as its registers.

#pair = #tile.layout<reg = [[1]], lane = [[2], [4], [8], [16], [32]], warp = [], repeat = [1]>

// CHECK-LABEL: llvm.func @loop(
// CHECK:         %[[LOOP:.*]]:2 = scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}}) -> (f32, f32)  : i64 {
// CHECK:           %[[C:.*]] = math.absf %[[A]] : f32
// CHECK:           %[[D:.*]] = math.absf %[[B]] : f32
// CHECK:           scf.yield %[[C]], %[[D]] : f32, f32
gpu.module @kernels {
  gpu.func @loop(%x: memref<64xf32>, %n: index) kernel attributes {tile.warps = 1 : i32} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %t = tile.load %x[%c0] dims [0] in_bounds [true] : memref<64xf32> -> tensor<64xf32, #pair>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> tensor<64xf32, #pair> {
      %b = math.absf %a : tensor<64xf32, #pair>
      scf.yield %b : tensor<64xf32, #pair>
    }
    tile.store %r, %x[%c0] dims [0] in_bounds [true] : tensor<64xf32, #pair>, memref<64xf32>
    gpu.return
  }
}
