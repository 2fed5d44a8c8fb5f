// The list of passes, and a program from memrefs to the C contract.

// RUN: fusion-opt %s -fusion-lower-host -dump-pass-pipeline -o /dev/null 2>&1 | FileCheck %s -check-prefix=PASSES
// RUN: fusion-opt %s -fusion-lower-host | FileCheck %s

// PASSES:      fusion-plan-workspace,
// PASSES:      fusion-expand-math
// PASSES:      expand-strided-metadata
// PASSES:      lower-affine
// PASSES:      fusion-expand-arithmetic
// PASSES:      convert-scf-to-cf
// PASSES:      convert-vector-to-llvm
// PASSES:      convert-math-to-llvm
// PASSES:      convert-math-to-libm
// PASSES:      fusion-host-to-llvm{target=cpu}

// CHECK-NOT:     {{func\.func|memref\.|vector\.|arith\.|unrealized}}
// CHECK-LABEL: llvm.func internal @main_workspace_size(
// CHECK:         llvm.mlir.constant(256 : index)
// CHECK-LABEL: llvm.func internal @group(
// CHECK-SAME:      no_inline
// CHECK:         llvm.intr.masked.load
// CHECK:         llvm.intr.masked.store
// CHECK-LABEL: llvm.func @fusion_workspace_size(
// CHECK:         llvm.call @main_workspace_size(
func.func @main(%x: memref<?xf32> {fusion.name = "x"}, %y: memref<8xf32> {fusion.name = "y", fusion.result}) {
  %t = memref.alloc() : memref<8xf32>
  func.call @group(%x, %t) : (memref<?xf32>, memref<8xf32>) -> ()
  func.call @group(%x, %y) : (memref<?xf32>, memref<8xf32>) -> ()
  return
}
func.func private @group(%x: memref<?xf32>, %y: memref<8xf32>) attributes {fusion.group = "copy"} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : vector<8xf32>
  %n = memref.dim %x, %c0 : memref<?xf32>
  %m = vector.create_mask %n : vector<8xi1>
  %v = vector.maskedload %x[%c0], %m, %zero : memref<?xf32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
  vector.maskedstore %y[%c0], %m, %v : memref<8xf32>, vector<8xi1>, vector<8xf32>
  return
}
