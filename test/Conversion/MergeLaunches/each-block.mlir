// RUN: fusion-opt %s -fusion-merge-launches -split-input-file | FileCheck %s

// Each block computes the predicate with its first threads, whose barrier is one of
// their own; one of them leaves it in shared memory past what the code uses, and
// all take it from there. To conditions and bodies it is that register: neither the
// buffer is passed, nor is anything read from it.
// CHECK-LABEL: func.func private @group_2(
// CHECK-SAME:    %[[X:.*]]: memref<8xf32>, %[[P:.*]]: memref<i1>, %[[Y:.*]]: memref<8xf32>)
// CHECK-NOT:     memref.load
// CHECK:         tile.launch @kernels::@group_2 grid(%{{.*}}, %{{.*}}, %{{.*}}) args(%[[Y]], %[[X]] : memref<8xf32>, memref<8xf32>)
// CHECK-NOT:     tile.launch
// CHECK:         llvm.func @group_2(%[[B:.*]]: !llvm.ptr<1>, %[[A:.*]]: !llvm.ptr<1>) attributes {fusion.shared_bytes = 64 : i32, nvvm.kernel, nvvm.maxntid = array<i32: 128, 1, 1>}
// CHECK:           %[[SLOT:.*]] = llvm.getelementptr %{{.*}}[48] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
// CHECK:           scf.if %{{.*}} {
// CHECK:             %[[ID:.*]] = arith.constant 15 : i32
// CHECK:             nvvm.barrier id = %[[ID]] number_of_threads
// CHECK:             %[[V:.*]] = llvm.load %[[A]] : !llvm.ptr<1> -> i8
// CHECK:             llvm.store %[[V]], %[[SLOT]] : i8, !llvm.ptr<3>
// CHECK:           }
// CHECK:           nvvm.barrier0
// CHECK:           %[[R:.*]] = llvm.load %[[SLOT]] : !llvm.ptr<3> -> i8
// CHECK:           nvvm.barrier0
// CHECK:           %[[H:.*]] = arith.cmpi ne, %[[R]], %{{.*}} : i8
// CHECK:           scf.if %[[H]] {
// CHECK-NOT:         llvm.load
// CHECK:             llvm.store %[[R]], %[[B]]
func.func @main(%x: memref<8xf32>, %y: memref<8xf32>) {
  %p = memref.alloc() : memref<i1>
  call @group_2(%x, %p, %y) : (memref<8xf32>, memref<i1>, memref<8xf32>) -> ()
  return
}
func.func private @group_0(%x: memref<8xf32>, %p: memref<i1>) attributes {fusion.group = "p"} {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
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
