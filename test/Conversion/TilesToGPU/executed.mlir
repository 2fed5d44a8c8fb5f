// Kernels run on the CPU, one thread for each GPU thread, against numpy.
// REQUIRES: onnxruntime
// RUN: fusion-opt %s -pass-pipeline='builtin.module(gpu.module(fusion-tiles-to-gpu))' \
// RUN:   | fusion-translate --fusion-to-kernel-llvm -o %t.ll
// RUN: %python %S/Inputs/executed.py --verify %t.ll %cc

#vec = #tile.layout<reg = [[1], [2], [4]], lane = [[8], [16], [32], [64], [128]], warp = [[256], [512]], repeat = [1]>
#two = #tile.layout<reg = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [[128]], repeat = [3]>
#blk = #tile.layout<reg = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]], repeat = [2, 1]>
#row = #tile.layout<reg = [[0, 1], [0, 2]], lane = [[0, 4], [0, 8], [0, 16], [0, 32], [0, 64]], warp = [[0, 128], [0, 256]], repeat = [1, 2]>
#rowS = #tile.layout<reg = [], lane = [[0], [0], [0], [0], [0]], warp = [[0], [0]], repeat = [1]>
#acc = #tile.layout<reg = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], repeat = [1, 8]>
#accR = #tile.layout<reg = [[0], [8]], lane = [[0], [0], [1], [2], [4]], warp = [[16], [32]], repeat = [1]>
#accC = #tile.layout<reg = [[1], [0]], lane = [[2], [4], [0], [0], [0]], warp = [[0], [0]], repeat = [8]>
#big = #tile.layout<reg = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]], repeat = [4, 1]>
#wide = #tile.layout<reg = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], repeat = [2, 24]>
#tall = #tile.layout<reg = [[0, 1], [0, 2]], lane = [[0, 4], [0, 8], [0, 16], [0, 32], [1, 0]], warp = [[2, 0], [4, 0]], repeat = [16, 3]>
#col = #tile.layout<reg = [[1, 0], [2, 0], [4, 0]], lane = [[8, 0], [16, 0], [32, 0], [0, 1], [0, 2]], warp = [[0, 4], [0, 8]], repeat = [1, 4]>

gpu.module @kernels {
  // One dim of any size: whole vectors, then single elements.
  gpu.func @copy_f16(%x: memref<?xf16>, %y: memref<?xf16>) kernel attributes {tile.warps = 4 : i32} {
    %c1024 = arith.constant 1024 : index
    %b = gpu.block_id x
    %o = arith.muli %b, %c1024 : index
    %t = tile.load %x[%o] dims [0] in_bounds [false] : memref<?xf16> -> tensor<1024xf16, #vec>
    tile.store %t, %y[%o] dims [0] in_bounds [false] : tensor<1024xf16, #vec>, memref<?xf16>
    gpu.return
  }

  // Three vectors a thread: an inner path without masks. Bytes hold i1.
  gpu.func @not_i1(%x: memref<?xi1>, %y: memref<?xi1>) kernel attributes {tile.warps = 2 : i32} {
    %c768 = arith.constant 768 : index
    %true = arith.constant dense<true> : tensor<768xi1, #two>
    %b = gpu.block_id x
    %o = arith.muli %b, %c768 : index
    %t = tile.load %x[%o] dims [0] in_bounds [false] : memref<?xi1> -> tensor<768xi1, #two>
    %n = arith.xori %t, %true : tensor<768xi1, #two>
    tile.store %n, %y[%o] dims [0] in_bounds [false] : tensor<768xi1, #two>, memref<?xi1>
    gpu.return
  }

  // Rows and columns of any number; the pitch may or may not allow vectors.
  gpu.func @bias_gelu(%x: memref<?x?xf32>, %bias: memref<?xf32>, %y: memref<?x?xf32>) kernel attributes {tile.warps = 4 : i32} {
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %i = arith.muli %by, %c16 : index
    %j = arith.muli %bx, %c64 : index
    %t = tile.load %x[%i, %j] dims [0, 1] in_bounds [false, false] : memref<?x?xf32> -> tensor<32x64xf32, #blk>
    %b = tile.load %bias[%j] dims [1] in_bounds [false] : memref<?xf32> -> tensor<32x64xf32, #blk>
    %s = arith.addf %t, %b : tensor<32x64xf32, #blk>
    %k = arith.constant dense<0.70710677> : tensor<32x64xf32, #blk>
    %half = arith.constant dense<0.5> : tensor<32x64xf32, #blk>
    %one = arith.constant dense<1.0> : tensor<32x64xf32, #blk>
    %u = arith.mulf %s, %k : tensor<32x64xf32, #blk>
    %e = math.erf %u : tensor<32x64xf32, #blk>
    %p = arith.addf %e, %one : tensor<32x64xf32, #blk>
    %h = arith.mulf %s, %half : tensor<32x64xf32, #blk>
    %r = arith.mulf %h, %p : tensor<32x64xf32, #blk>
    tile.store %r, %y[%i, %j] dims [0, 1] in_bounds [false, false] : tensor<32x64xf32, #blk>, memref<?x?xf32>
    gpu.return
  }

  // Offsets before the start: what lies there reads as `other`. Transposed too.
  gpu.func @pad_transpose(%x: memref<20x36xf32>, %y: memref<64x64xf32>, %di: index, %dj: index) kernel attributes {tile.warps = 4 : i32} {
    %c0 = arith.constant 0 : index
    %other = arith.constant 9.0 : f32
    %t = tile.load %x[%di, %dj] dims [1, 0] in_bounds [false, false] other %other : f32 : memref<20x36xf32> -> tensor<64x64xf32, #acc>
    tile.store %t, %y[%c0, %c0] dims [0, 1] in_bounds [true, true] : tensor<64x64xf32, #acc>, memref<64x64xf32>
    gpu.return
  }

  gpu.func @softmax(%x: memref<?x1000xf32>, %y: memref<?x1000xf32>) kernel attributes {tile.warps = 4 : i32} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c1000 = arith.constant 1000 : index
    %r = gpu.block_id x
    %ninf = arith.constant 0xFF800000 : f32
    %t = tile.load %x[%r, %c0] dims [0, 1] in_bounds [true, false] other %ninf : f32 : memref<?x1000xf32> -> tensor<1x1024xf32, #row>
    %mx = tile.reduce %t dim 1 : tensor<1x1024xf32, #row> -> tensor<1xf32, #rowS> {
    ^bb0(%a: f32, %b: f32):
      %q = arith.maximumf %a, %b : f32
      tile.yield %q : f32
    }
    %mb = tile.broadcast %mx dims [0] : tensor<1xf32, #rowS> -> tensor<1x1024xf32, #row>
    %d = arith.subf %t, %mb : tensor<1x1024xf32, #row>
    %e0 = math.exp %d : tensor<1x1024xf32, #row>
    %z = arith.constant 0.0 : f32
    %e = tile.mask %e0, %z offsets [%c0, %c0] sizes [%c1, %c1000] : tensor<1x1024xf32, #row>, f32
    %s = tile.reduce %e dim 1 : tensor<1x1024xf32, #row> -> tensor<1xf32, #rowS> {
    ^bb0(%a: f32, %b: f32):
      %q = arith.addf %a, %b : f32
      tile.yield %q : f32
    }
    %sb = tile.broadcast %s dims [0] : tensor<1xf32, #rowS> -> tensor<1x1024xf32, #row>
    %o = arith.divf %e, %sb : tensor<1x1024xf32, #row>
    tile.store %o, %y[%r, %c0] dims [0, 1] in_bounds [true, false] : tensor<1x1024xf32, #row>, memref<?x1000xf32>
    gpu.return
  }

  // The last index of the largest element, by a combiner of two ops.
  gpu.func @argmax(%x: memref<64x64xi64>, %v: memref<64xi64>) kernel attributes {tile.warps = 4 : i32} {
    %c0 = arith.constant 0 : index
    %t = tile.load %x[%c0, %c0] dims [0, 1] in_bounds [true, true] : memref<64x64xi64> -> tensor<64x64xi64, #acc>
    %c6 = arith.constant dense<6> : tensor<64x64xi64, #acc>
    %i = tile.index %c0 dim 0 : tensor<64x64xindex, #acc>
    %n = arith.index_cast %i : tensor<64x64xindex, #acc> to tensor<64x64xi64, #acc>
    %h = arith.shli %t, %c6 : tensor<64x64xi64, #acc>
    %p = arith.ori %h, %n : tensor<64x64xi64, #acc>
    %r = tile.reduce %p dim 0 : tensor<64x64xi64, #acc> -> tensor<64xi64, #accC> {
    ^bb0(%a: i64, %b: i64):
      %g = arith.cmpi sgt, %a, %b : i64
      %q = arith.select %g, %a, %b : i64
      tile.yield %q : i64
    }
    tile.store %r, %v[%c0] dims [0] in_bounds [true] : tensor<64xi64, #accC>, memref<64xi64>
    gpu.return
  }

  // A loop and a branch that carry tiles; f16 words are shuffled.
  gpu.func @column_sums(%x: memref<?x64xf16>, %y: memref<64xf32>, %top: memref<64xf16>, %negate: i64) kernel attributes {tile.warps = 4 : i32} {
    %c0 = arith.constant 0 : index
    %i0 = arith.constant 0 : i64
    %c64 = arith.constant 64 : index
    %m = memref.dim %x, %c0 : memref<?x64xf16>
    %z = arith.constant dense<0.0> : tensor<64x64xf32, #acc>
    %l = arith.constant dense<0xFC00> : tensor<64x64xf16, #acc>
    %low = arith.constant 0xFC00 : f16
    %s:2 = scf.for %i = %c0 to %m step %c64 iter_args(%a = %z, %h = %l) -> (tensor<64x64xf32, #acc>, tensor<64x64xf16, #acc>) {
      %t = tile.load %x[%i, %c0] dims [0, 1] in_bounds [false, true] : memref<?x64xf16> -> tensor<64x64xf16, #acc>
      %w = tile.load %x[%i, %c0] dims [0, 1] in_bounds [false, true] other %low : f16 : memref<?x64xf16> -> tensor<64x64xf16, #acc>
      %f = arith.extf %t : tensor<64x64xf16, #acc> to tensor<64x64xf32, #acc>
      %n = arith.addf %a, %f : tensor<64x64xf32, #acc>
      %k = arith.maximumf %h, %w : tensor<64x64xf16, #acc>
      scf.yield %n, %k : tensor<64x64xf32, #acc>, tensor<64x64xf16, #acc>
    }
    %c = arith.cmpi ne, %negate, %i0 : i64
    %g = scf.if %c -> tensor<64x64xf32, #acc> {
      %n = arith.negf %s#0 : tensor<64x64xf32, #acc>
      scf.yield %n : tensor<64x64xf32, #acc>
    } else {
      scf.yield %s#0 : tensor<64x64xf32, #acc>
    }
    %r = tile.reduce %g dim 0 : tensor<64x64xf32, #acc> -> tensor<64xf32, #accC> {
    ^bb0(%a: f32, %b: f32):
      %q = arith.addf %a, %b : f32
      tile.yield %q : f32
    }
    %u = tile.reduce %s#1 dim 0 : tensor<64x64xf16, #acc> -> tensor<64xf16, #accC> {
    ^bb0(%a: f16, %b: f16):
      %q = arith.maximumf %a, %b : f16
      tile.yield %q : f16
    }
    tile.store %r, %y[%c0] dims [0] in_bounds [true] : tensor<64xf32, #accC>, memref<64xf32>
    tile.store %u, %top[%c0] dims [0] in_bounds [true] : tensor<64xf16, #accC>, memref<64xf16>
    gpu.return
  }

  // Row sums spread back over the rows; the row's tile is a slice.
  gpu.func @center(%x: memref<64x64xf32>, %y: memref<64x64xf32>) kernel attributes {tile.warps = 4 : i32} {
    %c0 = arith.constant 0 : index
    %t = tile.load %x[%c0, %c0] dims [0, 1] in_bounds [true, true] : memref<64x64xf32> -> tensor<64x64xf32, #acc>
    %r = tile.reduce %t dim 1 : tensor<64x64xf32, #acc> -> tensor<64xf32, #accR> {
    ^bb0(%a: f32, %b: f32):
      %q = arith.addf %a, %b : f32
      tile.yield %q : f32
    }
    %k = arith.constant dense<0.015625> : tensor<64xf32, #accR>
    %m = arith.mulf %r, %k : tensor<64xf32, #accR>
    %b = tile.broadcast %m dims [0] : tensor<64xf32, #accR> -> tensor<64x64xf32, #acc>
    %d = arith.subf %t, %b : tensor<64x64xf32, #acc>
    tile.store %d, %y[%c0, %c0] dims [0, 1] in_bounds [true, true] : tensor<64x64xf32, #acc>, memref<64x64xf32>
    gpu.return
  }

  // Through three layouts; a triangle from indices; i1 in memory.
  gpu.func @convert(%x: memref<64x64xf16>, %y: memref<64x64xf16>, %z: memref<64x64xi1>) kernel attributes {tile.warps = 4 : i32} {
    %c0 = arith.constant 0 : index
    %t = tile.load %x[%c0, %c0] dims [0, 1] in_bounds [true, true] : memref<64x64xf16> -> tensor<64x64xf16, #big>
    %v = tile.convert_layout %t : tensor<64x64xf16, #big> -> tensor<64x64xf16, #col>
    %u = tile.convert_layout %v : tensor<64x64xf16, #col> -> tensor<64x64xf16, #acc>
    %i = tile.index %c0 dim 0 : tensor<64x64xindex, #acc>
    %j = tile.index %c0 dim 1 : tensor<64x64xindex, #acc>
    %g = arith.cmpi sge, %i, %j : tensor<64x64xindex, #acc>
    %ze = arith.constant dense<0.0> : tensor<64x64xf16, #acc>
    %w = arith.select %g, %u, %ze : tensor<64x64xi1, #acc>, tensor<64x64xf16, #acc>
    tile.store %w, %y[%c0, %c0] dims [0, 1] in_bounds [true, true] : tensor<64x64xf16, #acc>, memref<64x64xf16>
    %gc = tile.convert_layout %g : tensor<64x64xi1, #acc> -> tensor<64x64xi1, #big>
    tile.store %gc, %z[%c0, %c0] dims [0, 1] in_bounds [true, true] : tensor<64x64xi1, #big>, memref<64x64xi1>
    gpu.return
  }

  // 96 KB go through 32 KB of shared memory.
  gpu.func @convert_pieces(%x: memref<128x192xf32>, %y: memref<128x192xf32>) kernel attributes {tile.warps = 4 : i32} {
    %c0 = arith.constant 0 : index
    %t = tile.load %x[%c0, %c0] dims [0, 1] in_bounds [true, true] : memref<128x192xf32> -> tensor<128x192xf32, #tall>
    %u = tile.convert_layout %t : tensor<128x192xf32, #tall> -> tensor<128x192xf32, #wide>
    %n = arith.negf %u : tensor<128x192xf32, #wide>
    tile.store %n, %y[%c0, %c0] dims [0, 1] in_bounds [true, true] : tensor<128x192xf32, #wide>, memref<128x192xf32>
    gpu.return
  }
}
