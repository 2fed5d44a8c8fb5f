// RUN: fusion-opt %s -fusion-merge-launches -split-input-file | FileCheck %s
// RUN: fusion-opt %s -fusion-merge-launches -split-input-file \
// RUN:   -remarks-filter='fusion.*' -remark-format=emitRemark -verify-diagnostics -o /dev/null

// Launches of one composite that no kernel holds together.

// Six blocks, where a grid may have five.
// CHECK-LABEL: func.func private @group_2(
// CHECK:         tile.launch @kernels::@group_0
// CHECK:         tile.launch @kernels::@group_1
module attributes {fusion.limits = {grid = 5 : i64}} {
func.func @main(%x: memref<8xf32>, %y: memref<8xf32>) {
  call @group_2(%x, %y) : (memref<8xf32>, memref<8xf32>) -> ()
  return
}
func.func private @group_0(%x: memref<8xf32>) attributes {fusion.group = "a"} {
  %c4 = arith.constant 4 : index
  %c1 = arith.constant 1 : index
  tile.launch @kernels::@group_0 grid(%c4, %c1, %c1) args(%x : memref<8xf32>)
  return
}
func.func private @group_1(%x: memref<8xf32>) attributes {fusion.group = "b"} {
  %c2 = arith.constant 2 : index
  %c1 = arith.constant 1 : index
  // expected-remark @below {{Reason="the grid would be too large"}}
  tile.launch @kernels::@group_1 grid(%c2, %c1, %c1) args(%x : memref<8xf32>)
  return
}
func.func private @group_2(%x: memref<8xf32>, %y: memref<8xf32>) attributes {fusion.composite, fusion.group = "a | b"} {
  call @group_0(%x) : (memref<8xf32>) -> ()
  call @group_1(%y) : (memref<8xf32>) -> ()
  return
}
gpu.module @kernels {
  llvm.func @group_0(%a: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.maxntid = array<i32: 64, 1, 1>} {
    llvm.return
  }
  llvm.func @group_1(%a: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.maxntid = array<i32: 64, 1, 1>} {
    llvm.return
  }
}
}

// -----

// What hands registers from warp to warp comes first: the larger blocks of the second join nothing.
// CHECK-LABEL: func.func private @group_2(
// CHECK:         tile.launch @kernels::@group_0
// CHECK:         tile.launch @kernels::@group_1
func.func @main(%x: memref<8xf32>, %y: memref<8xf32>) {
  call @group_2(%x, %y) : (memref<8xf32>, memref<8xf32>) -> ()
  return
}
func.func private @group_0(%x: memref<8xf32>) attributes {fusion.group = "a"} {
  %c4 = arith.constant 4 : index
  %c1 = arith.constant 1 : index
  tile.launch @kernels::@group_0 grid(%c4, %c1, %c1) args(%x : memref<8xf32>)
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
  llvm.func @group_0(%a: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.maxntid = array<i32: 128, 1, 1>} {
    nvvm.setmaxregister decrease 40
    llvm.return
  }
  llvm.func @group_1(%a: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.maxntid = array<i32: 256, 1, 1>} {
    llvm.return
  }
}

// -----

// Both hand registers from warp to warp, in blocks of two sizes.
// CHECK-LABEL: func.func private @group_2(
// CHECK:         tile.launch @kernels::@group_0
// CHECK:         tile.launch @kernels::@group_1
func.func @main(%x: memref<8xf32>, %y: memref<8xf32>) {
  call @group_2(%x, %y) : (memref<8xf32>, memref<8xf32>) -> ()
  return
}
func.func private @group_0(%x: memref<8xf32>) attributes {fusion.group = "a"} {
  %c4 = arith.constant 4 : index
  %c1 = arith.constant 1 : index
  tile.launch @kernels::@group_0 grid(%c4, %c1, %c1) args(%x : memref<8xf32>)
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
  llvm.func @group_0(%a: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.maxntid = array<i32: 384, 1, 1>} {
    nvvm.setmaxregister decrease 40
    llvm.return
  }
  llvm.func @group_1(%a: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.maxntid = array<i32: 256, 1, 1>} {
    nvvm.setmaxregister increase 232
    llvm.return
  }
}

// -----

// Each takes a tensor map, and parameters hold one.
// CHECK-LABEL: func.func private @group_2(
// CHECK:         tile.launch @kernels::@group_0
// CHECK:         tile.launch @kernels::@group_1
module attributes {fusion.limits = {parameters = 256 : i64}} {
func.func @main(%x: memref<?x8xf32>, %y: memref<?x8xf32>) {
  call @group_2(%x, %y) : (memref<?x8xf32>, memref<?x8xf32>) -> ()
  return
}
func.func private @group_0(%x: memref<?x8xf32>) attributes {fusion.group = "a"} {
  %c1 = arith.constant 1 : index
  %map = tile.tensor_map %x : memref<?x8xf32> -> !tile.tensor_map<16x8xf32, swizzle = 0>
  tile.launch @kernels::@group_0 grid(%c1, %c1, %c1) args(%map : !tile.tensor_map<16x8xf32, swizzle = 0>)
  return
}
func.func private @group_1(%x: memref<?x8xf32>) attributes {fusion.group = "b"} {
  %c1 = arith.constant 1 : index
  %map = tile.tensor_map %x : memref<?x8xf32> -> !tile.tensor_map<16x8xf32, swizzle = 0>
  // expected-remark @below {{Reason="the kernel would take more tensor maps than its parameters hold"}}
  tile.launch @kernels::@group_1 grid(%c1, %c1, %c1) args(%map : !tile.tensor_map<16x8xf32, swizzle = 0>)
  return
}
func.func private @group_2(%x: memref<?x8xf32>, %y: memref<?x8xf32>) attributes {fusion.composite, fusion.group = "a | b"} {
  call @group_0(%x) : (memref<?x8xf32>) -> ()
  call @group_1(%y) : (memref<?x8xf32>) -> ()
  return
}
gpu.module @kernels {
  llvm.func @group_0(%a: !llvm.ptr) attributes {nvvm.kernel, nvvm.maxntid = array<i32: 64, 1, 1>} {
    llvm.return
  }
  llvm.func @group_1(%a: !llvm.ptr) attributes {nvvm.kernel, nvvm.maxntid = array<i32: 64, 1, 1>} {
    llvm.return
  }
}
}
