// RUN: fusion-opt %s -fusion-host-to-llvm -split-input-file -verify-diagnostics

// expected-error @below {{expected a function @main}}
module {
}

// -----

// expected-error @below {{expected argument 0 to be a dense array of a type of the runtime, but got 'memref<4xi4>'}}
func.func @main(%x: memref<4xi4>) {
  return
}

// -----

func.func @main(%x: memref<4xf32>) {
  func.call @group(%x) : (memref<4xf32>) -> ()
  return
}
func.func private @group(%x: memref<4xf32>) {
  %c1 = arith.constant 1 : index
  // expected-error @below {{expected a kernel of the module, but got @kernels::@none}}
  tile.launch @kernels::@none grid(%c1, %c1, %c1) args(%x : memref<4xf32>)
  return
}

// -----

func.func @main(%x: memref<4xf32>) {
  return
}
gpu.module @kernels {
  // expected-error @below {{expected a kernel with the attribute nvvm.maxntid}}
  llvm.func @kernel() attributes {nvvm.kernel} {
    llvm.return
  }
}
