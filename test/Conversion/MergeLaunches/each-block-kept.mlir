// RUN: fusion-opt %s -fusion-merge-launches -split-input-file | FileCheck %s
// RUN: fusion-opt %s -fusion-merge-launches -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics -o /dev/null

// Two blocks do it together.
// CHECK-LABEL: func.func private @group_2(
// CHECK-SAME:    %[[X:.*]]: memref<8xf32>, %[[P:.*]]: memref<i1>, %[[Y:.*]]: memref<8xf32>)
// CHECK:         tile.launch @kernels::@group_0 {{.*}} args(%[[X]], %[[P]] :
// CHECK:         tile.launch @kernels::@group_2{{.*}} args(%[[P]], %[[Y]] :
func.func @main(%x: memref<8xf32>, %y: memref<8xf32>) {
  %p = memref.alloc() : memref<i1>
  call @group_2(%x, %p, %y) : (memref<8xf32>, memref<i1>, memref<8xf32>) -> ()
  return
}
func.func private @group_0(%x: memref<8xf32>, %p: memref<i1>) attributes {fusion.group = "p"} {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  // expected-remark @below {{each block cannot compute it for itself: it takes more than one block}}
  tile.launch @kernels::@group_0 grid(%c2, %c1, %c1) args(%x, %p : memref<8xf32>, memref<i1>)
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
  %c = memref.load %p[] : memref<i1>
  scf.if %c {
    func.call @group_1(%p, %y) : (memref<i1>, memref<8xf32>) -> ()
  }
  return
}
gpu.module @kernels {
  llvm.mlir.global external @smem() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
  llvm.func @group_0(%a: !llvm.ptr<1>, %b: !llvm.ptr<1>)
      attributes {fusion.shared_bytes = 40 : i32, nvvm.kernel, nvvm.maxntid = array<i32: 64, 1, 1>} {
    nvvm.barrier0
    %v = llvm.load %a : !llvm.ptr<1> -> i8
    %q = llvm.getelementptr %b[0] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
    llvm.store %v, %q : i8, !llvm.ptr<1>
    llvm.return
  }
  llvm.func @group_1(%p: !llvm.ptr<1>, %b: !llvm.ptr<1>)
      attributes {fusion.shared_bytes = 0 : i32, nvvm.kernel, nvvm.maxntid = array<i32: 128, 1, 1>} {
    %v = llvm.load %p : !llvm.ptr<1> -> i8
    llvm.store %v, %b : i8, !llvm.ptr<1>
    llvm.return
  }
}

// -----

// Warps with roles cannot stand before other code.
// CHECK-LABEL: func.func private @group_2(
// CHECK-SAME:    %[[X:.*]]: memref<8xf32>, %[[P:.*]]: memref<i1>, %[[Y:.*]]: memref<8xf32>)
// CHECK:         tile.launch @kernels::@group_0 {{.*}} args(%[[X]], %[[P]] :
// CHECK:         tile.launch @kernels::@group_2{{.*}} args(%[[P]], %[[Y]] :
func.func @main(%x: memref<8xf32>, %y: memref<8xf32>) {
  %p = memref.alloc() : memref<i1>
  call @group_2(%x, %p, %y) : (memref<8xf32>, memref<i1>, memref<8xf32>) -> ()
  return
}
func.func private @group_0(%x: memref<8xf32>, %p: memref<i1>) attributes {fusion.group = "p"} {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  // expected-remark @below {{each block cannot compute it for itself: its warps have roles of their own}}
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
  %c = memref.load %p[] : memref<i1>
  scf.if %c {
    func.call @group_1(%p, %y) : (memref<i1>, memref<8xf32>) -> ()
  }
  return
}
gpu.module @kernels {
  llvm.mlir.global external @smem() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
  llvm.func @group_0(%a: !llvm.ptr<1>, %b: !llvm.ptr<1>)
      attributes {fusion.shared_bytes = 40 : i32, nvvm.kernel, nvvm.maxntid = array<i32: 64, 1, 1>} {
    %s = llvm.mlir.addressof @smem : !llvm.ptr<3>
    %n = llvm.mlir.constant(1 : i32) : i32
    nvvm.mbarrier.init %s, %n : !llvm.ptr<3>, i32
    %v = llvm.load %a : !llvm.ptr<1> -> i8
    llvm.store %v, %b : i8, !llvm.ptr<1>
    llvm.return
  }
  llvm.func @group_1(%p: !llvm.ptr<1>, %b: !llvm.ptr<1>)
      attributes {fusion.shared_bytes = 0 : i32, nvvm.kernel, nvvm.maxntid = array<i32: 128, 1, 1>} {
    %v = llvm.load %p : !llvm.ptr<1> -> i8
    llvm.store %v, %b : i8, !llvm.ptr<1>
    llvm.return
  }
}

// -----

// What takes the address may do anything with it.
// CHECK-LABEL: func.func private @group_2(
// CHECK-SAME:    %[[X:.*]]: memref<8xf32>, %[[P:.*]]: memref<i1>, %[[Y:.*]]: memref<8xf32>)
// CHECK:         tile.launch @kernels::@group_0 {{.*}} args(%[[X]], %[[P]] :
// CHECK:         tile.launch @kernels::@group_2{{.*}} args(%[[P]], %[[Y]] :
func.func @main(%x: memref<8xf32>, %y: memref<8xf32>) {
  %p = memref.alloc() : memref<i1>
  call @group_2(%x, %p, %y) : (memref<8xf32>, memref<i1>, memref<8xf32>) -> ()
  return
}
func.func private @group_0(%x: memref<8xf32>, %p: memref<i1>) attributes {fusion.group = "p"} {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  // expected-remark @below {{each block cannot compute it for itself: 'llvm.ptrtoint' takes the address of what each block would compute}}
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
  %c = memref.load %p[] : memref<i1>
  scf.if %c {
    func.call @group_1(%p, %y) : (memref<i1>, memref<8xf32>) -> ()
  }
  return
}
gpu.module @kernels {
  llvm.mlir.global external @smem() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
  llvm.func @group_0(%a: !llvm.ptr<1>, %b: !llvm.ptr<1>)
      attributes {fusion.shared_bytes = 40 : i32, nvvm.kernel, nvvm.maxntid = array<i32: 64, 1, 1>} {
    %v = llvm.load %a : !llvm.ptr<1> -> i8
    %i = llvm.ptrtoint %b : !llvm.ptr<1> to i64
    llvm.store %v, %b : i8, !llvm.ptr<1>
    llvm.return
  }
  llvm.func @group_1(%p: !llvm.ptr<1>, %b: !llvm.ptr<1>)
      attributes {fusion.shared_bytes = 0 : i32, nvvm.kernel, nvvm.maxntid = array<i32: 128, 1, 1>} {
    %v = llvm.load %p : !llvm.ptr<1> -> i8
    llvm.store %v, %b : i8, !llvm.ptr<1>
    llvm.return
  }
}

// -----

// A result that is read back is more than a value.
// CHECK-LABEL: func.func private @group_2(
// CHECK-SAME:    %[[X:.*]]: memref<8xf32>, %[[P:.*]]: memref<i1>, %[[Y:.*]]: memref<8xf32>)
// CHECK:         tile.launch @kernels::@group_0 {{.*}} args(%[[X]], %[[P]] :
// CHECK:         tile.launch @kernels::@group_2{{.*}} args(%[[P]], %[[Y]] :
func.func @main(%x: memref<8xf32>, %y: memref<8xf32>) {
  %p = memref.alloc() : memref<i1>
  call @group_2(%x, %p, %y) : (memref<8xf32>, memref<i1>, memref<8xf32>) -> ()
  return
}
func.func private @group_0(%x: memref<8xf32>, %p: memref<i1>) attributes {fusion.group = "p"} {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
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
  %c = memref.load %p[] : memref<i1>
  scf.if %c {
    func.call @group_1(%p, %y) : (memref<i1>, memref<8xf32>) -> ()
  }
  return
}
gpu.module @kernels {
  llvm.mlir.global external @smem() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
  llvm.func @group_0(%a: !llvm.ptr<1>, %b: !llvm.ptr<1>)
      attributes {fusion.shared_bytes = 40 : i32, nvvm.kernel, nvvm.maxntid = array<i32: 64, 1, 1>} {
    %v = llvm.load %b : !llvm.ptr<1> -> i8
    llvm.store %v, %b : i8, !llvm.ptr<1>
    llvm.return
  }
  llvm.func @group_1(%p: !llvm.ptr<1>, %b: !llvm.ptr<1>)
      attributes {fusion.shared_bytes = 0 : i32, nvvm.kernel, nvvm.maxntid = array<i32: 128, 1, 1>} {
    %v = llvm.load %p : !llvm.ptr<1> -> i8
    llvm.store %v, %b : i8, !llvm.ptr<1>
    llvm.return
  }
}

// -----

// Other bytes of the buffer would be lost.
// CHECK-LABEL: func.func private @group_2(
// CHECK-SAME:    %[[X:.*]]: memref<8xf32>, %[[P:.*]]: memref<i1>, %[[Y:.*]]: memref<8xf32>)
// CHECK:         tile.launch @kernels::@group_0 {{.*}} args(%[[X]], %[[P]] :
// CHECK:         tile.launch @kernels::@group_2{{.*}} args(%[[P]], %[[Y]] :
func.func @main(%x: memref<8xf32>, %y: memref<8xf32>) {
  %p = memref.alloc() : memref<i1>
  call @group_2(%x, %p, %y) : (memref<8xf32>, memref<i1>, memref<8xf32>) -> ()
  return
}
func.func private @group_0(%x: memref<8xf32>, %p: memref<i1>) attributes {fusion.group = "p"} {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  // expected-remark @below {{each block cannot compute it for itself: it is read in another type than that which is written}}
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
  %c = memref.load %p[] : memref<i1>
  scf.if %c {
    func.call @group_1(%p, %y) : (memref<i1>, memref<8xf32>) -> ()
  }
  return
}
gpu.module @kernels {
  llvm.mlir.global external @smem() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
  llvm.func @group_0(%a: !llvm.ptr<1>, %b: !llvm.ptr<1>)
      attributes {fusion.shared_bytes = 40 : i32, nvvm.kernel, nvvm.maxntid = array<i32: 64, 1, 1>} {
    nvvm.barrier0
    %v = llvm.load %a : !llvm.ptr<1> -> i8
    %q = llvm.getelementptr %b[0] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
    llvm.store %v, %q : i8, !llvm.ptr<1>
    llvm.return
  }
  llvm.func @group_1(%p: !llvm.ptr<1>, %b: !llvm.ptr<1>)
      attributes {fusion.shared_bytes = 0 : i32, nvvm.kernel, nvvm.maxntid = array<i32: 128, 1, 1>} {
    %v = llvm.load %p : !llvm.ptr<1> -> i16
    llvm.store %v, %b : i16, !llvm.ptr<1>
    llvm.return
  }
}

// -----

// A reader that writes it changes it for others.
// CHECK-LABEL: func.func private @group_2(
// CHECK-SAME:    %[[X:.*]]: memref<8xf32>, %[[P:.*]]: memref<i1>, %[[Y:.*]]: memref<8xf32>)
// CHECK:         tile.launch @kernels::@group_0 {{.*}} args(%[[X]], %[[P]] :
// CHECK:         tile.launch @kernels::@group_2{{.*}} args(%[[P]], %[[Y]] :
func.func @main(%x: memref<8xf32>, %y: memref<8xf32>) {
  %p = memref.alloc() : memref<i1>
  call @group_2(%x, %p, %y) : (memref<8xf32>, memref<i1>, memref<8xf32>) -> ()
  return
}
func.func private @group_0(%x: memref<8xf32>, %p: memref<i1>) attributes {fusion.group = "p"} {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  // expected-remark @below {{each block cannot compute it for itself: it is read in another type than that which is written}}
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
  %c = memref.load %p[] : memref<i1>
  scf.if %c {
    func.call @group_1(%p, %y) : (memref<i1>, memref<8xf32>) -> ()
  }
  return
}
gpu.module @kernels {
  llvm.mlir.global external @smem() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
  llvm.func @group_0(%a: !llvm.ptr<1>, %b: !llvm.ptr<1>)
      attributes {fusion.shared_bytes = 40 : i32, nvvm.kernel, nvvm.maxntid = array<i32: 64, 1, 1>} {
    nvvm.barrier0
    %v = llvm.load %a : !llvm.ptr<1> -> i8
    %q = llvm.getelementptr %b[0] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
    llvm.store %v, %q : i8, !llvm.ptr<1>
    llvm.return
  }
  llvm.func @group_1(%p: !llvm.ptr<1>, %b: !llvm.ptr<1>)
      attributes {fusion.shared_bytes = 0 : i32, nvvm.kernel, nvvm.maxntid = array<i32: 128, 1, 1>} {
    %v = llvm.load %b : !llvm.ptr<1> -> i8
    llvm.store %v, %p : i8, !llvm.ptr<1>
    llvm.return
  }
}

// -----

// Larger blocks than warps that hand over registers may have.
// CHECK-LABEL: func.func private @group_2(
// CHECK-SAME:    %[[X:.*]]: memref<8xf32>, %[[P:.*]]: memref<i1>, %[[Y:.*]]: memref<8xf32>)
// CHECK:         tile.launch @kernels::@group_0 {{.*}} args(%[[X]], %[[P]] :
// CHECK:         tile.launch @kernels::@group_2{{.*}} args(%[[P]], %[[Y]] :
func.func @main(%x: memref<8xf32>, %y: memref<8xf32>) {
  %p = memref.alloc() : memref<i1>
  call @group_2(%x, %p, %y) : (memref<8xf32>, memref<i1>, memref<8xf32>) -> ()
  return
}
func.func private @group_0(%x: memref<8xf32>, %p: memref<i1>) attributes {fusion.group = "p"} {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  // expected-remark @below {{each block cannot compute it for itself: it needs larger blocks than a warp-specialised kernel has}}
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
  %c = memref.load %p[] : memref<i1>
  scf.if %c {
    func.call @group_1(%p, %y) : (memref<i1>, memref<8xf32>) -> ()
  }
  return
}
gpu.module @kernels {
  llvm.mlir.global external @smem() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
  llvm.func @group_0(%a: !llvm.ptr<1>, %b: !llvm.ptr<1>)
      attributes {fusion.shared_bytes = 40 : i32, nvvm.kernel, nvvm.maxntid = array<i32: 256, 1, 1>} {
    nvvm.barrier0
    %v = llvm.load %a : !llvm.ptr<1> -> i8
    %q = llvm.getelementptr %b[0] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
    llvm.store %v, %q : i8, !llvm.ptr<1>
    llvm.return
  }
  llvm.func @group_1(%p: !llvm.ptr<1>, %b: !llvm.ptr<1>)
      attributes {fusion.shared_bytes = 0 : i32, nvvm.kernel, nvvm.maxntid = array<i32: 128, 1, 1>} {
    nvvm.setmaxregister decrease 40
    %v = llvm.load %p : !llvm.ptr<1> -> i8
    llvm.store %v, %b : i8, !llvm.ptr<1>
    llvm.return
  }
}

// -----

// Code of several launches.
// CHECK-LABEL: func.func private @group_2(
// CHECK-SAME:    %[[X:.*]]: memref<8xf32>, %[[P:.*]]: memref<i1>, %[[Y:.*]]: memref<8xf32>)
// CHECK:         tile.launch @kernels::@group_0 {{.*}} args(%[[X]], %[[P]] :
// CHECK:         tile.launch @kernels::@group_2{{.*}} args(%[[P]], %[[Y]] :
func.func @main(%x: memref<8xf32>, %y: memref<8xf32>) {
  %p = memref.alloc() : memref<i1>
  call @group_2(%x, %p, %y) : (memref<8xf32>, memref<i1>, memref<8xf32>) -> ()
  return
}
func.func private @group_0(%x: memref<8xf32>, %p: memref<i1>) attributes {fusion.group = "p"} {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  // expected-remark @below {{each block cannot compute it for itself: it takes several launches}}
  tile.launch @kernels::@group_0 grid(%c1, %c1, %c1) args(%x, %p : memref<8xf32>, memref<i1>)
  // expected-remark @below {{each block cannot compute it for itself: it takes several launches}}
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
  %c = memref.load %p[] : memref<i1>
  scf.if %c {
    func.call @group_1(%p, %y) : (memref<i1>, memref<8xf32>) -> ()
  }
  return
}
gpu.module @kernels {
  llvm.mlir.global external @smem() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
  llvm.func @group_0(%a: !llvm.ptr<1>, %b: !llvm.ptr<1>)
      attributes {fusion.shared_bytes = 40 : i32, nvvm.kernel, nvvm.maxntid = array<i32: 64, 1, 1>} {
    nvvm.barrier0
    %v = llvm.load %a : !llvm.ptr<1> -> i8
    %q = llvm.getelementptr %b[0] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
    llvm.store %v, %q : i8, !llvm.ptr<1>
    llvm.return
  }
  llvm.func @group_1(%p: !llvm.ptr<1>, %b: !llvm.ptr<1>)
      attributes {fusion.shared_bytes = 0 : i32, nvvm.kernel, nvvm.maxntid = array<i32: 128, 1, 1>} {
    %v = llvm.load %p : !llvm.ptr<1> -> i8
    llvm.store %v, %b : i8, !llvm.ptr<1>
    llvm.return
  }
}
