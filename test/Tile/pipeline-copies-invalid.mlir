// RUN: fusion-opt %s -split-input-file --tile-pipeline-copies -verify-diagnostics -o /dev/null

gpu.module @kernels {
  // expected-error @below {{expected a 'tile.schedule' for its multiplies}}
  gpu.func @no_schedule(%a: memref<16x16xf16>, %b: memref<16x16xf16>, %c: memref<16x16xf32>) kernel {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %zero = arith.constant dense<0.0> : tensor<16x16xf32>
    %x = scf.for %k = %c0 to %c16 step %c16 iter_args(%s = %zero) -> (tensor<16x16xf32>) {
      %ta = tile.load %a[%c0, %k] dims [0, 1] in_bounds [true, true] : memref<16x16xf16> -> tensor<16x16xf16>
      %tb = tile.load %b[%k, %c0] dims [0, 1] in_bounds [true, true] : memref<16x16xf16> -> tensor<16x16xf16>
      %d = tile.dot %ta, %tb, %s : tensor<16x16xf16>, tensor<16x16xf16> -> tensor<16x16xf32>
      scf.yield %d : tensor<16x16xf32>
    }
    gpu.return
  }
}

// -----

gpu.module @kernels {
  // expected-error @below {{expected a 'tile.schedule' of 2 or more stages}}
  gpu.func @one_stage(%a: memref<16x16xf16>, %b: memref<16x16xf16>) kernel attributes {tile.schedule = {kind = "mma", stages = 1 : i64}} {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %zero = arith.constant dense<0.0> : tensor<16x16xf32>
    %x = scf.for %k = %c0 to %c16 step %c16 iter_args(%s = %zero) -> (tensor<16x16xf32>) {
      %ta = tile.load %a[%c0, %k] dims [0, 1] in_bounds [true, true] : memref<16x16xf16> -> tensor<16x16xf16>
      %tb = tile.load %b[%k, %c0] dims [0, 1] in_bounds [true, true] : memref<16x16xf16> -> tensor<16x16xf16>
      %d = tile.dot %ta, %tb, %s : tensor<16x16xf16>, tensor<16x16xf16> -> tensor<16x16xf32>
      scf.yield %d : tensor<16x16xf32>
    }
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @not_a_load(%a: memref<16x16xf16>, %b: memref<16x16xf16>) kernel attributes {tile.schedule = {kind = "wgmma", stages = 2 : i64}} {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %zero = arith.constant dense<0.0> : tensor<16x16xf32>
    %x = scf.for %k = %c0 to %c16 step %c16 iter_args(%s = %zero) -> (tensor<16x16xf32>) {
      %ta = tile.load %a[%c0, %k] dims [0, 1] in_bounds [true, true] : memref<16x16xf16> -> tensor<16x16xf16>
      %tb = arith.negf %ta : tensor<16x16xf16>
      // expected-error @below {{expected operands that are loaded as they lie in memory, which bulk copies can bring}}
      %d = tile.dot %ta, %tb, %s : tensor<16x16xf16>, tensor<16x16xf16> -> tensor<16x16xf32>
      scf.yield %d : tensor<16x16xf32>
    }
    gpu.return
  }
}

// -----

// Where multiplies depend on each other a may be computed, b not.
gpu.module @kernels {
  gpu.func @computed_b(%a: memref<16x16xf16>, %b: memref<16x16xf16>) kernel attributes {tile.schedule = {kind = "mma", stages = 2 : i64}} {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %zero = arith.constant dense<0.0> : tensor<16x16xf32>
    %x = scf.for %k = %c0 to %c16 step %c16 iter_args(%s = %zero) -> (tensor<16x16xf32>) {
      %ta = tile.load %a[%c0, %k] dims [0, 1] in_bounds [true, true] : memref<16x16xf16> -> tensor<16x16xf16>
      %tb = arith.truncf %s : tensor<16x16xf32> to tensor<16x16xf16>
      // expected-error @below {{expected b, and what does not follow from a multiply, to be loads or computed from loads in or before its loop}}
      %d = tile.dot %ta, %tb, %s : tensor<16x16xf16>, tensor<16x16xf16> -> tensor<16x16xf32>
      scf.yield %d : tensor<16x16xf32>
    }
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @load_read_twice(%a: memref<16x16xf16>, %b: memref<16x16xf16>) kernel attributes {tile.schedule = {kind = "mma", stages = 2 : i64}} {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %zero = arith.constant dense<0.0> : tensor<16x16xf32>
    %x = scf.for %k = %c0 to %c16 step %c16 iter_args(%s = %zero) -> (tensor<16x16xf32>) {
      // expected-error @below {{expected an operand of multiplies alone}}
      %tb = tile.load %b[%k, %c0] dims [0, 1] in_bounds [true, true] : memref<16x16xf16> -> tensor<16x16xf16>
      %p = arith.truncf %s : tensor<16x16xf32> to tensor<16x16xf16>
      %ta = arith.addf %p, %tb : tensor<16x16xf16>
      %d = tile.dot %ta, %tb, %s : tensor<16x16xf16>, tensor<16x16xf16> -> tensor<16x16xf32>
      scf.yield %d : tensor<16x16xf32>
    }
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @not_from_zero(%a: memref<16x16xf16>, %b: memref<16x16xf16>) kernel attributes {tile.schedule = {kind = "mma", stages = 2 : i64}} {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %one = arith.constant dense<1.0> : tensor<16x16xf32>
    // expected-error @below {{expected the loop to carry accumulators of tile.dot only, from zero}}
    %x = scf.for %k = %c0 to %c16 step %c16 iter_args(%s = %one) -> (tensor<16x16xf32>) {
      %ta = tile.load %a[%c0, %k] dims [0, 1] in_bounds [true, true] : memref<16x16xf16> -> tensor<16x16xf16>
      %tb = tile.load %b[%k, %c0] dims [0, 1] in_bounds [true, true] : memref<16x16xf16> -> tensor<16x16xf16>
      %d = tile.dot %ta, %tb, %s : tensor<16x16xf16>, tensor<16x16xf16> -> tensor<16x16xf32>
      scf.yield %d : tensor<16x16xf32>
    }
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @odd_rows(%a: memref<64x65xf16>, %b: memref<64x64xf16>) kernel attributes {tile.warps = 4 : i32, tile.schedule = {kind = "wgmma", stages = 2 : i64}} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %x = scf.for %k = %c0 to %c64 step %c64 iter_args(%s = %zero) -> (tensor<64x64xf32>) {
      // expected-error @below {{expected an array that a tensor map describes: dense, rows of whole 16 bytes, at most 256 rows a tile}}
      %ta = tile.load %a[%c0, %k] dims [0, 1] in_bounds [true, false] : memref<64x65xf16> -> tensor<64x64xf16>
      %tb = tile.load %b[%k, %c0] dims [0, 1] in_bounds [true, true] : memref<64x64xf16> -> tensor<64x64xf16>
      %d = tile.dot %ta, %tb, %s : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    }
    gpu.return
  }
}

// -----

// The loop over k is gone.
gpu.module @kernels {
  gpu.func @no_loop(%a: memref<64x64xf16>, %b: memref<64x64xf16>, %c: memref<64x64xf32>) kernel
      attributes {tile.warps = 4 : i32, tile.schedule = {kind = "mma", stages = 2 : i64}} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    scf.for %t = %c0 to %c1 step %c1 {
      %x = tile.load %a[%c0, %c0] dims [0, 1] in_bounds [true, true] : memref<64x64xf16> -> tensor<64x64xf16>
      %y = tile.load %b[%c0, %c0] dims [0, 1] in_bounds [true, true] : memref<64x64xf16> -> tensor<64x64xf16>
      // expected-error @below {{expected a loop over k that carries its result}}
      %d = tile.dot %x, %y, %zero : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      tile.store %d, %c[%c0, %c0] dims [0, 1] in_bounds [true, true] : tensor<64x64xf32>, memref<64x64xf32>
    }
    gpu.return
  }
}

// -----

// Rows of 64 bytes are no panel of wgmma's.
gpu.module @kernels {
  gpu.func @narrow_rows(%a: memref<64x64xf16>, %b: memref<64x64xf16>) kernel attributes {tile.warps = 4 : i32, tile.schedule = {kind = "wgmma", stages = 3 : i64, pipeline = "multistage"}} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %x = scf.for %k = %c0 to %c64 step %c32 iter_args(%s = %zero) -> (tensor<64x64xf32>) {
      %ta = tile.load %a[%c0, %k] dims [0, 1] in_bounds [true, true] : memref<64x64xf16> -> tensor<64x32xf16>
      %tb = tile.load %b[%k, %c0] dims [0, 1] in_bounds [true, true] : memref<64x64xf16> -> tensor<32x64xf16>
      // expected-error @below {{expected rows of a multiple of 128 bytes for wgmma, but got 64}}
      %d = tile.dot %ta, %tb, %s : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    }
    gpu.return
  }
}

// -----

gpu.module @kernels {
  // expected-error @below {{expected 3 or more stages, of which wgmma reads two, but got 2}}
  gpu.func @two_stages(%a: memref<64x64xf16>, %b: memref<64x64xf16>) kernel attributes {tile.warps = 4 : i32, tile.schedule = {kind = "wgmma", stages = 2 : i64, pipeline = "multistage"}} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %x = scf.for %k = %c0 to %c64 step %c64 iter_args(%s = %zero) -> (tensor<64x64xf32>) {
      %ta = tile.load %a[%c0, %k] dims [0, 1] in_bounds [true, true] : memref<64x64xf16> -> tensor<64x64xf16>
      %tb = tile.load %b[%k, %c0] dims [0, 1] in_bounds [true, true] : memref<64x64xf16> -> tensor<64x64xf16>
      %d = tile.dot %ta, %tb, %s : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    }
    gpu.return
  }
}
