// RUN: fusion-opt %s -fusion-merge-launches -split-input-file | FileCheck %s
// RUN: fusion-opt %s -fusion-merge-launches -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics -o /dev/null

// What each block of a reader could not leave in registers is a launch before it.

// More shared memory than a device gives unasked.
// CHECK-LABEL: func.func private @group_2(
// CHECK:         tile.launch @kernels::@group_0
// CHECK:         tile.launch @kernels::@group_1
func.func @main(%x: memref<8xf32>, %y: memref<8xf32>) {
  %p = memref.alloc() : memref<i1>
  call @group_2(%x, %p, %y) : (memref<8xf32>, memref<i1>, memref<8xf32>) -> ()
  return
}
func.func private @group_0(%x: memref<8xf32>, %p: memref<i1>) attributes {fusion.group = "p"} {
  %c1 = arith.constant 1 : index
  // expected-remark @below {{each block cannot compute it for itself: it needs too much shared memory}}
  tile.launch @kernels::@group_0 grid(%c1, %c1, %c1) args(%x, %p : memref<8xf32>, memref<i1>)
  return
}
func.func private @group_1(%p: memref<i1>, %y: memref<8xf32>) attributes {fusion.group = "r"} {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  tile.launch @kernels::@group_1 grid(%c3, %c1, %c1) args(%p, %y : memref<i1>, memref<8xf32>)
  return
}
func.func private @group_2(%x: memref<8xf32>, %p: memref<i1>, %y: memref<8xf32>)
    attributes {fusion.composite, fusion.group = "r"} {
  call @group_0(%x, %p) {fusion.each_block = 1 : i64} : (memref<8xf32>, memref<i1>) -> ()
  call @group_1(%p, %y) : (memref<i1>, memref<8xf32>) -> ()
  return
}
gpu.module @kernels {
  llvm.func @group_0(%a: !llvm.ptr<1>, %b: !llvm.ptr<1>)
      attributes {fusion.shared_bytes = 49160 : i32, nvvm.kernel, nvvm.maxntid = array<i32: 64, 1, 1>} {
    %v = llvm.load %a : !llvm.ptr<1> -> i8
    llvm.store %v, %b : i8, !llvm.ptr<1>
    llvm.return
  }
  llvm.func @group_1(%p: !llvm.ptr<1>, %b: !llvm.ptr<1>)
      attributes {nvvm.kernel, nvvm.maxntid = array<i32: 128, 1, 1>} {
    %v = llvm.load %p : !llvm.ptr<1> -> i8
    llvm.store %v, %b : i8, !llvm.ptr<1>
    llvm.return
  }
}

// -----

// A row of results: a block would leave its threads more than a register each.
// CHECK-LABEL: func.func private @group_2(
// CHECK:         tile.launch @kernels::@group_0
// CHECK:         tile.launch @kernels::@group_1
func.func @main(%x: memref<8xf32>, %y: memref<8xf32>) {
  %p = memref.alloc() : memref<8xf32>
  call @group_2(%x, %p, %y) : (memref<8xf32>, memref<8xf32>, memref<8xf32>) -> ()
  return
}
func.func private @group_0(%x: memref<8xf32>, %p: memref<8xf32>) attributes {fusion.group = "p"} {
  %c1 = arith.constant 1 : index
  // expected-remark @below {{each block cannot compute it for itself: its results are no single elements}}
  tile.launch @kernels::@group_0 grid(%c1, %c1, %c1) args(%x, %p : memref<8xf32>, memref<8xf32>)
  return
}
func.func private @group_1(%p: memref<8xf32>, %y: memref<8xf32>) attributes {fusion.group = "r"} {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  tile.launch @kernels::@group_1 grid(%c3, %c1, %c1) args(%p, %y : memref<8xf32>, memref<8xf32>)
  return
}
func.func private @group_2(%x: memref<8xf32>, %p: memref<8xf32>, %y: memref<8xf32>)
    attributes {fusion.composite, fusion.group = "r"} {
  call @group_0(%x, %p) {fusion.each_block = 1 : i64} : (memref<8xf32>, memref<8xf32>) -> ()
  call @group_1(%p, %y) : (memref<8xf32>, memref<8xf32>) -> ()
  return
}
gpu.module @kernels {
  llvm.func @group_0(%a: !llvm.ptr<1>, %b: !llvm.ptr<1>)
      attributes {fusion.shared_bytes = 40 : i32, nvvm.kernel, nvvm.maxntid = array<i32: 64, 1, 1>} {
    %v = llvm.load %a : !llvm.ptr<1> -> f32
    llvm.store %v, %b : f32, !llvm.ptr<1>
    llvm.return
  }
  llvm.func @group_1(%p: !llvm.ptr<1>, %b: !llvm.ptr<1>)
      attributes {nvvm.kernel, nvvm.maxntid = array<i32: 128, 1, 1>} {
    %v = llvm.load %p : !llvm.ptr<1> -> f32
    llvm.store %v, %b : f32, !llvm.ptr<1>
    llvm.return
  }
}

// -----

// A vector of two elements is no value that a register hands on.
// CHECK-LABEL: func.func private @group_2(
// CHECK:         tile.launch @kernels::@group_0
// CHECK:         tile.launch @kernels::@group_1
func.func @main(%x: memref<8xf32>, %y: memref<8xf32>) {
  %p = memref.alloc() : memref<f32>
  call @group_2(%x, %p, %y) : (memref<8xf32>, memref<f32>, memref<8xf32>) -> ()
  return
}
func.func private @group_0(%x: memref<8xf32>, %p: memref<f32>) attributes {fusion.group = "p"} {
  %c1 = arith.constant 1 : index
  // expected-remark @below {{each block cannot compute it for itself: its results are written piece by piece}}
  tile.launch @kernels::@group_0 grid(%c1, %c1, %c1) args(%x, %p : memref<8xf32>, memref<f32>)
  return
}
func.func private @group_1(%p: memref<f32>, %y: memref<8xf32>) attributes {fusion.group = "r"} {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  tile.launch @kernels::@group_1 grid(%c3, %c1, %c1) args(%p, %y : memref<f32>, memref<8xf32>)
  return
}
func.func private @group_2(%x: memref<8xf32>, %p: memref<f32>, %y: memref<8xf32>)
    attributes {fusion.composite, fusion.group = "r"} {
  call @group_0(%x, %p) {fusion.each_block = 1 : i64} : (memref<8xf32>, memref<f32>) -> ()
  call @group_1(%p, %y) : (memref<f32>, memref<8xf32>) -> ()
  return
}
gpu.module @kernels {
  llvm.func @group_0(%a: !llvm.ptr<1>, %b: !llvm.ptr<1>)
      attributes {fusion.shared_bytes = 40 : i32, nvvm.kernel, nvvm.maxntid = array<i32: 64, 1, 1>} {
    %v = llvm.load %a : !llvm.ptr<1> -> vector<2xf32>
    llvm.store %v, %b : vector<2xf32>, !llvm.ptr<1>
    llvm.return
  }
  llvm.func @group_1(%p: !llvm.ptr<1>, %b: !llvm.ptr<1>)
      attributes {nvvm.kernel, nvvm.maxntid = array<i32: 128, 1, 1>} {
    %v = llvm.load %p : !llvm.ptr<1> -> vector<2xf32>
    llvm.store %v, %b : vector<2xf32>, !llvm.ptr<1>
    llvm.return
  }
}

// -----

// A value in two parts: the second would replace the first.
// CHECK-LABEL: func.func private @group_2(
// CHECK:         tile.launch @kernels::@group_0
// CHECK:         tile.launch @kernels::@group_1
func.func @main(%x: memref<8xf32>, %y: memref<8xf32>) {
  %p = memref.alloc() : memref<i32>
  call @group_2(%x, %p, %y) : (memref<8xf32>, memref<i32>, memref<8xf32>) -> ()
  return
}
func.func private @group_0(%x: memref<8xf32>, %p: memref<i32>) attributes {fusion.group = "p"} {
  %c1 = arith.constant 1 : index
  // expected-remark @below {{each block cannot compute it for itself: its results are written piece by piece}}
  tile.launch @kernels::@group_0 grid(%c1, %c1, %c1) args(%x, %p : memref<8xf32>, memref<i32>)
  return
}
func.func private @group_1(%p: memref<i32>, %y: memref<8xf32>) attributes {fusion.group = "r"} {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  tile.launch @kernels::@group_1 grid(%c3, %c1, %c1) args(%p, %y : memref<i32>, memref<8xf32>)
  return
}
func.func private @group_2(%x: memref<8xf32>, %p: memref<i32>, %y: memref<8xf32>)
    attributes {fusion.composite, fusion.group = "r"} {
  call @group_0(%x, %p) {fusion.each_block = 1 : i64} : (memref<8xf32>, memref<i32>) -> ()
  call @group_1(%p, %y) : (memref<i32>, memref<8xf32>) -> ()
  return
}
gpu.module @kernels {
  llvm.func @group_0(%a: !llvm.ptr<1>, %b: !llvm.ptr<1>)
      attributes {fusion.shared_bytes = 40 : i32, nvvm.kernel, nvvm.maxntid = array<i32: 64, 1, 1>} {
    %v = llvm.load %a : !llvm.ptr<1> -> i32
    llvm.store %v, %b : i32, !llvm.ptr<1>
    %w = llvm.trunc %v : i32 to i16
    llvm.store %w, %b : i16, !llvm.ptr<1>
    llvm.return
  }
  llvm.func @group_1(%p: !llvm.ptr<1>, %b: !llvm.ptr<1>)
      attributes {nvvm.kernel, nvvm.maxntid = array<i32: 128, 1, 1>} {
    %v = llvm.load %p : !llvm.ptr<1> -> i32
    llvm.store %v, %b : i32, !llvm.ptr<1>
    llvm.return
  }
}

// -----

// Its result is computed, and nobody writes it.
// CHECK-LABEL: func.func private @group_2(
// CHECK:         tile.launch @kernels::@group_0
// CHECK:         tile.launch @kernels::@group_1
func.func @main(%x: memref<8xf32>, %y: memref<8xf32>) {
  %p = memref.alloc() : memref<i1>
  call @group_2(%x, %p, %y) : (memref<8xf32>, memref<i1>, memref<8xf32>) -> ()
  return
}
func.func private @group_0(%x: memref<8xf32>, %p: memref<i1>) attributes {fusion.group = "p"} {
  %c1 = arith.constant 1 : index
  // expected-remark @below {{each block cannot compute it for itself: its results are written piece by piece}}
  tile.launch @kernels::@group_0 grid(%c1, %c1, %c1) args(%x, %p : memref<8xf32>, memref<i1>)
  return
}
func.func private @group_1(%p: memref<i1>, %y: memref<8xf32>) attributes {fusion.group = "r"} {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  tile.launch @kernels::@group_1 grid(%c3, %c1, %c1) args(%p, %y : memref<i1>, memref<8xf32>)
  return
}
func.func private @group_2(%x: memref<8xf32>, %p: memref<i1>, %y: memref<8xf32>)
    attributes {fusion.composite, fusion.group = "r"} {
  call @group_0(%x, %p) {fusion.each_block = 1 : i64} : (memref<8xf32>, memref<i1>) -> ()
  call @group_1(%p, %y) : (memref<i1>, memref<8xf32>) -> ()
  return
}
gpu.module @kernels {
  llvm.func @group_0(%a: !llvm.ptr<1>, %b: !llvm.ptr<1>)
      attributes {fusion.shared_bytes = 40 : i32, nvvm.kernel, nvvm.maxntid = array<i32: 64, 1, 1>} {
    %v = llvm.load %a : !llvm.ptr<1> -> i8
    llvm.store %v, %a : i8, !llvm.ptr<1>
    llvm.return
  }
  llvm.func @group_1(%p: !llvm.ptr<1>, %b: !llvm.ptr<1>)
      attributes {nvvm.kernel, nvvm.maxntid = array<i32: 128, 1, 1>} {
    %v = llvm.load %p : !llvm.ptr<1> -> i8
    llvm.store %v, %b : i8, !llvm.ptr<1>
    llvm.return
  }
}

// -----

// The reader counts in it: others must see that.
// CHECK-LABEL: func.func private @group_2(
// CHECK:         tile.launch @kernels::@group_0
// CHECK:         tile.launch @kernels::@group_1
func.func @main(%x: memref<8xf32>, %y: memref<8xf32>) {
  %p = memref.alloc() : memref<i32>
  call @group_2(%x, %p, %y) : (memref<8xf32>, memref<i32>, memref<8xf32>) -> ()
  return
}
func.func private @group_0(%x: memref<8xf32>, %p: memref<i32>) attributes {fusion.group = "p"} {
  %c1 = arith.constant 1 : index
  // expected-remark @below {{each block cannot compute it for itself: 'llvm.atomicrmw' takes the address of what each block would compute}}
  tile.launch @kernels::@group_0 grid(%c1, %c1, %c1) args(%x, %p : memref<8xf32>, memref<i32>)
  return
}
func.func private @group_1(%p: memref<i32>, %y: memref<8xf32>) attributes {fusion.group = "r"} {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  tile.launch @kernels::@group_1 grid(%c3, %c1, %c1) args(%p, %y : memref<i32>, memref<8xf32>)
  return
}
func.func private @group_2(%x: memref<8xf32>, %p: memref<i32>, %y: memref<8xf32>)
    attributes {fusion.composite, fusion.group = "r"} {
  call @group_0(%x, %p) {fusion.each_block = 1 : i64} : (memref<8xf32>, memref<i32>) -> ()
  call @group_1(%p, %y) : (memref<i32>, memref<8xf32>) -> ()
  return
}
gpu.module @kernels {
  llvm.func @group_0(%a: !llvm.ptr<1>, %b: !llvm.ptr<1>)
      attributes {fusion.shared_bytes = 40 : i32, nvvm.kernel, nvvm.maxntid = array<i32: 64, 1, 1>} {
    %v = llvm.load %a : !llvm.ptr<1> -> i32
    llvm.store %v, %b : i32, !llvm.ptr<1>
    llvm.return
  }
  llvm.func @group_1(%p: !llvm.ptr<1>, %b: !llvm.ptr<1>)
      attributes {nvvm.kernel, nvvm.maxntid = array<i32: 128, 1, 1>} {
    %c = llvm.mlir.constant(1 : i32) : i32
    %v = llvm.atomicrmw add %p, %c monotonic : !llvm.ptr<1>, i32
    llvm.store %v, %b : i32, !llvm.ptr<1>
    llvm.return
  }
}

// -----

// Two blocks below each other.
// CHECK-LABEL: func.func private @group_2(
// CHECK:         tile.launch @kernels::@group_0
// CHECK:         tile.launch @kernels::@group_1
func.func @main(%x: memref<8xf32>, %y: memref<8xf32>) {
  %p = memref.alloc() : memref<i1>
  call @group_2(%x, %p, %y) : (memref<8xf32>, memref<i1>, memref<8xf32>) -> ()
  return
}
func.func private @group_0(%x: memref<8xf32>, %p: memref<i1>) attributes {fusion.group = "p"} {
  %c1 = arith.constant 1 : index
  %n = arith.constant 2 : index
  // expected-remark @below {{each block cannot compute it for itself: it takes more than one block}}
  tile.launch @kernels::@group_0 grid(%c1, %n, %c1) args(%x, %p : memref<8xf32>, memref<i1>)
  return
}
func.func private @group_1(%p: memref<i1>, %y: memref<8xf32>) attributes {fusion.group = "r"} {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  tile.launch @kernels::@group_1 grid(%c3, %c1, %c1) args(%p, %y : memref<i1>, memref<8xf32>)
  return
}
func.func private @group_2(%x: memref<8xf32>, %p: memref<i1>, %y: memref<8xf32>)
    attributes {fusion.composite, fusion.group = "r"} {
  call @group_0(%x, %p) {fusion.each_block = 1 : i64} : (memref<8xf32>, memref<i1>) -> ()
  call @group_1(%p, %y) : (memref<i1>, memref<8xf32>) -> ()
  return
}
gpu.module @kernels {
  llvm.func @group_0(%a: !llvm.ptr<1>, %b: !llvm.ptr<1>)
      attributes {fusion.shared_bytes = 40 : i32, nvvm.kernel, nvvm.maxntid = array<i32: 64, 1, 1>} {
    %v = llvm.load %a : !llvm.ptr<1> -> i8
    llvm.store %v, %b : i8, !llvm.ptr<1>
    llvm.return
  }
  llvm.func @group_1(%p: !llvm.ptr<1>, %b: !llvm.ptr<1>)
      attributes {nvvm.kernel, nvvm.maxntid = array<i32: 128, 1, 1>} {
    %v = llvm.load %p : !llvm.ptr<1> -> i8
    llvm.store %v, %b : i8, !llvm.ptr<1>
    llvm.return
  }
}
