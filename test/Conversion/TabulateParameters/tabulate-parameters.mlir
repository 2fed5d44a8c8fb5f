// RUN: fusion-opt %s -allow-unregistered-dialect -fusion-tabulate-parameters=limit=24 -split-input-file \
// RUN:   | FileCheck %s
// RUN: fusion-opt %s -allow-unregistered-dialect -fusion-tabulate-parameters -split-input-file \
// RUN:   | FileCheck %s --check-prefix=FITS

// More than a kernel may take: it takes the address of a table. Each value is
// loaded where it is used, in the branch that does, before the first user.
// CHECK-LABEL: func.func @main(
// CHECK:         %[[TABLE:.*]] = memref.alloc() : memref<6xi64>
// CHECK-NEXT:    call @group(%{{.*}}, %{{.*}}, %{{.*}}, %[[TABLE]]) :
// CHECK:         %[[OTHER:.*]] = memref.alloc() : memref<6xi64>
// CHECK-NEXT:    call @group(%{{.*}}, %{{.*}}, %{{.*}}, %[[OTHER]]) :
// CHECK-LABEL: func.func private @group(
// CHECK-SAME:      %[[X:[^:]*]]: memref<?x8xf32>, %[[Y:[^:]*]]: memref<8xf32>, %[[N:[^:]*]]: index, %[[ROOM:[^:]*]]: memref<6xi64>)
// CHECK:         %[[MAP:.*]] = tile.tensor_map
// CHECK:         tile.launch @kernels::@k grid(%{{.*}}, %{{.*}}, %{{.*}}) table(%[[ROOM]] : memref<6xi64>)
// CHECK-SAME:      args(%[[X]], %[[MAP]], %[[Y]], %[[N]], %{{.*}}, %{{.*}} :
// CHECK:       llvm.func @k(%[[T:[^:]*]]: !llvm.ptr<1> {llvm.noalias, llvm.readonly}, %[[M:[^:]*]]: !llvm.ptr {llvm.align = 64 : i64, llvm.byval = !llvm.array<128 x i8>, nvvm.grid_constant})
// CHECK-NEXT:    %[[I:.*]] = nvvm.read.ptx.sreg.tid.x
// CHECK-NEXT:    %[[C:.*]] = arith.cmpi
// CHECK-NEXT:    llvm.getelementptr %[[T]][2] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i64
// CHECK-NEXT:    %[[YP:.*]] = llvm.load %{{.*}} invariant {alignment = 8 : i64} : !llvm.ptr<1> -> !llvm.ptr<1>
// CHECK-NEXT:    scf.if %[[C]] {
// CHECK-NEXT:      llvm.getelementptr %[[T]][0] :
// CHECK-NEXT:      %[[XP:.*]] = llvm.load %{{.*}} invariant {alignment = 8 : i64} : !llvm.ptr<1> -> !llvm.ptr<1>
// CHECK-NEXT:      "test.use"(%[[XP]], %[[M]])
// CHECK-NEXT:      "test.use"(%[[XP]])
// CHECK-NEXT:      "test.use"(%[[YP]])
// CHECK-NEXT:    } else {
// CHECK-NEXT:      "test.use"(%[[YP]])
// CHECK-NEXT:      llvm.getelementptr %[[T]][4] :
// CHECK-NEXT:      %[[F:.*]] = llvm.load %{{.*}} invariant {alignment = 8 : i64} : !llvm.ptr<1> -> f32
// CHECK-NEXT:      "test.use"(%[[F]])
// CHECK-NOT:     llvm.load
// CHECK:         llvm.return

// FITS-NOT:    memref<6xi64>
// FITS:        llvm.func @k(%{{.*}}: !llvm.ptr<1>, %{{.*}}: i64,
func.func @main(%x: memref<?x8xf32>, %y: memref<8xf32>, %n: index) {
  call @group(%x, %y, %n) : (memref<?x8xf32>, memref<8xf32>, index) -> ()
  call @group(%x, %y, %n) : (memref<?x8xf32>, memref<8xf32>, index) -> ()
  return
}
func.func private @group(%x: memref<?x8xf32>, %y: memref<8xf32>, %n: index) {
  %c1 = arith.constant 1 : index
  %f = arith.constant 2.0 : f32
  %i = arith.constant 7 : i32
  %map = tile.tensor_map %x : memref<?x8xf32> -> !tile.tensor_map<16x8xf32, swizzle = 0>
  tile.launch @kernels::@k grid(%c1, %c1, %c1)
      args(%x, %map, %y, %n, %f, %i : memref<?x8xf32>, !tile.tensor_map<16x8xf32, swizzle = 0>, memref<8xf32>, index, f32, i32)
  return
}
gpu.module @kernels {
  llvm.func @k(%x: !llvm.ptr<1>, %rows: i64,
               %map: !llvm.ptr {llvm.align = 64 : i64, llvm.byval = !llvm.array<128 x i8>, nvvm.grid_constant},
               %y: !llvm.ptr<1>, %n: i64, %f: f32, %unused: i32)
      attributes {nvvm.kernel, nvvm.maxntid = array<i32: 128, 1, 1>} {
    %i = nvvm.read.ptx.sreg.tid.x : i32
    %c = arith.cmpi ult, %i, %i : i32
    scf.if %c {
      "test.use"(%x, %map) : (!llvm.ptr<1>, !llvm.ptr) -> ()
      "test.use"(%x) : (!llvm.ptr<1>) -> ()
      "test.use"(%y) : (!llvm.ptr<1>) -> ()
    } else {
      "test.use"(%y) : (!llvm.ptr<1>) -> ()
      "test.use"(%f) : (f32) -> ()
    }
    llvm.return
  }
}

// -----

// A launch in @main itself; one that has a table already is left alone.
// CHECK-LABEL: func.func @main(
// CHECK:         %[[TABLE:.*]] = memref.alloc() : memref<4xi64>
// CHECK-NEXT:    tile.launch @kernels::@k grid(%{{.*}}, %{{.*}}, %{{.*}}) table(%[[TABLE]] : memref<4xi64>)
// CHECK:         tile.launch @kernels::@t grid(%{{.*}}, %{{.*}}, %{{.*}}) table(%arg1 : memref<9xi64>)
func.func @main(%x: memref<8xf32>, %t: memref<9xi64>) {
  %c1 = arith.constant 1 : index
  tile.launch @kernels::@k grid(%c1, %c1, %c1) args(%x, %x, %x, %x : memref<8xf32>, memref<8xf32>, memref<8xf32>, memref<8xf32>)
  tile.launch @kernels::@t grid(%c1, %c1, %c1) table(%t : memref<9xi64>) args(%x, %x, %x, %x : memref<8xf32>, memref<8xf32>, memref<8xf32>, memref<8xf32>)
  return
}
gpu.module @kernels {
  llvm.func @k(%a: !llvm.ptr<1>, %b: !llvm.ptr<1>, %c: !llvm.ptr<1>, %d: !llvm.ptr<1>) attributes {nvvm.kernel} {
    llvm.return
  }
  llvm.func @t(%a: !llvm.ptr<1>) attributes {nvvm.kernel} {
    llvm.return
  }
}
