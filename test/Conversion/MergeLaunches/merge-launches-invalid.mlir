// RUN: fusion-opt %s -fusion-merge-launches -split-input-file -verify-diagnostics \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -o /dev/null

func.func private @group_0(%x: memref<8xf32>) attributes {fusion.group = "a"} {
  %c2 = arith.constant 2 : index
  // expected-error @below {{expected a grid along x alone}}
  tile.launch @kernels::@group_0 grid(%c2, %c2, %c2) args(%x : memref<8xf32>)
  return
}
func.func private @group_1(%x: memref<8xf32>, %y: memref<8xf32>) attributes {fusion.composite, fusion.group = "a | a"} {
  call @group_0(%x) : (memref<8xf32>) -> ()
  call @group_0(%y) : (memref<8xf32>) -> ()
  return
}
gpu.module @kernels {
  llvm.func @group_0(%a: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.maxntid = array<i32: 32, 1, 1>} {
    llvm.return
  }
}

// -----

// What hands registers from warp to warp needs the launch's block size: each
// gets a launch of its own.
func.func @main(%x: memref<8xf32>, %y: memref<8xf32>) {
  call @group_2(%x, %y) : (memref<8xf32>, memref<8xf32>) -> ()
  return
}
func.func private @group_0(%x: memref<8xf32>) attributes {fusion.group = "a"} {
  %c2 = arith.constant 2 : index
  %c1 = arith.constant 1 : index
  tile.launch @kernels::@group_0 grid(%c2, %c1, %c1) args(%x : memref<8xf32>)
  return
}
func.func private @group_1(%x: memref<8xf32>) attributes {fusion.group = "b"} {
  %c2 = arith.constant 2 : index
  %c1 = arith.constant 1 : index
  // expected-remark @below {{Reason="warp-specialised kernels need blocks of equal size"}}
  tile.launch @kernels::@group_1 grid(%c2, %c1, %c1) args(%x : memref<8xf32>)
  return
}
func.func private @group_2(%x: memref<8xf32>, %y: memref<8xf32>) attributes {fusion.composite, fusion.group = "a | b"} {
  call @group_0(%x) : (memref<8xf32>) -> ()
  call @group_1(%y) : (memref<8xf32>) -> ()
  return
}
gpu.module @kernels {
  llvm.func @group_0(%a: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.maxntid = array<i32: 256, 1, 1>} {
    llvm.return
  }
  llvm.func @group_1(%a: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.maxntid = array<i32: 128, 1, 1>} {
    nvvm.setmaxregister decrease 40
    llvm.return
  }
}

// -----

func.func private @group_1(%x: memref<8xf32>) attributes {fusion.composite, fusion.group = "a"} {
  // expected-error @below {{expected a call of a function of one block}}
  call @extern(%x) : (memref<8xf32>) -> ()
  return
}
func.func private @extern(memref<8xf32>)
gpu.module @kernels {
}

// -----

// A predicate that the host would read.
func.func private @group_0(%p: memref<i1>, %x: memref<8xf32>) attributes {fusion.group = "a"} {
  %c1 = arith.constant 1 : index
  // expected-error @below {{expected the host to leave the device's memory alone: a program that waits for it cannot be captured}}
  %holds = memref.load %p[] : memref<i1>
  scf.if %holds {
    tile.launch @kernels::@group_0 grid(%c1, %c1, %c1) args(%x : memref<8xf32>)
  }
  return
}
gpu.module @kernels {
  llvm.func @group_0(%a: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.maxntid = array<i32: 32, 1, 1>} {
    llvm.return
  }
}

// -----

// Memory that one side of a branch would ask for.
func.func private @group_0(%x: memref<8xf32>) attributes {fusion.group = "a"} {
  %c1 = arith.constant 1 : index
  // expected-error @below {{expected only launches and sizes in the branches of a composite}}
  %b = memref.alloc() : memref<8xf32>
  tile.launch @kernels::@group_0 grid(%c1, %c1, %c1) args(%b : memref<8xf32>)
  return
}
func.func private @group_1(%p: memref<i1>, %x: memref<8xf32>) attributes {fusion.composite, fusion.group = "a"} {
  %c = memref.load %p[] : memref<i1>
  scf.if %c {
    func.call @group_0(%x) : (memref<8xf32>) -> ()
  }
  return
}
gpu.module @kernels {
  llvm.func @group_0(%a: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.maxntid = array<i32: 32, 1, 1>} {
    llvm.return
  }
}
