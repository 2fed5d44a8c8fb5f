// RUN: fusion-opt %s -split-input-file -verify-diagnostics -fusion-verify-ptx-legal

llvm.func @math_f64(%x: f64) {
  // expected-error @below {{'math.exp' op expected a function that PTX has (or that fusion-expand-math expands), but got it on 'f64'}}
  %0 = math.exp %x : f64
  llvm.return
}

// -----

llvm.func @not_expanded(%x: f32) {
  // expected-error @below {{'math.tanh' op expected a function that PTX has}}
  %0 = math.tanh %x : f32
  llvm.return
}

// -----

llvm.func @type(%i: i8) {
  %x = arith.bitcast %i : i8 to f8E4M3FN
  // expected-error @below {{'arith.extf' op expected numbers that PTX computes with, but got 'f8E4M3FN'}}
  %0 = arith.extf %x : f8E4M3FN to f32
  llvm.return
}

// -----

llvm.func @wide(%x: i128) {
  // expected-error @below {{'arith.divui' op expected numbers that PTX computes with, but got 'i128'}}
  %0 = arith.divui %x, %x : i128
  llvm.return
}

// -----

llvm.func @remainder(%x: f32) {
  // expected-error @below {{'arith.remf' op expected arithmetic that is exact in PTX without a library}}
  %0 = arith.remf %x, %x : f32
  llvm.return
}

// -----

llvm.func @intrinsic(%x: f32) {
  // expected-error @below {{'llvm.intr.sin' op expected arithmetic that is exact in PTX without a library}}
  %0 = llvm.intr.sin(%x) : (f32) -> f32
  llvm.return
}

// -----

llvm.func @expf(f32) -> f32
llvm.func @outside(%x: f32) {
  // expected-error @below {{'llvm.call' op expected a call of a function that the module defines}}
  %0 = llvm.call @expf(%x) : (f32) -> f32
  llvm.return
}

// -----

llvm.func @stage(%p: !llvm.ptr, %i: i64) {
  %x, %j = builtin.unrealized_conversion_cast %p, %i : !llvm.ptr, i64 to memref<4xf32>, index
  // expected-error @below {{'memref.load' op expected an op of stage 5 in a kernel}}
  %0 = memref.load %x[%j] : memref<4xf32>
  llvm.return
}
