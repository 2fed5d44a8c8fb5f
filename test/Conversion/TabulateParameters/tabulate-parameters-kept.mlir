// Kernels that take their parameters as they are.
//
// RUN: fusion-opt %s -fusion-tabulate-parameters=limit=32 -split-input-file | FileCheck %s
// RUN: fusion-opt %s -fusion-tabulate-parameters=limit=192 -split-input-file | FileCheck %s --check-prefix=MAPS
// RUN: fusion-opt %s -fusion-tabulate-parameters -split-input-file | FileCheck %s --check-prefix=MODULE
// RUN: fusion-opt %s -fusion-tabulate-parameters=limit=32 -split-input-file -o /dev/null \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=REASON
// What one byte less would do.
// RUN: fusion-opt %s -fusion-tabulate-parameters=limit=31 -split-input-file | FileCheck %s --check-prefix=LESS
// RUN: fusion-opt %s -fusion-tabulate-parameters=limit=191 -split-input-file | FileCheck %s --check-prefix=LESSMAPS

// As many bytes as the limit, those of unknown sizes among them.
// CHECK-LABEL: func.func @main(
// CHECK-SAME:      %[[X:.*]]: memref<?x8xf32>
// CHECK-NOT:     memref.alloc
// CHECK:         tile.launch @kernels::@limit grid(%{{.*}}) args(%[[X]], %[[X]] :
// CHECK:       llvm.func @limit(%{{.*}}: !llvm.ptr<1>, %{{.*}}: i64, %{{.*}}: !llvm.ptr<1>, %{{.*}}: i64)
// LESS-LABEL:  func.func @main(
// LESS:          tile.launch @kernels::@limit grid(%{{.*}}) table(%{{.*}} : memref<4xi64>)
func.func @main(%x: memref<?x8xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @kernels::@limit grid(%c1, %c1, %c1) args(%x, %x : memref<?x8xf32>, memref<?x8xf32>)
  return
}
gpu.module @kernels {
  llvm.func @limit(%a: !llvm.ptr<1>, %n: i64, %b: !llvm.ptr<1>, %m: i64) attributes {nvvm.kernel} {
    llvm.return
  }
}

// -----

// A kernel with few parameters, launched beside one with too many, by a function that
// both are in.
// CHECK-LABEL: func.func @main(
// CHECK:         memref.alloc() : memref<5xi64>
// CHECK-NEXT:    call @both
// CHECK:       func.func private @both(
// CHECK-SAME:      %[[X:.*]]: memref<8xf32>, %{{.*}}: f16, %[[T:.*]]: memref<5xi64>)
// CHECK:         tile.launch @kernels::@small grid(%{{.*}}, %{{.*}}, %{{.*}}) args(%[[X]], %{{.*}} : memref<8xf32>, f16)
// CHECK:         tile.launch @kernels::@large grid(%{{.*}}, %{{.*}}, %{{.*}}) table(%[[T]] :
// CHECK:       llvm.func @small(%{{.*}}: !llvm.ptr<1>, %{{.*}}: f16) attributes
func.func @main(%x: memref<8xf32>, %f: f16) {
  call @both(%x, %f) : (memref<8xf32>, f16) -> ()
  return
}
func.func private @both(%x: memref<8xf32>, %f: f16) {
  %c1 = arith.constant 1 : index
  tile.launch @kernels::@small grid(%c1, %c1, %c1) args(%x, %f : memref<8xf32>, f16)
  tile.launch @kernels::@large grid(%c1, %c1, %c1) args(%x, %x, %x, %x, %x : memref<8xf32>, memref<8xf32>, memref<8xf32>, memref<8xf32>, memref<8xf32>)
  return
}
gpu.module @kernels {
  llvm.func @small(%a: !llvm.ptr<1>, %f: f16) attributes {nvvm.kernel} {
    llvm.return
  }
  llvm.func @large(%a: !llvm.ptr<1>, %b: !llvm.ptr<1>, %c: !llvm.ptr<1>, %d: !llvm.ptr<1>, %e: !llvm.ptr<1>) attributes {nvvm.kernel} {
    llvm.return
  }
}

// -----

// Nothing launches the kernel.
// CHECK-LABEL: func.func @main(
// CHECK-NOT:     memref.alloc
// CHECK:       llvm.func @k(%{{.*}}: !llvm.ptr<1>, %{{.*}}: !llvm.ptr<1>, %{{.*}}: !llvm.ptr<1>, %{{.*}}: !llvm.ptr<1>, %{{.*}}: i8)
func.func @main(%x: memref<8xf32>) {
  return
}
gpu.module @kernels {
  llvm.func @k(%a: !llvm.ptr<1>, %b: !llvm.ptr<1>, %c: !llvm.ptr<1>, %d: !llvm.ptr<1>, %e: i8) attributes {nvvm.kernel} {
    llvm.return
  }
}

// -----

// The kernel is elsewhere: nobody can change what it takes.
// CHECK-LABEL: func.func @main(
// CHECK-NOT:     memref.alloc
// CHECK:         tile.launch @elsewhere::@k grid(%{{.*}}, %{{.*}}, %{{.*}}) args(
func.func @main(%x: memref<?x?xi8>) {
  %c1 = arith.constant 1 : index
  tile.launch @elsewhere::@k grid(%c1, %c1, %c1) args(%x, %x : memref<?x?xi8>, memref<?x?xi8>)
  return
}

// -----

// A map of 128 bytes, which begins at a multiple of 64.
// MAPS-LABEL:  func.func @main(
// MAPS:          %[[M:.*]] = tile.tensor_map
// MAPS-NOT:      memref.alloc
// MAPS:          tile.launch @kernels::@map grid(%{{.*}}) args(%{{.*}}, %[[M]] :
// MAPS:        llvm.func @map(%{{.*}}: !llvm.ptr<1>, %{{.*}}: !llvm.ptr {
// LESSMAPS:      tile.launch @kernels::@map grid(%{{.*}}) table(%{{.*}} : memref<1xi64>)
func.func @main(%x: memref<8xf32>, %y: memref<?x8xf32>) {
  %c1 = arith.constant 1 : index
  %map = tile.tensor_map %y : memref<?x8xf32> -> !tile.tensor_map<16x8xf32, swizzle = 0>
  tile.launch @kernels::@map grid(%c1, %c1, %c1) args(%x, %map : memref<8xf32>, !tile.tensor_map<16x8xf32, swizzle = 0>)
  return
}
gpu.module @kernels {
  llvm.func @map(%a: !llvm.ptr<1>, %map: !llvm.ptr {llvm.align = 64 : i64, llvm.byval = !llvm.array<128 x i8>, nvvm.grid_constant}) attributes {nvvm.kernel} {
    llvm.return
  }
}

// -----

// The module's own limit is kept to.
// MODULE:        module attributes {fusion.limits = {parameters = 24 : i64}}
// MODULE-NOT:    memref.alloc
// MODULE:        tile.launch @kernels::@own grid(%{{.*}}) args(
// MODULE:        tile.launch @kernels::@more grid(%{{.*}}) table(
module attributes {fusion.limits = {parameters = 24 : i64}} {
  func.func @main(%x: memref<8xf64>, %n: index) {
    %c1 = arith.constant 1 : index
    tile.launch @kernels::@own grid(%c1, %c1, %c1) args(%x, %x, %n : memref<8xf64>, memref<8xf64>, index)
    tile.launch @kernels::@more grid(%c1, %c1, %c1) args(%x, %x, %n, %n : memref<8xf64>, memref<8xf64>, index, index)
    return
  }
  gpu.module @kernels {
    llvm.func @own(%a: !llvm.ptr<1>, %b: !llvm.ptr<1>, %n: i64) attributes {nvvm.kernel} {
      llvm.return
    }
    llvm.func @more(%a: !llvm.ptr<1>, %b: !llvm.ptr<1>, %n: i64, %m: i64) attributes {nvvm.kernel} {
      llvm.return
    }
  }
}

// -----

// Tensor maps alone are over the limit: an empty table would hold none of them.
// CHECK-LABEL: func.func @maps_alone(
// CHECK-NOT:     memref.alloc
// CHECK:         tile.launch @kernels::@maps grid(%{{.*}}, %{{.*}}, %{{.*}}) args(%{{.*}} : !tile
// REASON:      remark: {{.*}}Reason="all parameters are tensor maps, which no table holds"
func.func @maps_alone(%y: memref<?x8xf32>) {
  %c1 = arith.constant 1 : index
  %map = tile.tensor_map %y : memref<?x8xf32> -> !tile.tensor_map<16x8xf32, swizzle = 0>
  tile.launch @kernels::@maps grid(%c1, %c1, %c1) args(%map : !tile.tensor_map<16x8xf32, swizzle = 0>)
  return
}
gpu.module @kernels {
  llvm.func @maps(%map: !llvm.ptr {llvm.align = 64 : i64, llvm.byval = !llvm.array<128 x i8>, nvvm.grid_constant}) attributes {nvvm.kernel} {
    llvm.return
  }
}
