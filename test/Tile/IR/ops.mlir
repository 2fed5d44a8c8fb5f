// RUN: fusion-opt %s | fusion-opt | FileCheck %s
// RUN: fusion-opt %s --mlir-print-op-generic | fusion-opt | FileCheck %s

#rows = #tile.layout<reg = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], repeat = [1, 3]>
#column = #tile.layout<reg = [[8]], lane = [[0], [0], [1], [2], [4]], warp = [[16], [32]], repeat = [1]>

// CHECK-DAG: #[[$MAP:.*]] = affine_map<(d0, d1, d2) -> (d0, d1 + d2)>
// CHECK-DAG: #[[$ROWS:.*]] = #tile.layout<reg = {{\[\[}}0, 1], [8, 0]], lane = {{\[\[}}0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = {{\[\[}}16, 0], [32, 0]], repeat = [1, 3]>

// CHECK-LABEL: func.func @values(
// CHECK:         tile.load %{{.*}}[%{{.*}}, %{{.*}}] dims [0, 1] in_bounds [false, true] other %{{.*}} : f32 : memref<?x24xf32> -> tensor<64x24xf32, #[[$ROWS]]>
// CHECK:         tile.reduce %{{.*}} dim 1 : tensor<64x24xf32, #[[$ROWS]]> -> tensor<64xf32, #{{.*}}> {
// CHECK:         ^bb0(%{{.*}}: f32, %{{.*}}: f32):
// CHECK:           tile.yield %{{.*}} : f32
// CHECK:         tile.broadcast %{{.*}} dims [0] : tensor<64xf32, #{{.*}}> -> tensor<64x24xf32, #[[$ROWS]]>
// CHECK:         tile.index %{{.*}} dim 1 : tensor<64x24xindex, #[[$ROWS]]>
// CHECK:         tile.mask %{{.*}}, %{{.*}} offsets[%{{.*}}, %{{.*}}] sizes[%{{.*}}, %{{.*}}] : tensor<64x24xf32, #[[$ROWS]]>, f32
// CHECK:         tile.splat %{{.*}} : f32 -> tensor<64x24xf32, #[[$ROWS]]>
// CHECK:         tile.convert_layout %{{.*}} : tensor<64x24xf32, #[[$ROWS]]> -> tensor<64x24xf32>
// CHECK:         tile.store %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}] dims [0, 1] in_bounds [false, false] limits [-1, 20] :
// CHECK:         tile.store %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}] dims [0, 1] in_bounds [false, true] : tensor<64x24xf32, #[[$ROWS]]>, memref<?x24xf32>
func.func @values(%m: memref<?x24xf32>, %i: index, %j: index, %pad: f32) {
  %x = tile.load %m[%i, %j] dims [0, 1] in_bounds [false, true] other %pad : f32
       : memref<?x24xf32> -> tensor<64x24xf32, #rows>
  %s = tile.reduce %x dim 1 : tensor<64x24xf32, #rows> -> tensor<64xf32, #column> {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tile.yield %c : f32
  }
  %t = tile.broadcast %s dims [0] : tensor<64xf32, #column> -> tensor<64x24xf32, #rows>
  %n = tile.index %j dim 1 : tensor<64x24xindex, #rows>
  %k = tile.mask %t, %pad offsets [%i, %j] sizes [%i, %j] : tensor<64x24xf32, #rows>, f32
  %p = tile.splat %pad : f32 -> tensor<64x24xf32, #rows>
  %y = arith.mulf %k, %p : tensor<64x24xf32, #rows>
  %z = tile.convert_layout %y : tensor<64x24xf32, #rows> -> tensor<64x24xf32>
  tile.store %y, %m[%i, %j] dims [0, 1] in_bounds [false, false] limits [-1, 20]
      : tensor<64x24xf32, #rows>, memref<?x24xf32>
  tile.store %y, %m[%i, %j] dims [0, 1] in_bounds [false, true]
      : tensor<64x24xf32, #rows>, memref<?x24xf32>
  return
}

// CHECK-LABEL: gpu.func @ring(
// CHECK:         tile.alloc : <4x64x64xf16, swizzle = 128>
// CHECK:         tile.alloc : <2x16x32xf32, padding = 16>
// CHECK:         tile.alloc_barriers arrivals 1 : <4>
// CHECK:         tile.warp_specialize warps [4, 8] registers [40, 232] single_thread [true, false] {
// CHECK:           tile.wait %{{.*}}[%{{.*}}] parity %{{.*}} : <4>
// CHECK:           tile.expect %{{.*}}[%{{.*}}] bytes 8192 : <4>
// CHECK:           tile.copy_tma %{{.*}}[%{{.*}}, %{{.*}}] to %{{.*}}[%{{.*}}] signals %{{.*}}[%{{.*}}] : <64x64xf16, swizzle = 128>, <4x64x64xf16, swizzle = 128>, <4>
// CHECK:         }, {
// CHECK:           tile.arrive %{{.*}}[%{{.*}}] : <4>
// CHECK:           tile.mma "wgmma" %{{.*}}[%{{.*}}] kmajor true, %{{.*}}[%{{.*}}] kmajor false, %{{.*}} :
// CHECK:           tile.mma_wait %{{.*}} pending 1 :
// CHECK:           tile.acc_read
// CHECK:         tile.copy_async %{{.*}}[%{{.*}}, %{{.*}}] to %{{.*}}[%{{.*}}] dims [0, 1] in_bounds [false, true] alignment 16
// CHECK:         tile.copy_commit
// CHECK:         tile.copy_wait pending 1
// CHECK:         tile.fence_async
// CHECK:         tile.sync
gpu.module @kernels {
  gpu.func @ring(%map: !tile.tensor_map<64x64xf16, swizzle = 128>, %m: memref<?x32xf32>) kernel {
    %c0 = arith.constant 0 : index
    %p0 = arith.constant 0 : i32
    %ring = tile.alloc : !tile.buffer<4x64x64xf16, swizzle = 128>
    %rows = tile.alloc : !tile.buffer<2x16x32xf32, padding = 16>
    %full = tile.alloc_barriers arrivals 1 : !tile.barriers<4>
    tile.warp_specialize warps [4, 8] registers [40, 232] single_thread [true, false] {
      tile.wait %full[%c0] parity %p0 : !tile.barriers<4>
      tile.expect %full[%c0] bytes 8192 : !tile.barriers<4>
      tile.copy_tma %map[%c0, %c0] to %ring[%c0] signals %full[%c0]
          : !tile.tensor_map<64x64xf16, swizzle = 128>, !tile.buffer<4x64x64xf16, swizzle = 128>, !tile.barriers<4>
    }, {
      tile.arrive %full[%c0] : !tile.barriers<4>
      %zero = tile.acc_zero : !tile.acc<tensor<64x64xf32>>
      %sum = tile.mma "wgmma" %ring[%c0] kmajor true, %ring[%c0] kmajor false, %zero
          : !tile.buffer<4x64x64xf16, swizzle = 128>, !tile.buffer<4x64x64xf16, swizzle = 128> -> !tile.acc<tensor<64x64xf32>>
      %done = tile.mma_wait %sum pending 1 : !tile.acc<tensor<64x64xf32>> -> !tile.acc<tensor<64x64xf32>>
      %x = tile.acc_read %done : !tile.acc<tensor<64x64xf32>> -> tensor<64x64xf32>
    }
    tile.copy_async %m[%c0, %c0] to %rows[%c0] dims [0, 1] in_bounds [false, true] alignment 16
        : memref<?x32xf32>, !tile.buffer<2x16x32xf32, padding = 16>
    tile.copy_commit
    tile.copy_wait pending 1
    tile.fence_async
    tile.sync
    gpu.return
  }
}

// CHECK-LABEL: func.func @host(
// CHECK:         tile.tensor_map %{{.*}} : memref<?x64xf16> -> <64x64xf16, swizzle = 128>
// CHECK:         tile.multiprocessors
// CHECK:         tile.launch @kernels::@ring grid(%{{.*}}, %{{.*}}, %{{.*}}) args(%{{.*}}, %{{.*}} : !tile.tensor_map<64x64xf16, swizzle = 128>, memref<?x32xf32>)
func.func @host(%a: memref<?x64xf16>, %m: memref<?x32xf32>, %g: index) {
  %map = tile.tensor_map %a : memref<?x64xf16> -> !tile.tensor_map<64x64xf16, swizzle = 128>
  %n = tile.multiprocessors
  tile.launch @kernels::@ring grid(%g, %n, %n) args(%map, %m : !tile.tensor_map<64x64xf16, swizzle = 128>, memref<?x32xf32>)
  return
}

// CHECK-LABEL: func.func @gather(
// CHECK:         tile.gather %{{.*}}[%{{.*}}, %{{.*}}] : memref<?x24xf32>[tensor<8xindex>, tensor<8xindex>] -> tensor<8xf32>
// CHECK:         tile.gather %{{.*}}[%{{.*}}] mask(%{{.*}}, %{{.*}}) : memref<24xi1>[tensor<8xindex>] mask(tensor<8xi1>, tensor<8xi1>) -> tensor<8xi1>
// CHECK:         tile.gather %{{.*}}[] : memref<f32> -> tensor<8xf32>
func.func @gather(%m: memref<?x24xf32>, %b: memref<24xi1>, %s: memref<f32>, %i: tensor<8xindex>, %k: tensor<8xi1>) {
  %0 = tile.gather %m[%i, %i] : memref<?x24xf32> [tensor<8xindex>, tensor<8xindex>] -> tensor<8xf32>
  %1 = tile.gather %b[%i] mask(%k, %k) : memref<24xi1> [tensor<8xindex>] mask(tensor<8xi1>, tensor<8xi1>) -> tensor<8xi1>
  %2 = tile.gather %s[] : memref<f32> -> tensor<8xf32>
  return
}

// CHECK-LABEL: func.func @chained(
// CHECK:         %[[A:.*]] = tile.acc_init %{{.*}} : tensor<16x32xf32> -> <tensor<16x32xf32>>
// CHECK:         tile.mma_registers %{{.*}}, %{{.*}}[%{{.*}}] kmajor false, %[[A]] : tensor<16x16xf16>, <2x16x32xf16, swizzle = 64> -> <tensor<16x32xf32>>
// CHECK:         tile.store_shared %{{.*}} to %{{.*}}[%{{.*}}] : tensor<16x16xf16>, <1x16x16xf16, padding = 16>
// CHECK:         tile.store_shared %{{.*}} to %{{.*}}[%{{.*}}] transposed : tensor<16x16xf16>, <1x16x16xf16, padding = 16>
func.func @chained(%p: tensor<16x16xf16>, %s: tensor<16x32xf32>, %v: !tile.buffer<2x16x32xf16, swizzle = 64>,
                   %b: !tile.buffer<1x16x16xf16, padding = 16>, %i: index) -> !tile.acc<tensor<16x32xf32>> {
  %0 = tile.acc_init %s : tensor<16x32xf32> -> !tile.acc<tensor<16x32xf32>>
  %1 = tile.mma_registers %p, %v[%i] kmajor false, %0 : tensor<16x16xf16>, !tile.buffer<2x16x32xf16, swizzle = 64> -> !tile.acc<tensor<16x32xf32>>
  tile.store_shared %p to %b[%i] : tensor<16x16xf16>, !tile.buffer<1x16x16xf16, padding = 16>
  tile.store_shared %p to %b[%i] transposed : tensor<16x16xf16>, !tile.buffer<1x16x16xf16, padding = 16>
  return %1 : !tile.acc<tensor<16x32xf32>>
}

// Windows read, copied, and cut out of what is computed.
// CHECK-LABEL: func.func @windows(
// CHECK:         %[[V:.*]] = tile.load_window %{{.*}}[%{{.*}}, %{{.*}}] extents[%{{.*}}, %{{.*}}] checked [false, true] along[%{{.*}}, %{{.*}}] limits[%{{.*}}, %{{.*}}] in_bounds [true, false] parts [1, 2] sizes [4, 3, 8] map #[[$MAP]] other %{{.*}} : f16 : memref<4x9xf16> -> tensor<4x16xf16>
// CHECK:         tile.copy_window %{{.*}}[%{{.*}}, %{{.*}}] extents[%{{.*}}, %{{.*}}] checked [false, true] along[%{{.*}}, %{{.*}}] limits[%{{.*}}, %{{.*}}] in_bounds [true, false] parts [1, 2] sizes [4, 3, 8] map #[[$MAP]] to %{{.*}}[%{{.*}}] : memref<4x9xf16>, <2x4x16xf16>
// CHECK:         tile.mask_window %[[V]][%{{.*}}, %{{.*}}] extents[%{{.*}}, %{{.*}}] checked [false, true] along[%{{.*}}, %{{.*}}] limits[%{{.*}}, %{{.*}}] in_bounds [true, false] parts [1, 2] sizes [4, 3, 8] map #[[$MAP]] other %{{.*}} : tensor<4x16xf16>, f16
// CHECK:         tile.store_window %[[V]], %{{.*}}[%{{.*}}, %{{.*}}] extents[%{{.*}}, %{{.*}}] checked [false, true] along[%{{.*}}, %{{.*}}] limits[%{{.*}}, %{{.*}}] in_bounds [true, false] parts [1, 2] sizes [4, 3, 8] map #[[$MAP]] : tensor<4x16xf16>, memref<4x9xf16>
func.func @windows(%m: memref<4x9xf16>, %b: !tile.buffer<2x4x16xf16>, %i: index, %pad: f16) -> tensor<4x16xf16> {
  %0 = tile.load_window %m[%i, %i] extents [%i, %i] checked [false, true] along [%i, %i] limits [%i, %i] in_bounds [true, false]
       parts [1, 2] sizes [4, 3, 8] map affine_map<(c, k, x) -> (c, k + x)> other %pad : f16 : memref<4x9xf16> -> tensor<4x16xf16>
  tile.copy_window %m[%i, %i] extents [%i, %i] checked [false, true] along [%i, %i] limits [%i, %i] in_bounds [true, false]
       parts [1, 2] sizes [4, 3, 8] map affine_map<(c, k, x) -> (c, k + x)> to %b[%i] : memref<4x9xf16>, !tile.buffer<2x4x16xf16>
  %1 = tile.mask_window %0[%i, %i] extents [%i, %i] checked [false, true] along [%i, %i] limits [%i, %i] in_bounds [true, false]
       parts [1, 2] sizes [4, 3, 8] map affine_map<(c, k, x) -> (c, k + x)> other %pad : tensor<4x16xf16>, f16
  tile.store_window %0, %m[%i, %i] extents [%i, %i] checked [false, true] along [%i, %i] limits [%i, %i] in_bounds [true, false]
       parts [1, 2] sizes [4, 3, 8] map affine_map<(c, k, x) -> (c, k + x)> : tensor<4x16xf16>, memref<4x9xf16>
  return %1 : tensor<4x16xf16>
}
