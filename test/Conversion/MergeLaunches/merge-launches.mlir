// RUN: fusion-opt %s -fusion-merge-launches -split-input-file | FileCheck %s

// One kernel with both bodies: its blocks are given out in order, the number of
// a body's block and of its blocks is its own, arguments are passed once, shared
// memory is the larger need.
// CHECK-LABEL: func.func private @group_2(
// CHECK-SAME:    %[[X:.*]]: memref<8xf32>, %[[Y:.*]]: memref<8xf32>, %[[Z:.*]]: memref<8xf32>)
// CHECK:         tile.launch @kernels::@group_2 grid(%c5{{.*}}, %c1{{.*}}, %c1{{.*}}) args(%[[X]], %[[Y]], %[[Z]] :
// CHECK-NOT:     @group_0
// CHECK:         llvm.func @group_2(%[[A:.*]]: !llvm.ptr<1> {llvm.readonly}, %[[B:.*]]: !llvm.ptr<1>, %[[C:.*]]: !llvm.ptr<1>) attributes {fusion.shared_bytes = 512 : i32, nvvm.kernel, nvvm.maxntid = array<i32: 128, 1, 1>}
// CHECK:           %[[BLOCK:.*]] = nvvm.read.ptx.sreg.ctaid.x
// CHECK:           %[[C3:.*]] = arith.constant 3 : i32
// CHECK:           %[[FIRST:.*]] = arith.cmpi ult, %[[BLOCK]], %{{.*}}
// CHECK:           scf.if %[[FIRST]] {
// CHECK:             llvm.getelementptr %[[A]][%{{.*}}]
// CHECK:             nvvm.barrier0
// CHECK:             llvm.getelementptr %[[B]][%{{.*}}]
// CHECK:           } else {
// A body of fewer threads: the others pass it by, its barriers count its own.
// CHECK:             %[[OWN:.*]] = arith.subi %[[BLOCK]], %{{.*}}
// CHECK:             %[[MINE:.*]] = arith.cmpi ult, %{{.*}}, %c64_i32
// CHECK:             scf.if %[[MINE]] {
// CHECK:               llvm.getelementptr %[[A]][%{{.*}}]
// CHECK:               nvvm.barrier id = %{{.*}} number_of_threads = %{{.*}}
// CHECK:               llvm.getelementptr %[[C]][%{{.*}}]
func.func @main(%x: memref<8xf32>, %y: memref<8xf32>, %z: memref<8xf32>) {
  call @group_2(%x, %y, %z) : (memref<8xf32>, memref<8xf32>, memref<8xf32>) -> ()
  return
}
func.func private @group_0(%x: memref<8xf32>, %y: memref<8xf32>) attributes {fusion.group = "a"} {
  %c3 = arith.constant 3 : index
  %c1 = arith.constant 1 : index
  tile.launch @kernels::@group_0 grid(%c3, %c1, %c1) args(%x, %y : memref<8xf32>, memref<8xf32>)
  return
}
func.func private @group_1(%x: memref<8xf32>, %y: memref<8xf32>) attributes {fusion.group = "b"} {
  %c2 = arith.constant 2 : index
  %c1 = arith.constant 1 : index
  tile.launch @kernels::@group_1 grid(%c2, %c1, %c1) args(%x, %y : memref<8xf32>, memref<8xf32>)
  return
}
func.func private @group_2(%x: memref<8xf32>, %y: memref<8xf32>, %z: memref<8xf32>)
    attributes {fusion.composite, fusion.group = "a | b"} {
  call @group_0(%x, %y) : (memref<8xf32>, memref<8xf32>) -> ()
  call @group_1(%x, %z) : (memref<8xf32>, memref<8xf32>) -> ()
  return
}
gpu.module @kernels {
  llvm.func @group_0(%a: !llvm.ptr<1> {llvm.readonly}, %b: !llvm.ptr<1>)
      attributes {fusion.shared_bytes = 512 : i32, nvvm.kernel, nvvm.maxntid = array<i32: 128, 1, 1>} {
    %i = nvvm.read.ptx.sreg.ctaid.x : i32
    %p = llvm.getelementptr %a[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %v = llvm.load %p : !llvm.ptr<1> -> f32
    nvvm.barrier0
    %q = llvm.getelementptr %b[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    llvm.store %v, %q : f32, !llvm.ptr<1>
    llvm.return
  }
  llvm.func @group_1(%a: !llvm.ptr<1> {llvm.readonly}, %b: !llvm.ptr<1>)
      attributes {fusion.shared_bytes = 256 : i32, nvvm.kernel, nvvm.maxntid = array<i32: 64, 1, 1>} {
    %i = nvvm.read.ptx.sreg.ctaid.x : i32
    %p = llvm.getelementptr %a[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %v = llvm.load %p : !llvm.ptr<1> -> f32
    nvvm.barrier0
    %q = llvm.getelementptr %b[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    llvm.store %v, %q : f32, !llvm.ptr<1>
    llvm.return
  }
}

// -----

// The sides of a condition get the same blocks; the shorter one leaves some
// idle. The host loads no predicate.
// CHECK-LABEL: func.func private @group_2(
// CHECK-NOT:     memref.load
// CHECK:         tile.launch @kernels::@group_2 grid(%c3{{.*}}, %c1{{.*}}, %c1{{.*}})
// CHECK-NEXT:    return
// CHECK:         llvm.func @group_2(
// CHECK:           %[[P:.*]] = llvm.load %{{.*}} : !llvm.ptr<1> -> i8
// CHECK:           %[[C:.*]] = arith.cmpi ne, %[[P]], %{{.*}} : i8
// CHECK:           scf.if %[[C]] {
// CHECK-NOT:         arith.cmpi
// CHECK:             arith.constant 1.0
// CHECK:           } else {
// CHECK:             %[[R:.*]] = arith.cmpi ult, %{{.*}}, %{{.*}} : i32
// CHECK:             scf.if %[[R]] {
// CHECK:               arith.constant 2.0
func.func @main(%p: memref<i1>, %x: memref<8xf32>) {
  call @group_2(%p, %x) : (memref<i1>, memref<8xf32>) -> ()
  return
}
func.func private @group_0(%x: memref<8xf32>) attributes {fusion.group = "a"} {
  %c3 = arith.constant 3 : index
  %c1 = arith.constant 1 : index
  tile.launch @kernels::@group_0 grid(%c3, %c1, %c1) args(%x : memref<8xf32>)
  return
}
func.func private @group_1(%x: memref<8xf32>) attributes {fusion.group = "b"} {
  %c2 = arith.constant 2 : index
  %c1 = arith.constant 1 : index
  tile.launch @kernels::@group_1 grid(%c2, %c1, %c1) args(%x : memref<8xf32>)
  return
}
func.func private @group_2(%p: memref<i1>, %x: memref<8xf32>) attributes {fusion.composite, fusion.group = "a | b"} {
  %c = memref.load %p[] : memref<i1>
  scf.if %c {
    func.call @group_0(%x) : (memref<8xf32>) -> ()
  } else {
    func.call @group_1(%x) : (memref<8xf32>) -> ()
  }
  return
}
gpu.module @kernels {
  llvm.func @group_0(%a: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.maxntid = array<i32: 32, 1, 1>} {
    %i = nvvm.read.ptx.sreg.ctaid.x : i32
    %v = arith.constant 1.0 : f32
    %q = llvm.getelementptr %a[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    llvm.store %v, %q : f32, !llvm.ptr<1>
    llvm.return
  }
  llvm.func @group_1(%a: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.maxntid = array<i32: 32, 1, 1>} {
    %i = nvvm.read.ptx.sreg.ctaid.x : i32
    %v = arith.constant 2.0 : f32
    %q = llvm.getelementptr %a[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    llvm.store %v, %q : f32, !llvm.ptr<1>
    llvm.return
  }
}
