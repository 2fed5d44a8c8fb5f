// RUN: fusion-opt %s -split-input-file -verify-diagnostics

// The labels (C1)... are the constraints of each op's description.

func.func @load_c1(%m: memref<4x4xf32>, %i: index) {
  // expected-error @below {{(C1) expected 2 indices, dims and in_bounds, but got 1, 2 and 2}}
  %x = tile.load %m[%i] dims [0, 1] in_bounds [true, true] : memref<4x4xf32> -> tensor<4x4xf32>
  return
}

// -----

func.func @load_c2(%m: memref<4x4xf32>, %i: index) {
  // expected-error @below {{(C2) expected dims to name each tile dim at most once, but got 0}}
  %x = tile.load %m[%i, %i] dims [0, 0] in_bounds [true, true] : memref<4x4xf32> -> tensor<4x4xf32>
  return
}

// -----

func.func @load_c3(%m: memref<4xf32>, %i: index) {
  // expected-error @below {{(C3) expected element type 'f32', but got 'f16'}}
  %x = tile.load %m[%i] dims [0] in_bounds [true] : memref<4xf32> -> tensor<4xf16>
  return
}

// -----

func.func @load_c3_other(%m: memref<4xf32>, %i: index, %o: f16) {
  // expected-error @below {{(C3) expected 'other' of type 'f32', but got 'f16'}}
  %x = tile.load %m[%i] dims [0] in_bounds [true] other %o : f16 : memref<4xf32> -> tensor<4xf32>
  return
}

// -----

func.func @store_c2(%m: memref<4xf32>, %t: tensor<4xf32>, %i: index) {
  // expected-error @below {{(C2) expected dims to name each tile dim at most once, but got 3}}
  tile.store %t, %m[%i] dims [3] in_bounds [true] : tensor<4xf32>, memref<4xf32>
  return
}

// -----

func.func @store_c3(%m: memref<4xf32>, %t: tensor<4xi32>, %i: index) {
  // expected-error @below {{(C3) expected element type 'f32', but got 'i32'}}
  tile.store %t, %m[%i] dims [0] in_bounds [true] : tensor<4xi32>, memref<4xf32>
  return
}

// -----

func.func @broadcast_c1(%t: tensor<4xf32>) {
  // expected-error @below {{(C1) expected increasing result dims of equal size, but got 1 for source dim 0}}
  %x = tile.broadcast %t dims [1] : tensor<4xf32> -> tensor<4x8xf32>
  return
}

// -----

func.func @broadcast_c2(%t: tensor<4xf32>) {
  // expected-error @below {{(C2) expected element type 'f32', but got 'f16'}}
  %x = tile.broadcast %t dims [0] : tensor<4xf32> -> tensor<4x8xf16>
  return
}

// -----

func.func @reduce_c1(%t: tensor<4x8xf32>) {
  // expected-error @below {{(C1) expected the source's type without dim 1, but got 'tensor<8xf32>'}}
  %x = tile.reduce %t dim 1 : tensor<4x8xf32> -> tensor<8xf32> {
  ^bb0(%a: f32, %b: f32):
    tile.yield %a : f32
  }
  return
}

// -----

func.func @reduce_c2(%t: tensor<4x8xf32>) {
  // expected-error @below {{(C2) expected a combiner of two 'f32' that yields one}}
  %x = tile.reduce %t dim 1 : tensor<4x8xf32> -> tensor<4xf32> {
  ^bb0(%a: f32):
    tile.yield %a : f32
  }
  return
}

// -----

func.func @index_c1(%i: index) {
  // expected-error @below {{(C1) expected a dim below 1, but got 1}}
  %x = tile.index %i dim 1 : tensor<4xindex>
  return
}

// -----

func.func @mask_c1(%t: tensor<4x8xf32>, %p: f32, %i: index) {
  // expected-error @below {{(C1) expected 2 offsets and sizes, but got 1}}
  %x = tile.mask %t, %p offsets [%i] sizes [%i] : tensor<4x8xf32>, f32
  return
}

// -----

func.func @mask_c2(%t: tensor<4xf32>, %p: i32, %i: index) {
  // expected-error @below {{(C2) expected a padding of type 'f32', but got 'i32'}}
  %x = tile.mask %t, %p offsets [%i] sizes [%i] : tensor<4xf32>, i32
  return
}

// -----

func.func @dot_c1(%a: tensor<4x8xf16>, %b: tensor<4x8xf16>, %c: tensor<4x8xf32>) {
  // expected-error @below {{(C1) expected MxK, KxN and MxN, but got}}
  %x = tile.dot %a, %b, %c : tensor<4x8xf16>, tensor<4x8xf16> -> tensor<4x8xf32>
  return
}

// -----

func.func @dot_c2(%a: tensor<4x8xf16>, %b: tensor<8x8xbf16>, %c: tensor<4x8xf32>) {
  // expected-error @below {{(C2) expected operands of one element type, but got 'f16' and 'bf16'}}
  %x = tile.dot %a, %b, %c : tensor<4x8xf16>, tensor<8x8xbf16> -> tensor<4x8xf32>
  return
}

// -----

func.func @convert_layout_c1(%a: tensor<4xf32>) {
  // expected-error @below {{(C1) expected types that differ in their layouts only}}
  %x = tile.convert_layout %a : tensor<4xf32> -> tensor<8xf32>
  return
}

// -----

func.func @mma_c1(%a: !tile.buffer<2x64x32xf16, swizzle = 64>, %c: !tile.acc<tensor<64x64xf32>>, %i: index) {
  // expected-error @below {{(C1) expected buffers of MxK and KxN for 'tensor<64x64xf32>', but got 64x32 and 64x32}}
  %x = tile.mma "mma" %a[%i] kmajor true, %a[%i] kmajor false, %c
      : !tile.buffer<2x64x32xf16, swizzle = 64>, !tile.buffer<2x64x32xf16, swizzle = 64> -> !tile.acc<tensor<64x64xf32>>
  return
}

// -----

func.func @mma_c2(%a: !tile.buffer<2x64x32xf16, swizzle = 64>, %c: !tile.acc<tensor<64x64xf32>>, %i: index) {
  // expected-error @below {{(C2) expected 'wgmma', 'mma' or 'fma', but got 'tensor'}}
  %x = tile.mma "tensor" %a[%i] kmajor true, %a[%i] kmajor true, %c
      : !tile.buffer<2x64x32xf16, swizzle = 64>, !tile.buffer<2x64x32xf16, swizzle = 64> -> !tile.acc<tensor<64x64xf32>>
  return
}

// -----

func.func @acc_read_c1(%c: !tile.acc<tensor<64x64xf32>>) {
  // expected-error @below {{(C1) expected columns of 'tensor<64x64xf32>', but got 'tensor<64x32xf32>' from column 40}}
  %x = tile.acc_read %c {column = 40 : i64} : !tile.acc<tensor<64x64xf32>> -> tensor<64x32xf32>
  return
}

// -----

func.func @warp_specialize_c1() {
  // expected-error @below {{(C1) expected one entry of warps, registers and single_thread for each of 1 regions}}
  tile.warp_specialize warps [4, 4] registers [] single_thread [false] {
  }
  return
}

// -----

func.func @warp_specialize_c2() {
  // expected-error @below {{(C2) expected multiples of four warps, but got 2}}
  tile.warp_specialize warps [2] registers [64] single_thread [false] {
  }
  return
}

// -----

func.func @tensor_map_c1(%m: memref<4x8xf16>) {
  // expected-error @below {{(C1) expected a box of the memref's rank and element type}}
  %x = tile.tensor_map %m : memref<4x8xf16> -> !tile.tensor_map<8xf16>
  return
}

// -----

// expected-error @below {{expected stages x rows x columns, but got rank 2}}
func.func private @buffer_rank(!tile.buffer<4x4xf16>)

// -----

// expected-error @below {{expected a swizzle of 0, 32, 64 or 128 bytes, but got 96}}
func.func private @buffer_swizzle(!tile.buffer<1x4x64xf16, swizzle = 96>)

// -----

// expected-error @below {{expected rows of whole swizzled panels without padding}}
func.func private @buffer_panel(!tile.buffer<1x4x24xf16, swizzle = 128>)

// -----

// expected-error @below {{expected five lane bases, but got 1}}
func.func private @layout_lanes(tensor<2xf32, #tile.layout<reg = [], lane = [[1]], warp = [], repeat = [1]>>)

// -----

// expected-error @below {{expected the bases along a dim to be 1, 2, 4, ..., each once}}
func.func private @layout_bases(tensor<2xf32, #tile.layout<reg = [[1]], lane = [[1], [0], [0], [0], [0]], warp = [], repeat = [1]>>)

// -----

func.func @gather_c1(%m: memref<4x8xf32>, %i: tensor<8xindex>) {
  // expected-error @below {{(C1) expected 2 indices, but got 1}}
  %x = tile.gather %m[%i] : memref<4x8xf32> [tensor<8xindex>] -> tensor<8xf32>
  return
}

// -----

func.func @gather_c2(%m: memref<8xf32>, %i: tensor<8xindex>) {
  // expected-error @below {{(C2) expected tiles of shape 'tensor<4xf32>', but got 'tensor<8xindex>'}}
  %x = tile.gather %m[%i] : memref<8xf32> [tensor<8xindex>] -> tensor<4xf32>
  return
}

// -----

func.func @gather_c3(%m: memref<8xf32>, %i: tensor<8xindex>) {
  // expected-error @below {{(C3) expected element type 'f32', but got 'f16'}}
  %x = tile.gather %m[%i] : memref<8xf32> [tensor<8xindex>] -> tensor<8xf16>
  return
}

// -----

func.func @gather_c4(%m: memref<8xf32>, %i: tensor<8xindex>, %k: tensor<8xi1>) {
  // expected-error @below {{(C4) expected mask and other together}}
  %x = "tile.gather"(%m, %i, %k) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (memref<8xf32>, tensor<8xindex>, tensor<8xi1>) -> tensor<8xf32>
  return
}

// -----

func.func @mma_registers_c1(%p: tensor<16x16xf16>, %v: !tile.buffer<2x32x32xf16, swizzle = 64>, %s: !tile.acc<tensor<16x32xf32>>, %i: index) {
  // expected-error @below {{(C1) expected operands of MxK and KxN for 'tensor<16x32xf32>', but got 'tensor<16x16xf16>' and 32x32}}
  %0 = tile.mma_registers %p, %v[%i] kmajor false, %s : tensor<16x16xf16>, !tile.buffer<2x32x32xf16, swizzle = 64> -> !tile.acc<tensor<16x32xf32>>
  return
}

// -----

func.func @mma_registers_c2(%p: tensor<16x16xbf16>, %v: !tile.buffer<2x16x32xf16, swizzle = 64>, %s: !tile.acc<tensor<16x32xf32>>, %i: index) {
  // expected-error @below {{(C2) expected operands of one element type, but got 'bf16' and 'f16'}}
  %0 = tile.mma_registers %p, %v[%i] kmajor false, %s : tensor<16x16xbf16>, !tile.buffer<2x16x32xf16, swizzle = 64> -> !tile.acc<tensor<16x32xf32>>
  return
}

// -----

func.func @acc_init_c1(%s: tensor<16x32xf32>) {
  // expected-error @below {{(C1) expected an accumulator of 'tensor<16x32xf32>', but got '!tile.acc<tensor<16x16xf32>>'}}
  %0 = tile.acc_init %s : tensor<16x32xf32> -> !tile.acc<tensor<16x16xf32>>
  return
}

// -----

func.func @store_shared_c1(%p: tensor<16x32xf16>, %b: !tile.buffer<1x16x32xf16, padding = 16>, %i: index) {
  // expected-error @below {{(C1) expected a tile like one stage of}}
  tile.store_shared %p to %b[%i] transposed : tensor<16x32xf16>, !tile.buffer<1x16x32xf16, padding = 16>
  return
}

// -----

func.func @load_window_C1(%m: memref<4x8xf32>, %i: index) {
  // expected-error @below {{(C1) expected 2 indices, extents and checked, but got 2, 2 and 1}}
  %0 = tile.load_window %m[%i, %i] extents [%i, %i] checked [false] along [%i] limits [%i] in_bounds [true]
       parts [1] sizes [8] map affine_map<(x) -> (0, x)> : memref<4x8xf32> -> tensor<8xf32>
  return
}

// -----

func.func @load_window_C2(%m: memref<4x8xf32>, %i: index) {
  // expected-error @below {{(C2) expected 1 offsets, limits, in_bounds and positive parts}}
  %0 = tile.load_window %m[%i, %i] extents [%i, %i] checked [false, true] along [%i] limits [%i] in_bounds [true]
       parts [0] sizes [] map affine_map<() -> (0, 0)> : memref<4x8xf32> -> tensor<8xf32>
  return
}

// -----

func.func @load_window_C3(%m: memref<4x8xf32>, %i: index) {
  // expected-error @below {{(C3) expected a linear map from 1 coordinates to 2 dims, and their sizes}}
  %0 = tile.load_window %m[%i, %i] extents [%i, %i] checked [false, true] along [%i] limits [%i] in_bounds [true]
       parts [1] sizes [8] map affine_map<(x) -> (0, x floordiv 2)> : memref<4x8xf32> -> tensor<8xf32>
  return
}

// -----

func.func @load_window_C3_size(%m: memref<4x8xf32>, %i: index) {
  // expected-error @below {{(C3) expected positive sizes but for the first of a tile dim}}
  %0 = tile.load_window %m[%i, %i] extents [%i, %i] checked [false, true] along [%i] limits [%i] in_bounds [true]
       parts [2] sizes [8, 0] map affine_map<(x, y) -> (x, y)> : memref<4x8xf32> -> tensor<8xf32>
  return
}

// -----

func.func @load_window_C4(%m: memref<4x8xf32>, %i: index) {
  // expected-error @below {{(C4) expected element type 'f32'}}
  %0 = tile.load_window %m[%i, %i] extents [%i, %i] checked [false, true] along [%i] limits [%i] in_bounds [true]
       parts [1] sizes [8] map affine_map<(x) -> (0, x)> : memref<4x8xf32> -> tensor<8xf16>
  return
}

// -----

func.func @store_window_C1(%t: tensor<8xf32>, %m: memref<4x8xf32>, %i: index) {
  // expected-error @below {{(C1) expected 2 indices, extents and checked, but got 2, 2 and 1}}
  tile.store_window %t, %m[%i, %i] extents [%i, %i] checked [false] along [%i] limits [%i] in_bounds [true]
       parts [1] sizes [8] map affine_map<(x) -> (0, x)> : tensor<8xf32>, memref<4x8xf32>
  return
}

// -----

func.func @store_window_C2(%t: tensor<8xf32>, %m: memref<4x8xf32>, %i: index) {
  // expected-error @below {{(C2) expected 1 offsets, limits, in_bounds and positive parts}}
  tile.store_window %t, %m[%i, %i] extents [%i, %i] checked [false, false] along [%i] limits [%i] in_bounds [true]
       parts [0] sizes [] map affine_map<() -> (0, 0)> : tensor<8xf32>, memref<4x8xf32>
  return
}

// -----

func.func @store_window_C3(%t: tensor<8xf32>, %m: memref<4x8xf32>, %i: index) {
  // expected-error @below {{(C3) expected a linear map from 1 coordinates to 2 dims, and their sizes}}
  tile.store_window %t, %m[%i, %i] extents [%i, %i] checked [false, false] along [%i] limits [%i] in_bounds [true]
       parts [1] sizes [8] map affine_map<(x) -> (0, x floordiv 2)> : tensor<8xf32>, memref<4x8xf32>
  return
}

// -----

func.func @store_window_C4(%t: tensor<8xf16>, %m: memref<4x8xf32>, %i: index) {
  // expected-error @below {{(C4) expected element type 'f32'}}
  tile.store_window %t, %m[%i, %i] extents [%i, %i] checked [false, false] along [%i] limits [%i] in_bounds [true]
       parts [1] sizes [8] map affine_map<(x) -> (0, x)> : tensor<8xf16>, memref<4x8xf32>
  return
}

// -----

func.func @mask_window_C1(%t: tensor<8xf32>, %i: index, %o: f32) {
  // expected-error @below {{(C1) expected 2 indices, extents and checked, but got 2, 2 and 1}}
  %0 = tile.mask_window %t[%i, %i] extents [%i, %i] checked [false] along [%i] limits [%i] in_bounds [true]
       parts [1] sizes [8] map affine_map<(x) -> (0, x)> other %o : tensor<8xf32>, f32
  return
}

// -----

func.func @mask_window_C2(%t: tensor<8xf32>, %i: index, %o: f32) {
  // expected-error @below {{(C2) expected 1 offsets, limits, in_bounds and positive parts}}
  %0 = tile.mask_window %t[%i, %i] extents [%i, %i] checked [false, true] along [%i, %i] limits [%i, %i] in_bounds [true]
       parts [1] sizes [8] map affine_map<(x) -> (0, x)> other %o : tensor<8xf32>, f32
  return
}

// -----

func.func @mask_window_C3(%t: tensor<8xf32>, %i: index, %o: f32) {
  // expected-error @below {{(C3) expected a linear map from 1 coordinates to 2 dims, and their sizes}}
  %0 = tile.mask_window %t[%i, %i] extents [%i, %i] checked [false, true] along [%i] limits [%i] in_bounds [true]
       parts [1] sizes [8] map affine_map<(x) -> (0, x floordiv 2)> other %o : tensor<8xf32>, f32
  return
}

// -----

func.func @mask_window_C3_size(%t: tensor<8xf32>, %i: index, %o: f32) {
  // expected-error @below {{(C3) expected positive sizes but for the first of a tile dim}}
  %0 = tile.mask_window %t[%i, %i] extents [%i, %i] checked [false, true] along [%i] limits [%i] in_bounds [true]
       parts [2] sizes [8, 0] map affine_map<(x, y) -> (x, y)> other %o : tensor<8xf32>, f32
  return
}

// -----

func.func @mask_window_C4(%t: tensor<8xf32>, %i: index, %o: f16) {
  // expected-error @below {{(C4) expected element type 'f32'}}
  %0 = tile.mask_window %t[%i, %i] extents [%i, %i] checked [false, true] along [%i] limits [%i] in_bounds [true]
       parts [1] sizes [8] map affine_map<(x) -> (0, x)> other %o : tensor<8xf32>, f16
  return
}

// -----

func.func @copy_window_C4(%m: memref<4x8xf32>, %b: !tile.buffer<2x4x8xf16>, %i: index) {
  // expected-error @below {{(C4) expected element type 'f32'}}
  tile.copy_window %m[%i, %i] extents [%i, %i] checked [false, true] along [%i, %i] limits [%i, %i] in_bounds [true, true]
       parts [1, 1] sizes [4, 8] map affine_map<(x, y) -> (x, y)> to %b[%i] : memref<4x8xf32>, !tile.buffer<2x4x8xf16>
  return
}

// -----

func.func @store_c4_count(%m: memref<4x8xf32>, %t: tensor<4x8xf32>, %i: index) {
  // expected-error @below {{(C4) expected 2 limits, but got 1}}
  tile.store %t, %m[%i, %i] dims [0, 1] in_bounds [true, false] limits [5] : tensor<4x8xf32>, memref<4x8xf32>
  return
}

// -----

func.func @store_c4_outside(%m: memref<4x8xf32>, %t: tensor<4x8xf32>, %i: index) {
  // expected-error @below {{(C4) expected limits of -1 or inside of the memref, but got 9}}
  tile.store %t, %m[%i, %i] dims [0, 1] in_bounds [true, false] limits [-1, 9] : tensor<4x8xf32>, memref<4x8xf32>
  return
}
