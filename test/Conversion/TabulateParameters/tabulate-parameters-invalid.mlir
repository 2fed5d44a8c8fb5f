// RUN: fusion-opt %s -fusion-tabulate-parameters=limit=8 -split-input-file -verify-diagnostics

func.func @main(%x: memref<8xf32>) {
  %c1 = arith.constant 1 : index
  // expected-error @below {{expected arguments for the kernel's 1 parameters, but got 2}}
  tile.launch @kernels::@k grid(%c1, %c1, %c1) args(%x, %x : memref<8xf32>, memref<8xf32>)
  return
}
gpu.module @kernels {
  llvm.func @k(%a: !llvm.ptr<1>) attributes {nvvm.kernel} {
    llvm.return
  }
}

// -----

func.func @main(%x: memref<8xf32>) {
  call @outer(%x) : (memref<8xf32>) -> ()
  return
}
func.func private @outer(%x: memref<8xf32>) {
  // expected-error @below {{expected a launch whose kernel reads a table to be called by @main alone}}
  call @inner(%x) : (memref<8xf32>) -> ()
  return
}
func.func private @inner(%x: memref<8xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @kernels::@k grid(%c1, %c1, %c1) args(%x, %x : memref<8xf32>, memref<8xf32>)
  return
}
gpu.module @kernels {
  llvm.func @k(%a: !llvm.ptr<1>, %b: !llvm.ptr<1>) attributes {nvvm.kernel} {
    llvm.return
  }
}
