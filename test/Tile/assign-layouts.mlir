// RUN: fusion-opt %s -split-input-file -pass-pipeline='builtin.module(gpu.module(tile-assign-layouts))' | FileCheck %s

// 16-byte vectors of f16 along the row, then lanes, then warps.
// CHECK: #[[$L:.*]] = #tile.layout<reg = {{\[\[}}1], [2], [4]], lane = {{\[\[}}8], [16], [32], [64], [128]], warp = {{\[\[}}256], [512]], repeat = [2]>
// CHECK-LABEL: gpu.func @elementwise
// CHECK:         tile.load {{.*}} -> tensor<2048xf16, #[[$L]]>
// CHECK:         arith.extf {{.*}} : tensor<2048xf16, #[[$L]]> to tensor<2048xf32, #[[$L]]>
// CHECK:         arith.constant dense<1.000000e+00> : tensor<2048xf32, #[[$L]]>
// CHECK:         tile.splat {{.*}} -> tensor<2048xf32, #[[$L]]>
gpu.module @kernels {
  gpu.func @elementwise(%a: memref<8192xf16>, %s: f32, %b: memref<8192xf32>) kernel attributes {tile.warps = 4 : i32} {
    %c2048 = arith.constant 2048 : index
    %id = gpu.block_id x
    %o = arith.muli %id, %c2048 : index
    %x = tile.load %a[%o] dims [0] in_bounds [true] : memref<8192xf16> -> tensor<2048xf16>
    %w = arith.extf %x : tensor<2048xf16> to tensor<2048xf32>
    %one = arith.constant dense<1.0> : tensor<2048xf32>
    %t = tile.splat %s : f32 -> tensor<2048xf32>
    %y = arith.addf %w, %one : tensor<2048xf32>
    %z = arith.mulf %y, %t : tensor<2048xf32>
    tile.store %z, %b[%o] dims [0] in_bounds [true] : tensor<2048xf32>, memref<8192xf32>
    gpu.return
  }
}

// -----

// Rows of 1001 elements are aligned to nothing: no vectors.
// CHECK: #tile.layout<reg = [], lane = {{\[\[}}0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = {{\[\[}}0, 32], [0, 64]], repeat = [2, 2]>
// CHECK-LABEL: gpu.func @unaligned
gpu.module @kernels {
  gpu.func @unaligned(%a: memref<64x1001xf16>, %b: memref<64x1001xf16>) kernel attributes {tile.warps = 4 : i32} {
    %c0 = arith.constant 0 : index
    %x = tile.load %a[%c0, %c0] dims [0, 1] in_bounds [true, false] : memref<64x1001xf16> -> tensor<2x256xf16>
    tile.store %x, %b[%c0, %c0] dims [0, 1] in_bounds [true, false] : tensor<2x256xf16>, memref<64x1001xf16>
    gpu.return
  }
}

// -----

// A row for each warp: lanes along the columns, warps along the rows. The result
// of the reduction and the broadcast operand are its slice; the vector along
// columns is the other slice.
// CHECK-DAG: #[[$R:.*]] = #tile.layout<reg = [], lane = {{\[\[}}0], [0], [0], [0], [0]], warp = {{\[\[}}1], [2]], repeat = [1]>
// CHECK-DAG: #[[$C:.*]] = #tile.layout<reg = {{\[\[}}1], [2]], lane = {{\[\[}}4], [8], [16], [32], [64]], warp = {{\[\[}}0], [0]], repeat = [2]>
// CHECK-DAG: #[[$L:.*]] = #tile.layout<reg = {{\[\[}}0, 1], [0, 2]], lane = {{\[\[}}0, 4], [0, 8], [0, 16], [0, 32], [0, 64]], warp = {{\[\[}}1, 0], [2, 0]], repeat = [1, 2]>
// CHECK-LABEL: gpu.func @rows
// CHECK:         tile.reduce {{.*}} : tensor<4x256xf32, #[[$L]]> -> tensor<4xf32, #[[$R]]>
// CHECK:         tile.broadcast {{.*}} : tensor<4xf32, #[[$R]]> -> tensor<4x256xf32, #[[$L]]>
// CHECK:         tile.load {{.*}} -> tensor<256xf32, #[[$C]]>
// CHECK:         tile.broadcast {{.*}} : tensor<256xf32, #[[$C]]> -> tensor<4x256xf32, #[[$L]]>
// CHECK-NOT:     tile.convert_layout
gpu.module @kernels {
  gpu.func @rows(%a: memref<64x256xf32>, %v: memref<256xf32>, %b: memref<64x256xf32>) kernel attributes {tile.warps = 4 : i32} {
    %c0 = arith.constant 0 : index
    %x = tile.load %a[%c0, %c0] dims [0, 1] in_bounds [true, true] : memref<64x256xf32> -> tensor<4x256xf32>
    %s = tile.reduce %x dim 1 : tensor<4x256xf32> -> tensor<4xf32> {
    ^bb0(%p: f32, %q: f32):
      %r = arith.addf %p, %q : f32
      tile.yield %r : f32
    }
    %d = tile.broadcast %s dims [0] : tensor<4xf32> -> tensor<4x256xf32>
    %w = tile.load %v[%c0] dims [0] in_bounds [true] : memref<256xf32> -> tensor<256xf32>
    %e = tile.broadcast %w dims [1] : tensor<256xf32> -> tensor<4x256xf32>
    %y = arith.divf %x, %d : tensor<4x256xf32>
    %z = arith.mulf %y, %e : tensor<4x256xf32>
    tile.store %z, %b[%c0, %c0] dims [0, 1] in_bounds [true, true] : tensor<4x256xf32>, memref<64x256xf32>
    gpu.return
  }
}

// -----

// Lanes run along memory, also where that is the first dim of the tile; the other
// warps share the reduced dim.
// CHECK: #tile.layout<reg = {{\[\[}}1, 0], [2, 0]], lane = {{\[\[}}4, 0], [8, 0], [16, 0], [32, 0], [0, 1]], warp = {{\[\[}}0, 2], [0, 4]], repeat = [1, 4]>
// CHECK-LABEL: gpu.func @columns
gpu.module @kernels {
  gpu.func @columns(%a: memref<32x64xf32>, %b: memref<64xf32>) kernel attributes {tile.warps = 4 : i32} {
    %c0 = arith.constant 0 : index
    %x = tile.load %a[%c0, %c0] dims [1, 0] in_bounds [true, true] : memref<32x64xf32> -> tensor<64x32xf32>
    %s = tile.reduce %x dim 1 : tensor<64x32xf32> -> tensor<64xf32> {
    ^bb0(%p: f32, %q: f32):
      %r = arith.addf %p, %q : f32
      tile.yield %r : f32
    }
    tile.store %s, %b[%c0] dims [0] in_bounds [true] : tensor<64xf32>, memref<64xf32>
    gpu.return
  }
}

// -----

// The accumulator rules; the operands of the dot have no layout. Equal constants
// in the loop and after it are two values.
// CHECK-DAG: #[[$L:.*]] = #tile.layout<reg = {{\[\[}}0, 1], [8, 0]], lane = {{\[\[}}0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = {{\[\[}}16, 0], [32, 0]], repeat = [1, 16]>
// CHECK-DAG: #[[$S:.*]] = #tile.layout<reg = {{\[\[}}1]], lane = {{\[\[}}2], [4], [0], [0], [0]], warp = {{\[\[}}0], [0]], repeat = [16]>
// CHECK-LABEL: gpu.func @multiply
// CHECK:         %[[Z:.*]] = arith.constant dense<0.000000e+00> : tensor<64x128xf32, #[[$L]]>
// CHECK:         scf.for {{.*}} iter_args(%{{.*}} = %[[Z]]) -> (tensor<64x128xf32, #[[$L]]>)
// CHECK:           tile.load {{.*}} -> tensor<64x64xf16>{{$}}
// CHECK:           tile.load {{.*}} -> tensor<64x128xf16>{{$}}
// CHECK:           tile.dot {{.*}} : tensor<64x64xf16>, tensor<64x128xf16> -> tensor<64x128xf32, #[[$L]]>
// CHECK:         tile.load {{.*}} -> tensor<128xf32, #[[$S]]>
// CHECK:         arith.constant dense<0.000000e+00> : tensor<64x128xf32, #[[$L]]>
gpu.module @kernels {
  gpu.func @multiply(%a: memref<64x256xf16>, %b: memref<256x128xf16>, %v: memref<128xf32>, %c: memref<64x128xf32>) kernel
      attributes {tile.warps = 4 : i32, tile.schedule = {kind = "wgmma"}} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c256 = arith.constant 256 : index
    %zero = arith.constant dense<0.0> : tensor<64x128xf32>
    %m = scf.for %k = %c0 to %c256 step %c64 iter_args(%acc = %zero) -> (tensor<64x128xf32>) {
      %x = tile.load %a[%c0, %k] dims [0, 1] in_bounds [true, true] : memref<64x256xf16> -> tensor<64x64xf16>
      %y = tile.load %b[%k, %c0] dims [0, 1] in_bounds [true, true] : memref<256x128xf16> -> tensor<64x128xf16>
      %d = tile.dot %x, %y, %acc : tensor<64x64xf16>, tensor<64x128xf16> -> tensor<64x128xf32>
      scf.yield %d : tensor<64x128xf32>
    }
    %w = tile.load %v[%c0] dims [0] in_bounds [true] : memref<128xf32> -> tensor<128xf32>
    %bw = tile.broadcast %w dims [1] : tensor<128xf32> -> tensor<64x128xf32>
    %n = arith.addf %m, %bw : tensor<64x128xf32>
    %r = arith.maximumf %n, %zero : tensor<64x128xf32>
    tile.store %r, %c[%c0, %c0] dims [0, 1] in_bounds [true, true] : tensor<64x128xf32>, memref<64x128xf32>
    gpu.return
  }
}

// -----

// A vector that lies along the rows of one tile and the columns of another: one
// of the two broadcasts converts.
// CHECK-LABEL: gpu.func @two_slices
// CHECK:         tile.load %{{.*}} -> tensor<64xf32,
// CHECK-COUNT-1: tile.convert_layout
// CHECK-NOT:     tile.convert_layout
gpu.module @kernels {
  gpu.func @two_slices(%v: memref<64xf32>, %b: memref<64x64xf32>) kernel attributes {tile.warps = 4 : i32} {
    %c0 = arith.constant 0 : index
    %w = tile.load %v[%c0] dims [0] in_bounds [true] : memref<64xf32> -> tensor<64xf32>
    %r = tile.broadcast %w dims [0] : tensor<64xf32> -> tensor<64x64xf32>
    %c = tile.broadcast %w dims [1] : tensor<64xf32> -> tensor<64x64xf32>
    %p = arith.mulf %r, %c : tensor<64x64xf32>
    tile.store %p, %b[%c0, %c0] dims [0, 1] in_bounds [true, true] : tensor<64x64xf32>, memref<64x64xf32>
    gpu.return
  }
}

// -----

// A transposing load runs along memory too, and changes layout afterwards.
// CHECK-DAG: #[[$X:.*]] = #tile.layout<reg = {{\[\[}}1, 0], [2, 0]], lane = {{\[\[}}4, 0], [8, 0], [16, 0]
// CHECK-DAG: #[[$Y:.*]] = #tile.layout<reg = {{\[\[}}0, 1], [0, 2]], lane = {{\[\[}}0, 4], [0, 8], [0, 16], [0, 32]
// CHECK-LABEL: gpu.func @transposed
// CHECK:         %[[T:.*]] = tile.load {{.*}} -> tensor<32x64xf32, #[[$X]]>
// CHECK-NEXT:    %[[C:.*]] = tile.convert_layout %[[T]] : tensor<32x64xf32, #[[$X]]> -> tensor<32x64xf32, #[[$Y]]>
// CHECK-NEXT:    tile.store %[[C]]
gpu.module @kernels {
  gpu.func @transposed(%a: memref<128x64xf32>, %b: memref<64x128xf32>) kernel attributes {tile.warps = 4 : i32} {
    %c0 = arith.constant 0 : index
    %x = tile.load %a[%c0, %c0] dims [1, 0] in_bounds [true, true] : memref<128x64xf32> -> tensor<32x64xf32>
    tile.store %x, %b[%c0, %c0] dims [0, 1] in_bounds [true, true] : tensor<32x64xf32>, memref<64x128xf32>
    gpu.return
  }
}
